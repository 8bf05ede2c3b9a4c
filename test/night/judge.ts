import { fromMarkdown } from "mdast-util-from-markdown";
import { markIn, withoutMarker } from "../../src/github/comments.ts";
import { readCard } from "../../src/github/render/read-card.ts";
import { parseSlashCommand } from "../../src/slash/grammar.ts";
import { digestOf } from "../../src/store/actions.ts";
import { verifyAudit } from "../../src/store/audit/chain.ts";
import { type AuditRow, auditRows } from "../../src/store/audit/rows.ts";
import { slots } from "../../src/store/outbox/slots.ts";
import { nodesOf, parse } from "../text/markdown.ts";
import { type Night, type Remark, unsettled } from "./play.ts";
import { planted } from "./script.ts";

/** A comment as GitHub has it. */
export interface Written {
  readonly id: number;
  readonly login: string;
  readonly body: string;
}

/** Every comment of an issue, oldest first, however many there are. */
export async function readIssue(night: Night, issue: number): Promise<readonly Written[]> {
  const all: Written[] = [];
  for (let page = 1; ; page++) {
    const { body } = await night.watched.github.as("mona")(
      "GET",
      `/repos/acme/web/issues/${issue}/comments?per_page=100&page=${page}`,
    );
    const some = body as readonly { id: number; body: string; user: { login: string } }[];
    all.push(...some.map((one) => ({ id: one.id, login: one.user.login, body: one.body })));
    if (some.length < 100) return all;
  }
}

/** What is wrong with a night that is over, by the invariants of docs/requirements.md; nothing is right. */
export async function judgeNight(night: Night): Promise<readonly string[]> {
  const { db } = night.watched.bot.deps.store;
  const rows: AuditRow[] = [];
  for await (const some of auditRows(db, {})) rows.push(...some);
  const chain = await verifyAudit(db);
  return [
    ...(await executionsOf(night)),
    ...(await approvalsOf(night, rows)),
    ...recordsOf(rows),
    ...heldOf(rows),
    ...(await leaksOf(night)),
    ...(chain.ok ? [] : [`I7: row ${chain.seq} of the audit ${chain.reason}`]),
    ...(await unsettled(night.watched)).map((fault) => `I8: ${fault}`),
    ...(await parkedOf(night)),
    ...night.watched.github.invalid().map((fault) => `a request that GitHub would refuse: ${fault}`),
  ];
}

/** I1: each server was made to run a command once for each run of it, as the server itself counts. */
async function executionsOf({ watched, executed }: Night): Promise<readonly string[]> {
  const runs = await watched.bot.deps.store.db
    .selectFrom("run")
    .innerJoin("action", "action.id", "run.actionId")
    .select(["run.server as server", "run.ending as ending", "action.spec as spec"])
    .execute();
  const counts = new Map<string, { sure: number; perhaps: number }>();
  for (const { server, ending, spec } of runs) {
    const key = `${server} ${/\b[kmw]\d[\dtn]*z\b/.exec(spec.command)?.[0] ?? "nothing of the script"}`;
    const count = counts.get(key) ?? { sure: 0, perhaps: 0 };
    counts.set(key, count);
    // Cancelled may be before it began; of unknown that is what the word says.
    if (ending?.kind === "cancelled" || ending?.kind === "unknown") count.perhaps++;
    else if (ending?.kind !== "unreachable") count.sure++;
  }
  return [...new Set([...executed.keys(), ...counts.keys()])].flatMap((key) => {
    const { sure, perhaps } = counts.get(key) ?? { sure: 0, perhaps: 0 };
    const ran = executed.get(key) ?? 0;
    return ran >= sure && ran <= sure + perhaps
      ? []
      : [`I1: ${key} ran ${ran} times; the store knows of ${sure} and perhaps ${perhaps}`];
  });
}

const approvers = ["lee", "mona"];
const needed = { low: 1, medium: 1, high: 2, block: Number.POSITIVE_INFINITY } as const;

