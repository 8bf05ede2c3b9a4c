import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { repo } from "../harness/playground.ts";
import { startStage } from "../harness/stage.ts";
import { type History, ordinary, readGitHub, readKept } from "./history.ts";
import { invariants, judge } from "./judge.ts";

/** Of a real bot: two commands in one approval, one after a hold, one rejected, and what people said beside it. */
let sound: History;
let tampered: History;

const proposed = ["touch /srv/token-1", "touch /srv/token-2", "cat /srv/token-3"];

async function live(): Promise<void> {
  const stage = await startStage();
  const begun: string[] = [];
  const tokenIn = (command: string): string => /token-\d/.exec(command)?.[0] ?? "nothing";
  stage.play(async (command) => {
    begun.push(tokenIn(command));
    return 0;
  });
  const thread = await stage.incident(...proposed);
  const said = [
    ["lee", "/approve 1 2"],
    ["sam", "/hold let me look"],
    ["lee", "/resume"],
    ["lee", "/approve 3"],
    ["sam", "/run web-1\n```sh\nls /srv/token-4\n```"],
    ["mona", "/reject 4 not that one"],
    ["sam", "looks better"],
  ] as const;
  const remarks: History["remarks"][number][] = [];
  for (const [by, body] of said) {
    stage.model.play({ text: "LIKELY: that was it." });
    const { id, reactions } = await stage.ask(thread, by, body);
    const wants = body.startsWith("/") ? "outcome" : "silence";
    remarks.push({ id, repo, issue: thread.number, by, body, wants, reactions });
  }
  const { db } = stage.bot.deps.store;
  const read = async (): Promise<History> => ({
    ...ordinary,
    ...(await readKept(db)),
    ...(await readGitHub(stage.github, [{ repo, number: thread.number }])),
    remarks,
    begun,
    wordOf: (_, { command }) => tokenIn(command),
    sinks: stage.model.requests.map(({ body }) => ({ name: "the model", text: JSON.stringify(body) })),
    secrets: [{ name: "a key", needle: "nobody-ever-said-this" }],
    approvers: ["lee", "mona"],
  });
  sound = await read();
  // The audit's own guard would not have it.
  await sql`set session_replication_role = replica`.execute(db);
  await sql`update audit set body = replace(body, 'web-1', 'web-2') where kind = 'command_dispatched'`.execute(db);
  await sql`set session_replication_role = origin`.execute(db);
  tampered = await read();
  await stage.close();
}

beforeAll(live);

type Lists = { [K in keyof History as History[K] extends readonly object[] ? K : never]: History[K] };
type Item<K extends keyof Lists> = Lists[K][number];

/** The history in which the rows of one list that fit are changed; at least one must. */
function change<K extends keyof Lists>(
  list: K,
  fits: (row: Item<K>) => boolean,
  to: (row: Item<K>) => readonly Item<K>[],
) {
  return (history: History): History => {
    const rows: readonly Item<K>[] = history[list];
    expect(rows.some(fits), `nothing of ${list} to plant a fault in`).toBe(true);
    return { ...history, [list]: rows.flatMap((row) => (fits(row) ? to(row) : [row])) };
  };
}
const first = <T>(rows: readonly T[]): T => {
  const [row] = rows;
  if (row === undefined) throw new Error("there is none");
  return row;
};
const any = () => true;
const twice = <T>(row: T): readonly T[] => [row, row];
const gone = (): readonly never[] => [];
const isKind =
  (kind: string, number?: number) =>
  (row: Item<"audit">): boolean =>
    row.kind === kind && (number === undefined || row.body.number === number);
const seqOf = (history: History, kind: string, number: number): number =>
  first(history.audit.filter(isKind(kind, number))).seq;
/** A row of the audit that stands right before another. */
const before = (kind: string, number: number, planted: { readonly kind: string; readonly body?: object }) =>
  change("audit", isKind(kind, number), (row) => [
    { ...row, body: { number }, ...planted, seq: row.seq - 0.5 } as Item<"audit">,
    row,
  ]);
