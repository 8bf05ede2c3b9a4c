import { expiryOf, isOver } from "../../approval/need.ts";
import { allowanceOf } from "../../approval/schedule.ts";
import { mostInSet, mostServersOfSet, type Proposal, runsSame, serversIn } from "../../base/action.ts";
import type { Person } from "../../base/github.ts";
import { nearest } from "../../base/problems.ts";
import { whyTooMany } from "../../features/agents/answer-agent.ts";
import type { Deps, RepoContext } from "../../features/context.ts";
import { isOpen, reopen } from "../../features/incident/withdraw.ts";
import { shownNote } from "../../features/intake/note.ts";
import {
  approvable,
  draftAsEarlier,
  readEarlier,
  shellsOf,
  whySignerWaits,
  withNumbers,
} from "../../features/proposal/in-force.ts";
import {
  addProposal,
  type DraftResult,
  draftAction,
  draftAgain,
  draftSet,
  mayBeInSet,
  namesOf,
  type ProposalOrigin,
  preparePatches,
  probeOf,
} from "../../features/proposal/propose.ts";
import { startWorkflow } from "../../features/proposal/start-workflow.ts";
import { answer } from "../../features/thread/answer.ts";
import { linked, linksOf } from "../../features/thread/links.ts";
import { show } from "../../features/thread/post.ts";
import { readRunbooks } from "../../features/turn/runbooks.ts";
import { workflowFolder } from "../../github/context/plan.ts";
import { markEnding } from "../../github/render/ending.ts";
import { fillUsage } from "../../github/render/state.ts";
import type { FoundProbe } from "../../risk/probe.ts";
import { nameOf } from "../../runbooks/places.ts";
import { fillPlaces, misfitOf } from "../../runbooks/values.ts";
import { kindOf, type Workflow } from "../../runbooks/workflows.ts";
import { eachFlag, linesIn, noteOf } from "../../slash/grammar.ts";
import { countBlocks } from "../../slash/talk.ts";
import { type Action, type ActionDraft, actionOf, actionsOf, moveAction } from "../../store/actions.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import type { Tx } from "../../store/database/open.ts";
import { partsOf } from "../../store/incident-rows.ts";
import { addSessionInstruction, type Incident, keepValues, valuesOf } from "../../store/incidents.ts";
import { runsOfAction } from "../../store/runs.ts";
import { redactText } from "../../text/bare.ts";
import {
  alone,
  type CommandRefusal,
  closedText,
  missingNumber,
  nothingRun,
  numbersIn,
  oneNamed,
  retriable,
  sentencesOf,
  stateRefusal,
  unknownNumber,
} from "../answers.ts";
import { parseParameters } from "../arguments.ts";
import type { Call, Handler } from "../command.ts";
import { commitAndHandOn, sendOwn } from "./approve.ts";
import { isUnderWay } from "./under-way.ts";

/** By default the code block below the line. */
interface OwnProposal extends Omit<Proposal, "command"> {
  readonly command?: string;
  readonly insteadOf?: Action;
}

/**
 * Makes a person's command an action (SR-18). A replaced action loses its approvals; a refusal changes nothing. Returns the batch's id if
 * it runs at once.
 */
