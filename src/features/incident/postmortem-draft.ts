import * as z from "zod";
import { postmortemTask, readPostmortemDraft } from "../../agent/postmortem.ts";
import { buildReminder } from "../../agent/prompt.ts";
import { actionsOf } from "../../store/actions.ts";
import { auditOf } from "../../store/audit/rows.ts";
import type { Tx } from "../../store/database/open.ts";
import { holdsOn, isStanding } from "../../store/holds.ts";
import { type Incident, incidentOf, type Session, sessionOf } from "../../store/incidents.ts";
import { slots } from "../../store/outbox/slots.ts";
import { commentIn } from "../../store/outbox/thread-comments.ts";
import { wantComments } from "../../store/outbox/wanted.ts";
import type { Job } from "../../store/queue/queue.ts";
import { runsOf } from "../../store/runs.ts";
import { turnsOf } from "../../store/turns.ts";
import { redactText } from "../../text/bare.ts";
import { delimit } from "../../text/read/visible.ts";
import { type Deps, loadRepoContext } from "../context.ts";
import { threadOf, wakePoster } from "../thread/show.ts";
import { budgetModel, tooManyTurns } from "../turn/budget.ts";
import { repoNonceOf } from "../turn/prompt.ts";
import { heldWords } from "./hold.ts";
import { fillInDraft } from "./postmortem.ts";
import { renderTimeline } from "./timeline.ts";

const draftSchema = z.object({
  /** The comment that closed it: the postmortem answers it. */
  commentId: z.number(),
  personId: z.number(),
  /** As whoever closed it said. */
  cause: z.string(),
});
const jobSchema = z.object({ incidentId: z.string(), draft: draftSchema });
type Draft = z.output<typeof draftSchema>;

/**
 * Has the model draft what of a postmortem nobody can know from the rows, once the transaction commits; the closing waits for nothing.
 * It is no step of the agent, and of an incident in which nothing ran there is nothing to draft.
 */
export async function enqueueDraft(
  tx: Tx,
  deps: Pick<Deps, "store" | "ask">,
  { id: incidentId, repoId }: Incident,
  draft: Draft,
): Promise<void> {
  if (!deps.ask || (await runsOf(tx, incidentId)).length === 0) return;
  if (!(await turnsOf(tx, incidentId)).some(({ offline }) => !offline)) return;
  await deps.store.queue.enqueue(tx, "turn", incidentId, { incidentId, draft }, { share: String(repoId) });
}

/** Whether a job of the queue of turns is such a draft. */
export const isDraft = ({ data }: Pick<Job, "data">): boolean => jobSchema.safeParse(data).success;

/** Asks the model once, as any turn does by deadline, budgets and failure, and edits the postmortem; without an answer it stays as it is. */
export async function draftPostmortem(deps: Deps, job: Job): Promise<void> {
  const { incidentId, draft } = jobSchema.parse(job.data);
  const reply = await ask(deps, job, await incidentOf(deps.store.db, incidentId), draft);
  const drafted = reply === undefined ? undefined : readPostmortemDraft(redactText(deps.redact, reply));
  await deps.store.transaction(async (tx) => {
    await job.settle(tx);
    if (!drafted) return;
    const incident = await incidentOf(tx, incidentId);
    const slot = slots.reply(draft.commentId);
    const posted = await commentIn(tx, incidentId, slot);
    if (!posted) return;
    await wantComments(tx, threadOf(incident), [{ slot, body: fillInDraft(posted.body, drafted, deps.markdown) }]);
    await wakePoster(tx, deps, incident);
  });
}

async function ask(deps: Deps, job: Job, incident: Incident, draft: Draft): Promise<string | undefined> {
  const { db } = deps.store;
  if (!deps.ask) return undefined;
  const session = await sessionOf(db, incident.id);
  const undrafted = (reason: string): undefined =>
    void deps.log.warn({ module: "agent", event: "postmortem_undrafted", sessionId: session.id, reason });
  const hold = (await holdsOn(db, incident)).find(isStanding);
  if (hold) return undrafted(heldWords(hold));
  const account = { incident, sessionId: session.id, personId: draft.personId, step: session.steps };
  const over = await tooManyTurns(deps, account);
  if (over) return undrafted(over.short);
  const { rules } = (await loadRepoContext(deps, incident)).context;
  const { nonce } = session;
  const system = buildReminder({
    nonce,
    repoNonce: repoNonceOf(deps.config, incident.repo),
    instructions: { text: postmortemTask, source: "shipped" },
    rules: rules && { text: rules.text, source: `${rules.source}:${rules.path}` },
  });
  const record = await recordOf(deps, incident, session, draft.cause);
  const messages = [
    { role: "system", content: system },
    { role: "user", content: record },
  ] as const;
  const answer = await budgetModel(deps, deps.ask, account).ask(
    { messages },
    { signal: job.signal, onStatus: () => {} },
  );
  if (answer.kind === "reply") return answer.text;
  // The bot ends: whoever takes the job next asks again (RR-14).
  job.signal.throwIfAborted();
  return undrafted(answer.message);
}

const saidCharacters = 500;
const mostTurns = 12;

/** What the model is told of the incident: no output, and on a public issue nothing that an outsider may have written (SR-35). */
async function recordOf(deps: Deps, incident: Incident, { nonce }: Session, cause: string): Promise<string> {
  const { db } = deps.store;
  const { id, number, title, body } = incident;
  const rows = await auditOf(db, id);
  const timeline = renderTimeline(
    { rows, actions: await actionsOf(db, id), runs: await runsOf(db, id) },
    deps.markdown,
  );
  const turns = (await turnsOf(db, id)).filter(({ offline }) => !offline).slice(-mostTurns);
  const said = turns.map(
    ({ createdAt, prose }) => `- ${createdAt.toISOString().slice(0, 16)}Z: ${prose.slice(0, saidCharacters)}`,
  );
  const record = [
    ...(incident.public
      ? []
      : [`Opened ${incident.createdAt.toISOString().slice(0, 16)}Z: ${title}\n\n${body.slice(0, 2_000)}`]),
    `Cause, as whoever closed it says: ${cause === "" ? "nothing" : cause}`,
    `What was decided and what ran, in UTC:\n${timeline}`,
    `What the agent said of it, not verified:\n${said.join("\n")}`,
  ];
  return delimit(record.join("\n\n"), `record of issue ${number}`, nonce);
}
