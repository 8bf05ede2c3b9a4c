import { teamsOf } from "../approval/place.ts";
import { type Rights, rightsOf } from "../approval/rights.ts";
import { isUndecided } from "../base/action.ts";
import { RetryLater } from "../base/errors.ts";
import { hasLabel, roles } from "../base/github.ts";
import { type Deps, loadRepoContext, type RepoContext, repoContextAt } from "../features/context.ts";
import { openForIssue, openFrom } from "../features/incident/open-close.ts";
import { answerImitation } from "../features/intake/comment-changed.ts";
import { hashBody } from "../features/run/approval-comment.ts";
import { answer, answerOutside, askerOf } from "../features/thread/answer.ts";
import type { CommentEvent } from "../github/events.ts";
import type { Facts } from "../github/facts.ts";
import { isAway } from "../github/outcome.ts";
import { name } from "../github/render/ink.ts";
import { audienceOf, type Hint, parseSlashCommand, type SlashCommand } from "../slash/grammar.ts";
import { commandAddressed, commandBelow, findNearMiss, mentionIn } from "../slash/near-miss.ts";
import { isMeantForUs, type Verb, type VerbName, verbNamed, verbs } from "../slash/verbs.ts";
import { actionsOf } from "../store/actions.ts";
import { appendDenial, toldLately } from "../store/audit/denials.ts";
import type { Tx } from "../store/database/open.ts";
import { partsOfIssue, type RowsWith } from "../store/incident-rows.ts";
import { becomePublic, type Incident, lockIncident } from "../store/incidents.ts";
import { isUnanswered } from "../store/outbox/thread-comments.ts";
import { isAwaited, personPromptOf } from "../store/person-prompts.ts";
import type { Job } from "../store/queue/queue.ts";
import * as approvals from "./act/approve.ts";
import * as proposals from "./act/propose.ts";
import * as underWay from "./act/under-way.ts";
import { continueRun } from "./act/under-way.ts";
import { nothingRun } from "./answers.ts";
import { flagMistake, maybeWrong, numberMistake } from "./arguments.ts";
import type { Call, Command, Handler } from "./command.ts";
import * as action from "./look/action.ts";
import { help, hintFor } from "./look/help.ts";
import * as here from "./look/here.ts";
import { ack, handover, status } from "./look/status.ts";
import { verify } from "./look/verify.ts";
import * as agent from "./steer/agent.ts";
import { answerTheQuestion } from "./steer/agent.ts";
import { close } from "./steer/close.ts";
import * as hold from "./steer/hold.ts";
import { lease } from "./steer/hold.ts";
import { key } from "./steer/key.ts";

export interface DeliveryJob extends Job {
  readonly receivedAt: Date;
}

/**
 * Runs a comment's slash command if GitHub confirms its author's rights; without an answer nothing is allowed (F-12). Hears only the
 * operator's agents among bots (SR-61, AG-1); people without access get no answer (SR-17).
 */
