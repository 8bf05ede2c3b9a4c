import * as z from "zod";
import { postmortemTask, readPostmortemDraft } from "../../agent/postmortem.ts";
import { buildReminder } from "../../agent/prompt.ts";
import { checksIn } from "../../base/action.ts";
import { wentWell } from "../../base/run.ts";
import { resultWords } from "../../github/render/ending.ts";
import { inTellingOrder, renderHypothesis } from "../../github/render/hypotheses.ts";
import { type Markdown, name } from "../../github/render/ink.ts";
import { type Action, type Approval, actionsOf } from "../../store/actions.ts";
import type { AlertRow } from "../../store/alerts.ts";
import { auditOf } from "../../store/audit/rows.ts";
import type { Tx } from "../../store/database/open.ts";
import { holdsOn, isStanding } from "../../store/holds.ts";
import { hypothesesOf } from "../../store/hypotheses.ts";
import { type Incident, incidentOf, type Session, sessionOf } from "../../store/incidents.ts";
import { slots } from "../../store/outbox/slots.ts";
import { commentIn } from "../../store/outbox/thread-comments.ts";
import { wantComments } from "../../store/outbox/wanted.ts";
import type { Job } from "../../store/queue/queue.ts";
import { type Run, runsOf } from "../../store/runs.ts";
import { turnsOf } from "../../store/turns.ts";
import { redactText } from "../../text/bare.ts";
import { delimit } from "../../text/read/visible.ts";
import { type Deps, loadRepoContext } from "../context.ts";
import { threadOf, wakePoster } from "../thread/show.ts";
import { budgetModel, tooManyTurns } from "../turn/budget.ts";
import { repoNonceOf } from "../turn/prompt.ts";
import { agentsCause, foreignTexts, type IncidentHistory, ownWords } from "./cause.ts";
import { heldWords } from "./hold.ts";
import { namedCommand, renderTimeline, shorten } from "./timeline.ts";
import { decideUseful } from "./useful.ts";

export interface ClosedIncident extends IncidentHistory {
  readonly incident: Incident;
  readonly approvals: readonly Approval[];
  readonly alert: AlertRow | null;
}

/** A command that ran, or one check of a set. */
export interface CommandResult {
  readonly action: Action;
  readonly command: string;
  readonly runs: readonly Run[];
  readonly words: string;
  readonly good: boolean;
  /** It only read, and its exit code is a finding: `systemctl status` of a failed unit. */
  readonly saw: boolean;
}

/** A draft, or people, fill them in. */
const blanks = {
  impact: "**Impact** · *To be written: who noticed what, and for how long.*",
  changes: "**What ran that can change something**",
  follows: "**What follows** · *To be written: what keeps it from coming back, who does it, until when.*",
} as const;

/** Renders a postmortem from rows and `cause`, a person's words. */
export function renderPostmortem(past: ClosedIncident, cause: string, markdown: Markdown): string {
  const results = commandResults(past, markdown);
  const { inVain } = decideUseful(past, results, cause);
  const resultLine = (result: CommandResult): string => {
    const { action, command, words } = result;
    const vain = inVain.get(result);
    return `- **${action.number}** ${markdown.code(shorten(command))} on ${markdown.code(action.spec.place)} · ${words}${vain === undefined ? "" : `, but ${vain}`}`;
  };
  const actionWords = (action: Action): string =>
    `**${action.number}** ${namedCommand(action, markdown)} on ${markdown.code(action.spec.place)}`;
  const changed = results.filter(({ action }) => action.spec.risk !== "low").map(resultLine);
  const refused = past.actions.flatMap((action) => {
    if (action.state === "blocked") {
      const by = action.origin === "person" ? `, proposed by ${name(action.authorLogin ?? "ghost")}` : "";
      return [`- ${actionWords(action)} · ⛔ blocked: ${markdown.note(action.findings[0]?.text ?? "")}${by}`];
    }
    const rejections = past.approvals.filter(({ verdict, actionId }) => verdict === "reject" && actionId === action.id);
    return rejections.map(
      ({ login, reason }) =>
        `- ${actionWords(action)} · turned down by ${name(login)}${reason === "" ? "" : `: ${markdown.plain(reason)}`}`,
    );
  });
  const wrong = [...results.filter(({ good, saw }) => !good && !saw).map(resultLine), ...refused];
  const considered = inTellingOrder(past.hypotheses).flatMap((one) => {
    const says = ownWords(one.says, past.foreign);
    const word = one.status === "open" ? "never settled" : one.status;
    return says === "" ? [] : [renderHypothesis({ ...one, says }, markdown, word)];
  });
  const agents = agentsCause(past);
  const causeSoFar =
    agents === undefined || agents.words === "" || agents.sure.startsWith("INCONCLUSIVE")
      ? "*To be written.*"
      : `${markdown.plain(agents.words)} *(${agents.sure}, in the agent's words, not verified)*`;
  return [
    `**What happened** · ${markdown.plain(past.incident.title)}`,
    blanks.impact,
    `**Cause** · ${cause === "" ? causeSoFar : markdown.plain(cause)}`,
    ...(considered.length === 0
      ? []
      : [`**What was considered** · by the agent, not verified\n\n${considered.join("\n")}`]),
    changed.length === 0
      ? `${blanks.changes} · ${results.length === 0 ? "Nothing was run." : "Nothing; every command only read."}`
      : `${blanks.changes}\n\n${changed.join("\n")}`,
    ...(wrong.length === 0 ? [] : [`**What did not go well**\n\n${wrong.join("\n")}`]),
    blanks.follows,
  ].join("\n\n");
}

