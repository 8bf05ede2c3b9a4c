import { verifyAudit } from "../../src/store/audit/chain.ts";
import { jobsIn } from "../store/jobs.ts";
import type { Truth } from "./github.ts";
import { type Begun, canary, type Universe } from "./universe.ts";

interface AuditLine {
  readonly seq: number;
  readonly kind: string;
  readonly body: {
    readonly number?: number;
    readonly run?: string;
    /** Of a person's proposal: where it was made. */
    readonly commentId?: number;
    readonly runs?: Readonly<Record<string, string>>;
    readonly by?: { readonly id: number };
    readonly halted?: boolean;
  };
}

/** What has been checked already, and what the operator's switch has said so far. */
export interface Watch {
  checked: number;
  /** The audit's length when the switch was set, and when it was lifted. */
  readonly halts: { readonly from: number; to: number }[];
}

/** What holds at any moment; every line is a fault. */
export async function faultsNow(universe: Universe, watch: Watch): Promise<readonly string[]> {
  const fresh = universe.begun.slice(watch.checked);
  watch.checked = universe.begun.length;
  if (fresh.length === 0) return [];
  const audit = await auditOf(universe);
  const faults: string[] = [];
  for (const start of fresh) faults.push(...(await faultsOfStart(universe, watch, start, audit)));
  return faults;
}

async function faultsOfStart(
  { database, begun }: Universe,
  { halts }: Watch,
  start: Begun,
  audit: readonly AuditLine[],
): Promise<readonly string[]> {
  const row = await database.look
    .selectFrom("run")
    .innerJoin("action", "action.id", "run.actionId")
    .select(["action.number", "action.spec", "action.authorId", "action.digest", "action.id"])
    .where("run.id", "=", start.runId)
    .executeTakeFirst();
  if (!row) return [`I3 a run that the store does not know began: ${start.runId}`];
  const { number } = row;
  const faults: string[] = [];
  if (!start.intended) faults.push(`I3 ${number} began before its intent was durable`);
  const same = await database.look.selectFrom("run").select("id").where("actionId", "=", row.id).execute();
  const ids = new Set(same.map(({ id }) => id));
  const starts = begun.filter(({ runId, server }) => ids.has(runId) && server === start.server).length;
  if (starts > 1) faults.push(`I1 ${number} began ${starts} times`);

  const sentAt = audit.find(({ kind, body }) => kind === "command_dispatched" && body.number === number)?.seq;
  if (sentAt === undefined) return [...faults, `I3 ${number} began, and the audit has no intent`];
  const before = audit.filter(({ seq }) => seq < sentAt);
  if (halts.some(({ from, to }) => from < sentAt && sentAt <= to)) faults.push(`SR-68 ${number} was sent while halted`);
  const held = before.findLast(({ kind }) => kind === "incident_held" || kind === "incident_resumed");
  if (held?.kind === "incident_held") faults.push(`SR-68 ${number} was sent while held`);
  if (before.some(({ kind, body }) => kind === "command_rejected" && body.number === number))
    faults.push(`SR-18 ${number} was rejected and sent`);
  const liftedAt = Math.max(
    before.findLast(({ kind }) => kind === "incident_resumed")?.seq ?? 0,
    ...halts.filter(({ to }) => to < sentAt).map(({ to }) => to),
  );
  const approvals = before.filter(
    ({ seq, kind, body }) => seq > liftedAt && kind === "command_approved" && body.number === number,
  );
  const fresh = new Set(approvals.map(({ body }) => body.by?.id));
  const needed = row.spec.risk === "high" ? 2 : 1;
  if (fresh.size < needed) faults.push(`I2 ${number} was sent on ${fresh.size} approvals that count, of ${needed}`);
  const { risk, command, again } = row.spec;
  const action = { number, risk, command, again, authorId: row.authorId, expiresAt: new Date(row.spec.expiresAt) };
  const why = [start.truth, ...start.seen].map((truth) => whyNot(truth, action, needed));
  if (why.every((reason) => reason !== undefined))
    faults.push(`I2 ${number} began, and ${[...new Set(why)].join(" and ")}`);
  return faults;
}