export async function commented(deps: Deps, job: DeliveryJob, event: CommentEvent): Promise<void> {
  const { comment, issue, sender } = event;
  const { author } = comment;
  if (await answerImitation(deps, event, job.settle)) return;
  if (author === undefined || sender.id !== author.id) return;
  if (author.type !== "User" && !isAgentsCommand(deps, event)) return;
  if (!event.private) await becomePublic(deps.store.db, [issue.repoId]);
  const rows = await partsOfIssue(deps.store.db, issue, "demands", "shown");
  const known = rows?.incident;
  const said = await readComment(deps, event, known);
  if (!said) return;
  const { slash, below } = said;
  const command = slash.kind === "command" ? commandFor(slash.verb) : undefined;
  const basis = await readBasis(deps, event, rows, command);
  if (!basis.isWhole) return notNow(deps, job, event, basis.incident, "rights");

  const { repoContext, facts, incident: labelled } = basis;
  const settled = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
    deps.store.transaction(async (tx) => {
      const result = await work(tx);
      await job.settle(tx);
      return result;
    });
  const incidentId = labelled?.id ?? null;
  const saidBy = { by: { id: sender.id, login: sender.login }, commentId: comment.id };
  const { id, login, type } = author;
  const { role, teams } = facts.people.get(id) ?? { role: "none", teams: [] };
  const caller = { id, login, type, role, teams, viaApp: comment.viaAppId !== undefined, appId: comment.viaAppId };
  const rights = rightsOf(repoContext.rules.policy.approvers, { ...caller, person: author });
  // Read access counts only on a private repository.
  if (!rights.propose && !(rights.see && event.private)) {
    const body = { ...saidBy, why: "no access" };
    return settled((tx) => appendDenial(tx, { kind: "command_ignored", incidentId, body }, deps.now()));
  }
  const fact = facts.comments.get(comment.nodeId);
  // GitHub reports an edit within the first second as original; the earlier text is lost.
  if (comment.edited || (fact?.edited === true && hashBody(fact.body) === hashBody(comment.body)))
    return settled(async (tx) => {
      const told = { ...saidBy, why: "edited" };
      await appendDenial(tx, { kind: "command_unverified", incidentId, body: told }, deps.now());
      const body = nothingRun("It was edited before I read it. Please comment it again.");
      await answerMistake(tx, deps, event, { incident: labelled, body, rights });
    });
  const takesIn = command?.takesIn && rights[command.may] && event.open;
  const incident =
    labelled ??
    (takesIn ? await openForIssue(deps, repoContext, event, { by: caller, settle: async () => {} }) : undefined);
  if (!incident) {
    const label = repoContext.rules.incidentLabel;
    const why =
      command?.takesIn && !rights[command.may]
        ? `\`/${command.verb}\` needs write access to this repository.`
        : !event.open
          ? "This issue is not an incident, and it is closed. Reopen it, then comment `/investigate`."
          : hasLabel(event.labels, label)
            ? "This issue is not an incident: it has the label, but whoever opened it may not open one. Comment `/investigate`."
            : `This issue is not an incident. Put the label ${deps.markdown.code(label)} on it, or comment \`/investigate\`.`;
    const askedBy = askerOf({ event, rights });
    return settled((tx) => answerOutside(tx, deps, event, { commentId: comment.id, body: nothingRun(why), askedBy }));
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
    commit: (work) => settled(async (tx) => work(tx, await lockIncident(tx, incident.id))),
  };
  // It is talk for who may not write, and where nothing waits.
  if (
    slash.kind === "hint" &&
    slash.why === "consent" &&
    (!rights.propose || !(await actionsOf(deps.store.db, incident.id)).some(isUndecided))
  )
    return settled(async () => {});
  if (slash.kind === "hint" || !command)
    return call.commit((tx, locked) => answer(tx, call, locked, { outcome: "mistake", body: hintFor(slash) }));
  if (!rights[audienceOf(command, slash)]) return deny(call, command);
  if (command.readsCards && (await isUnanswered(deps.store.db, incident, slash.ids)))
    return notNow(deps, job, event, incident, "card");
  await command.run({ ...call, slash });
}

interface CommentMeaning {
  readonly slash: SlashCommand | Hint;
  /** A command on a later line, as to write it again. */
  readonly below?: string | undefined;
}

/** Reads a comment as a slash command, an awaited prompt (PA-2), a mention, or a near miss. Undefined for conversation. */
async function readComment(
  deps: Deps,
  event: CommentEvent,
  known: Incident | undefined,
): Promise<CommentMeaning | undefined> {
  const { body } = event.comment;
  const { prefixes } = deps.config.commands;
  const parsed = parseSlashCommand(body, prefixes);
  if (parsed && isMeantForUs(parsed.verb)) return { slash: parsed, below: lineBelow(parsed, body, prefixes) };
  // Outside an incident a line such as `/var/log` is no near miss.
  const near = known && findNearMiss(body, prefixes);
  // A command, even misspelled, is never a prompt's text.
  if (near?.why === "form" || near?.why === "slash") return { slash: near };
  if (!parsed) {
    const { author, id: commentId, createdAt: writtenAt } = event.comment;
    const prompt = known && author && (await personPromptOf(deps.store.db, author.id));
    if (known && isAwaited(prompt, { incidentId: known.id, commentId, writtenAt })) {
      const { verb } = verbs.prompt;
      return {
        slash: { kind: "command", verb, ids: [], flags: new Map(), words: ["set"], rest: body, block: undefined },
      };
    }
    const login = body.includes("@")
      ? await deps.ownName().catch((error: unknown) => {
          deps.log.warn({ module: "github", event: "own_name_failed", err: error });
          return undefined;
        })
      : undefined;
    const mentioned =
      login === undefined ? undefined : (commandAddressed(body, login, prefixes) ?? mentionIn(body, login));
    if (mentioned) return { slash: mentioned, below: lineBelow(mentioned, body, prefixes) };
  }
  return near && { slash: near };
}

