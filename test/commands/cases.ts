import { type Audience, type Verb, type VerbName, verbs } from "../../src/slash/verbs.ts";

/** What people were promised of a slash command, apart from its own table (`src/slash/verbs.ts`). */
export interface CommandCase {
  readonly may: Audience;
  /** What an approver types on a fresh incident of two proposals, and what is said to it; `✅` alone where it was done. */
  readonly good: string;
  readonly done: RegExp;
  /** To the same once more. */
  readonly twice: RegExp;
  readonly wrong: string;
  readonly mistake: RegExp;
  /** To `good` on an issue that is closed. */
  readonly closed: RegExp;
  readonly aliases?: readonly string[];
}

const block = (command: string): string => `\n\`\`\`sh\n${command}\n\`\`\``;
const isClosed = /incident is closed\. Reopen the issue first/;
const nothingRuns = /\*\*1\*\* waits for approval; nothing of it runs/;
const isVoid = /\*\*1\*\* is void: the issue was closed/;
const neverRan = /\*\*1\*\* has not run, so it has no output\. Nothing has run here yet\./;
const noFlags = /`--loud` is not known here; `\/\w+` takes no flags/;
const row = (
  may: Audience,
  good: string,
  done: RegExp,
  twice: RegExp,
  wrong: string,
  mistake: RegExp,
  closed: RegExp,
): CommandCase => ({ may, good, done, twice, wrong, mistake, closed });
/** What only looks is answered alike each time. */
const looks = (may: Audience, good: string, said: RegExp, wrong = `${good} --loud`, mistake = noFlags): CommandCase =>
  row(may, good, said, said, wrong, mistake, said);