const onIssue = (fits: RegExp, to: (body: string) => readonly string[]) => (history: History) => {
  const issue = first(history.issues);
  expect(issue.comments.some(({ body }) => fits.test(body))).toBe(true);
  const comments = issue.comments.flatMap((one) =>
    fits.test(one.body) ? to(one.body).map((body) => ({ ...one, body })) : [one],
  );
  return { ...history, issues: [{ ...issue, comments }] };
};
const numberOf = (history: History, actionId: string) => history.actions.find(({ id }) => id === actionId)?.number;
/** The approval of one number, changed. */
const approvalOf = (number: number, to: Partial<Item<"approvals">> | undefined) => (history: History) =>
  change(
    "approvals",
    ({ actionId }) => numberOf(history, actionId) === number,
    (row) => (to ? [{ ...row, ...to }] : []),
  )(history);
const action = (number: number, to: (row: Item<"actions">) => Partial<Item<"actions">>) =>
  change(
    "actions",
    (row) => row.number === number,
    (row) => [{ ...row, ...to(row) }],
  );
const all = <K extends keyof Lists>(list: K, to: Partial<Item<K>>) =>
  change(
    list,
    () => true,
    (row) => [{ ...row, ...to }],
  );
const remark = (said: string, to: Partial<Item<"remarks">>) =>
  change(
    "remarks",
    ({ body }) => body === said,
    (row) => [{ ...row, ...to }],
  );
const board = /Board of this incident/;
const runCard = /\*\*3\*\* ✅/;
const above = (text: string) => onIssue(runCard, (body) => [`${text}\n\n${body}`]);

