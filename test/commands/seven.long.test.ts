import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Thread } from "../../demo/thread.ts";
import { endMarker, startMarker } from "../../src/agent/reply/markers.ts";
import { commands } from "../../src/commands/registry.ts";
import { withoutMarker } from "../../src/github/comments.ts";
import { repo } from "../harness/playground.ts";
import { auditOf } from "../harness/stage.ts";
import { startWatchedBot, type WatchedBot } from "../injection/watched-bot.ts";
import { saying } from "../ssh/fake-host.ts";

const block = (command: string): string => `\n\`\`\`sh\n${command}\n\`\`\``;

/** What an approver types on a fresh incident of two proposals, and what is said to it; `✅` alone where it was done. */
interface Row {
  readonly good: string;
  readonly done: RegExp;
  /** To the same once more. */
  readonly twice: RegExp;
  readonly wrong: string;
  readonly mistake: RegExp;
  /** To `good` on an issue that is closed. */
  readonly closed: RegExp;
}

const isClosed = /incident is closed\. Reopen the issue first/;
const nothingRuns = /\*\*1\*\* waits for approval; nothing of it runs/;
const isVoid = /\*\*1\*\* is void: the issue was closed/;
const neverRan = /\*\*1\*\* has not run, so it has no output\. Nothing has run here yet\./;
const noFlags = /`--loud` is not known here; `\/\w+` takes no flags/;
const row = (good: string, done: RegExp, twice: RegExp, wrong: string, mistake: RegExp, closed: RegExp): Row => ({
  good,
  done,
  twice,
  wrong,
  mistake,
  closed,
});
/** What only looks is answered alike each time. */
const looks = (good: string, said: RegExp, wrong = `${good} --loud`, mistake = noFlags): Row =>
  row(good, said, said, wrong, mistake, said);

