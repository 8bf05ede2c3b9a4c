import { type Rights, rightsOf } from "../approval/rights.ts";
import { hasLabel } from "../base/github.ts";
import { type Deps, loadRepoContext, type RepoContext, repoContextAt } from "../features/context.ts";
import { openByHand, openFrom } from "../features/incident/open-close.ts";
import { answerImitation } from "../features/intake/forged-card.ts";
import { answerMistake, answerOutside, type DeliveryJob, notNow } from "../features/intake/not-now.ts";
import { readComment } from "../features/intake/read-comment.ts";
import { hashBody } from "../features/run/approval-comment.ts";
import { answer, askerOf } from "../features/thread/answer.ts";
import type { Actor, CommentEvent } from "../github/events.ts";
import type { Facts } from "../github/facts.ts";
import { isAway } from "../github/outcome.ts";
import { parseSlashCommand } from "../slash/grammar.ts";
import { appendDenial, toldLately } from "../store/audit/denials.ts";
import { becomePublic, findIncident, type Incident, lockIncident } from "../store/incidents.ts";
import { isUnanswered, shownComments } from "../store/outbox/thread-comments.ts";
import type { Job } from "../store/queue/queue.ts";
import { denialText, shortDenial } from "./answer/denial.ts";
import { nothingRun } from "./answer/refusals.ts";
import type { Call, Command } from "./command.ts";
import { commandFor, hintFor } from "./registry.ts";

/**
 * A new comment: if it holds a slash command, GitHub is asked what the author may do here, and the file in `src/commands/`
 * that bears the verb's name carries it out. Of bots the operator's agents alone are heard (SR-61, AG-1); people without access hear
 * nothing.
 */
export async function commented(deps: Deps, job: DeliveryJob, event: CommentEvent): Promise<void> {
  const { comment, issue } = event;
  const author = comment.author;
  if (await answerImitation(deps, event, job.settle)) return;
  if (author === undefined || event.sender.id !== author.id) return;
  if (author.type !== "User" && !isAgentsCommand(deps, event)) return;
  if (!event.private) await becomePublic(deps.store.db, [issue.repoId]);
  const known = await findIncident(deps.store.db, issue.repoId, issue.number);
  const said = await readComment(deps, event, known);
  if (!said) return;
  const { slash, below } = said;
  const command = slash.kind === "command" ? commandFor(slash.verb) : undefined;
  const basis = await readBasis(deps, event, known, command);
  if (!basis.isWhole) return notNow(deps, job, event, basis.incident, "rights");

  const { repoContext, facts, incident: labelled } = basis;
  const { approvers } = repoContext.rules.policy;
  const caller = callerOf(author, comment, facts);
  const rights = rightsOf(approvers, { ...caller, person: author });
  // Silence for outsiders: read access counts on a private repository only (SR-17).
  if (!rights.propose && !(rights.see && event.private)) return refuse(deps, job, event, labelled);
  if (comment.edited || isAsEdited(comment, facts)) return refuseEdited(deps, job, event, labelled, rights);
  const takesIn = command?.takesIn && rights[command.may] && event.open;
  const incident = labelled ?? (takesIn ? await openByHand(deps, repoContext, event, caller) : undefined);
  if (!incident) {
    const body = command?.takesIn && !rights[command.may] ? needsWrite(command) : howToTakeIn(deps, repoContext, event);
    await deps.store.transaction(async (tx) => {
      const askedBy = askerOf({ event, rights });
      await answerOutside(tx, deps, event, { commentId: comment.id, body: nothingRun(body), askedBy });
      await job.settle(tx);
    });
    return;
  }
  const call: Omit<Call, "slash"> = {
    deps,
    below,
    repoContext: basis.inForce,
    event,
    facts,
    caller,
    rights,
    incident,
    commit: (work) =>
      deps.store.transaction(async (tx) => {
        const done = await work(tx, await lockIncident(tx, incident.id));
        await job.settle(tx);
        return done;
      }),
  };
  if (slash.kind === "hint" || !command) {
    await call.commit((tx, locked) => answer(tx, call, locked, { outcome: "mistake", body: hintFor(slash) }));
    return;
  }
  if (!rights[command.mayFor?.(slash) ?? command.may]) return deny(call, command);
  if (command.readsCards && (await isUnanswered(deps.store.db, incident, slash.ids)))
    return notNow(deps, job, event, incident, "card");
  await command.run({ ...call, slash });
}

