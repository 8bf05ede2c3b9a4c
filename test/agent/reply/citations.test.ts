import { describe, expect, it } from "vitest";
import { findUnfounded, type RecordedRun, strike } from "../../../src/agent/reply/claims.ts";
import { fc } from "../../harness/chance.ts";
import { run } from "./recorded-run.ts";

const pods =
  "NAME    READY  STATUS            RESTARTS      AGE\napi-1   1/1    Running           0             9h\njob-7   0/1    CrashLoopBackOff  17 (41s ago)  9h";
const runs: readonly RecordedRun[] = [
  run(3, "kubectl -n pay get pods", pods),
  run(4, "systemctl is-active nginx", "inactive", { ending: { kind: "exited", code: 3 }, isWell: false }),
  run(5, "df -h /var", "/dev/sda1  98G  93G  5.0G  95% /var"),
];
const given = "#12 says: port taken by an old worker\nline 40: no space left\n";
const unfounded = (prose: string, record = runs, shown = given) =>
  findUnfounded(prose, {
    record: { runs: record, open: [7] },
    shown: [shown, ...record.map(({ output }) => output)].join("\n"),
    own: { ids: [], commands: [] },
  });
const reasons = (prose: string) => unfounded(prose).map(({ why }) => why);

/** Nobody speaks of these things in any output's words. */
const sentences = [
  "The worker cannot keep up and everything behind it is broken",
  "Der Dienst ist abgestürzt und kommt nicht wieder hoch",
  "Le service tombe sans arrêt",
  "El servicio no se mantiene en pie",
  "Usługa wciąż się wywraca",
  "このサービスは落ち続けています",
  "Сервис не поднимается",
] as const;
const forms = [
  (number: number, quote: string) => ` (run ${number}: "${quote}").`,
  (number: number, quote: string) => ` (run ${number}: \`${quote}\`).`,
  (number: number, quote: string) => ` (${number}: “${quote}”).`,
  (number: number, quote: string) => ` [Run #${number}: "${quote}"].`,
  (number: number, quote: string) => `. (run ${number}: "${quote}")`,
  (number: number, quote: string) => `（run ${number}：「${quote}」）。`,
] as const;
const words = (text: string) => fc.array(fc.constantFrom(...text.split(" ")), { minLength: 3, maxLength: 12 });
const output = words(
  "17 (41s ago) 0.0.0.0:80 [emerg] 95% state=down | - ERROR: nginx 不明 3.8G <none> * 03:41:12.220113 exit. A",
);