async function proposeOwn(tx: Tx, call: Call, incident: Incident, own: OwnProposal): Promise<string | undefined> {
  const { deps, repoContext, slash, caller, below, event } = call;
  const { insteadOf, ...proposal } = own;
  const mistake = async (body: string): Promise<undefined> => {
    await answer(tx, call, incident, { outcome: "mistake", body: nothingRun(body) });
  };
  const command = own.command ?? slash.block;
  if (!command?.trim()) {
    const [id] = slash.ids === "all" ? [] : slash.ids;
    const isKnown = namesOf(repoContext.rules.servers).includes(own.server);
    const head = slash.verb === "run" ? `/run ${isKnown ? own.server : "<server>"}` : `/${slash.verb} ${id?.number}`;
    const typed = besideBlock(noteOf(slash, slash.verb === "run" && isKnown ? 1 : 0)).replace(/^`([^`]*)`$/, "$1");
    const shown = typed === "" ? "<command>" : redactText(deps.redact, typed);
    const form = deps.markdown.command(`${head}\n\`\`\`sh\n${shown}\n\`\`\``, "text");
    return mistake(`Put the command in a code block:\n\n${form}`);
  }
  if (incident.state === "closed") return mistake(closedText);
  const from = {
    origin: "person",
    author: caller,
    isAgent: !call.rights.act,
    model: null,
    promptSha256: null,
    earlier: (await readEarlier(tx, incident.id)).filter(({ name }) => name !== `${insteadOf?.number}`),
  } as const;
  const drafted = slash.flags.has(eachFlag)
    ? draftEach(call, { ...proposal, command }, from)
    : draftAction(deps, repoContext, { ...proposal, command }, from);
  if (drafted.kind === "refused") return mistake(deps.markdown.note(drafted.why.replace(/(?<![.!?])$/, ".")));
  if (insteadOf && runsSame(drafted.draft.spec, insteadOf.spec))
    return mistake(`That is already the command of **${insteadOf.number}**. Write another one into the block.`);

  const action = await addProposal(tx, incident, drafted.draft, {
    by: { id: caller.id, login: caller.login },
    commentId: event.comment.id,
    ...(insteadOf ? { insteadOf: insteadOf.number } : {}),
  });
  const isBlocked = action.state === "blocked";
  if (insteadOf && !isBlocked) {
    // The approvals were for other words, so they end even if it was about to be sent.
    const { incidentId, number, digest } = insteadOf;
    await reopen(tx, [insteadOf], `changed by ${caller.login}`);
    const was = insteadOf.state === "incomplete" ? insteadOf.state : "proposed";
    if (await moveAction(tx, insteadOf, { from: was, to: "superseded", supersededBy: action.number })) {
      await appendAudit(tx, { kind: "command_superseded", incidentId, body: { number, digest, by: action.number } });
      // A batch may wait for this action.
      await deps.store.queue.hasten(tx, "execute", incidentId);
    }
  }
  const batch = await sendOwn(tx, call, incident, [action]);
  await show(tx, deps, incident);
  if (isBlocked) {
    const stays = insteadOf ? ` **${insteadOf.number}** stays as it is.` : "";
    const body = alone(stateRefusal({ incident, action }), []) + stays;
    await answer(tx, call, incident, { outcome: "denied", body });
    return undefined;
  }
  // If another command stands below, the answer names that instead.
  const leavesBlocks = own.command === undefined && below === undefined && countBlocks(slash.rest) > 1;
  await answer(tx, call, incident, {
    // A batch marks the comment when it ends.
    outcome: batch === undefined ? "done" : "seen",
    ...(leavesBlocks ? { body: oneBlock } : {}),
  });
  return batch;
}

const oneBlock =
  "Only the first code block was read as the command. To propose another one, write it in a comment of its own.";

/** Whole or not at all, because a person can rewrite it. */
function draftEach({ deps, repoContext }: Call, proposal: Proposal, from: ProposalOrigin): DraftResult {
  const lines = linesIn(proposal.command);
  if (lines.length < 2 || lines.length > mostInSet)
    return { kind: "refused", why: `with --each the block holds 2 to ${mostInSet} lines, a command each` };
  const members = lines.map((command) => ({ ...proposal, command }));
  const [first, ...others] = draftSet(deps, repoContext, members, from);
  const isWhole = first?.kind === "draft" && first.draft.spec.set?.length === lines.length;
  if (isWhole) return first;
  const odd = [first, ...others].find((one) => one?.kind === "draft" && !one.draft.spec.set && !mayBeInSet(one.draft));
  const refused = [first, ...others].find((one) => one?.kind === "refused");
  const why =
    odd?.kind === "draft"
      ? `${odd.draft.spec.command} is not a bounded low-risk read on ${mostServersOfSet} servers at most`
      : undefined;
  return refused ?? { kind: "refused", why: `${why ?? "not all of it only reads"}; propose that by itself` };
}