/** Returns the commands that ran, in the order of their actions' starts. */
export function commandResults({ actions, runs }: ClosedIncident, markdown: Markdown): readonly CommandResult[] {
  const beginOf = ({ id }: Action): number =>
    Math.min(
      ...runs
        .filter(({ actionId }) => actionId === id)
        .map(({ startedAt, endedAt }) => Number(startedAt ?? endedAt ?? Number.POSITIVE_INFINITY)),
    );
  const inOrder = actions.toSorted((a, b) => beginOf(a) - beginOf(b) || a.number - b.number);
  return inOrder.flatMap((action) =>
    checksIn(action.spec).flatMap(({ command, expect }, step): readonly CommandResult[] => {
      const own = runs.filter((run) => run.actionId === action.id && (run.step ?? 0) === step);
      const words = own.flatMap((run) => resultWords(run, markdown) || []);
      if (words.length === 0) return [];
      const isRead = action.spec.risk === "low" && expect === undefined;
      const saw = isRead && own.every(({ ending }) => ending?.kind === "exited");
      return [{ action, command, runs: own, words: [...new Set(words)].join(", "), good: own.every(wentWell), saw }];
    }),
  );
}

const draftSchema = z.object({
  commentId: z.number(),
  personId: z.number(),
  cause: z.string(),
});
const jobSchema = z.object({ incidentId: z.string(), draft: draftSchema });
type DraftRequest = z.output<typeof draftSchema>;

/** Enqueues the model's draft, if a command ran and a model took part. It is no step of the agent (RR-14, SR-35). */
export async function enqueueDraft(
  tx: Tx,
  deps: Pick<Deps, "store" | "ask">,
  { id: incidentId, repoId }: Incident,
  draft: DraftRequest,
): Promise<void> {
  if (!deps.ask || (await runsOf(tx, incidentId)).length === 0) return;
  if (!(await turnsOf(tx, incidentId)).some(({ offline }) => !offline)) return;
  await deps.store.queue.enqueue(tx, "turn", incidentId, { incidentId, draft }, { share: String(repoId) });
}

/** Whether a job of the turn queue is a draft. */
export const isDraft = ({ data }: Pick<Job, "data">): boolean => jobSchema.safeParse(data).success;

/** Asks the model once, under a turn's deadline and budgets, and edits the posted postmortem. */
export async function draftPostmortem(deps: Deps, job: Job): Promise<void> {
  const { incidentId, draft } = jobSchema.parse(job.data);
  const { db } = deps.store;
  if (!deps.ask) return deps.store.transaction(job.settle);
  const incident = await incidentOf(db, incidentId);
  const session = await sessionOf(db, incident.id);
  const undrafted = (reason: string): Promise<void> => {
    deps.log.warn({ module: "agent", event: "postmortem_undrafted", sessionId: session.id, reason });
    return deps.store.transaction(job.settle);
  };
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
  if (answer.kind !== "reply") {
    // The bot is stopping; the next attempt asks again.
    job.signal.throwIfAborted();
    return undrafted(answer.message);
  }

  const read = readPostmortemDraft(redactText(deps.redact, answer.text));
  const past = { actions: await actionsOf(db, incidentId), runs: await runsOf(db, incidentId) };
  const foreign = await foreignTexts(db, { ...past, incident: await incidentOf(db, incidentId) });
  const own = (text = ""): string => ownWords(text, foreign);
  const drafted = read && {
    impact: own(read.impact),
    chain: own(read.chain),
    followUps: read.followUps.map(own).filter((line) => line !== ""),
  };
  await deps.store.transaction(async (tx) => {
    await job.settle(tx);
    if (!drafted) return;
    const now = await incidentOf(tx, incidentId);
    const slot = slots.reply(draft.commentId);
    const posted = await commentIn(tx, incidentId, slot);
    if (!posted) return;
    // Others' text is rendered so that it never equals a blank.
    const list = drafted.followUps.map((line) => `- ${deps.markdown.plain(line)}`).join("\n");
    const edits: readonly (readonly [blank: string, filled: string | undefined])[] = [
      [blanks.impact, drafted.impact && `**Impact** ${draftMark} · ${deps.markdown.plain(drafted.impact)}`],
      [
        `\n${blanks.changes}`,
        drafted.chain &&
          `\n**How it came about** ${draftMark} · ${deps.markdown.plain(drafted.chain)}\n\n${blanks.changes}`,
      ],
      [blanks.follows, list && `**What follows** ${draftMark}\n\n${list}`],
    ];
    const body = edits.reduce(
      (text, [blank, filled]) => (filled ? text.replace(blank, () => filled) : text),
      posted.body,
    );
    await wantComments(tx, threadOf(now), [{ slot, body }]);
    await wakePoster(tx, deps, now);
  });
}

const saidCharacters = 500;
const mostTurns = 12;

/** No output, and on a public issue no text that an outsider may have written. */
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
  const weighed = inTellingOrder(await hypothesesOf(db, id)).map((one) => renderHypothesis(one, deps.markdown));
  const record = [
    ...(incident.public
      ? []
      : [`Opened ${incident.createdAt.toISOString().slice(0, 16)}Z: ${title}\n\n${body.slice(0, 2_000)}`]),
    `Cause, as whoever closed it says: ${cause === "" ? "nothing" : cause}`,
    `What was decided and what ran, in UTC:\n${timeline}`,
    `What the agent said of it, not verified:\n${said.join("\n")}`,
    ...(weighed.length > 0 ? [`What the agent took for the cause:\n${weighed.join("\n")}`] : []),
  ];
  return delimit(record.join("\n\n"), `record of issue ${number}`, nonce);
}

const draftMark = "*(model's draft)*";
