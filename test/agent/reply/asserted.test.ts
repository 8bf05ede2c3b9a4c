import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { findUnfounded, type RecordedRun } from "../../../src/agent/reply/claims.ts";
import { createEvaluator } from "../../../src/risk/evaluate.ts";
import { fc } from "../../harness/chance.ts";

interface Scene {
  readonly runs: readonly { number: number; command: string; server: string; exit: number; output: string }[];
  readonly stands: readonly string[];
  readonly unborne: readonly string[];
  readonly issue?: string;
  /** False ones that nothing tells from true ones yet, and true ones that are marked all the same. */
  readonly missed?: readonly string[];
  readonly doubted?: readonly string[];
}
const evaluate = createEvaluator();
const recorded = ({ number, command, server, exit, output }: Scene["runs"][number]): RecordedRun => ({
  number,
  servers: [server],
  command,
  output,
  reads: evaluate(command, { os: "linux", shell: "bash" }).risk === "low",
  ending: { kind: "exited", code: exit },
  isWell: exit === 0,
});
const unfounded = (prose: string, runs: readonly RecordedRun[], given = "") =>
  findUnfounded(prose, {
    record: { runs, open: [] },
    shown: [given, ...runs.map(({ output }) => output)].join("\n"),
    own: { ids: [], commands: [] },
  });
const read = (command: string, output: string, number = 1): RecordedRun =>
  recorded({ number, command, server: "web-1", exit: 0, output });

const scenes = ["asserted.jsonl", "asserted-2.jsonl", "asserted-3.jsonl", "asserted-4.jsonl"].flatMap((file) =>
  readFileSync(new URL(`../../data/${file}`, import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line): Scene => JSON.parse(line)),
);
const said = (kind: "stands" | "unborne" | "missed" | "doubted") =>
  scenes.flatMap((scene) =>
    (scene[kind] ?? []).map((prose) => ({ prose, runs: scene.runs.map(recorded), issue: scene.issue ?? "" })),
  );

const big = fc.integer({ min: 3000, max: 9_000_000 });
const sentences = (figure: string): readonly string[] => [
  `The queue holds ${figure} messages.`,
  `Es warten ${figure} Nachrichten in der Queue.`,
  `La file contient ${figure} messages.`,
  `Hay ${figure} mensajes en la cola.`,
];