const besideBlock = (note: string): string => note.replace(/(`{3,}|~{3,})[\s\S]*/, "").trim();

/** Proposes a person's command, or an agent's (AG-2). */
export const run: Handler = async (call) => {
  const patch = await preparedBlock(call, call.slash.words[0]);
  return commitAndHandOn(call, async (tx, incident) => {
    const { deps, repoContext, slash, caller, rights } = call;
    const mistake = async (body: string): Promise<undefined> => {
      await answer(tx, call, incident, { outcome: "mistake", body: nothingRun(body) });
    };
    const [server = ""] = slash.words;
    if (server === "") {
      const names = namesOf(repoContext.rules.servers).map(deps.markdown.code).join(", ") || "none";
      return mistake(
        `On which server? Write \`/run <server>\`, with the command in a code block below it. Servers here: ${names}.`,
      );
    }
    const { proposers } = deps.config.policy;
    const tooMany = rights.act ? undefined : await whyTooMany(tx, caller, { caps: proposers, now: deps.now() });
    if (tooMany !== undefined) return mistake(tooMany);
    const { type, login, viaApp } = caller;
    const title = rights.act
      ? `Proposed by @${login}`
      : type === "Bot"
        ? `Proposed by the app @${login}`
        : viaApp
          ? `Proposed by an app for @${login}`
          : `Proposed by the agent @${login}`;
    return proposeOwn(tx, call, incident, {
      title,
      description: besideBlock(shownNote(call, 1)).slice(0, 300),
      server,
      ...patch,
    });
  });
};

/** The block as a patch that can be judged, if it is for a repository. Before the transaction, because GitHub is asked for its files. */
async function preparedBlock(
  { deps, repoContext, slash, incident }: Call,
  server = "",
): Promise<Pick<Proposal, "command" | "unfit" | "filled" | "open"> | undefined> {
  const { servers } = repoContext.rules;
  const isPatch = servers.some(({ name, patches }) => name === server && patches !== undefined);
  if (!isPatch || !slash.block?.trim()) return undefined;
  const written = { title: "", description: "", server, command: slash.block };
  const [prepared = written] = await preparePatches(deps, repoContext, [written], incident);
  const { command, unfit, filled, open }: Proposal = prepared;
  return { command, unfit, filled, open };
}

const edited = ", edited";

/** Replaces a command by a new action, whose author is the editor (SR-20). */
export const edit: Handler = async (call) => {
  const { deps, incident, slash } = call;
  const before = oneNamed(slash, await actionsOf(deps.store.db, incident.id));
  const patch = await preparedBlock(call, before.kind === "mistake" ? undefined : before.action.spec.place);
  return call.commit(async (tx, incident) => {
    const actions = await actionsOf(tx, incident.id);
    const named = oneNamed(call.slash, actions);
    const mistake = (body: string) => answer(tx, call, incident, { outcome: "mistake", body });
    if (named.kind === "mistake") return mistake(named.body);
    const { action } = named;
    const { number, title, spec } = action;
    if (isUnderWay(action)) {
      return mistake(
        `**${number}** is already running, so its command cannot change. \`/cancel ${number}\` ends it; \`/run\` proposes another.`,
      );
    }
    const note = besideBlock(shownNote(call));
    const description = `${number} as edited by @${call.caller.login}${note === "" ? "" : `: ${note}`}`.slice(0, 300);
    await proposeOwn(tx, call, incident, {
      // Otherwise people would take it for the old command.
      title: title.endsWith(edited) ? title : `${title}${edited}`,
      description,
      server: spec.place,
      guard: spec.guard,
      demands: spec.demands,
      ...patch,
      ...(isOpen(action) ? { insteadOf: action } : {}),
    });
  });
};

