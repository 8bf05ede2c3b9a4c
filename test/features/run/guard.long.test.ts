import { describe, expect, it } from "vitest";
import { repo } from "../../harness/playground.ts";
import { cardOf, proposing, statesOf, useStage } from "../../harness/stage.ts";

const settings = () => ({
  beside: { "web-2": {} },
  config: { execution: { enabled: true, stored_output_mb: 1 } },
});
const filler = "x".repeat(99).concat("\n").repeat(15_000);
const done = { text: "CONFIRMED by 1: nothing more to do." };
const shows = "CrashLoopBackOff";
const change = "touch /tmp/restarted";
const set = ["uptime", "cat /etc/hostname"];

interface Form {
  readonly name: string;
  /** What the check prints, its exit code, and how often it may be asked. */
  readonly prints?: string | ((nth: number) => string);
  readonly exits?: number;
  readonly check?: string;
  /** In place of a single check. */
  readonly set?: readonly string[];
  /** What every other command prints, and its exit code. */
  readonly others?: { readonly prints: string; readonly exits: number };
  readonly server?: string;
  readonly on?: string;
  readonly when?: unknown;
  readonly before?: readonly string[];
  readonly approval?: string;
  readonly sent?: number;
  /** What people are told. */
  readonly says?: RegExp;
}