/** Why an action may not run, going by what people have written on GitHub and may do there; nothing where it may. */
function whyNot(
  truth: Truth,
  action: {
    readonly number: number;
    readonly risk: string;
    readonly command: string;
    readonly again?: number | undefined;
    readonly authorId: number | null;
    readonly expiresAt: Date;
  },
  needed: number,
): string | undefined {
  if (!truth.open) return "the issue is closed or gone";
  if (truth.at >= action.expiresAt) return "its time was over";
  const people = new Set(
    truth.remarks
      .filter(({ body, authorId }) => approves(body, action) || isOwn(body, { ...action, by: authorId }))
      .map(({ authorId }) => authorId)
      .filter((id) => truth.approvers.has(id) && (action.risk === "low" || id !== action.authorId)),
  );
  return people.size < needed ? `${people.size} people stand for it, of ${needed}` : undefined;
}

function approves(body: string, { number, risk }: { readonly number: number; readonly risk: string }): boolean {
  const [, named = ""] = /^\/approve ([\d ]+)/.exec(body) ?? [];
  // Said twice it is said once.
  const numbers = new Set(named.split(" ").filter((word) => word !== ""));
  return numbers.has(`${number}`) && (risk !== "high" || (numbers.size === 1 && /web-1 \w/.test(body)));
}

/** What an approver writes of low risk is an approval itself: a `/run` with the command, a `/retry` of the number it repeats. */
function isOwn(
  body: string,
  action: {
    readonly risk: string;
    readonly command: string;
    readonly again?: number | undefined;
    readonly authorId: number | null;
    readonly by: number;
  },
): boolean {
  if (action.risk !== "low") return false;
  const [, retried = ""] = /^\/retry ([\d ]+)/.exec(body) ?? [];
  if (action.again !== undefined && retried.split(" ").includes(`${action.again}`)) return true;
  return body.startsWith("/run web-1") && action.by === action.authorId && body.includes(`\n${action.command}\n`);
}

/** What holds once everything is still. */
export async function faultsAtRest(universe: Universe): Promise<readonly string[]> {
  const { database, github, agent, log } = universe;
  const { look } = database;
  const faults: string[] = [];
  const verified = await verifyAudit(look);
  if (!verified.ok) faults.push(`I7 the audit does not verify: ${JSON.stringify(verified)}`);
  const told = [...github.issue.remarks.map(({ body }) => body), ...log, ...agent.told];
  if (told.some((text) => text.includes(canary))) faults.push("I4 the canary is out");

  const audit = await auditOf(universe);
  for (const { id, startedAt, endedAt } of await look.selectFrom("run").selectAll().execute()) {
    if (startedAt !== null && endedAt === null) faults.push(`I3 a run has no outcome: ${id}`);
    const ends = audit.filter(({ kind, body }) => /^command_(executed|unknown)$/.test(kind) && body.run === id).length;
    if (ends !== 1) faults.push(`I3 a run has ${ends} outcomes in the audit`);
  }
  for (const { number, state } of await look.selectFrom("action").select(["number", "state"]).execute())
    if (["approved", "dispatching", "running"].includes(state)) faults.push(`I8 ${number} is still ${state}`);
  for (const job of await jobsIn(look)) faults.push(`I8 a job waits: ${JSON.stringify(job)}`);
  return [...faults, ...(await faultsOfIntake(universe)), ...(await faultsOfTelling(universe))];
}