describe("AR-15 PA-4 what a sentence cites", () => {
  it("bears it in any language if that run's output has the words, in any blanks, and no other", {
    tags: ["long"],
  }, () => {
    const other = words("amber 2048M (ok) _ Zürich: 7x");
    fc.assert(
      fc.property(
        output,
        other,
        fc.nat(),
        fc.constantFrom(...sentences),
        fc.constantFrom(...forms),
        (mine, others, at, sentence, form) => {
          const record = [run(1, "cat /a", mine.join("   ")), run(2, "cat /b", others.join(" "))];
          const from = at % (mine.length - 1);
          const quote = mine.slice(from, from + 2 + (at % 3)).join(" ");
          fc.pre(/[\p{L}\p{N}]/u.test(quote));
          expect(unfounded(sentence + form(1, quote), record)).toEqual([]);
          for (const [number, why] of [
            [2, "2 does not say what it is cited for"],
            [9, "9 has not run"],
          ] as const) {
            const prose = sentence + form(number, quote);
            expect(unfounded(prose, record), prose).toEqual([{ from: 0, to: prose.length, why }]);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it.each([
    ["several pieces", 'It crashes (run 3: "CrashLoopBackOff", "17 (41s ago)"; run 4: "inactive").'],
    ["a piece that is cut", 'It crashes (run 3: "job-7 … CrashLoopBackOff").'],
    ["how a run ended", 'nginx does not run (run 4: "exit 3").'],
    ["what was switched on or off, in other words", 'nginx est désactivé (run 4: "inactive").'],
  ])("may be %s", (_what, prose) => {
    expect(reasons(prose)).toEqual([]);
  });

  it.each([
    ["a run that has not run", 'It crashes (run 12: "CrashLoopBackOff").', "12 has not run"],
    ["a proposal", 'It crashes (run 7: "CrashLoopBackOff").', "7 has not run"],
    ["words of another run", 'It crashes (run 4: "CrashLoopBackOff").', "4 does not say what it is cited for"],
    ["words of the issue", 'It crashes (run 4: "no space left").', "4 does not say what it is cited for"],
    ["a part of a word", 'It is up (run 4: "active").', "4 does not say what it is cited for"],
    ["a part of its command", 'It is up (run 4: "is-active").', "4 does not say what it is cited for"],
    ["a part of a figure", 'It is idle (run 5: "5").', "5 does not say what it is cited for"],
    ["no word at all", 'It crashes (run 3: "…").', "3 does not say what it is cited for"],
    ["anything", 'It crashes (run 3: "*").', "3 does not say what it is cited for"],
    ["one of two", 'It crashes (run 3: "CrashLoopBackOff"; run 4: "dead").', "4 does not say what it is cited for"],
    ["an ending it has not", 'It went well (run 4: "exit 0").', "4 does not say what it is cited for"],
  ])("is false if it is %s", (_what, prose, why) => {
    expect(reasons(prose)).toEqual([why]);
  });

  it.each([
    "The issue names it (#12: “port taken by an old worker”).",
    'The file has it (line 40: "no space left").',
    "Look for it in the log (port 80: `listen`).",
  ])("is no citation if it may be something else: %s", (prose) => {
    expect(reasons(prose).filter((why) => /cited for|has not run/.test(why))).toEqual([]);
  });

  it.each([
    ["an act", 'I restarted job-7 (run 3: "CrashLoopBackOff").'],
    ["an act of nobody", 'job-7 was rolled back (run 3: "CrashLoopBackOff").'],
    ["a figure", 'The queue holds 4180 messages (run 3: "CrashLoopBackOff").'],
    ["a name", 'db-9 is affected too (run 3: "CrashLoopBackOff").'],
    ["the opposite", 'All pods are running (run 3: "api-1 1/1 Running").'],
    ["another run", 'It crashes, and run 12 shows why (run 3: "CrashLoopBackOff").'],
    ["another code", 'It crashes, run 4 ended with exit 5 (run 3: "CrashLoopBackOff").'],
    ["another quotation", 'The log says "no route to host at all" (run 3: "CrashLoopBackOff").'],
  ])("does not bear %s that no run shows", (_what, prose) => {
    expect(reasons(prose)).toHaveLength(1);
  });

  it("of an output that was cut, stands on a page that was read since", () => {
    const prose = 'The cause is known (run 6: "OOM killer at 14:02").';
    const of = (output: string) => unfounded(prose, [...runs, run(6, "dmesg", output)], "page 3: OOM killer at 14:02");
    expect(of("first\n⋯ 900 lines left out ⋯\nlast")).toEqual([]);
    expect(of("first\nlast")).not.toEqual([]);
  });

  it("is struck with its sentence, and the rest stands", () => {
    const prose =
      'It crashes (run 3: "CrashLoopBackOff"). The disk is full. (run 5: "100% /var") It waits.\n- cold (run 12: "miss")\n落ちています（run 3：「17 (41s ago)」）。満杯です（run 5：「100%」）。';
    expect(strike(prose, unfounded(prose))).toBe(
      'It crashes (run 3: "CrashLoopBackOff"). It waits.\n\n落ちています（run 3：「17 (41s ago)」）。',
    );
  });

  it.each(['(run 3: "a', '(run 3: "a") ', "(3: `", '(3: "x", "', '(run 3: "a"; run 4: ', "（3：「あ」"])(
    "ends for 100 kB of %j",
    (part) => {
      const prose = part.repeat(Math.ceil(100_000 / part.length));
      const long = [run(3, "journalctl", "Nov 26 14:02:11 web-1 nginx[311]: bind() failed 98 a\n".repeat(5000))];
      expect(unfounded(prose, long).length).toBeLessThanOrEqual(prose.length);
    },
  );
});