/** Each command is refused to others, answers a mistake, is done, and is harmless twice and on a closed issue. */
const table: Readonly<Partial<Record<VerbName, CommandCase>>> = {
  approve: row(
    "approve",
    "/approve 1",
    /\*\*1\*\* ✅ `.*` on `web-1` · `@lee`/,
    /\*\*1\*\* has already run .*To run it again: `\/retry 1`/,
    "/approve 9",
    /\*\*9\*\*: there is no such number\. Open right now: 1, 2/,
    /has already run/,
  ),
  ack: row("act", "/ack", /No pager hears back/, /No pager hears back/, "/ack --loud", noFlags, isClosed),
  reject: {
    ...row(
      "approve",
      "/reject 1 no",
      /^$/,
      /was rejected, and that is final/,
      "/reject all",
      /Which one\? Write `\/reject <number>`/,
      /was rejected, and that is final/,
    ),
    aliases: ["deny"],
  },
  edit: row(
    "act",
    `/edit 1${block("ls /srv")}`,
    /\*\*3\*\*.*1 as edited by `@lee`/,
    /\*\*4\*\*.*1 as edited by `@lee`/,
    "/edit 1",
    /Put the command in a code block/,
    isClosed,
  ),
  fill: looks(
    "act",
    "/fill 1 pod=a",
    /\*\*1\*\* has nothing to fill in/,
    "/fill 9 pod=a",
    /\*\*9\*\*: there is no such number/,
  ),
  run: row(
    "propose",
    `/run web-1${block("ls /srv")}`,
    /\*\*3\*\*.*Proposed by `@lee`/,
    /\*\*4\*\*.*Proposed by `@lee`/,
    `/run web-9${block("ls")}`,
    /No server or group "web-9"/,
    isClosed,
  ),
  cancel: row("act", "/cancel 1", nothingRuns, nothingRuns, "/cancel one", /Which one\?.*Nothing is running/, isVoid),
  // Nothing in the line keeps it from holding.
  hold: {
    ...row(
      "act",
      "/hold",
      /is held\*\* by `@lee`/,
      /is held\*\*/,
      "/hold --loud",
      /is held[\s\S]*`--loud` is not known/,
      /is held\*\*/,
    ),
    aliases: ["stop"],
  },
  resume: looks("approve", "/resume", /Nothing is on hold/, "/resume nothing", /Nothing is on hold/),
  continue: row(
    "approve",
    "/continue 1",
    nothingRuns,
    nothingRuns,
    "/continue 9",
    /\*\*9\*\*: there is no such number/,
    isVoid,
  ),
  wait: row(
    "approve",
    "/wait 1 10m",
    nothingRuns,
    nothingRuns,
    "/wait 9 10m",
    /\*\*9\*\*: there is no such number/,
    isVoid,
  ),
  output: looks(
    "see",
    "/output 1",
    neverRan,
    "/output 9",
    /\*\*9\*\*: there is no such number\. Nothing has run here yet\./,
  ),
  ask: row(
    "propose",
    "/ask why?",
    /^\*\*LIKELY\*\*\n\nOn\./,
    /^\*\*LIKELY\*\*\n\nOn\./,
    "/ask",
    /What do you want to ask\?/,
    /incident is closed, so the agent no longer answers here/,
  ),
  answer: looks("act", "/answer q1 yes", /There is no question \*\*q1\*\* here/, "/answer", /Which question\?/),
  workflow: row(
    "act",
    "/workflow look place=/srv",
    /\*\*3\*\*.*step 1 of 1 of look/,
    /\*\*4\*\*.*step 1 of 1 of look/,
    "/workflow lok",
    /There is no workflow `lok`; did you mean `look`\?/,
    isClosed,
  ),
  servers: looks("see", "/servers", /- `web-1` · linux/),
  oncall: looks("see", "/oncall", /obody has said who is on call/),
  skills: looks("see", "/skills", /There is no skill that can be used/),
  explain: looks("see", "/explain 1", /Why this risk/, "/explain 9", /\*\*9\*\*: there is no such number/),
  lease: row(
    "approve",
    "/lease 15m web-1",
    /lease \(`@lee`\)/,
    /\S/,
    "/lease perhaps",
    /Write `\/lease 15m web-1` or `\/lease off`/,
    /No lease: the incident is closed/,
  ),
  auto: row(
    "approve",
    "/auto on",
    /lease \(`@lee`\)/,
    /\S/,
    "/auto perhaps",
    /Write `\/auto on` or `\/auto off`/,
    /No lease: the incident is closed/,
  ),
  pillar: row(
    "act",
    "/pillar revive",
    /\*\*revive\*\* from the next turn on/,
    /It is \*\*revive\*\* already/,
    "/pillar salt",
    /It is \*\*troubleshoot\*\* now\. Write/,
    /It is \*\*revive\*\* already/,
  ),
  plan: looks("act", "/plan", /The agent has written no plan here yet/),
  prompt: looks(
    "approve",
    "/prompt show",
    /You have no instructions of your own/,
    "/prompt perhaps",
    /What about it\? Write `\/prompt show`/,
  ),
  feedback: looks("act", "/feedback up", /^$/, "/feedback sideways", /Was it useful\?/),
  status: looks("see", "/status", /can approve: `acme\/oncall`/),
  help: looks("see", "/help", /What you can type here/),
  whoami: looks("see", "/whoami", /You are `@lee`/),
  key: looks("approve", "/key list", /There are no passkeys/, "/key perhaps", /Write `\/key add`/),
  investigate: row(
    "act",
    "/investigate",
    /^\*\*LIKELY\*\*\n\nOn\./,
    /^\*\*LIKELY\*\*\n\nOn\./,
    "/investigate --loud",
    noFlags,
    /issue is closed\. Reopen it first/,
  ),
  probe: row(
    "act",
    "/probe 1",
    /\*\*1\*\* has no probe: it only reads/,
    /\*\*1\*\* has no probe: it only reads/,
    "/probe 9",
    /\*\*9\*\*: there is no such number/,
    isClosed,
  ),
  changes: looks("act", "/changes", /No services are set up here/),
  retry: row(
    "approve",
    "/retry 1",
    /\*\*1\*\* waits for approval/,
    /\*\*1\*\* waits for approval/,
    "/retry 9",
    /\*\*9\*\*: there is no such number/,
    isClosed,
  ),
  handover: row(
    "act",
    "/handover @sam",
    /`@sam`, `@lee` would like to hand this incident over/,
    /would like to hand this incident over/,
    "/handover",
    /To whom\?/,
    isClosed,
  ),
  verify: looks("see", "/verify", /Nothing was altered/),
  close: row(
    "act",
    "/close --anyway",
    /\*\*Closed by `@lee`\*\*/,
    /is already closed \(\[summary\]/,
    "/close --loud",
    /`--loud` is not known here; `\/close` takes `--anyway`/,
    /is already closed \(\[summary\]/,
  ),
};

/** A command without a row of its own only looks, and anybody who can read the issue may look. */
const caseOf = ({ verb, examples }: Verb & { readonly verb: VerbName }): CommandCase =>
  table[verb] ?? looks("see", examples[0], /\w/);

export const cases: ReadonlyMap<string, CommandCase> = new Map(
  Object.values(verbs).map((verb) => [verb.verb, caseOf(verb)]),
);