async function faultsOfIntake({ database, github }: Universe): Promise<readonly string[]> {
  const faults: string[] = [];
  const rows = await database.look.selectFrom("delivery").select(["guid", "state", "outcome", "semanticKey"]).execute();
  for (const { guid, state, outcome } of rows) if (state !== "done") faults.push(`I5 ${guid} is ${state}: ${outcome}`);
  const known = new Set(rows.map(({ guid }) => guid));
  const keys = new Set(rows.map(({ semanticKey }) => semanticKey));
  for (const { acceptedAs, payload } of github.webhooks) {
    const { comment } = JSON.parse(payload);
    if (keys.has(`issue_comment:created:${comment?.id}`)) continue;
    for (const guid of acceptedAs) if (!known.has(guid)) faults.push(`I5 ${guid} was accepted and is not known`);
  }
  const approvals = await database.look
    .selectFrom("approval")
    .select(["commentId", "actionId"])
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .groupBy(["commentId", "actionId"])
    .execute();
  for (const { commentId, count } of approvals) if (count > 1) faults.push(`I5 ${commentId} counted ${count} times`);
  const batches = await database.look
    .selectFrom("batch")
    .select("commentId")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .groupBy("commentId")
    .execute();
  for (const { commentId, count } of batches) if (count > 1) faults.push(`I5 ${commentId} began ${count} batches`);
  const proposed = (await auditOf({ database })).filter(({ kind }) => /^command_(proposed|blocked)$/.test(kind));
  const own = Map.groupBy(proposed, ({ body }) => body.commentId);
  for (const [commentId, same] of own)
    if (commentId !== undefined && same.length > 1) faults.push(`I5 ${commentId} proposed ${same.length} times`);
  return faults;
}

/** I6, RR-22: what ended is told, once, and the issue shows what the store holds. */
async function faultsOfTelling({ database, github }: Universe): Promise<readonly string[]> {
  if (github.issue.gone) return [];
  const faults: string[] = [];
  const ours = github.issue.remarks.filter(({ ours, deleted }) => ours !== undefined && !deleted);
  for (const [marker, same] of Map.groupBy(ours, (remark) => remark.ours))
    if (same.length > 1) faults.push(`I6 ${marker} is ${same.length} times on the issue`);
  const wanted = await database.look.selectFrom("comment").selectAll().execute();
  for (const { id, slot, body, parked } of wanted) {
    const shown = ours.find((remark) => remark.ours === id);
    if (!shown?.body.startsWith(body)) faults.push(`I6 ${slot} does not read on the issue as it should (${parked})`);
  }
  const runs = await database.look
    .selectFrom("run")
    .innerJoin("action", "action.id", "run.actionId")
    .select(["action.number", "run.batchId"])
    .execute();
  for (const { number, batchId } of runs) {
    const cards = wanted.filter(({ slot }) => slot === `batch:${batchId}`);
    const results = ours.filter(({ ours: id, body }) => cards.some((card) => card.id === id) && ends(body, number));
    if (results.length !== 1) faults.push(`I6 the end of ${number} is told ${results.length} times`);
  }
  for (const { id, body, authorId, reactions, deleted, editedAt } of github.issue.remarks) {
    const isAnswered = reactions.size > 0 || wanted.some(({ slot }) => slot === `reply:${id}`);
    if (isConstant(authorId) && body.startsWith("/") && !deleted && !editedAt && !isAnswered)
      faults.push(`I5 ${body} of ${authorId} was never answered`);
  }
  return faults;
}

/** Whose rights no command changes, so that nothing excuses silence. */
const isConstant = (id: number): boolean => id === 11;

const ends = (body: string, number: number): boolean =>
  new RegExp(`\\*\\*${number}\\*\\* (?:✅|❌|⚠|⏱|🛑|⌨|🔌|❓|⏸)`, "u").test(body);

async function auditOf({ database }: Pick<Universe, "database">): Promise<readonly AuditLine[]> {
  const rows = await database.look.selectFrom("audit").select(["seq", "kind", "body"]).orderBy("seq").execute();
  return rows.map(({ seq, kind, body }) => ({ seq, kind, body: JSON.parse(body) }));
}