const forms: readonly Form[] = [
  { name: "it shows it", prints: `web ${shows}\n`, sent: 1 },
  { name: "it shows it in a line in between", prints: `a\nb ${shows} c\nd\n`, sent: 1 },
  { name: "it shows it without a line end", prints: shows, sent: 1 },
  { name: "a pattern with *", prints: "web 0/1 CrashLoopBackOff\n", when: { check: 1, shows: "web*Crash" }, sent: 1 },
  { name: "the check by its id", prints: `${shows}\n`, when: { check: "1", shows }, sent: 1 },
  { name: "both numbers named", prints: `${shows}\n`, approval: "/approve 1 2", sent: 1 },
  { name: "the change named first", prints: `${shows}\n`, approval: "/approve 2 1", sent: 1 },
  { name: "all", prints: `${shows}\n`, approval: "/approve all", sent: 1 },
  { name: "the check ran before, so it runs again", prints: `${shows}\n`, before: ["/approve 1"], sent: 1 },
  { name: "two servers that both show it", prints: `${shows}\n`, server: "web-1, web-2", sent: 1 },
  { name: "cut in the middle, and shown before", prints: `${shows}\n${filler}`, sent: 1 },
  { name: "cut away", prints: `${filler}${shows}\n${filler}`, says: /not all that check 1 printed/ },
  {
    name: "words that tell of a cut",
    prints: filler,
    when: { check: 1, shows: "bytes in the middle" },
    says: /not all that check 1 printed/,
  },
  { name: "it does not show it", prints: "Running\n", says: /check 1 does not show .*its last line is "Running"/ },
  { name: "it prints nothing", prints: "", says: /check 1 does not show/ },
  { name: "another case", prints: "crashloopbackoff\n", says: /does not show/ },
  { name: "over two lines", prints: "CrashLoop\nBackOff\n", says: /does not show/ },
  {
    name: "a pattern over two lines",
    prints: "web\nCrash\n",
    when: { check: 1, shows: "web*Crash" },
    says: /does not show/,
  },
  { name: "the check fails and shows it", prints: `${shows}: no such file\n`, exits: 1, says: /did not end well/ },
  { name: "the check is no program", prints: `${shows}: not found\n`, exits: 127, says: /did not end well/ },
  {
    name: "what it showed before it shows no more",
    prints: (nth) => (nth === 1 ? `${shows}\n` : "Running\n"),
    before: ["/approve 1"],
    says: /check 3 does not show/,
  },
  {
    name: "one of two servers does not show it",
    prints: (nth) => (nth === 1 ? `${shows}\n` : "Running\n"),
    server: "web-1, web-2",
    says: /does not show .* on web-/,
  },
  {
    name: "what is hidden",
    prints: "password=Xk29dkPq81zL\n",
    when: { check: 1, shows: "REDACTED" },
    says: /does not show|not all/,
  },
  {
    name: "across what is hidden",
    prints: "a password=Xk29dkPq81zL b\n",
    when: { check: 1, shows: "password*b" },
    says: /does not show|not all/,
  },
  {
    name: "the check is rejected",
    prints: `${shows}\n`,
    before: ["/reject 1 no"],
    says: /check 1 was (?:rejected|turned down)/,
  },
  {
    name: "the check is edited",
    prints: `${shows}\n`,
    before: ["/edit 1\n```sh\nuptime\n```"],
    says: /check 1 was replaced/,
  },
  {
    name: "no such check",
    when: { check: 7, shows },
    approval: "/approve all",
    says: /when.check 7 is no proposal before/,
  },
  {
    name: "itself as check",
    when: { check: 2, shows },
    approval: "/approve all",
    says: /when.check 2 is no proposal before/,
  },
  { name: "check 0", when: { check: 0, shows }, approval: "/approve all", says: /when.check 0 is no proposal before/ },
  { name: "no pattern", when: { check: 1 }, approval: "/approve all", says: /when.shows is no text/ },
  {
    name: "a pattern of anything",
    when: { check: 1, shows: "*" },
    approval: "/approve all",
    says: /when.shows is no text/,
  },
  {
    name: "a pattern of two lines",
    when: { check: 1, shows: "a\nb" },
    approval: "/approve all",
    says: /when.shows is no text/,
  },
  {
    name: "an unknown key",
    when: { check: 1, shows, lacks: "x" },
    approval: "/approve all",
    says: /when knows no "lacks"/,
  },
  { name: "no object", when: shows, approval: "/approve all", says: /when is no object/ },
  { name: "a list of conditions", when: [{ check: 1, shows }], approval: "/approve all", says: /when is no object/ },
  { name: "a change as check", check: "touch /tmp/a", approval: "/approve all", says: /its check cannot run/ },
  {
    name: "a check without an end",
    check: "tail -f /var/log/syslog",
    approval: "/approve 2",
    says: /its check cannot run/,
  },
  {
    name: "a check for another server",
    server: "web-2",
    on: "web-1",
    approval: "/approve all",
    says: /its check does not run on web-1/,
  },
  {
    name: "a check for one of its servers",
    server: "web-1",
    on: "web-1, web-2",
    approval: "/approve all",
    says: /its check does not run on web-2/,
  },
  {
    name: "a pattern that holds a secret",
    when: { check: 1, shows: "password=Xk29dkPq81zL" },
    approval: "/approve all",
    says: /hold a secret/,
  },
  { name: "the second of a set shows it", set, prints: `${shows}\n`, when: { check: 1.2, shows }, sent: 1 },
  { name: "the second of a set, as text", set, prints: `${shows}\n`, when: { check: "1.2", shows }, sent: 1 },
  {
    name: "a set and its change, both numbers named",
    set,
    prints: `${shows}\n`,
    when: { check: 1.2, shows },
    approval: "/approve 1 2",
    sent: 1,
  },
  {
    name: "a set that ran before, so its read runs again",
    set,
    prints: `${shows}\n`,
    when: { check: 1.2, shows },
    before: ["/approve 1"],
    sent: 1,
  },
  {
    name: "a set that showed it before and does no more",
    set,
    prints: (nth) => (nth === 1 ? `${shows}\n` : "Running\n"),
    when: { check: 1.2, shows },
    before: ["/approve 1"],
    says: /check 3 does not show/,
  },
  {
    name: "only another of the set shows it",
    set,
    others: { prints: `${shows}\n`, exits: 0 },
    when: { check: 1.2, shows },
    says: /check 1\.2 does not show .*its last line is "Running"/,
  },
  {
    name: "another of the set fails",
    set,
    prints: `${shows}\n`,
    others: { prints: "", exits: 1 },
    when: { check: 1.2, shows },
    sent: 1,
  },
  {
    name: "the read of the set fails and shows it",
    set,
    prints: `${shows}\n`,
    exits: 1,
    when: { check: 1.2, shows },
    says: /check 1\.2 did not end well/,
  },
  { name: "a set without its read", set, approval: "/approve all", says: /is a set: name one of its reads, as 1\.2/ },
  {
    name: "a read that the set lacks",
    set,
    when: { check: 1.7, shows },
    approval: "/approve all",
    says: /when.check 1\.7 names no single command/,
  },
  {
    name: "a set's read 0",
    set,
    when: { check: "1.0", shows },
    approval: "/approve all",
    says: /when.check 1\.0 is no proposal before/,
  },
  {
    name: "a read of what is no set",
    when: { check: 1.1, shows },
    approval: "/approve all",
    says: /when.check 1\.1 names no single command/,
  },
  {
    name: "the set is rejected",
    set,
    prints: `${shows}\n`,
    when: { check: 1.2, shows },
    before: ["/reject 1 no"],
    says: /check 1 was (?:rejected|turned down)/,
  },
  {
    name: "a set on two servers that both show it",
    set,
    server: "web-1, web-2",
    prints: `${shows}\n`,
    when: { check: 1.2, shows },
    sent: 1,
  },
  {
    name: "a set on two servers, one of which does not show it",
    set,
    server: "web-1, web-2",
    prints: (nth) => (nth === 1 ? `${shows}\n` : "Running\n"),
    when: { check: 1.2, shows },
    says: /check 1\.2 does not show .* on web-/,
  },
  {
    name: "another server shows it",
    server: "web-2",
    on: "web-1",
    prints: `${shows}\n`,
    when: { check: 1, shows, on: "web-2" },
    sent: 1,
  },
  {
    name: "another server does not show it",
    server: "web-2",
    on: "web-1",
    when: { check: 1, shows, on: "web-2" },
    says: /check 1 does not show .* on web-2/,
  },
  {
    name: "a set of another server shows it",
    set,
    server: "web-2",
    on: "web-1",
    prints: `${shows}\n`,
    when: { check: 1.2, shows, on: "web-2" },
    sent: 1,
  },
  {
    name: "one of two other servers does not show it",
    server: "web-1, web-2",
    on: "web-1",
    prints: (nth) => (nth === 1 ? `${shows}\n` : "Running\n"),
    when: { check: 1, shows, on: "web-1, web-2" },
    says: /does not show .* on web-/,
  },
  {
    name: "on a server where its check does not run",
    on: "web-1",
    when: { check: 1, shows, on: "web-2" },
    approval: "/approve all",
    says: /its check does not run on web-2/,
  },
  {
    name: "on a server that there is not",
    when: { check: 1, shows, on: "web-9" },
    approval: "/approve all",
    says: /there is no server "web-9"/,
  },
  { name: "on nothing", when: { check: 1, shows, on: " " }, approval: "/approve all", says: /when.on names no server/ },
  {
    name: "on a list",
    when: { check: 1, shows, on: ["web-1"] },
    approval: "/approve all",
    says: /when.on names no server/,
  },
];