/** I2: what was sent was approved by enough people who may, on this very digest, before; or it is low and agent mode was on. */
async function approvalsOf({ watched, remarks }: Night, rows: readonly AuditRow[]): Promise<readonly string[]> {
  const { db } = watched.bot.deps.store;
  const actions = await db.selectFrom("action").selectAll().execute();
  const approvals = await db.selectFrom("approval").selectAll().where("verdict", "=", "approve").execute();
  return rows
    .filter(({ kind }) => kind === "command_dispatched")
    .flatMap(({ at, body, incidentId }) => {
      const wrong = (what: string) => [`I2: ${body.number} of ${incidentId} was sent at ${at} ${what}`];
      const action = actions.find((one) => one.incidentId === incidentId && one.number === body.number);
      if (!action || action.digest !== body.digest || digestOf(action.spec) !== body.digest)
        return wrong("under a digest that is not its own");
      if (new Date(at) > action.expiresAt) return wrong("after its time");
      const counted = approvals.filter(
        (one) =>
          one.actionId === action.id &&
          one.digest === action.digest &&
          one.createdAt <= new Date(at) &&
          (one.withdrawnAt === null || one.withdrawnAt > new Date(at)),
      );
      if (counted.some(({ via }) => via === "agent-mode"))
        return action.spec.risk === "low" ? [] : wrong("by agent mode and is not low");
      const strange = counted.find(({ login }) => !approvers.includes(login));
      if (strange) return wrong(`under the word of ${strange.login}`);
      const people = new Set(
        counted
          .filter(({ personId }) => action.spec.risk === "low" || personId !== action.authorId)
          .map(({ personId }) => personId),
      );
      if (people.size < needed[action.spec.risk]) return wrong(`with ${people.size} approvals at ${action.spec.risk}`);
      const changed = counted.find(({ commentId }) =>
        remarks.some(
          // An approver's own low command is an approval itself.
          ({ id, by, body: said }) =>
            id === commentId &&
            (!approvers.includes(by) ||
              !(/approve/i.test(said) || (action.spec.risk === "low" && /^\/(run|retry)\b/.test(said)))),
        ),
      );
      return changed ? wrong(`under comment ${changed.commentId}, which did not approve`) : [];
    });
}

/** I3: what was sent was recorded before, and how it ended once, after. */
function recordsOf(rows: readonly AuditRow[]): readonly string[] {
  const sent = rows.filter(({ kind }) => kind === "command_dispatched");
  const ended = rows.filter(({ kind }) => kind === "command_executed" || kind === "command_unknown");
  const runs = sent.flatMap(({ seq, body }) =>
    Object.values(body.runs as Readonly<Record<string, string>>).map((run) => ({ run, seq })),
  );
  const known = new Set(runs.map(({ run }) => run));
  return [
    ...runs.flatMap(({ run, seq }) => {
      const ends = ended.filter(({ body }) => body.run === run);
      return ends.length === 1 && ends.every((end) => end.seq > seq)
        ? []
        : [`I3: run ${run} has ${ends.length} ends after its intent at ${seq}`];
    }),
    ...ended.filter(({ body }) => !known.has(String(body.run))).map(({ body }) => `I3: run ${body.run} has no intent`),
  ];
}

/** SR-19: nothing is sent on an incident, or in the whole repository, between a hold and what lifts it. */
function heldOf(rows: readonly AuditRow[]): readonly string[] {
  const held = new Set<string | null>();
  let whole = false;
  return rows.flatMap(({ seq, kind, incidentId, body }) => {
    if (kind === "incident_held") held.add(incidentId);
    if (kind === "incident_resumed") held.delete(incidentId);
    if (kind === "repository_held") whole = true;
    if (kind === "repository_resumed") whole = false;
    const stopped = kind === "command_dispatched" && (whole || held.has(incidentId));
    return stopped ? [`SR-19: row ${seq} sends ${body.number} while it is held`] : [];
  });
}

/** I4: no secret that was printed or said stands in what the bot wrote, kept, logged or sent. */
async function leaksOf({ watched }: Night): Promise<readonly string[]> {
  const sinks = (await watched.sinks())
    // A delivery is kept as GitHub sent it.
    .filter(({ name }) => name !== "store public.delivery");
  return sinks.flatMap(({ name, text }) =>
    planted.filter(({ needle }) => text.includes(needle)).map((secret) => `I4: ${name} holds ${secret.name}`),
  );
}

/** Nothing was given up, but for what was said to a comment that is gone. */
async function parkedOf({ watched, remarks }: Night): Promise<readonly string[]> {
  const { db } = watched.bot.deps.store;
  const gone = new Set(remarks.flatMap(({ id, changed }) => (changed === "deleted" ? [id] : [])));
  const reactions = await db
    .selectFrom("reaction")
    .select(["commentId", "parked"])
    .where("parked", "is not", null)
    .execute();
  const comments = await db.selectFrom("comment").select(["slot", "parked"]).where("parked", "is not", null).execute();
  return [
    ...reactions.filter(({ commentId }) => !gone.has(commentId)).map((one) => `RR-07: parked ${JSON.stringify(one)}`),
    ...comments.map((one) => `RR-07: parked ${JSON.stringify(one)}`),
  ];
}