const breaches: readonly (readonly [what: string, plant: (history: History) => History, found: RegExp])[] = [
  ["a command that began twice", (h) => ({ ...h, begun: [...h.begun, "token-1"] }), /^I1: token-1 ran 2 times/],
  ["a command that is said to have run", (h) => ({ ...h, begun: h.begun.slice(1) }), /^I1: token-1 ran 0 times/],
  ["a command that nobody sent", (h) => ({ ...h, begun: [...h.begun, "token-4"] }), /^I1: token-4 ran 1 times/],
  [
    "a command that began and is said not to have been started",
    all("runs", { ending: { kind: "unreachable", reason: "gone" } }),
    /^I1: token-1 ran 1 times; the store knows of 0 and perhaps 0/,
  ],
  ["a digest that is sent twice", change("audit", isKind("command_dispatched", 1), twice), /^I1: digest \w+ was sent/],
  ["two runs on one server", change("runs", any, (row) => [row, { ...row, id: "other" }]), /^I1: .* on web-1 was sent/],
  ["a list that ran backwards", (h) => ({ ...h, begun: h.begun.toReversed() }), /^DC-4: .* ran out of order/],
  ["no approval", approvalOf(3, undefined), /^I2: 3 .* with 0 approvals/],
  ["an approval of something else", approvalOf(3, { digest: "other" }), /^I2: 3 .* with 0 approvals/],
  ["an approval that was taken back", approvalOf(3, { withdrawnAt: new Date(0) }), /^I2: 3 .* with 0 approvals/],
  ["an approval of nobody who may", approvalOf(3, { login: "eve" }), /^I2: 3 .* under the word of eve/],
  ["a lease at a higher risk", approvalOf(1, { via: "lease" }), /^I2: 1 .* by a lease and is not low/],
  [
    "an approval by the author alone",
    (h) => action(1, () => ({ authorId: first(h.approvals).personId }))(h),
    /^I2: 1 .* with 0 approvals at medium/,
  ],
  [
    "a second approval that is missing",
    (h) => ({ ...h, approvalsNeeded: { ...h.approvalsNeeded, medium: 2 } }),
    /^I2: 1 .* with 1 approvals at medium/,
  ],
  ["a comment that approves nothing", remark("/approve 3", { body: "/status" }), /^I2: 3 .* which did not approve/],
  [
    "a command that is not what was approved",
    action(1, ({ spec }) => ({ spec: { ...spec, command: "reboot token-1" } })),
    /^I2: 1 .* under a digest that is not its own/,
  ],
  ["an approval that was over", action(1, () => ({ expiresAt: new Date(0) })), /^I2: 1 .* after its time/],
  [
    "a rejected command",
    before("command_approved", 3, { kind: "command_rejected" }),
    /^I2: 3 .* after it was rejected/,
  ],
  [
    "an approval from before the hold",
    before("command_dispatched", 3, { kind: "incident_resumed" }),
    /^I2: 3 .* with 0 approvals/,
  ],
  ["an incident on hold", before("command_dispatched", 3, { kind: "incident_held" }), /^SR-19: .* while it is held/],
  [
    "a repository on hold",
    before("command_dispatched", 3, { kind: "repository_held" }),
    /^SR-19: .* while its repository is held/,
  ],
  ["a halt", (h) => ({ ...h, halts: [{ from: 0, to: seqOf(h, "command_dispatched", 1) }] }), /^SR-68: .* while halted/],
  ["a run without its intent", change("audit", isKind("command_dispatched", 1), gone), /^I3: run .* has no intent/],
  ["an end without its intent", change("audit", isKind("command_dispatched", 1), gone), /^I3: .* ended unintended/],
  ["two ends of a run", change("audit", isKind("command_executed", 1), twice), /^I3: run .* has 2 ends/],
  [
    "an end before its intent",
    change("audit", isKind("command_executed", 1), (row) => [{ ...row, seq: 0 }]),
    /^I3: run .* has 1 ends for its intent/,
  ],
  ["an end that nobody wrote down", change("audit", isKind("command_executed", 1), gone), /^I3: .* in the audit/],
  ["a run that goes on", all("runs", { endedAt: null }), /^I3: run .* has no outcome$/],
  [
    "a secret that is out",
    (h) => ({ ...h, secrets: [{ name: "a key", needle: "web-1" }] }),
    /^I4: the model holds a key/,
  ],
  ["a delivery that is lost", (h) => ({ ...h, accepted: [{ guid: "lost" }] }), /^I5: 1 deliveries were accepted/],
  [
    "a comment's delivery that is lost",
    (h) => ({ ...h, accepted: [{ guid: "lost", comment: 999 }] }),
    /^I5: lost was accepted and is not known/,
  ],
  [
    "a deletion's delivery that is lost",
    // That it was made is known, not that it went.
    (h) => ({
      ...h,
      accepted: [{ guid: "lost", comment: 999, action: "deleted" }],
      deliveries: h.deliveries.map((one) => ({ ...one, semanticKey: "issue_comment:created:999" })),
    }),
    /^I5: lost was accepted and is not known/,
  ],
  ["an approval that counted twice", change("approvals", any, twice), /^I5: .* counted twice/],
  ["a comment that began two batches", change("batches", any, twice), /^I5: \d+ began two batches/],
  ["a comment that proposed twice", change("audit", isKind("command_proposed", 4), twice), /^I5: .* proposed twice/],
  ["a comment that is there twice", onIssue(runCard, twice), /^I5: issue 1: 2 comments card:/],
  ["a comment of nobody", onIssue(runCard, () => ["Fine."]), /^I5: issue 1: 1 comments of nobody/],
  ["two boards", onIssue(board, twice), /^I5: issue 1: 2 boards/],
  [
    "a board that comes late",
    (h) => ({ ...h, issues: h.issues.map((i) => ({ ...i, comments: i.comments.toReversed() })) }),
    /is not the board/,
  ],
  ["a card that is missing", onIssue(/- \[.\] (~~)?\*\*4\*\*/, () => []), /^PRODUCT: issue 1: not one card of 4/],
  [
    "a card of nothing",
    change("actions", (row) => row.number === 4, gone),
    /^PRODUCT: issue 1: a card of 4, which is none/,
  ],
  ["a result that is missing", onIssue(runCard, () => []), /^I6: issue 1: no result of 3/],
  [
    "a result without its end",
    onIssue(runCard, (body) => [body.replace("**3** ✅", "**3** …")]),
    /^I6: issue 1: no result of 3/,
  ],
  ["a comment that was changed", onIssue(runCard, (body) => [`!${body}`]), /^RR-22: issue 1: card:\d+ does not read/],
  ["a word of the program's", above(`undefined`), /^PRODUCT: issue 1: comment \d+ says undefined/],
  ["a name that is none", above(`by \`@undefined\``), /^PRODUCT: issue 1: comment \d+ says @undefined in code/],
  ["a placeholder", above(`{{number}}`), /has a placeholder left/],
  ["a fold that stays open", above(`<details>`), /leaves a fold open/],
  ["a comment that is a command", above(`/approve 4`), /is itself a command/],
  ["a gap", above(`by · · of`), /has a gap in it/],
  [
    "an empty comment",
    onIssue(runCard, (body) => [`\n\n${/<!-- countersign [0-9a-f-]+ -->$/.exec(body)?.[0]}`]),
    /is empty/,
  ],
  [
    "a comment that is too long",
    onIssue(runCard, (body) => ["x".repeat(65_536) + body]),
    /is longer than GitHub takes/,
  ],
  ["a command that nobody saw", all("remarks", { reactions: [] }), /^I5: issue 1: lee .* was not seen/],
  [
    "a command with two outcomes",
    all("remarks", { reactions: ["eyes", "rocket", "confused"] }),
    /^I5: issue 1: lee said .* got 2 outcomes/,
  ],
  [
    "a mistake that nobody explained",
    remark("/reject 4 not that one", { reactions: ["eyes", "confused"] }),
    /^I5: issue 1: mona said .* was not told what is wrong/,
  ],
  [
    "a command that was never answered",
    all("remarks", { wants: "answer", reactions: [] }),
    /^I5: issue 1: mona said .* was never answered/,
  ],
  [
    "talk that was answered",
    remark("looks better", { reactions: ["eyes"] }),
    /^I5: issue 1: sam said "looks better" and was answered/,
  ],
  ["an audit that was changed", () => tampered, /^I7: row \d+ of the audit was changed after it was written/],
  ["an action under way", action(1, () => ({ state: "running" })), /^I8: action 1 is running/],
  ["a batch under way", all("batches", { endedAt: null }), /^I8: the batch of 1, 2 has not/],
  ["a run under way", all("runs", { endedAt: null }), /^I8: run .* has not ended/],
  ["an edit to be posted", all("comments", { version: 99 }), /^I8: board of 1 is not posted/],
  ["a reaction to be posted", all("reactions", { posted: false }), /^I8: a reaction on/],
  ["a delivery to be done", all("deliveries", { state: "stored" }), /^I8: delivery .* is stored/],
  ["a comment that was given up", all("comments", { parked: "404" }), /^RR-07: board of 1/],
  ["a reaction that was given up", all("reactions", { parked: "404" }), /^RR-07: a reaction/],
  [
    "a request that GitHub would refuse",
    (h) => ({ ...h, invalid: ["no body"] }),
    /^PRODUCT: a request that GitHub would refuse/,
  ],
];

describe("the judge of a life", () => {
  it("finds nothing in one that is sound, and in which something ran", () => {
    expect(sound.begun).toEqual(["token-1", "token-2", "token-3"]);
    expect(judge(sound)).toEqual([]);
  });

  it("has rows for I1 to I8, and a breach of each of its rows is planted here", () => {
    const ids = new Set(invariants.map(({ id }) => id).filter((id) => /^I\d$/.test(id)));
    expect([...ids].toSorted().join(" ")).toBe("I1 I2 I3 I4 I5 I6 I7 I8");
    const histories = breaches.map(([, plant]) => plant(sound));
    const unproved = invariants.filter(({ check }) => histories.every((history) => check(history).length === 0));
    expect(unproved.map(({ id, says }) => `${id} ${says}`)).toEqual([]);
  });

  it.each(breaches)("finds %s", (_, plant, found) => {
    expect(judge(plant(sound))).toContainEqual(expect.stringMatching(found));
  });
});
