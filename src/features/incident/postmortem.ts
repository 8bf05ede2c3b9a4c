import * as z from "zod";
import { postmortemTask, readPostmortemDraft } from "../../agent/postmortem.ts";
import { buildReminder } from "../../agent/prompt.ts";
import { checksIn, memberOf, type NamedValue } from "../../base/action.ts";
import type { RepoFile, Skill } from "../../base/github.ts";
import { matchesPath } from "../../base/glob.ts";
import { addressedIn, isUsageError, wentWell } from "../../base/run.ts";
import { allShells, type Server } from "../../base/server.ts";
import { resultWords } from "../../github/render/ending.ts";
import { inTellingOrder, renderHypothesis } from "../../github/render/hypotheses.ts";
import { type Markdown, name } from "../../github/render/ink.ts";
import {
  createKnows,
  draftSkill,
  patchRunbook,
  placesFor,
  placesForVolatile,
  type RunbookStep,
  valuesInPlaces,
} from "../../runbooks/lessons.ts";
import { alertNameKey, leadingAlertName } from "../../runbooks/match/clean.ts";
import { createWithoutNames } from "../../runbooks/match/similar.ts";
import { namedIn, serverNamedBy } from "../../runbooks/target.ts";
import { type Action, type Approval, actionsOf } from "../../store/actions.ts";
import type { AlertRow } from "../../store/alerts.ts";
import { type AuditLine, auditOf } from "../../store/audit/chain.ts";
import { factsOf, type ReadEvent } from "../../store/audit/events.ts";
import type { Tx } from "../../store/database/open.ts";
import { holdsOn, isStanding } from "../../store/holds.ts";
import { hypothesesOf } from "../../store/hypotheses.ts";
import { type Incident, incidentOf, type Session, sessionOf } from "../../store/incidents.ts";
import { commentIn, slots } from "../../store/outbox/thread-comments.ts";
import { wantComments } from "../../store/outbox/wanted.ts";
import type { Job } from "../../store/queue/queue.ts";
import { type Run, runsOf } from "../../store/runs.ts";
import { turnsOf } from "../../store/turns.ts";
import { redactText } from "../../text/bare.ts";
import { delimit } from "../../text/read/visible.ts";
import { speaksToAgent } from "../../text/speech.ts";
import { type Deps, loadRepoContext } from "../context.ts";
import { threadOf, wakePoster } from "../thread/post.ts";
import { budgetModel, tooManyTurns } from "../turn/budget.ts";
import { repoNonceOf } from "../turn/prompt.ts";
import {
  agentsCause,
  changesNothing,
  confirmingRuns,
  foreignTexts,
  type IncidentHistory,
  ownWords,
  undoing,
} from "./cause.ts";
import { heldWords } from "./hold.ts";

export interface ClosedIncident extends IncidentHistory {
  readonly incident: Incident;
  readonly approvals: readonly Approval[];
  readonly alert: AlertRow | null;
}