/**
 * Comments that were posted again because GitHub did not answer within its ten seconds, as `issue slot`. On a machine that is too
 * slow the emulated one does it all the same, later than anybody looked for it: of those there may be two (RR-07).
 */
async function lateOf({ watched }: Night): Promise<ReadonlySet<string>> {
  const logs = (await watched.sinks()).filter(({ name }) => name.startsWith("log"));
  const lines = logs.flatMap(({ text }) => text.split("\n")).filter((line) => line.includes('"post_failed"'));
  return new Set(lines.map((line) => JSON.parse(line)).map(({ issue, slot }) => `${issue} ${slot}`));
}

/** What is wrong with an issue as somebody reads it; nothing is right. */
export async function judgeIssue(night: Night, issue: number): Promise<readonly string[]> {
  const { db } = night.watched.bot.deps.store;
  const comments = await readIssue(night, issue);
  const ours = comments.filter(({ login }) => login.endsWith("[bot]"));
  const actions = await db
    .selectFrom("action")
    .innerJoin("incident", "incident.id", "action.incidentId")
    .select(["action.number as number", "incident.id as incidentId"])
    .where("incident.number", "=", issue)
    .execute();
  const batches = await db
    .selectFrom("batch")
    .innerJoin("incident", "incident.id", "batch.incidentId")
    .select(["batch.id as id", "batch.numbers as numbers"])
    .where("incident.number", "=", issue)
    .execute();
  const kept = await db.selectFrom("comment").select(["id", "slot", "githubId"]).where("issue", "=", issue).execute();
  const slotOf = new Map(kept.map(({ id, slot }) => [id, slot]));
  const late = await lateOf(night);
  const bySlot = Map.groupBy(ours, ({ body }) => slotOf.get(markIn(body) ?? "") ?? "of nobody");
  const boards = ours.filter(({ body }) => body.includes("Board of this incident"));
  const shown = ours.flatMap(({ body }) => readCard(withoutMarker(body)).map(({ number }) => number));
  const wanted = actions.map(({ number }) => number);
  return [
    ...(boards.length === 1 ? [] : [`${boards.length} boards`]),
    ...wanted.filter((number) => shown.filter((one) => one === number).length !== 1).map((n) => `not one card of ${n}`),
    ...shown.filter((number) => !wanted.includes(number)).map((number) => `a card of ${number}, which is none`),
    ...[...bySlot]
      .filter(([slot, all]) => slot === "of nobody" || (all.length !== 1 && !late.has(`${issue} ${slot}`)))
      .map(([slot, all]) => `I5: ${all.length} comments ${slot}`),
    ...batches.flatMap(({ id, numbers }) => {
      const [card] = bySlot.get(slots.batch(id)) ?? [];
      const missing = numbers.filter((number) => !card?.body.includes(`**${number}** `));
      return missing.map((number) => `I6: no result of ${number} on its run card`);
    }),
    ...ours.flatMap(({ id, body }) => wordsOf(body).map((fault) => `comment ${id} ${fault}`)),
    ...(await answersOf(night, issue, bySlot, late)),
  ].map((fault) => `issue ${issue}: ${fault}`);
}

/** What /verify says of each issue that is not so: it names what people did to their own words, and nothing else (DC-6). */
export async function judgeVerdicts(night: Night): Promise<readonly string[]> {
  const { watched, threads, remarks } = night;
  const asked = new Map<number, number>();
  for (const thread of threads) asked.set(await thread.say("lee", "/verify"), thread.number);
  await watched.quiet();
  const late = [...(await lateOf(night))];
  const verdicts = new Map<number, AuditRow["body"]>();
  for await (const rows of auditRows(watched.bot.deps.store.db, {}))
    for (const { kind, body } of rows) if (kind === "issue_verified") verdicts.set(Number(body.commentId), body);
  return [...asked].flatMap(([id, issue]) => {
    const body = verdicts.get(id);
    if (!body) return [`DC-6: /verify of ${issue} came to nothing`];
    const words = remarks.some((remark) => remark.issue === issue && remark.changed !== undefined);
    const may = [
      ...(words ? ["word-edited", "word-deleted", "differs"] : []),
      ...(late.some((one) => one.startsWith(`${issue} `)) ? ["copied"] : []),
    ];
    const wrong = Object.keys(body.findings as object).filter((kind) => !may.includes(kind));
    const faults = body.faults as readonly string[];
    return wrong.length + faults.length === 0 ? [] : [`DC-6: /verify of ${issue} finds ${[...wrong, ...faults]}`];
  });
}