// One bot opens no more incidents than so many in an hour.
describe.each([0, 1, 2])("Guards: a change that waits for what its check shows (%s)", (third) => {
  const stage = useStage(settings);
  it.each(forms.filter((_, at) => at % 3 === third))("AR-26 SR-24 $name", async (form) => {
    const { prints = "Running\n", exits = 0, check = "cat /etc/hostname", server = "web-1", before = [] } = form;
    const { on = server, when = { check: 1, shows }, approval = "/approve 2", sent = 0, says, others } = form;
    const shownOn = typeof when === "object" && when !== null && "on" in when ? String(when.on) : on;
    let asked = 0;
    stage.play(async (command, { channel }) => {
      if (!command.includes("/etc/hostname")) {
        if (others && !command.includes(change)) channel.write(others.prints);
        return others && !command.includes(change) ? others.exits : 0;
      }
      asked += 1;
      channel.write(typeof prints === "string" ? prints : prints(asked));
      return exits;
    });
    // What is sent back comes once more as it was.
    stage.model.otherwise(
      proposalOf({ reads: form.set ? { commands: form.set } : { command: check }, server, on, when }),
    );
    const thread = await stage.opened();
    stage.model.otherwise(done);
    const asks = (await thread.comments()).map(({ body }) => body).join("\n---\n");
    const start = stage.ran().length;
    for (const words of before) await stage.ask(thread, "lee", words);
    await stage.ask(thread, "lee", approval);
    const changes = stage
      .ran()
      .slice(start)
      .filter((command) => command.includes(change));
    expect(changes).toHaveLength(sent * on.split(",").length);
    const all = (await thread.comments()).map(({ body }) => body).join("\n---\n");
    if (sent > 0 && before.length === 0) expect(asked).toBe(shownOn.split(",").length);
    if (says) expect(all).toMatch(says);
    else expect(asks).toMatch(/\*\*Runs only if check 1(?:\.2)? shows `/);
  });
});

const proposalOf = ({ reads, server, on, when }: { reads: object; server: string; on: string; when: unknown }) => ({
  text: [
    "LIKELY: looking.",
    "---ACTIONS_JSON_START---",
    JSON.stringify({
      actions: [
        { id: "1", api: "ssh.execute", title: "Look", description: "looks", params: { server, ...reads } },
        {
          id: "2",
          api: "ssh.execute",
          title: "Restart",
          description: "restarts",
          when,
          params: { server: on, command: change },
        },
      ],
    }),
    "---ACTIONS_JSON_END---",
  ].join("\n"),
});

describe("the state of a change whose condition does not hold", () => {
  const stage = useStage(settings);
  it("AR-26 is void for good, and the agent's turn is told why", async () => {
    stage.play(async (command, { channel }) => {
      if (command.includes("/etc/hostname")) channel.write("Running\n");
      return 0;
    });
    const thread = await stage.incident("cat /etc/hostname", { command: change, when: { check: 1, shows } });
    await stage.ask(thread, "lee", "/approve 2", done);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "done", 2: "void" });
    const news = stage.model.requests.at(-1)?.body.messages.at(-1)?.content;
    expect(news).toContain("check 1 does not show");
  });

  it("AR-26 is justified by a read that stands open in a set of before, under one approval with it", async () => {
    stage.play(async (command, { channel }) => {
      if (command.includes("/etc/hostname")) channel.write(`${shows}\n`);
      return 0;
    });
    const thread = await stage.incident({ command: "", commands: set });
    const guarded = proposing("LIKELY: on.", "cat /etc/hostname", { command: change, when: { check: 1, shows } });
    await stage.ask(thread, "lee", "/ask what now", guarded);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed", 2: "proposed" });
    expect((await cardOf(thread, 2)).body).toContain("**Runs only if check 1.2 shows `");
    const start = stage.ran().length;
    await stage.ask(thread, "lee", "/approve 2", done);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "done", 2: "done" });
    expect(
      stage
        .ran()
        .slice(start)
        .filter((command) => command.includes("/etc/hostname")),
    ).toHaveLength(1);
  });

  it("AR-26 names the new check if both are proposed again, because their card was edited", async () => {
    stage.play(async (command, { channel }) => {
      if (command.includes("/etc/hostname")) channel.write(`${shows}\n`);
      return 0;
    });
    const thread = await stage.incident("cat /etc/hostname", { command: change, when: { check: 1, shows } });
    const card = await cardOf(thread, 2);
    await stage.github.editComment("mona", repo, card.id, card.body.replace("touch", "rm"));
    await stage.quiet();
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "void", 2: "void", 3: "proposed", 4: "proposed" });
    const start = stage.ran().length;
    await stage.ask(thread, "lee", "/approve 4", { text: "CONFIRMED by 3: nothing more to do." });
    expect(await statesOf(stage, thread.number)).toMatchObject({ 3: "done", 4: "done" });
    expect(
      stage
        .ran()
        .slice(start)
        .filter((command) => command.includes(change)),
    ).toHaveLength(1);
  });

  it("AR-26 SR-30 follows its check to the new number, if only the check's card was edited", async () => {
    stage.play(async (command, { channel }) => {
      if (command.includes("/etc/hostname")) channel.write(`${shows}\n`);
      return 0;
    });
    const thread = await stage.incident("cat /etc/hostname");
    const guarded = proposing("LIKELY: on.", "cat /etc/hostname", { command: change, when: { check: 1, shows } });
    await stage.ask(thread, "lee", "/ask what now", guarded);
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed", 2: "proposed" });
    const card = await cardOf(thread, 1);
    await stage.github.editComment("mona", repo, card.id, card.body.replace("cat", "rm"));
    await stage.quiet();
    expect(await statesOf(stage, thread.number)).toEqual({ 1: "void", 2: "void", 3: "proposed", 4: "proposed" });
    const start = stage.ran().length;
    await stage.ask(thread, "lee", "/approve 4", { text: "CONFIRMED by 3: nothing more to do." });
    expect(await statesOf(stage, thread.number)).toMatchObject({ 3: "done", 4: "done" });
    expect(changesIn(stage.ran().slice(start))).toHaveLength(1);
  });

  it.each(["cancelled", "UNKNOWN"] as const)(
    "AR-26 is open again behind a check that ended %s, and its next approval runs the check again",
    async (how) => {
      let asked = 0;
      let release: () => void = () => {};
      stage.play(async (command, { channel, reset }) => {
        if (!command.includes("/etc/hostname")) return 0;
        asked += 1;
        if (asked === 1 && how === "UNKNOWN") {
          reset();
          return 0;
        }
        if (asked === 1)
          await new Promise<void>((resolve) => {
            release = resolve;
          });
        channel.write(`${shows}\n`);
        return 0;
      });
      const thread = await stage.incident("cat /etc/hostname", { command: change, when: { check: 1, shows } });
      const start = stage.ran().length;
      await thread.say("lee", "/approve 2");
      if (how === "cancelled") {
        await thread.waitFor((body) => body.includes("running since"), "the check runs");
        await thread.say("lee", "/cancel 1");
        await thread.waitFor((body) => body.includes("🛑"), "its end");
        release();
      }
      stage.model.play({ text: "INCONCLUSIVE by 1: it did not answer." });
      await stage.quiet();
      expect(changesIn(stage.ran().slice(start))).toEqual([]);
      expect(await statesOf(stage, thread.number)).toEqual({ 1: "done", 2: "proposed" });
      await stage.ask(thread, "lee", "/approve 2", { text: "CONFIRMED by 3: nothing more to do." });
      expect(await statesOf(stage, thread.number)).toEqual({ 1: "done", 2: "done", 3: "done" });
      expect(changesIn(stage.ran().slice(start))).toHaveLength(1);
    },
  );
});

const changesIn = (ran: readonly string[]): readonly string[] => ran.filter((command) => command.includes(change));