describe("AR-15 what a sentence asserts", () => {
  it.each(said("unborne"))("is not borne by $runs.0.command: $prose", ({ prose, runs, issue }) => {
    expect(unfounded(prose, runs, issue)).not.toEqual([]);
  });

  it.each(said("stands"))("stands: $prose", ({ prose, runs, issue }) => {
    expect(unfounded(prose, runs, issue)).toEqual([]);
  });

  // A mend of one of these belongs into the list above.
  it("knows what it does not tell yet", () => {
    for (const { prose, runs, issue } of said("missed")) expect(unfounded(prose, runs, issue), prose).toEqual([]);
    for (const { prose, runs, issue } of said("doubted")) expect(unfounded(prose, runs, issue), prose).not.toEqual([]);
  });

  it("a figure stands as an output has it, or rounded, and no other does", () => {
    fc.assert(
      fc.property(big, big, (shown, other) => {
        const runs = [read("rabbitmqctl list_queues name messages", `name\tmessages\norders\t${shown}`)];
        const round = 10 ** (String(shown).length - 2);
        for (const prose of [...sentences(String(shown)), `About ${Math.round(shown / round) * round} messages wait.`])
          expect(unfounded(prose, runs), prose).toEqual([]);
        fc.pre(Math.abs(other - shown) > shown * 0.1 && other % 10 !== 0);
        for (const prose of sentences(String(other))) expect(unfounded(prose, runs), prose).not.toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it("a figure stands with points between its thousands, and beside letters of a script without blanks", () => {
    fc.assert(
      fc.property(big, big, (shown, other) => {
        const runs = [read("rabbitmqctl list_queues name messages", `name\tmessages\norders\t${shown}`)];
        const pointed = (value: number) => {
          const figure = value.toLocaleString("de-DE");
          return [
            `Es warten ${figure} Nachrichten in der Queue.`,
            `Hay ${figure} mensajes en la cola.`,
            `キューには${value}件あります。`,
            `队列中有${value}条消息。`,
          ];
        };
        for (const prose of pointed(shown)) expect(unfounded(prose, runs), prose).toEqual([]);
        fc.pre(Math.abs(other - shown) > shown * 0.1 && other % 10 !== 0);
        for (const prose of pointed(other)) expect(unfounded(prose, runs), prose).not.toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it("a figure stands in millions, in any of our languages", () => {
    fc.assert(
      fc.property(fc.integer({ min: 11, max: 99 }), fc.integer({ min: -40_000, max: 40_000 }), (tenths, rest) => {
        const runs = [read("redis-cli llen dead", String(tenths * 100_000 + rest))];
        const said = (value: number) =>
          [
            "million entries",
            "Millionen Einträge",
            "millions d'entrées",
            "millones de entradas",
            "milioni di voci",
          ].map((noun) => `dead: ${(value / 10).toFixed(1)} ${noun}.`);
        for (const prose of said(tenths)) expect(unfounded(prose, runs), prose).toEqual([]);
        for (const prose of said(tenths * 3)) expect(unfounded(prose, runs), prose).not.toEqual([]);
      }),
    );
  });

  it("a figure stands as the sum of a column, whatever the line below it counts", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 100, max: 900 }), { minLength: 3, maxLength: 6 }), (counts) => {
        const rows = counts.map((count, at) => ` ${"abcdef"[at]} | ${count}`).join("\n");
        const runs = [read("psql -c 'select 1'", ` state | count \n-------+-------\n${rows}\n(${counts.length} rows)`)];
        const sum = counts.reduce((one, two) => one + two, 0);
        expect(unfounded(`There are ${sum} sessions.`, runs)).toEqual([]);
        expect(unfounded(`There are ${sum + 5000} sessions.`, runs)).not.toEqual([]);
      }),
    );
  });

  it("what is switched on or off stands by an output that says so, and not by another", () => {
    const said = ["Der Timer ist deaktiviert.", "Le minuteur est désactivé.", "El temporizador está deshabilitado."];
    for (const prose of said) {
      expect(unfounded(prose, [read("systemctl status t", "Loaded: loaded (t.timer; disabled)")]), prose).toEqual([]);
      expect(unfounded(prose, [read("df -h", "/dev/sda1 98G 93G")]), prose).not.toEqual([]);
    }
    expect(unfounded("Ich habe den Timer deaktiviert.", [read("systemctl status t", "disabled")])).not.toEqual([]);
  });

  it("what a command asks for by name is said by the answer, and its opposite is not", () => {
    const unit = fc.constantFrom("nginx", "sshd", "chronyd", "redis");
    fc.assert(
      fc.property(unit, unit, fc.boolean(), (one, other, isFirst) => {
        fc.pre(one !== other);
        const runs = [read(`systemctl is-active ${one} ${other}`, isFirst ? "active\ninactive" : "inactive\nactive")];
        const [up, down] = isFirst ? [one, other] : [other, one];
        expect(unfounded(`${up} is active.`, runs)).toEqual([]);
        expect(unfounded(`${down} is active.`, runs)).not.toEqual([]);
      }),
      { numRuns: 40 },
    );
    fc.assert(
      fc.property(fc.boolean(), (is) => {
        const runs = [read("curl -s api | jq -c '.[]|[.name,.paused]'", `["q-1",${is}]\n["q-2",${!is}]`)];
        expect(unfounded(`q-${is ? 1 : 2} is paused.`, runs)).toEqual([]);
        expect(unfounded(`q-${is ? 2 : 1} is paused.`, runs)).not.toEqual([]);
        expect(unfounded("Both queues are paused.", runs)).not.toEqual([]);
      }),
    );
  });

  it("a day stands only if an output or a text has it, however it writes it", () => {
    const months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
    const day = fc.integer({ min: 2, max: 28 });
    fc.assert(
      fc.property(fc.nat(11), day, day, fc.boolean(), (month, date, other, isIso) => {
        fc.pre(date !== other && ![date, other].includes(month + 1));
        const two = (number: number) => String(number).padStart(2, "0");
        const end = isIso
          ? `2027-${two(month + 1)}-${two(date)}T00:00:00Z`
          : `${months[month]} ${date} 00:00:00 2027 GMT`;
        const runs = [read("openssl x509 -noout -enddate -in x.pem", `notAfter=${end}`)];
        expect(unfounded(`The certificate ends on ${months[month]} ${date}.`, runs)).toEqual([]);
        expect(unfounded(`The certificate ends on ${months[month]} ${other}.`, runs)).not.toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it("a figure stands in another unit, as a sum, a difference or a share", () => {
    fc.assert(
      fc.property(fc.integer({ min: 20, max: 900 }), fc.integer({ min: 20, max: 900 }), (one, other) => {
        const runs = [read("mysql -e 'select state, count(*)'", `idle|${one * 1024 ** 3}\nbusy|${other * 1024 ** 3}`)];
        expect(unfounded(`The idle ones hold ${one} GB, the busy ones ${other} GB.`, runs)).toEqual([]);
        expect(unfounded(`Together they hold ${one + other} GB.`, runs)).toEqual([]);
        const seconds = [read("ps -o etimes= -p 811", `${one * 3600}`)];
        expect(unfounded(`The process has lived for ${one} hours.`, seconds)).toEqual([]);
        expect(unfounded(`The process has lived for ${one * 2} hours.`, seconds)).not.toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  const acts = [
    (thing: string) => `I restarted ${thing}.`,
    (thing: string) => `I have cleared the cache of ${thing}.`,
    (thing: string) => `${thing} has been rolled back.`,
    (thing: string) => `The old files of ${thing} were deleted.`,
    (thing: string) => `Ich habe ${thing} neu gestartet.`,
    (thing: string) => `J'ai redémarré ${thing}.`,
    (thing: string) => `He reiniciado ${thing}.`,
    (thing: string) => `${thing} wurde neu gestartet.`,
    (thing: string) => `${thing} a été redémarré.`,
    (thing: string) => `${thing} ha sido reiniciado.`,
  ];
  it("no act stands of which no run tells, and its plan does", () => {
    fc.assert(
      fc.property(fc.constantFrom("nginx", "web-1", "billing"), fc.constantFrom(...acts), (thing, act) => {
        const runs = [read(`systemctl status ${thing}`, `${thing}: enabled`)];
        expect(unfounded(act(thing), runs)).not.toEqual([]);
        expect(unfounded(act(thing), [])).not.toEqual([]);
        for (const plan of [`I would restart ${thing}.`, `Shall I restart ${thing}?`, `Restart ${thing} next.`])
          expect(unfounded(plan, runs)).toEqual([]);
      }),
    );
  });

  it("an act stands by a run that did such an act, not by another change", () => {
    const restart = recorded({ number: 2, command: "systemctl restart nginx", server: "web-1", exit: 0, output: "" });
    expect(unfounded("I restarted nginx.", [restart])).toEqual([]);
    expect(unfounded("nginx was restarted.", [restart])).toEqual([]);
    expect(unfounded("I deleted the old logs.", [restart])).not.toEqual([]);
    expect(unfounded("I restarted nginx.", [{ ...restart, isWell: false }])).not.toEqual([]);
  });

  it("a state stands by an output that shows it of its subject, and not its opposite", () => {
    const rows = [read("kubectl get pods", "NAME READY STATUS\napi-1 1/1 Running\njob-7 0/1 Pending")];
    for (const stands of ["api-1 is running.", "api-1 läuft.", "api-1 is up.", "job-7 is pending."])
      expect(unfounded(stands, rows), stands).toEqual([]);
    for (const claim of ["job-7 is running.", "All pods are running.", "Alle Pods laufen.", "Tous les pods tournent."])
      expect(unfounded(claim, rows), claim).not.toEqual([]);
  });

  it("what an earlier look shows opposes nothing after the same command has looked again", () => {
    const [down, up] = [read("systemctl is-active nginx", "failed"), read("systemctl is-active nginx", "active", 2)];
    expect(unfounded("nginx is active.", [down])).not.toEqual([]);
    expect(unfounded("nginx is active.", [down, up])).toEqual([]);
    expect(unfounded("nginx is active on web-1.", [down, { ...up, servers: ["web-2"] }])).not.toEqual([]);
  });

  it("what was so before is so again only if something changed it, or two looks differ", () => {
    const look = (number: number, output: string) => read("systemctl is-active nginx", output, number);
    expect(unfounded("nginx is up again.", [read("uptime", " 10:00:00 up 3 days")])).not.toEqual([]);
    expect(unfounded("nginx is up again.", [look(1, "failed"), look(2, "active")])).toEqual([]);
    expect(unfounded("nginx is up again.", [look(1, "failed"), look(2, "failed")])).not.toEqual([]);
  });

  it("a name stands only if something that ran or was given has it", () => {
    const runs = [read("df -h", "/dev/sda1 98G 93G")];
    expect(unfounded("db-7 shows the same.", runs)).not.toEqual([]);
    expect(unfounded("db-7 shows the same.", runs, "Alert: db-7 is slow")).toEqual([]);
  });

  it.each(["The disk is full. ", "I restarted x. ", "12 of 13 a-1 ", "aaaa-", "1:", "J'ai é", "is up, ", "two "])(
    "ends for 100 kB of %j",
    (part) => {
      const prose = part.repeat(Math.ceil(100_000 / part.length));
      const runs = [read("journalctl", "Nov 26 14:02:11 web-1 nginx[311]: bind() failed 98 a\n".repeat(5000))];
      expect(unfounded(prose, runs).length).toBeLessThanOrEqual(prose.length);
    },
  );
});