/** What no comment of ours may be. */
function wordsOf(body: string): readonly string[] {
  const text = withoutMarker(body);
  const faults: string[] = [];
  if (text.trim() === "") return ["is empty"];
  if (body.length > 65_536) faults.push("is longer than GitHub takes");
  const root = parse(text);
  const nodes = nodesOf(root);
  const prose = linesOf(root).join("\n");
  for (const [, word] of prose.matchAll(/\b(undefined|NaN|null|Invalid Date|\[object)\b/g))
    faults.push(`says ${word}: ${prose.slice(0, 200)}`);
  if (/\{\{|\}\}/.test(prose)) faults.push("has a placeholder left");
  const html = nodes.map((node) => (node.type === "html" ? node.value : "")).join("\n");
  const count = (tag: string) => html.split(tag).length - 1;
  if (count("<details>") !== count("</details>")) faults.push("leaves a fold open");
  if (parseSlashCommand(text, ["ops"])?.kind === "command") faults.push("is itself a command");
  const gap = linesOf(root).find((one) =>
    /·\s*·|\(\s*\)|,\s*[,.]|[.:;]\s+[.;,]|\s,|^[·,.:;]|[·:;,]$/.test(one.replace(/:$/, "")),
  );
  if (gap !== undefined) faults.push(`has a gap in it: ${gap}`);
  // Without GitHub's additions the words are the same: nothing hangs on a table or a box.
  if (fromMarkdown(text).children.length === 0) faults.push("is nothing in Markdown");
  return faults;
}

/** What is read in a line, in a cell or in an item; what stands in code is its own matter. */
const linesOf = (root: ReturnType<typeof parse>): readonly string[] =>
  nodesOf(root)
    .filter(({ type }) => type === "paragraph" || type === "tableCell" || type === "heading")
    .flatMap((node) =>
      nodesOf(node)
        .map((inner) => (inner.type === "text" ? inner.value : inner.type === "inlineCode" ? "code" : ""))
        .join("")
        .split("\n"),
    )
    .filter((text) => text !== "");

/** Every command of a person who may read is answered once; what is no command, or a bot's, by nothing at all. */
async function answersOf(
  night: Night,
  issue: number,
  bySlot: ReadonlyMap<string, readonly Written[]>,
  late: ReadonlySet<string>,
): Promise<readonly string[]> {
  const thread = night.threads.find(({ number }) => number === issue);
  const said = night.remarks.filter((remark) => remark.issue === issue && remark.changed !== "deleted");
  const batches = await night.watched.bot.deps.store.db.selectFrom("batch").select("commentId").execute();
  const ran = new Set(batches.map(({ commentId }) => commentId));
  const faults = await Promise.all(
    said.map(async (remark): Promise<readonly string[]> => {
      const reactions = (await thread?.reactions(remark.id)) ?? [];
      const slot = slots.reply(remark.id);
      const [first, ...again] = bySlot.get(slot) ?? [];
      const answers = first ? [first, ...(late.has(`${issue} ${slot}`) ? [] : again)] : [];
      const wrong = answerFault(remark, reactions, { answers, ran: ran.has(remark.id) });
      return wrong === undefined ? [] : [`I5: ${remark.by} said ${JSON.stringify(remark.body)} and ${wrong}`];
    }),
  );
  return faults.flat();
}

function answerFault(
  { heard, by }: Remark,
  reactions: readonly string[],
  { answers, ran }: { readonly answers: readonly Written[]; readonly ran: boolean },
): string | undefined {
  if (!heard || by === "deploy-bot")
    return reactions.length + answers.length === 0 ? undefined : `was answered: ${reactions.join()}`;
  const outcomes = reactions.filter((one) => one !== "eyes");
  if (!reactions.includes("eyes")) return "was not seen";
  if (outcomes.length !== 1) return `got ${outcomes.length} outcomes: ${outcomes.join()}`;
  // What became of a batch stands on its run card.
  if (outcomes[0] === "confused" && answers.length === 0 && !ran) return "was not told what is wrong";
  return answers.length <= 1 ? undefined : `was answered ${answers.length} times`;
}