/** Commands in a prompt's text mean nothing. */
function lineBelow(slash: SlashCommand | Hint, body: string, prefixes: readonly string[]): string | undefined {
  if (slash.kind === "hint" || verbNamed(slash.verb)?.verb === "prompt") return undefined;
  const below = commandBelow(body, prefixes);
  if (!below) return undefined;
  const { verb, ids } = below;
  return `/${verb} ${ids === "all" ? ids : ids.map(({ number }) => number).join(" ")}`.trim();
}

/** Its other comments are never answered, because two bots would go on forever. */
function isAgentsCommand({ config }: Deps, { comment: { author, viaAppId, body } }: CommentEvent): boolean {
  const { apps } = config.policy.proposers;
  const isListed = viaAppId !== undefined && viaAppId !== config.github.appId && apps.includes(viaAppId);
  if (author?.type !== "Bot" || !isListed) return false;
  const slash = parseSlashCommand(body, config.commands.prefixes);
  return slash?.kind === "command" && commandFor(slash.verb) !== undefined;
}

interface CommentBasis {
  readonly isWhole: true;
  readonly repoContext: RepoContext;
  /** The current file, even if no push was delivered yet. */
  readonly inForce: RepoContext;
  readonly facts: Facts;
  readonly incident: Incident | undefined;
}

/** A comment that arrives before its issue's event opens the incident (F-03). */
async function readBasis(
  deps: Deps,
  event: CommentEvent,
  rows: RowsWith<"demands" | "shown"> | undefined,
  command: Command | undefined,
): Promise<CommentBasis | { readonly isWhole: false; readonly incident: Incident | undefined }> {
  const { comment, issue } = event;
  const { repo, number, installationId } = issue;
  const known = rows?.incident;
  const noFacts = (error: unknown): undefined => {
    deps.log.warn({ module: "github", event: "facts_failed", err: error, repo, issue: number });
  };
  const repoContext = await loadRepoContext(deps, issue).catch((error) => {
    deps.log.warn({ module: "github", event: "ground_failed", repo, err: error });
    return undefined;
  });
  if (!repoContext) return { isWhole: false, incident: known };
  let incident = known;
  try {
    incident ??= await openFrom(deps, repoContext, event, { known: undefined, settle: async () => {} });
  } catch (error) {
    if (!isAway(error)) throw error;
    noFacts(error);
    return { isWhole: false, incident: known };
  }
  // One request for rights and cards (SR-27, RR-24).
  const cards = command?.readsCards ? (rows?.shown ?? []).flatMap(({ nodeId }) => nodeId ?? []) : [];
  // A runbook's approvers may be teams that no policy names.
  const demands = (rows?.demands ?? []).flatMap((of) => of.demands);
  // An App has neither role nor teams.
  const isPerson = comment.author?.type === "User";
  const facts = await deps
    .facts({
      installationId,
      repo,
      issue: number,
      people: isPerson && comment.author ? [comment.author] : [],
      teams: isPerson ? teamsOf(repoContext.rules.policy, demands) : [],
      comments: [comment.nodeId, ...cards],
    })
    .catch(noFacts);
  const commit = command?.readsCards ? facts?.repository?.commit : undefined;
  const inForce = commit === undefined ? repoContext : await repoContextAt(deps, repoContext, issue, commit);
  return facts && inForce ? { isWhole: true, repoContext, inForce, facts, incident } : { isWhole: false, incident };
}

/** Even if the command waited behind others. */
const leastAttempts = 4;
/** GitHub's short outages are over by then (RR-11). */
const patienceMs = 60_000;

const missingFacts = {
  rights: {
    logWords: "GitHub cannot be asked who may do this",
    answer: "Nothing was run: I cannot ask GitHub right now what you may do here.",
  },
  card: {
    logWords: "GitHub has not confirmed a card that this may be about",
    answer: "Nothing was run: GitHub has not confirmed my latest card on this issue yet.",
  },
} as const;