/** Fills in open values, reporting all mistakes at once; the finished command is a new action. */
export const fill: Handler = (call) =>
  call.commit(async (tx, incident) => {
    const named = oneNamed(call.slash, await actionsOf(tx, incident.id));
    const mistake = (body: string) => answer(tx, call, incident, { outcome: "mistake", body });
    if (named.kind === "mistake") return mistake(named.body);
    const { action } = named;
    if (action.spec.open === undefined)
      return mistake(
        nothingRun(`**${action.number}** has nothing to fill in. To change its command: \`/edit ${action.number}\``),
      );
    if (action.state !== "incomplete") return mistake(alone(stateRefusal({ incident, action }), []));
    const { deps, slash, repoContext } = call;
    const { number, title, spec } = action;
    const misfits = (why: readonly string[]): Promise<void> =>
      mistake(
        nothingRun(
          `${why.map((one) => `${deps.markdown.note(one)}. `).join("")}To complete it: \`${fillUsage(action)}\``,
        ),
      );
    const parsed = parseParameters(slash.words);
    if (!parsed.ok) return misfits(parsed.refusals);
    const given = Object.fromEntries(Object.entries(parsed.values).map(([name, value]) => [nameOf(name), value]));
    const asked = new Set(action.spec.open.map(({ name }) => name));
    const names = Object.keys(given);
    if (names.length === 0)
      return misfits([`${number} asks for ${[...asked].map((name) => `\`${name}\``).join(", ")}`]);
    const refusals = names.flatMap((name) => {
      const value = given[name] ?? "";
      if (!asked.has(name)) return [`${number} has no value called \`${name}\``];
      if (redactText(deps.redact, value) !== value)
        return [`\`${name}\` looks like a secret: delete your comment and rotate it`];
      return misfitOf(name, value) ?? [];
    });
    if (refusals.length > 0) return misfits(refusals);
    const values = names.map((name) => ({ source: "person", name, value: given[name] ?? "" }) as const);
    const shells = shellsOf(repoContext.rules.servers, spec.place);
    const { command, filled, open } = fillPlaces(spec.command, values, { shells, isRunbook: true, only: [...asked] });
    const unfit = open.flatMap(({ name, why }) => (names.includes(name) && why ? [`\`${name}\`: ${why}`] : []));
    if (unfit.length > 0) return misfits(unfit);
    await proposeOwn(tx, call, incident, {
      title,
      description: `${number}, filled in by @${call.caller.login}`,
      server: spec.place,
      guard: spec.guard,
      demands: spec.demands,
      command,
      filled: [...(spec.filled ?? []), ...filled],
      open,
      // A runbook's change is never called a read.
      ...(spec.risk === "low" ? {} : { risk: "medium" as const }),
      insteadOf: action,
    });
    // Kept for the runbook's next step unless its command was refused or blocked.
    const after = await actionOf(tx, incident.id, number);
    if (after?.state !== "superseded") return;
    const before = (await valuesOf(tx, incident.id)).filter(({ source }) => source === "person");
    const known = Object.fromEntries(before.map(({ name, value }) => [name, value]));
    await keepValues(tx, incident.id, "person", { ...known, ...given });
  });

/** Proposes a change's dry run, from the policy's table, as a read of its own. */
export const probe: Handler = (call) =>
  commitAndHandOn(call, async (tx, incident) => {
    const { deps, repoContext, caller, event } = call;
    const mistake = async (body: string): Promise<undefined> => {
      await answer(tx, call, incident, { outcome: "mistake", body });
    };
    const rows = await partsOf(tx, incident.id, "actions", "batches", "posted");
    const { actions } = rows;
    const named = oneNamed(call.slash, actions);
    if (named.kind === "mistake") return mistake(named.body);
    if (incident.state === "closed") return mistake(nothingRun(closedText));
    const { action } = named;
    const links = linksOf(deps, rows);
    if (!isOpen(action)) return mistake(alone(stateRefusal({ incident, action, links }), actions));
    const drafted = draftProbe(deps, repoContext, action, caller);
    if (drafted.kind === "none")
      return mistake(nothingRun(`**${action.number}** has no probe: ${drafted.why.replace(/\.?$/, ".")}`));
    const same = actions.find((one) => isOpen(one) && one.spec.probes === action.number);
    if (same) {
      const what = `${linked(links, same.number)} is its probe and still open: \`/approve ${same.number}\``;
      return mistake(nothingRun(what));
    }
    const added = await addProposal(tx, incident, drafted.draft, {
      probes: action.number,
      by: { id: caller.id, login: caller.login },
      commentId: event.comment.id,
    });
    const batch = await sendOwn(tx, call, incident, [added]);
    await show(tx, deps, incident);
    const { servers } = repoContext.rules;
    const waits = whySignerWaits(servers.filter(({ name }) => serversIn(added.spec.targets).includes(name)));
    const body = waits === undefined ? undefined : `${waits}: \`/approve ${added.number}\``;
    // A batch marks the comment when it ends.
    await answer(tx, call, incident, { outcome: batch === undefined ? "done" : "seen", ...(body && { body }) });
    return batch;
  });