const rows: Readonly<Record<string, Row>> = {
  approve: row(
    "/approve 1",
    /\*\*1\*\* ✅ `.*` on `web-1` · .* · `@lee`/,
    /\*\*1\*\* has already run .*To run it again: `\/retry 1`/,
    "/approve 9",
    /\*\*9\*\*: there is no such number\. Open right now: 1, 2/,
    /has already run/,
  ),
  reject: row(
    "/reject 1 no",
    /^$/,
    /was rejected, and that is final/,
    "/reject all",
    /Which one\? Write `\/reject <number>`/,
    /was rejected, and that is final/,
  ),
  edit: row(
    `/edit 1${block("ls /srv")}`,
    /\*\*3\*\*.*1 as edited by `@lee`/,
    /\*\*4\*\*.*1 as edited by `@lee`/,
    "/edit 1",
    /Put the command in a code block/,
    isClosed,
  ),
  fill: looks(
    "/fill 1 pod=a",
    /\*\*1\*\* has nothing to fill in/,
    "/fill 9 pod=a",
    /\*\*9\*\*: there is no such number/,
  ),
  run: row(
    `/run web-1${block("ls /srv")}`,
    /\*\*3\*\*.*Proposed by `@lee`/,
    /\*\*4\*\*.*Proposed by `@lee`/,
    `/run web-9${block("ls")}`,
    /No server or group "web-9"/,
    isClosed,
  ),
  cancel: row("/cancel 1", nothingRuns, nothingRuns, "/cancel one", /Which one\?.*Nothing is running/, isVoid),
  // Nothing in the line keeps it from holding.
  hold: row(
    "/hold",
    /is held\*\* by `@lee`/,
    /is held\*\*/,
    "/hold --loud",
    /is held[\s\S]*`--loud` is not known/,
    /is held\*\*/,
  ),
  resume: looks("/resume", /Nothing is on hold/, "/resume nothing", /Nothing is on hold/),
  continue: row("/continue 1", nothingRuns, nothingRuns, "/continue 9", /\*\*9\*\*: there is no such number/, isVoid),
  wait: row("/wait 1 10m", nothingRuns, nothingRuns, "/wait 9 10m", /\*\*9\*\*: there is no such number/, isVoid),
  output: looks("/output 1", neverRan, "/output 9", /\*\*9\*\*: there is no such number\. Nothing has run here yet\./),
  ask: row(
    "/ask why?",
    /— LIKELY\n\nOn\./,
    /— LIKELY\n\nOn\./,
    "/ask",
    /What do you want to ask\?/,
    /incident is closed, so the agent no longer answers here/,
  ),
  answer: looks("/answer q1 yes", /There is no question \*\*q1\*\* here/, "/answer", /Which question\?/),
  workflow: row(
    "/workflow look place=/srv",
    /\*\*3\*\*.*step 1 of 1 of look/,
    /\*\*4\*\*.*step 1 of 1 of look/,
    "/workflow lok",
    /There is no workflow `lok`; did you mean `look`\?/,
    isClosed,
  ),
  servers: looks("/servers", /- `web-1` · linux/),
  oncall: looks("/oncall", /obody has said who is on call/),
  skills: looks("/skills", /There is no skill that can be used/),
  explain: looks("/explain 1", /Why this risk/, "/explain 9", /\*\*9\*\*: there is no such number/),
  lease: row(
    "/lease 15m web-1",
    /🤖 lease \(`@lee`\)/,
    /\S/,
    "/lease perhaps",
    /Write `\/lease 15m web-1` or `\/lease off`/,
    /No lease: the incident is closed/,
  ),
  auto: row(
    "/auto on",
    /🤖 lease \(`@lee`\)/,
    /\S/,
    "/auto perhaps",
    /Write `\/auto on` or `\/auto off`/,
    /No lease: the incident is closed/,
  ),
  pillar: row(
    "/pillar revive",
    /\*\*revive\*\* from the next turn on/,
    /It is \*\*revive\*\* already/,
    "/pillar salt",
    /It is \*\*troubleshoot\*\* now\. Write/,
    /It is \*\*revive\*\* already/,
  ),
  plan: looks("/plan", /The agent has written no plan here yet/),
  prompt: looks(
    "/prompt show",
    /You have no part 1 of your own/,
    "/prompt perhaps",
    /What about it\? Write `\/prompt show`/,
  ),
  feedback: looks("/feedback up", /^$/, "/feedback sideways", /Was it of use\?/),
  status: looks("/status", /may approve: `acme\/oncall`/),
  help: looks("/help", /What you can type here/),
  whoami: looks("/whoami", /You are `@lee`/),
  key: looks("/key list", /There are no passkeys/, "/key perhaps", /Write `\/key add`/),
  investigate: row(
    "/investigate",
    /— LIKELY\n\nOn\./,
    /— LIKELY\n\nOn\./,
    "/investigate --loud",
    noFlags,
    /issue is closed\. Reopen it first/,
  ),
  probe: row(
    "/probe 1",
    /There is no probe of \*\*1\*\*: it only reads/,
    /There is no probe of \*\*1\*\*: it only reads/,
    "/probe 9",
    /\*\*9\*\*: there is no such number/,
    isClosed,
  ),
  changes: looks("/changes", /No services are set up here/),
  retry: row(
    "/retry 1",
    /\*\*1\*\* waits for approval/,
    /\*\*1\*\* waits for approval/,
    "/retry 9",
    /\*\*9\*\*: there is no such number/,
    isClosed,
  ),
  handover: row(
    "/handover @sam",
    /`@sam`, `@lee` would like to hand this incident over/,
    /would like to hand this incident over/,
    "/handover",
    /To whom\?/,
    isClosed,
  ),
  verify: looks("/verify", /Nothing was altered/),
  close: row(
    "/close done",
    /\*\*Closed by `@lee`\*\*/,
    /is closed already, \[with its summary\]/,
    "/close --loud",
    noFlags,
    /is closed already, \[with its summary\]/,
  ),
};

let watched: WatchedBot;
beforeAll(async () => {
  const actions = ["uptime", "df -h"].map((command, index) => ({
    id: `${index + 1}`,
    api: "ssh.execute",
    title: "Look",
    description: "looks",
    params: { server: "web-1", command },
  }));
  watched = await startWatchedBot({
    answer: () => ({ text: `LIKELY: on.\n${startMarker}\n${JSON.stringify({ actions })}\n${endMarker}` }),
    play: saying("fine\n"),
    files: {
      "AGENTS.md": "# Web\n",
      ".github/countersign/workflows/look.yml":
        "name: look\ndescription: Looks\nparams: { place: {} }\nsteps:\n  - { server: web-1, title: T, command: 'ls {{place}}' }\n",
    },
    config: { policy: { lease: { allowed: true, servers: ["web-1"] } } },
  });
});
afterAll(() => watched.close());

type Incident = Thread & { readonly number: number };

/** Everybody says theirs at once, each on their own issue; what the bot answers, by verb. */
async function sayAll(on: ReadonlyMap<string, Incident>, login: string, bodies: ReadonlyMap<string, string>) {
  const ids = new Map<string, number>();
  for (const [verb, body] of bodies) {
    const thread = on.get(verb);
    if (thread) ids.set(verb, await thread.say(login, body));
  }
  await watched.quiet();
  const answers = new Map<string, { readonly outcome: string; readonly said: string }>();
  for (const [verb, id] of ids) {
    const thread = on.get(verb);
    if (!thread) continue;
    const said = (await thread.comments()).filter((one) => one.login.endsWith("[bot]") && one.id > id);
    const outcome = (await thread.reactions(id)).filter((one) => one !== "eyes").join();
    answers.set(verb, { outcome, said: said.map(({ body }) => withoutMarker(body)).join("\n\n") });
  }
  return answers;
}