/** A command that ran, or one check of a set. */
interface CommandResult {
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
function commandResults({ actions, runs }: ClosedIncident, markdown: Markdown): readonly CommandResult[] {
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

/** Which commands of an incident helped: decided by how runs ended and by their order, never by a word of an output. Pure. */

interface UsefulCommands {
  /** Reads that showed the fault, in the order in which they ran. */
  readonly looks: readonly CommandResult[];
  /** Changes that stand and that a later read speaks for, in the order in which they ran. */
  readonly acts: readonly CommandResult[];
  /** All changes that ran, in their order. */
  readonly changes: readonly CommandResult[];
  /** Changes that went well and were taken back, or after which the fault was still there. */
  readonly inVain: ReadonlyMap<CommandResult, VainReason>;
  /** A sentence for people, if nothing helped. */
  readonly why?: string;
}

type VainReason = "undone later" | "undid a change" | "did not help";

interface EndedIncident extends IncidentHistory {
  readonly alert: Pick<AlertRow, "state" | "resolvedAt"> | null;
}

/** Decides what of `results`, in the order in which they ran, helped; `cause` is a person's, empty if none was given. */
function decideUseful(past: EndedIncident, results: readonly CommandResult[], cause: string): UsefulCommands {
  const usable = results.filter(({ command, action }) => action.spec.probes === undefined && !speaksToAgent(command));
  const reads = usable.filter(({ action }) => action.spec.risk === "low");
  const changes = usable.filter(({ action }) => action.spec.risk !== "low");
  const story = { past, reads, changes };
  const well = changes.filter(
    ({ command, good, runs }) => good && !changesNothing(command) && !runs.some(({ trouble }) => isUsageError(trouble)),
  );
  const useless = well.filter((one) => didNotHelp(one, story));
  const inVain = new Map(
    well.flatMap((one): readonly (readonly [CommandResult, VainReason])[] => {
      const takesBack = (earlier: CommandResult): boolean => {
        const how = undoingOf(one, earlier);
        return how === "undoes" || (how === "restores" && useless.includes(earlier));
      };
      if (well.some((later) => undoingOf(later, one) === "undoes")) return [[one, "undone later"]];
      if (well.some(takesBack)) return [[one, "undid a change"]];
      return useless.includes(one) ? [[one, "did not help"]] : [];
    }),
  );
  const standing = well.filter((one) => !inVain.has(one));
  const isGone = isGoneAfter(standing, story);
  const acts = isGone ? standing : [];
  const isTold = isElsewhere.test(cause);
  const isKnown = !isTold && (cause !== "" || agentsCause(past)?.isConfirmed === true);
  const looks = isGone || isKnown ? looksOf(acts, story) : [];
  if (looks.length > 0 || acts.length > 0) return { looks, acts, changes, inVain };
  const numbers = [...new Set(standing.map(({ action }) => action.number))].join(", ");
  const why =
    results.length === 0
      ? "Nothing ran."
      : standing.length > 0
        ? `No check after ${numbers} shows that it helped.`
        : changes.length > 0
          ? "What was changed did not help, or was undone."
          : isTold
            ? "Another issue has the cause."
            : isKnown
              ? "No check showed the fault."
              : "Nothing was changed, and no cause is known.";
  return { looks, acts, changes, inVain, why };
}

interface Story {
  readonly past: EndedIncident;
  readonly reads: readonly CommandResult[];
  readonly changes: readonly CommandResult[];
}

/** No more than a reference to another issue: `same as #41`. `the release of #41 lost an index` is a cause. */
const isElsewhere = /^\P{L}*(?:\p{L}+\P{L}+){0,4}?(?:#\d+|https?:\S+\/(?:issues|pull)\/\d+)[^\p{L}\p{N}]*$/u;

const beginOf = (runs: readonly Run[]): number =>
  Math.min(...runs.map(({ startedAt, endedAt }) => (startedAt ?? endedAt)?.getTime() ?? Number.POSITIVE_INFINITY));

const isBefore = (one: CommandResult, other: CommandResult): boolean =>
  (beginOf(one.runs) - beginOf(other.runs) || one.action.number - other.action.number) < 0;

const isSame = (one: CommandResult, other: CommandResult): boolean =>
  one.command === other.command && one.action.spec.place === other.action.spec.place;

/** Nothing found says nothing. */
const isNeutral = "no match";

/** Whether its exit code or a line reports trouble. A line that speaks to the agent is an attack, not the fault. */
const showsFault = ({ good, runs }: CommandResult): boolean =>
  good &&
  runs.some(({ outcome, trouble }) =>
    outcome?.kind === "answer"
      ? outcome.says !== isNeutral
      : trouble !== null && addressedIn(trouble) === undefined && !isUsageError(trouble),
  );

/** Whether the fault does not show in it. */
const isFine = (one: CommandResult): boolean => !isBad(one);

const isBad = (one: CommandResult): boolean => !one.runs.every(wentWell) || showsFault(one);

/** As `undoing`, on the same place and later. */
const undoingOf = (later: CommandResult, earlier: CommandResult): ReturnType<typeof undoing> =>
  isBefore(earlier, later) && earlier.action.spec.place === later.action.spec.place
    ? undoing(later.command, { command: earlier.command, undo: earlier.action.spec.undo })
    : undefined;

/** Whether the read runs under the change's approval, or is what the runbook checks it with and ran behind it. */
const isCheckOf = (read: CommandResult, change: CommandResult): boolean => {
  const { number, spec } = change.action;
  const isAdvised = read.action.spec.place === spec.place && (spec.check ?? "").split("\n").includes(read.command);
  return read.action.spec.checks === number || (isAdvised && isBefore(change, read));
};

/** Whether its own check failed, a hypothesis that it tested is refuted, or each read that showed the fault shows it still. */
function didNotHelp(one: CommandResult, story: Story): boolean {
  const { past, reads, changes } = story;
  const next = changes.find((other) => isBefore(one, other) && batchOf(other) !== batchOf(one));
  const own = reads.filter((read) => isCheckOf(read, one));
  const latest = own.map((check) => reads.findLast((read) => isSame(read, check)) ?? check);
  // Lines of a log may be older than the change.
  const hasOnlyTrouble = ({ runs }: CommandResult): boolean =>
    runs.every((run) => wentWell(run) && run.outcome === null);
  if (latest.length > 0 && latest.every((check) => isBad(check) && !hasOnlyTrouble(check))) return true;
  const numbers = [one, ...own].map(({ action }) => action.number);
  const isRefuted = past.hypotheses.some(
    ({ status, againstRuns }) => status === "refuted" && againstRuns.some((number) => numbers.includes(number)),
  );
  if (next && isRefuted) return true;
  const batch = changes.filter((other) => batchOf(other) === batchOf(one));
  if (!next || own.some((check) => !isBad(check)) || !batch.every(({ good }) => good)) return false;
  const again = reads.filter(
    (read) =>
      batch.every((change) => isBefore(change, read)) &&
      isBefore(read, next) &&
      reads.some((earlier) => isSame(earlier, read) && isBefore(earlier, one) && isBad(earlier)),
  );
  return again.length > 0 && again.every(isBad);
}

const batchOf = ({ runs }: CommandResult): string | undefined => runs[0]?.batchId;

/** Whether, after the last change, its own check is fine, a read is fine that showed the fault before, or the alert has resolved. */
function isGoneAfter(standing: readonly CommandResult[], story: Story): boolean {
  const [first, last] = [standing[0], standing.at(-1)];
  if (!first || !last) return false;
  const { alert } = story.past;
  if (alert?.state === "resolved" && (alert.resolvedAt?.getTime() ?? 0) >= beginOf(last.runs)) return true;
  return story.reads.some(
    (read) =>
      isBefore(last, read) &&
      !isBad(read) &&
      (standing.some((one) => isCheckOf(read, one)) ||
        story.reads.some((earlier) => isSame(earlier, read) && isBefore(earlier, first) && isBad(earlier))),
  );
}

/** Reads before the last change that showed the fault, were named for the cause, or were run again to see that it is gone. */
function looksOf(acts: readonly CommandResult[], story: Story): readonly CommandResult[] {
  const { past, reads } = story;
  const last = acts.at(-1);
  const before = reads.filter(
    (read) => (last === undefined || isBefore(read, last)) && read.action.spec.checks === undefined,
  );
  const later = reads.filter((read) => last !== undefined && isBefore(last, read) && !isBad(read));
  const named = confirmingRuns(past);
  return before.filter(
    (read) =>
      showsFault(read) ||
      // A set is named as a whole, so no single check of it is.
      (read.good && read.action.spec.set === undefined && named.has(read.action.number)) ||
      (last !== undefined && later.some((again) => isSame(again, read))),
  );
}

/** What the runbooks learn from an incident: a patch of one, a first one, or nothing, and why. Pure. */

interface Library {
  readonly skills: readonly Skill[];
  readonly files: readonly RepoFile[];
  readonly servers: readonly Pick<Server, "name" | "host" | "groups" | "patches">[];
  /** Names of this repository's skills that the model loaded. */
  readonly read: readonly string[];
  readonly values: readonly NamedValue[];
  /** A person's, empty if none was given. */
  readonly cause: string;
}

/** Renders what helped and stands in no runbook, and rejections. */
export function renderLessons(whole: ClosedIncident, library: Library, markdown: Markdown): string {
  const { skills } = library;
  // A fix that is merged is needed no more.
  const past = { ...whole, actions: whole.actions.filter(({ spec }) => !spec.targets.some(({ patches }) => patches)) };
  const linked = past.turns.flatMap(({ runbooks }) => runbooks.map(({ label, skill }) => skill ?? label));
  const used = [...new Set([...library.read, ...linked])];
  const results = commandResults(past, markdown);
  const { looks, acts, changes, why } = decideUseful(past, results, library.cause);
  const helped = [...looks, ...acts];
  const own = used.flatMap((one) => skills.find((skill) => skill.name === one) ?? []);
  const listing = own.length > 0 ? [] : skillsListing(alertsOf(past, library), skills);
  const target = fittest(own.length > 0 ? own : listing, helped);
  const home = homeOf(past, library);
  const values = valuesOf(past, library, { home, target });
  // An act needs its place in the runbook that is followed; a read may stand in any.
  const readers = createKnows(skills);
  const actors = createKnows(own.length > 0 ? own : listing.length > 0 ? listing : skills);
  const stepOf = (one: CommandResult, knows: (command: string) => boolean): RunbookStep => {
    const shells = one.action.spec.targets.some(({ os }) => os === "windows") ? allShells : (["bash"] as const);
    const write = (text: string): string => placesForVolatile(placesFor(text, values, shells));
    const { place } = one.action.spec;
    const command = write(one.command);
    const isKnown = knows(one.command) || knows(withoutOpenOptions(command));
    const check = checkOf(one, results);
    return {
      command,
      ran: one.command,
      check: check && write(check),
      place: place === home ? undefined : place,
      isKnown,
    };
  };
  const steps = {
    looks: once(looks.map((one) => stepOf(one, readers))),
    acts: once(acts.map((one) => stepOf(one, actors))),
  };
  // What did not help still shows what came before it.
  const vain = changes.filter(({ command }) => !acts.some((one) => one.command === command));
  const around = changes.filter((one) => acts.includes(one) || vain.includes(one));
  const ordered = once(around.map((one) => stepOf(one, vain.includes(one) ? () => true : actors)));
  const missing = [...steps.looks, ...steps.acts].filter(({ isKnown }) => !isKnown);
  const patch = missing.length === 0 || !target ? undefined : patchOf(target, { ...steps, acts: ordered }, library);
  const isNew = missing.length > 0 && !target && own.length === 0;
  const listed = helped.flatMap(({ command, action }) => {
    if (isNew || patch || !missing.some(({ ran }) => ran === command)) return [];
    const by = action.origin === "person" ? `, written by ${name(action.authorLogin ?? "ghost")},` : "";
    return [
      `- ${markdown.code(shorten(command))}${by} ${acts.some((one) => one.action === action) ? "helped" : "was looked at"} and is not in any runbook: consider adding it.`,
    ];
  });
  const turnedDown = past.approvals.flatMap(({ verdict, actionId, login, reason }) => {
    const action = verdict === "reject" && past.actions.find(({ id }) => id === actionId);
    const because = reason === "" ? "" : `: ${markdown.plain(reason)}`;
    return action
      ? [`- ${name(login)} turned down ${namedCommand(action, markdown)}${because}. Consider a warning.`]
      : [];
  });
  const list = [...new Set(listed), ...turnedDown];
  const isCovered = helped.length > 0 && missing.length === 0;
  const isTargetUsed = target !== undefined && used.includes(target.name);
  // The lines below name a runbook that was used alone, and one that was not.
  const isNamedBelow = isTargetUsed ? used.length === 1 && (isCovered || patch !== undefined) : isCovered && target;
  return [
    ...(isNamedBelow
      ? []
      : [used.length === 0 ? "No runbook was used." : `Used: ${used.map(markdown.plain).join(", ")}.`]),
    ...(why === undefined ? [] : [`No runbook change is suggested. ${why}`]),
    ...(isCovered
      ? [
          target
            ? `All that was useful is in ${markdown.code(target.path)}${isTargetUsed ? "" : ", which was not used"}.`
            : "All that was useful is in the runbooks.",
        ]
      : []),
    ...(patch ? [`Useful, and not yet in ${markdown.code(patch.path)}:`, markdown.command(patch.diff, "diff")] : []),
    ...(patch ? pullRequestOffer(patch.path, past.incident, library) : []),
    ...(list.length === 0 ? [] : [list.join("\n")]),
    ...(isNew ? newSkill(past, steps, library, markdown) : []),
  ].join("\n\n");
}

/** How the patch of a runbook becomes a pull request, if the operator lists it in this repository. */
function pullRequestOffer(path: string, { repo }: ClosedIncident["incident"], { servers }: Library): readonly string[] {
  const takes = servers.find(
    ({ patches }) =>
      patches?.repository.toLowerCase() === repo.toLowerCase() && patches.paths.some((glob) => matchesPath(glob, path)),
  );
  return takes ? [`As a draft pull request: reopen the issue, then \`/run ${takes.name}\` with this block.`] : [];
}

/** The server that the alert or the issue names alone; what runs there needs no remark. */
function homeOf({ incident }: ClosedIncident, { servers, values }: Library): string | undefined {
  const text = `${incident.title}\n${incident.body}`;
  const named = serverNamedBy(values, servers);
  if (named !== undefined) return named;
  const names = servers.map(({ name }) => name);
  return namedIn(text, names)[0] ?? namedIn(text, [...new Set(servers.flatMap(({ groups }) => groups))])[0];
}

/** What the alert, the issue and people said, what stood in the runbook's places, and the server itself. */
function valuesOf(
  { actions, runs }: ClosedIncident,
  { values, servers }: Library,
  { home, target }: { readonly home: string | undefined; readonly target: Skill | undefined },
): readonly NamedValue[] {
  const ran = actions.filter(({ id }) => runs.some(({ actionId }) => actionId === id));
  const commands = ran.flatMap(({ spec }) =>
    checksIn(spec).flatMap(({ command }) => [command, withoutOpenOptions(placesForVolatile(command))]),
  );
  const filled = [...ran.flatMap(({ spec }) => spec.filled ?? []), ...valuesInPlaces(target?.body ?? "", commands)];
  const host = servers.some(({ name }) => name === home) ? home : undefined;
  const all = [
    ...values,
    ...filled,
    ...(host === undefined ? [] : [{ source: "alert", name: "host", value: host } as const]),
  ];
  return [...new Map(all.map((one) => [`${one.name}=${one.value}`, one])).values()];
}

/** The first of its checks that was fine on its server: a runbook has one check for an act. */
const checkOf = (one: CommandResult, results: readonly CommandResult[]): string | undefined =>
  results.find((read) => isCheckOf(read, one) && read.action.spec.place === one.action.spec.place && isFine(read))
    ?.command;

/** `--to-revision=<revision>` is of one incident; the act is the same without it. */
const withoutOpenOptions = (command: string): string => command.replace(/\s--[\w-]+=<[a-z-]+>/g, "");

/** Of repeated ones the last. */
const once = (steps: readonly RunbookStep[]): readonly RunbookStep[] =>
  steps.filter(
    (one, at) => !steps.slice(at + 1).some(({ command, place }) => command === one.command && place === one.place),
  );

/** Of an alert only its name, which is one word: its texts may be an outsider's. */
const alertsOf = ({ incident, foreign }: ClosedIncident, { values }: Library): readonly string[] => {
  const labels = values.flatMap(({ source, name, value }) =>
    source === "alert" && name === "alertname" ? [value] : [],
  );
  const leading = foreign.includes(incident.title) ? undefined : leadingAlertName(incident.title);
  return [...labels, ...(leading === undefined ? [] : [leading])];
};

/** Skills whose `metadata.alerts` has one of these: another one for the same alert would only compete with them. */
const skillsListing = (alerts: readonly string[], skills: readonly Skill[]): readonly Skill[] => {
  const keys = new Set(alerts.map(alertNameKey));
  return skills.filter(({ metadata }) =>
    (metadata.alerts ?? "").split(",").some((one) => one.trim() !== "" && keys.has(alertNameKey(one))),
  );
};

/** The skill that has most of these commands, else the first. */
function fittest(skills: readonly Skill[], helped: readonly CommandResult[]): Skill | undefined {
  const known = (skill: Skill): number => {
    const knows = createKnows([skill]);
    return helped.filter(({ command }) => knows(command)).length;
  };
  return skills.toSorted((a, b) => known(b) - known(a))[0];
}

/** Undefined if a code block could not hold the commands. */
function patchOf(
  { path, source }: Skill,
  steps: Readonly<Record<"looks" | "acts", readonly RunbookStep[]>>,
  { files, servers }: Library,
): { readonly path: string; readonly diff: string } | undefined {
  const file = files.find((one) => one.path === path && one.source === source);
  const added = [...steps.looks, ...steps.acts].flatMap(({ command, check = "", isKnown }) =>
    isKnown ? [] : [command, check],
  );
  if (!file || file.text.includes("\r") || added.some((one) => /```|~~~/.test(one))) return undefined;
  const diff = patchRunbook(file.path, file.text, { ...steps, servers: servers.map(({ name }) => name) });
  return diff === undefined ? undefined : { path: file.path, diff };
}

function newSkill(
  past: ClosedIncident,
  { looks, acts }: Readonly<Record<"looks" | "acts", readonly RunbookStep[]>>,
  library: Library,
  markdown: Markdown,
): readonly string[] {
  const places = past.actions.flatMap(({ spec }) => [spec.place, ...spec.targets.map(({ server }) => server)]);
  const names = library.servers.flatMap(({ name, groups }) => [name, ...groups]);
  const alerts = alertsOf(past, library);
  const isAlert = past.foreign.includes(past.incident.title);
  const { title, body } = isAlert
    ? { title: alerts.find((one) => /^[A-Za-z][\w-]{2,120}$/.test(one)) ?? "Alert", body: "" }
    : past.incident;
  const { name, text } = draftSkill({
    title,
    body,
    alerts,
    withoutNames: createWithoutNames([...names, ...places]),
    looks,
    acts,
  });
  return [
    `A runbook for next time could start as ${markdown.code(`.github/skills/${name}/SKILL.md`)}:`,
    // Without our marks, which would be copied along.
    markdown.command(text, "text"),
  ];
}

const mostLines = 120;
const commandCharacters = 120;
/** Rows of one transaction are at most this far apart. */
const togetherMs = 1_000;

function wordsOf(event: ReadEvent, number: string, what: string, markdown: Markdown): string | undefined {
  const person = factsOf(event).by;
  const by = person ? ` by ${person.id === 0 ? person.login : name(person.login)}` : "";
  switch (event.kind) {
    case "incident_opened":
      return `opened${by}`;
    case "incident_ended":
      return `ended${by}`;
    case "incident_reopened":
      return `reopened${by}`;
    case "command_approved":
      return `${number} approved${event.body.via === undefined ? "" : " by a lease,"}${by}`;
    case "command_rejected":
      return `${number} rejected${by}${what}${event.body.reason ? ` — ${markdown.plain(event.body.reason)}` : ""}`;
    case "command_cancelled":
      return `${number} cancelled${by}`;
    case "incident_held":
      return `held${by}`;
    case "repository_held":
      return `whole repository held${by}`;
    case "incident_resumed":
      return `resumed${by}`;
    case "repository_resumed":
      return `whole repository resumed${by}`;
    case "lease_given":
      return `lease given${by}`;
    case "lease_ended":
      return `lease ended: ${markdown.plain(event.body.why)}`;
    case "handover_accepted":
      return `handed over to ${name(event.body.to)}`;
    default:
      return undefined;
  }
}

interface TimelineEntry {
  readonly at: string;
  readonly numbers: readonly number[];
  readonly say: (number: string) => string;
}

/** Renders decisions and runs, oldest first, one line each. */
export function renderTimeline(
  {
    rows,
    actions,
    runs,
  }: { readonly rows: readonly AuditLine[]; readonly actions: readonly Action[]; readonly runs: readonly Run[] },
  markdown: Markdown,
): string {
  const runLine = (run: Run): string => {
    const action = actions.find(({ id }) => id === run.actionId);
    const command = shorten(action ? memberOf(action.spec, run).command : "");
    return `**${action?.number ?? "?"}** ${markdown.code(command)} on ${markdown.code(run.server)} · ${resultWords(run, markdown) || "▶️ still running"}`;
  };
  const entries = rows.flatMap(({ at, ...event }): readonly TimelineEntry[] => {
    const facts = factsOf(event);
    const run = runs.find(({ id }) => id === facts.run);
    if (run) return [{ at, numbers: [], say: () => runLine(run) }];
    const action = actions.find(({ number }) => number === facts.number);
    // An action that never ran appears only if it was rejected.
    const neverRan = action && !runs.some(({ actionId }) => actionId === action.id);
    if (neverRan && event.kind !== "command_rejected") return [];
    const what = action ? `: ${namedCommand(action, markdown)} on ${markdown.code(action.spec.place)}` : "";
    if (wordsOf(event, "", what, markdown) === undefined) return [];
    const numbers = facts.number === undefined ? [] : [facts.number];
    return [{ at, numbers, say: (number) => wordsOf(event, number, what, markdown) ?? "" }];
  });
  const merged: TimelineEntry[] = [];
  for (const entry of entries) {
    const last = merged.at(-1);
    const isSame =
      last !== undefined &&
      last.numbers.length > 0 &&
      entry.numbers.length > 0 &&
      Date.parse(entry.at) - Date.parse(last.at) < togetherMs &&
      last.say("") === entry.say("");
    if (isSame) merged.splice(-1, 1, { ...last, numbers: [...last.numbers, ...entry.numbers] });
    else merged.push(entry);
  }
  const lines = merged.map(
    ({ at, numbers, say }) =>
      `- ${at.slice(0, 19).replace("T", " ")} · ${say(numbers.map((number) => `**${number}**`).join(", "))}`,
  );
  const open = runs.filter(({ endedAt }) => endedAt === null);
  const running = open.map((run) => `- ${runLine(run)}, reported below when it ends`);
  const more = lines.length - mostLines;
  return [
    ...lines.slice(0, mostLines),
    ...(more > 0 ? [`- and ${more} more, on the cards above`] : []),
    ...running,
  ].join("\n");
}

/** Puts an action's command, or its set's checks, on one line. */
export const namedCommand = (
  { spec }: { readonly spec: Parameters<typeof checksIn>[0] },
  markdown: Markdown,
): string => {
  const each = checksIn(spec).map(({ command }) => markdown.code(shorten(command)));
  return `${each.length === 1 ? "" : `${each.length} checks, `}${each.join(", ")}`;
};

/** Puts a command on one line, with marks for line breaks. */
const shorten = (command: string): string => {
  const line = command.replaceAll("\n", " ⏎ ");
  return line.length > commandCharacters ? `${line.slice(0, commandCharacters)}…` : line;
};