/** Drafts an action's probe, or says why there is none. */
function draftProbe(
  deps: Deps,
  repoContext: RepoContext,
  action: Action,
  author: Person,
): { readonly kind: "draft"; readonly draft: ActionDraft } | Extract<FoundProbe, { kind: "none" }> {
  const found = probeOf(deps, repoContext.rules.servers, action);
  if (found.kind === "none") return found;
  const { number, spec } = action;
  const title = `Probe of ${number}: ${found.shows}`;
  const proposal = { title, description: "it changes nothing", server: spec.place, command: found.command };
  const drafted = draftAction(deps, repoContext, proposal, {
    origin: "person",
    author,
    model: null,
    promptSha256: null,
  });
  if (drafted.kind === "refused") return { kind: "none", why: deps.markdown.note(drafted.why) };
  // Many servers raise the level, and a server may accept less.
  if (drafted.draft.spec.risk !== "low" || drafted.draft.state !== "proposed")
    return { kind: "none", why: `${deps.markdown.code(found.command)} is ${drafted.draft.spec.risk} risk there` };
  return { kind: "draft", draft: { ...drafted.draft, spec: { ...drafted.draft.spec, probes: number } } };
}

/** Proposes commands again under new numbers: what has run never runs again by itself (RR-06). */
export const retry: Handler = (call) =>
  commitAndHandOn(call, async (tx, incident) => {
    const { deps, repoContext, slash, caller, event } = call;
    const mistake = async (body: string): Promise<undefined> => {
      await answer(tx, call, incident, { outcome: "mistake", body });
    };
    const rows = await partsOf(tx, incident.id, "actions", "batches", "posted");
    const before = rows.actions;
    const ids = slash.ids === "all" ? [] : slash.ids;
    const some = (ended: string): string => `Can be retried: ${ended}.`;
    const ended = numbersIn(before, retriable, { some, none: "There is none yet." });
    if (ids.length === 0) return mistake(nothingRun(missingNumber("retry", before, ended)));
    if (incident.state === "closed") return mistake(nothingRun(closedText));
    const added: Action[] = [];
    const said: { readonly action: Action; readonly body: string }[] = [];
    const refusals: CommandRefusal[] = [];
    const links = linksOf(deps, rows);
    for (const number of new Set(ids.map((id) => id.number))) {
      const found = before.find((one) => one.number === number);
      if (!found) {
        refusals.push(unknownNumber(number));
        continue;
      }
      const { spec, digest } = found;
      let { state } = found;
      // The sweep of expired actions may not have run yet.
      const isLate = isOver(expiryOf(approvable(found), repoContext.rules.policy), deps.now().getTime());
      if (state === "proposed" && isLate && (await moveAction(tx, found, { from: "proposed", to: "expired" }))) {
        await appendAudit(tx, { kind: "command_expired", incidentId: incident.id, body: { number, digest } });
        state = "expired";
      }
      const action = { ...found, state };
      if (!retriable.includes(state)) {
        refusals.push(stateRefusal({ incident, action, links }));
        continue;
      }
      const same = (await actionsOf(tx, incident.id)).find(
        (other) => isOpen(other) && runsSame(other.spec, spec) && other.spec.place === spec.place,
      );
      if (same) {
        const what = `${linked(links, same.number)} is the same command and still open: \`/approve ${same.number}\``;
        refusals.push({ what });
        continue;
      }
      const last = await lastTime(tx, action);
      const drafted = draftAgain(deps, repoContext, action, {
        description: `${number} again: ${last}`,
        // Together they are one list again, in the comment's order.
        card: added[0]?.card,
        earlier: await readEarlier(tx, incident.id),
      });
      if (drafted.kind === "refused") {
        refusals.push({ what: deps.markdown.note(drafted.why) });
        continue;
      }
      const draft = { ...drafted.draft, spec: { ...drafted.draft.spec, again: number } };
      const again = await addProposal(tx, incident, draft, {
        insteadOf: number,
        by: { id: caller.id, login: caller.login },
        commentId: event.comment.id,
      });
      added.push(again);
      const body =
        again.state === "blocked"
          ? alone(stateRefusal({ incident, action: again }), [])
          : `${linked(links, number)} again as **${again.number}**: ${last}.`;
      said.push({ action: again, body });
    }
    const batch = await sendOwn(tx, call, incident, added);
    await show(tx, deps, incident);
    const actions = await actionsOf(tx, incident.id);
    if (added.length === 0) {
      const [only, ...more] = refusals;
      const several = nothingRun(sentencesOf(refusals, actions).join("\n\n"));
      await mistake(only && more.length === 0 ? alone(only, actions) : several);
      return batch;
    }
    const waits = (id: string): boolean => actions.some((one) => one.id === id && one.state === "proposed");
    const lines = said.map(({ action, body }) => (waits(action.id) ? `${body} It needs its own approval.` : body));
    const others = refusals.length > 0 ? sentencesOf(refusals, actions) : [];
    const isBlocked = added.every(({ state }) => state === "blocked");
    const outcome = isBlocked ? "denied" : batch === undefined ? "done" : "seen";
    await answer(tx, call, incident, { outcome, body: [...others, ...lines].join("\n\n") });
    return batch;
  });