/** An App of `policy.proposers` gives a command; what it says otherwise, mentions too, is never answered: two bots would go on for ever. */
function isAgentsCommand({ config }: Deps, { comment: { author, viaAppId, body } }: CommentEvent): boolean {
  const { apps } = config.policy.proposers;
  const isListed = viaAppId !== undefined && viaAppId !== config.github.appId && apps.includes(viaAppId);
  if (author?.type !== "Bot" || !isListed) return false;
  const slash = parseSlashCommand(body, config.commands.prefixes);
  return slash?.kind === "command" && commandFor(slash.verb) !== undefined;
}

/** What a comment is judged by. */
interface Basis {
  readonly isWhole: true;
  readonly repoContext: RepoContext;
  /** With the repository's file as it is at this moment, where the command sets something going. */
  readonly inForce: RepoContext;
  readonly facts: Facts;
  readonly incident: Incident | undefined;
}

/** Asks GitHub for what the comment is judged by. Where it does not say all of it nobody is allowed anything (F-12). */
async function readBasis(
  deps: Deps,
  event: CommentEvent,
  known: Incident | undefined,
  command: Command | undefined,
): Promise<Basis | { readonly isWhole: false; readonly incident: Incident | undefined }> {
  const { comment, issue } = event;
  const repoContext = await loadRepoContext(deps, issue).catch((error) => {
    deps.log.warn({ module: "github", event: "ground_failed", repo: issue.repo, err: error });
    return undefined;
  });
  const begun = known ? { incident: known } : repoContext && (await beginFrom(deps, repoContext, event));
  if (!repoContext || !begun) return { isWhole: false, incident: known };
  const { incident } = begun;
  const { teams } = repoContext.rules.policy.approvers;
  const comments = [comment.nodeId, ...(incident && command?.readsCards ? await shownTo(deps, incident) : [])];
  const facts = await verify(deps, event, { teams, comments });
  // What sets something going is judged by the repository's file as it is, whoever heard of the push that changed it.
  const commit = command?.readsCards ? facts?.repository?.commit : undefined;
  const inForce = commit === undefined ? repoContext : await repoContextAt(deps, repoContext, issue, commit);
  return facts && inForce ? { isWhole: true, repoContext, inForce, facts, incident } : { isWhole: false, incident };
}

function callerOf(author: Actor, { viaAppId }: CommentEvent["comment"], { people }: Facts): Call["caller"] {
  const { role, teams } = people.get(author.id) ?? { role: "none", teams: [] };
  const { id, login, type } = author;
  return { id, login, type, role, teams, viaApp: viaAppId !== undefined, appId: viaAppId };
}

/** What stands before an approver is read with their rights, so that an approval needs one request and not two (SR-27, RR-24). */
async function shownTo({ store: { db } }: Deps, incident: Incident): Promise<readonly string[]> {
  const { board, cards } = await shownComments(db, incident, "open");
  return [board, ...cards].flatMap((comment) => comment?.nodeId ?? []);
}

const needsWrite = ({ verb }: Command): string => `\`/${verb}\` needs write access to this repository.`;

function howToTakeIn({ markdown }: Deps, { rules }: RepoContext, { open, labels }: CommentEvent): string {
  if (!open) return "This issue is not an incident, and it is closed. Reopen it, then comment `/investigate`.";
  if (hasLabel(labels, rules.incidentLabel))
    return "This issue is not an incident: it has the label, but whoever opened it may not open one. Comment `/investigate`.";
  return `This issue is not an incident. Put the label ${markdown.code(rules.incidentLabel)} on it, or comment \`/investigate\`.`;
}