/** Retries a command by `RetryLater` while GitHub withholds a fact; finally answers that nothing ran. */
async function notNow(
  deps: Deps,
  job: DeliveryJob,
  event: CommentEvent,
  incident: Incident | undefined,
  missing: keyof typeof missingFacts,
): Promise<void> {
  const waitedMs = Date.now() - job.receivedAt.getTime();
  // If the clock was set back, the elapsed time is unknown.
  const isSoon = (waitedMs > -patienceMs && waitedMs < patienceMs) || job.attempt < leastAttempts;
  if (isSoon && !job.isLast) throw new RetryLater(`${missingFacts[missing].logWords}; trying again`);
  await deps.store.transaction(async (tx) => {
    const by = { id: event.sender.id, login: event.sender.login };
    const denial = { by, commentId: event.comment.id };
    const incidentId = incident?.id ?? null;
    await appendDenial(tx, { kind: "command_unverified", incidentId, body: denial }, deps.now());
    const body = `${missingFacts[missing].answer} Please comment it again in a minute.`;
    await answerMistake(tx, deps, event, { incident, body });
    await job.settle(tx);
  });
}

/** Answers what is wrong with a command, on any issue. */
const answerMistake = (
  tx: Tx,
  deps: Deps,
  event: CommentEvent,
  {
    incident,
    body,
    rights,
  }: { readonly incident: Incident | undefined; readonly body: string; readonly rights?: Rights | undefined },
): Promise<void> =>
  incident
    ? answer(tx, { deps, event, rights }, incident, { outcome: "mistake", body })
    : answerOutside(tx, deps, event, { commentId: event.comment.id, body, askedBy: askerOf({ event, rights }) });

/** Each denial gets a reaction; the full text comes rarely (SR-67), but people with write access always get a short answer. */
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
    const short = nothingRun(`\`/${command.verb}\` is for approvers only.`);
    const words = told ? { body: denialText(call, command) } : isShort ? { body: short } : {};
    await answer(tx, call, incident, { outcome: "denied", ...words });
  });
}

function denialText({ deps, repoContext, caller, rights }: Omit<Call, "slash">, { verb, may }: Command): string {
  const { code } = deps.markdown;
  const command = code(`/${verb}`);
  if (rights.propose && !rights.act)
    return nothingRun(`${command} is for people: \`policy.proposers\` lets you use \`/run\` and \`/ask\` alone.`);
  const { teams, users, minRole } = repoContext.rules.policy.approvers;
  const members = teams.length === 0 ? [] : [`members of ${teams.map(code).join(", ")}`];
  const approvers = [...members, ...users.map(({ login }) => name(login))].join(" and ");
  const have = caller.role === "none" ? "no access" : `${caller.role} access`;
  const among = may === "approve" ? "them" : members.length > 0 ? `the ${approvers}` : approvers;
  const next = `Ask ${approvers === "" ? "the operator of this bot" : `one of ${among}`}, or see \`/help\`.`;
  if (may !== "approve") return nothingRun(`${command} needs write access; you have ${have}. ${next}`);
  if (approvers === "") return nothingRun(`Nobody may use ${command} here: \`policy.approvers\` is empty. ${next}`);
  if (caller.viaApp || caller.type !== "User") return nothingRun(`${rights.missing}. ${next}`);
  const isShort = roles.indexOf(caller.role) < roles.indexOf(minRole);
  const you = isShort ? `you have ${have}` : "you are not one of them";
  return nothingRun(`Only ${approvers} with ${minRole} access can use ${command}; ${you}. ${next}`);
}

/** The handler of a verb is exported under its name by the file of its subject. */
const handlers: Readonly<Record<VerbName, Handler>> = {
  ...approvals,
  ...proposals,
  ...underWay,
  ...action,
  ...here,
  ...agent,
  ...hold,
  ack,
  handover,
  status,
  verify,
  help,
  close,
  key,
  // These names mean something else to JavaScript or to other folders.
  continue: continueRun,
  answer: answerTheQuestion,
  auto: lease,
};

export const commands: readonly Command[] = Object.values(verbs).map(commandOf);

/** By name or alias. */
export const commandFor = (name: string): Command | undefined =>
  commands.find(({ verb }) => verb === verbNamed(name)?.verb);

/** No flag or number is ignored, because the author of `--dry-run` or `all but 3` counts on it. */
function commandOf(command: Verb & { readonly verb: VerbName }): Command {
  return {
    ...command,
    run: async (call) => {
      const { slash, deps, incident } = call;
      const wrongNumber = async () =>
        maybeWrong(slash, command.takesSeveral)
          ? numberMistake(slash, command.verb, await actionsOf(deps.store.db, incident.id))
          : undefined;
      const body = flagMistake(command, slash) ?? (await wrongNumber());
      if (body === undefined) return handlers[command.verb](call);
      await call.commit((tx, locked) => answer(tx, call, locked, { outcome: "mistake", body }));
    },
  };
}