/** A run with an unknown outcome may have happened. */
async function lastTime(tx: Tx, { id, state }: Action): Promise<string> {
  if (state !== "done") return `it ${state === "expired" ? "expired" : `was ${state}`} and did not run`;
  const runs = await runsOfAction(tx, id);
  const endings = runs.flatMap(({ ending, outcome }) => (ending ? [{ ending, outcome }] : []));
  // Only results carry the mark itself.
  const words = [...new Set(endings.map(({ ending, outcome }) => markEnding(ending, outcome).words))].join(", ");
  const isUnknown = endings.length === 0 || endings.some(({ ending }) => ending.kind === "unknown");
  return `last time ${words || "unknown"}${isUnknown ? "; it may have run, so check the server first" : ""}`;
}

/** Proposes a workflow's steps as a checklist; without a name, lists the workflows (WF-1). */
export const workflow: Handler = (call) =>
  call.commit(async (tx, incident) => {
    const { deps, repoContext, slash, caller, event } = call;
    const { code, plain } = deps.markdown;
    const mistake = (...refusals: readonly string[]): Promise<void> => {
      const lines = refusals.map((refusal) => `${deps.markdown.note(refusal)}${/[.!?]$/.test(refusal) ? "" : "."}`);
      const body =
        lines.length === 1
          ? `Nothing was run or proposed. ${lines.join("")}`
          : `Nothing was run or proposed.\n\n${lines.map((line) => `- ${line}`).join("\n")}`;
      return answer(tx, call, incident, { outcome: "mistake", body });
    };
    const { workflows, problems } = readRunbooks(deps, repoContext);
    const [name, ...given] = slash.words;
    if (name === undefined && slash.ids.length === 0) {
      const own = problems.filter(({ place }) => place.includes(workflowFolder));
      const scheduled = ({ schedule, name, sha256 }: Workflow): string => {
        if (schedule === undefined) return "";
        const { kind } = allowanceOf(deps.config.schedules.allowed, { repo: incident.repo, name, sha256 });
        return ` · ⏰ ${code(schedule)} UTC, ${allowances[kind]}`;
      };
      const lines = workflows.map((one) => {
        const params = Object.entries(one.params).map(([key, param]) => {
          const fallback = param.default === undefined ? "" : `, else ${code(String(param.default))}`;
          const description = param.description === "" ? "" : ` · ${plain(param.description)}`;
          return `  - ${code(`${key}=`)} ${plain(kindOf(param))}${fallback}${description}`;
        });
        const steps = `${one.steps.length} step${one.steps.length === 1 ? "" : "s"}`;
        return [`- ${code(one.name)} · ${plain(one.description)} · ${steps}${scheduled(one)}`, ...params].join("\n");
      });
      const head = "Start one with `/workflow name key=value`; each step needs its own approval.";
      const none = "There is no workflow that can be used: `.github/countersign/workflows/*.yml`.";
      const faulty = own.map(({ place, message }) => `- ⚠️ ${code(place)} ${deps.markdown.note(message)}`);
      const body = [
        lines.length === 0 ? none : `${head}\n\n${lines.join("\n")}`,
        ...(faulty.length === 0 ? [] : [`**To fix**\n\n${faulty.join("\n")}`]),
      ].join("\n\n");
      return answer(tx, call, incident, { outcome: "done", body });
    }
    const found = workflows.find((candidate) => candidate.name === name);
    if (!found) {
      const names = workflows.map((one) => one.name);
      const near = nearest(name ?? "", names);
      const known =
        names.length === 0 ? "there are none here" : `use one of: ${names.map((one) => `\`${one}\``).join(", ")}`;
      const next = near ? `; did you mean \`${near}\`?` : `; ${known}`;
      return mistake(`There is no workflow \`${(name ?? "").replaceAll("`", "'")}\`${next}`);
    }
    if (incident.state === "closed") return mistake(closedText);
    const parameters = parseParameters(given);
    if (!parameters.ok) return mistake(...parameters.refusals, usageOf(found));
    const { servers } = repoContext.rules;
    const started = startWorkflow(found, parameters.values, servers, await valuesOf(tx, incident.id));
    if (!started.ok) return mistake(...started.refusals, usageOf(found));
    const from = { origin: "person", author: caller, model: null, promptSha256: null } as const;
    let earlier = await readEarlier(tx, incident.id);
    const drafted = started.proposals.map((proposal) => {
      const one = draftAction(deps, repoContext, proposal, { ...from, earlier });
      if (one.kind === "draft") earlier = [...earlier, ...draftAsEarlier(one.draft)];
      return one;
    });
    // A checklist with holes is another workflow.
    const refusals = drafted.flatMap((one, index) => {
      if (one.kind === "refused") return [`Step ${index + 1}: ${one.why}`];
      const { state, findings } = one.draft;
      if (state !== "blocked") return [];
      return [`Step ${index + 1} would never run: ${findings[0]?.text ?? "it is blocked"}`];
    });
    if (refusals.length > 0) return mistake(...refusals);

    const { instructions, sha256 } = found;
    if (instructions)
      await addSessionInstruction(tx, incident.id, { source: `workflow ${found.name}`, text: instructions });
    let card: string | undefined;
    const numbers = new Map<string, number>();
    for (const one of drafted) {
      if (one.kind === "refused") continue;
      const action = await addProposal(tx, incident, withNumbers({ ...one.draft, card }, numbers), {
        by: { id: caller.id, login: caller.login },
        commentId: event.comment.id,
        workflow: { name: found.name, sha256 },
      });
      card ??= action.card;
      numbers.set(one.draft.spec.nonce, action.number);
    }
    await show(tx, deps, incident);
    await answer(tx, call, incident, { outcome: "done" });
  });

const usageOf = ({ name, params }: Workflow): string =>
  `To start it: \`/workflow ${[name, ...Object.entries(params).map(([key, param]) => `${key}=${param.default ?? `<${kindOf(param)}>`}`)].join(" ")}\``;

const allowances = {
  allowed: "allowed by the operator",
  changed: "suspended: the file is not the one that the operator allowed",
  never: "not allowed by the operator",
} as const satisfies Record<ReturnType<typeof allowanceOf>["kind"], string>;