/** What GitHub says of the author now; nothing where it does not say (F-12: then nobody is allowed anything). */
async function verify(
  deps: Deps,
  event: CommentEvent,
  question: { readonly teams: readonly string[]; readonly comments: readonly string[] },
): Promise<Facts | undefined> {
  const { issue, comment } = event;
  if (!comment.author) return undefined;
  // An App has neither role nor teams.
  const who =
    comment.author.type === "User" ? { people: [comment.author], ...question } : { people: [], ...question, teams: [] };
  try {
    return await deps.facts({
      installationId: issue.installationId,
      repo: issue.repo,
      issue: issue.number,
      ...who,
    });
  } catch (error) {
    return noFacts(deps, event, error);
  }
}

function noFacts({ log }: Deps, { issue }: CommentEvent, error: unknown): undefined {
  log.warn({ module: "github", event: "facts_failed", err: error, repo: issue.repo, issue: issue.number });
}

/** What was edited within its first second looks as written where comments are listed; what it was before nobody can say. */
function isAsEdited({ nodeId, body }: CommentEvent["comment"], { comments }: Facts): boolean {
  const fact = comments.get(nodeId);
  return fact?.edited === true && hashBody(fact.body) === hashBody(body);
}

const sayerOf = ({ sender, comment }: CommentEvent) => ({
  by: { id: sender.id, login: sender.login },
  commentId: comment.id,
});

/** Nobody can say what it was when it was written, so it sets nothing going (SR-21); whoever waits for it hears that. */
async function refuseEdited(deps: Deps, job: Job, event: CommentEvent, incident: Incident | undefined, rights: Rights) {
  await deps.store.transaction(async (tx) => {
    const incidentId = incident?.id ?? null;
    const told = { ...sayerOf(event), why: "edited" };
    await appendDenial(tx, { kind: "command_unverified", incidentId, body: told }, deps.now());
    const body = nothingRun("It was edited before I read it. Please comment it again.");
    await answerMistake(tx, deps, event, { incident, body, rights });
    await job.settle(tx);
  });
}

async function refuse(deps: Deps, job: Job, event: CommentEvent, incident: Incident | undefined) {
  await deps.store.transaction(async (tx) => {
    const incidentId = incident?.id ?? null;
    const told = { ...sayerOf(event), why: "no access" };
    await appendDenial(tx, { kind: "command_ignored", incidentId, body: told }, deps.now());
    await job.settle(tx);
  });
}

/** Takes an issue in whose comment came before the event that opened it (F-03). Nothing where GitHub does not say who may begin one. */
async function beginFrom(
  deps: Deps,
  repoContext: RepoContext,
  event: CommentEvent,
): Promise<{ readonly incident: Incident | undefined } | undefined> {
  try {
    return { incident: await openFrom(deps, repoContext, event, { known: undefined, settle: async () => {} }) };
  } catch (error) {
    if (!isAway(error)) throw error;
    return noFacts(deps, event, error);
  }
}

/**
 * The reaction answers each, and the whole of it comes once in a while (SR-67). A colleague who may write here is not left without a
 * word after that: another command is another mistake.
 */
async function deny(call: Omit<Call, "slash">, command: Command): Promise<void> {
  const { deps, event, caller } = call;
  await call.commit(async (tx, incident) => {
    const now = deps.now();
    const { atLength, tooOften } = await toldLately(tx, caller.id, now);
    const told = !atLength && !tooOften;
    const isShort = !told && !tooOften && call.rights.act;
    const by = { id: caller.id, login: caller.login };
    const body = { by, commentId: event.comment.id, verb: command.verb, role: caller.role, told };
    await appendDenial(tx, { kind: "command_denied", incidentId: incident.id, body }, now);
    const words = told ? { body: denialText(call, command) } : isShort ? { body: shortDenial(command) } : {};
    await answer(tx, call, incident, { outcome: "denied", ...words });
  });
}