describe("every slash command, each on an incident of its own", () => {
  it("SR-17 SR-61 PRODUCT is refused, answers wrong arguments and flags, is done, is harmless twice and on a closed issue", {
    timeout: 1_200_000,
  }, async () => {
    expect(Object.keys(rows).sort()).toEqual(commands.map(({ verb }) => verb).sort());
    const on = new Map<string, Incident>();
    for (const verb of Object.keys(rows)) on.set(verb, await watched.open({ title: `Case ${verb}` }));
    await watched.quiet();
    const bodies = (which: "good" | "wrong", may?: string) =>
      new Map(
        commands
          .filter((command) => may === undefined || command.may === may)
          .map(({ verb }) => [verb, rows[verb]?.[which] ?? ""]),
      );
    const refused = [
      ...(await sayAll(on, "rita", bodies("good", "act"))),
      ...(await sayAll(on, "rita", bodies("good", "propose"))),
      ...(await sayAll(on, "sam", bodies("good", "approve"))),
    ];
    expect(refused.filter(([, { outcome, said }]) => outcome !== (said === "" ? "-1" : ""))).toEqual([]);
    // A reader is told in words once (SR-67), whoever may write here each time: shortly, after the first.
    const ofApprovers = commands.filter(({ may }) => may === "approve").length;
    const told = refused.filter(([, { said }]) => said !== "");
    expect(told).toHaveLength(1 + ofApprovers);
    for (const [verb, { said }] of told) {
      expect(said, verb).toMatch(/^Nothing was run\. /);
      expect(said, verb).toContain(`\`/${verb}\``);
      if (!said.includes("is for approvers only."))
        expect(said, verb).toMatch(/; you (have \w+ access|are not one of them)\. Ask one of .*, or see `\/help`\./);
    }
    expect(await auditOf(watched, { kind: "command_denied" })).toHaveLength(refused.length);
    const seen = await sayAll(on, "rita", bodies("good", "see"));
    expect([...seen].filter(([, { outcome, said }]) => outcome === "-1" || said === "")).toEqual([]);
    expect(watched.host.seen.commands).toEqual([]);

    const wrong = await sayAll(on, "lee", bodies("wrong"));
    expect(watched.host.seen.commands).toEqual([]);
    const good = await sayAll(on, "lee", bodies("good"));
    const twice = await sayAll(on, "lee", bodies("good"));
    for (const { number } of on.values())
      await watched.github.as("mona")("PATCH", `/repos/${repo}/issues/${number}`, { state: "closed" });
    await watched.quiet();
    const ran = watched.host.seen.commands.length;
    const closed = await sayAll(on, "lee", bodies("good"));
    for (const behind of ["", " 99", " --no-such-flag"]) {
      const all = await sayAll(on, "lee", new Map(commands.map(({ verb }) => [verb, `/${verb}${behind}`])));
      expect([...all].filter(([, { said }]) => said === "").map(([verb]) => verb + behind)).toEqual([]);
    }
    expect(watched.host.seen.commands).toHaveLength(ran);

    const amiss = Object.entries(rows).flatMap(([verb, row]) =>
      (
        [
          ["wrong", wrong, row.mistake],
          ["good", good, row.done],
          ["twice", twice, row.twice],
          ["closed", closed, row.closed],
        ] as const
      ).flatMap(([when, answers, words]) => {
        const { outcome = "none", said = "" } = answers.get(verb) ?? {};
        const isTold = words.test(said) && ["rocket", "confused", ""].includes(outcome);
        return isTold ? [] : [`/${verb}, ${when}: ${outcome} ${said}`];
      }),
    );
    expect(amiss).toEqual([]);
    // An approval and an approver's own low command ran theirs once, and a lease what it may; everything else ran nothing.
    const numbers = await watched.bot.deps.store.db
      .selectFrom("run")
      .innerJoin("action", "action.id", "run.actionId")
      .innerJoin("incident", "incident.id", "action.incidentId")
      .select("incident.number as issue")
      .execute();
    const where = new Set(numbers.map(({ issue }) => issue));
    expect([...on].filter(([, { number }]) => where.has(number)).map(([verb]) => verb)).toEqual([
      "approve",
      "run",
      "lease",
      "auto",
    ]);
  });
});
