import { wrapForeign } from "../../agent/prompt.ts";
import type { TurnTools } from "../../agent/tools.ts";
import { checksIn, type Proposal, placeOfRun } from "../../base/action.ts";
import type { Skill } from "../../base/github.ts";
import type { Server, ServerSummary } from "../../base/server.ts";
import type { SkillFile } from "../../github/context/source.ts";
import { type ActionDraft, actionsOf } from "../../store/actions.ts";
import { feedbackOf } from "../../store/feedback.ts";
import { isStanding } from "../../store/holds.ts";
import { partsOf, turnRowsOf } from "../../store/incident-rows.ts";
import { lockIncident, setIncident } from "../../store/incidents.ts";
import { countRaised } from "../../store/leases.ts";
import { outputOf, outputParts } from "../../store/outputs.ts";
import { type Batch, runsOf, unreadIn } from "../../store/runs.ts";
import { redactText } from "../../text/bare.ts";
import { readOutput } from "../../text/page.ts";
import { delimit } from "../../text/read/visible.ts";
import { changesForModel, fetchIncidentChanges } from "../changes/read-changes.ts";
import type { Deps } from "../context.ts";
import { draftAsEarlier, earlierIn, policyInForce, whyLeftToPeople, withNumbers } from "../proposal/in-force.ts";
import { leaseStandingOf, takenByLease } from "../proposal/lease.ts";
import {
  type DraftedProposal,
  type DraftResult,
  draftProposals,
  isWholeRead,
  mayBeOwnCheck,
  preparePatches,
  propose,
} from "../proposal/propose.ts";
import {
  didWords,
  doneBefore,
  effectOf,
  isBehindChange,
  isLiveAction,
  isPointless,
  type ListedDraft,
  placeDrafts,
} from "../proposal/same-action.ts";
import { startWorkflow } from "../proposal/start-workflow.ts";
import { filesAt } from "../thread/links.ts";
import { show } from "../thread/post.ts";
import { offIssue } from "../thread/views.ts";
import { type AgentTurn, askedOf, pastRuns, resultsOf } from "./turn-message.ts";

/** Reading tools, except for proposals and the plan. `buildRequest` decides which are offered. */
export type ToolFunctions = Required<
  Pick<TurnTools, "useSkill" | "readOutput" | "updatePlan" | "feedbackHistory" | "startWorkflow">
> &
  Pick<TurnTools, "preview" | "news" | "blockedIn" | "readChanges" | "serviceNames" | "readRepository">;

/** A turn's tools; `skills` are those in the prompt (AR-10, OP-4, OP-6, PA-6, PA-8, SR-38, SR-39). */
export function createTools(deps: Deps, turn: AgentTurn, skills: readonly Skill[]): ToolFunctions {
  const { incident, session, repoContext, runbooks, values } = turn;
  const { nonce } = session;
  const { db } = deps.store;
  const draft = (proposal: Proposal, earlier = earlierIn(turn.rows)): readonly DraftedProposal[] =>
    draftProposals(deps, repoContext, [proposal], {
      origin: "model",
      promptSha256: null,
      values,
      earlier,
      lease: turn.rows.lease,
    });
  return {
    useSkill: async (name, file) => {
      const skill = skills.find((candidate) => candidate.name === name);
      if (!skill) return undefined;
      return file === undefined ? readSkill(deps, turn, skill) : readSkillFile(deps, turn, skill, file);
    },

    readOutput: async (number, part, { server, check }) => {
      const action = (await actionsOf(db, incident.id)).find((candidate) => candidate.number === number);
      const runs = (await runsOf(db, incident.id)).filter((candidate) => candidate.actionId === action?.id);
      const run = runs.find(
        (one) =>
          (server === undefined || placeOfRun(one) === server || one.server === server) &&
          (check === undefined || (one.step ?? 0) === check - 1),
      );
      const which = `${check === undefined ? "" : `, check ${check},`}${server === undefined ? "" : ` on ${server}`}`;
      if (!run) throw new Error(`nothing has run under ${number}${which}`);
      const output = await outputOf(db, run.id);
      if (output?.withheld) throw new Error(`the output of ${number} is withheld: ${output.withheld}`);
      if (incident.public) return delimit(offIssue(run), `output of ${number}`, nonce);
      const read = await readOutput(outputParts(db, run.id), part, deps.config.agent.outputCharacters);
      return `${delimit(read.text, `output of ${number}`, nonce)}\n(${read.note})`;
    },

    serviceNames: Object.keys(deps.config.context.services),
    readChanges: async (hours, services) => {
      const named = services.length > 0 ? services : undefined;
      const span = Math.min(Math.max(1, hours), mostHours) * 3_600_000;
      const seen = await fetchIncidentChanges(deps, incident, span, { named, until: deps.now() });
      if (seen.services.length === 0) throw new Error("the incident names no service: name one in `services`");
      return changesForModel(seen, nonce).join("\n");
    },

    ...(repoContext.rules.servers.some(({ patches }) => patches !== undefined) && {
      readRepository: (server, path) => readRepository(deps, turn, server, path),
    }),

    // Errors are for the model.
    updatePlan: async (markdown) => {
      if (markdown.length > maxPlanCharacters)
        throw new Error(`a plan has at most ${maxPlanCharacters.toLocaleString("en")} characters`);
      await deps.store.transaction(async (tx) => {
        const current = await lockIncident(tx, incident.id);
        if (current.state === "closed") throw new Error("the incident is closed");
        const files = filesAt(deps, current.repo, repoContext.context.commit);
        // `prose` drops boxes, because only our cards may have them.
        const written = deps.markdown.prose(
          redactText(
            deps.redact,
            markdown.replace(/^( {0,20}(?:[-*+]|\d{1,3}[.)]) )\[([ x])\]/gim, (_box, bullet: string, mark: string) =>
              mark === " " ? `${bullet}to do:` : `${bullet}done:`,
            ),
          ),
          files,
        );
        await setIncident(tx, current.id, { plan: written });
        await show(tx, deps, current, current.doing);
      });
    },

    feedbackHistory: async () => {
      const { actions, approvals } = await partsOf(db, incident.id, "actions", "approvals");
      const rejected = approvals
        .filter(({ verdict }) => verdict === "reject")
        .flatMap(({ actionId, login, reason }) => {
          const action = actions.find((candidate) => candidate.id === actionId);
          if (!action) return [];
          const commands = checksIn(action.spec).map(({ command }) => command);
          return [{ what: `${action.number} (${commands.join("; ")})`, how: "turned down", login, note: reason }];
        });
      const thumbs = (await feedbackOf(db, session.id)).map(({ slot, verdict, login, note }) => {
        const [kind, rest = ""] = slot.split(":", 2);
        const what = kind === "card" ? `your reply at step ${rest}` : (kind ?? slot);
        return { what, how: verdict === "up" ? "👍" : "👎", login, note };
      });
      const lines = [...rejected, ...thumbs].map(({ what, how, login, note }) => {
        const said = note.trim() === "" ? "" : `\n${delimit(note, `comment by ${login}`, nonce)}`;
        return `- ${what}: ${how} by ${login}${said}`;
      });
      return lines.join("\n") || "Nobody has said anything of it yet.";
    },

    // Throws for the model if workflow or values do not fit, or a step cannot be an action: a checklist with holes is another workflow.
    startWorkflow: async (name, params) => {
      const { workflows } = runbooks;
      const workflow = workflows.find((candidate) => candidate.name === name);
      if (!workflow)
        throw new Error(`there is no such workflow; the workflows are ${workflows.map((it) => it.name).join(", ")}`);
      const started = startWorkflow(workflow, params, repoContext.rules.servers, values);
      if (!started.ok) throw new Error(started.refusals.join("; "));
      const { proposals } = started;
      const refusals = proposals.flatMap((step, index) => {
        const why = draft(step).flatMap(({ alone }) => (alone.kind === "refused" ? [alone.why] : []))[0];
        return why === undefined ? [] : [`step ${index + 1}: ${why}`];
      });
      if (refusals.length > 0) throw new Error(`nothing of ${name} was proposed: ${refusals.join("; ")}`);
      const { instructions } = workflow;
      // The conversation keeps the tool's result for the session (S13.4).
      return {
        text: `Proposed: the ${proposals.length} steps of ${name}, in order and beside what you propose yourself.`,
        proposals,
        ...(instructions && { instructions: delimit(instructions, `instructions of workflow ${name}`, nonce) }),
      };
    },

    preview: async (proposals, mayRun) => {
      let earlier = earlierIn(turn.rows);
      const prepared = await preparePatches(deps, repoContext, proposals, incident);
      const drafted = prepared.map((proposal) => {
        const parts = draft(proposal, earlier);
        const own = parts.flatMap(({ alone }) => (alone.kind === "draft" ? draftAsEarlier(alone.draft) : []));
        earlier = [...earlier, ...own];
        return { label: proposal.risk, parts };
      });
      const seen = await previewProposals(deps, turn, drafted, mayRun);
      return seen.map(({ line, done }, index) => {
        const proposal = proposals[index];
        const parts = drafted[index]?.parts ?? [];
        if (!proposal || done.length === 0) return { line, rest: proposal };
        if (!proposal.set || done.length === parts.length) return { line, rest: undefined };
        const ran = parts.flatMap(({ alone, members = [] }) =>
          alone.kind === "draft" && done.includes(alone.draft) ? members : [],
        );
        const { set, ...whole } = proposal;
        const left = set.filter((_, at) => !ran.includes(at));
        return { line, rest: left.length > 1 ? { ...whole, set: left } : { ...whole, ...left[0] } };
      });
    },

    news: async () => {
      const unread = unreadIn(await partsOf(db, incident.id, "batches", "runs"));
      const untold = unread.filter(({ id }) => turn.told.every((one) => one.id !== id));
      if (untold.length === 0) return undefined;
      turn.rows = await turnRowsOf(db, incident.id);
      const told = untold.flatMap(({ numbers }) => numbers);
      const known = new Set([...turn.runs.map(({ number }) => number), ...told]);
      turn.runs = (await pastRuns(deps, incident, turn.rows)).filter(({ number }) => known.has(number));
      turn.told = [...turn.told, ...untold];
      return resultsOf({ runs: turn.runs, told, session }).join("\n\n");
    },

    blockedIn: (proposal) =>
      draft(proposal).flatMap(({ alone }) => {
        if (alone.kind === "refused" || alone.draft.state !== "blocked") return [];
        const { title, description, spec, findings } = alone.draft;
        const only = { title, description, server: spec.place, command: spec.command, isStep: proposal.isStep };
        return [{ proposal: only, why: findings[0]?.text ?? "by the rules" }];
      }),
  };
}

/** What the model and people may know of a server: no address, user or key. */
export const toolSummary = ({ name, os, groups, description, cluster, source, patches }: Server): ServerSummary => ({
  name,
  os,
  groups,
  description,
  ...(cluster ? { is: "cluster" } : source ? { is: source.kind } : patches ? { is: "patches" } : {}),
});

const maxPlanCharacters = 10_000;
const mostHours = 168;

/**
 * Tells the model its proposals' fate, a line each: `high, needs 2 approvals`, `blocked (…)`, `2 again, open already`, `5, low, ran under the
 * lease`. Only what people are told too has a number.
 */
async function previewProposals(
  deps: Deps,
  turn: AgentTurn,
  drafted: readonly { readonly label: Proposal["risk"]; readonly parts: readonly DraftedProposal[] }[],
  mayRun: boolean,
): Promise<readonly { readonly line: string; readonly done: readonly ActionDraft[] }[]> {
  const { repoContext, incident } = turn;
  const { actions, runs } = await partsOf(deps.store.db, incident.id, "actions", "runs");
  const open = actions.filter((action) => isLiveAction(deps, repoContext, action));
  const list = drafted.flatMap(({ parts }) =>
    parts.flatMap(({ alone, ...more }): readonly ListedProposal[] =>
      alone.kind === "draft" ? [{ ...more, draft: alone.draft }] : [],
    ),
  );
  const placements = placeDrafts(repoContext, open, list);
  const answered = new Map(
    list.flatMap(({ draft, isStep }, index): [ActionDraft, string][] => {
      if (placements[index]?.kind !== "new" || isStep || !isWholeRead(draft) || isBehindChange(list, index)) return [];
      const before = doneBefore({ actions, runs }, draft.spec);
      const over = before && isPointless(before, draft.spec, askedOf(turn), deps.now());
      return before && over
        ? [[draft, `${didWords(before)}. Its answer still holds, so it is not proposed again`]]
        : [];
    }),
  );
  const fresh = list.filter(({ draft }) => !answered.has(draft));
  const ran = mayRun ? await runLeased(deps, turn, fresh) : new Map<ActionDraft, string>();
  const done = new Map([...answered, ...ran]);
  for (const [index, { draft }] of list.entries()) {
    const placement = placements[index];
    const twin = placement?.kind === "twice" ? list[placement.at]?.draft : undefined;
    const same = twin && done.get(twin);
    if (same !== undefined) done.set(draft, same);
  }
  const change = fresh.findIndex(({ draft: { state, spec } }) => spec.risk !== "low" && state !== "blocked");
  const { lease } = await partsOf(deps.store.db, incident.id, "lease");
  const behind = new Set(
    lease?.offAt === null && change !== -1
      ? takenByLease(
          deps,
          repoContext,
          lease,
          fresh.slice(change).map(({ draft }) => draft),
        )
      : [],
  );
  const titles = new Map(list.map(({ draft }) => [draft.spec.nonce, JSON.stringify(draft.title)]));
  const describeDraft = (label: Proposal["risk"], one: ActionDraft): string => {
    const { state, findings, spec } = withNumbers(one, titles);
    if (state === "blocked") return `blocked (${findings[0]?.text ?? "by the rules"})`;
    const needed = spec.risk === "block" ? 0 : policyInForce(repoContext, { spec }, deps.now())[spec.risk].approvals;
    const raised = label !== undefined && label !== spec.risk ? ` (you said ${label})` : "";
    const isLeased = turn.rows.lease?.offAt === null && spec.risk === "low" && state === "proposed";
    const left = isLeased ? whyLeftToPeople(deps, repoContext.rules, spec) : undefined;
    if (behind.has(one)) return `${spec.risk}, runs under the lease once the change before it has run`;
    const waits = left === undefined ? "" : `, waits because ${left}`;
    return `${spec.risk}${raised}, needs ${needed} approval${needed === 1 ? "" : "s"}${waits}`;
  };
  const describeCheck = (alone: ActionDraft, check: DraftResult): string => {
    if (check.kind === "refused") return `its check not proposed (${check.why})`;
    if (alone.state === "blocked") return "its check not proposed, as it is blocked";
    const isOwn = alone.state === "proposed" && mayBeOwnCheck(check.draft);
    return isOwn ? "with its check" : describeDraft(undefined, check.draft);
  };
  const describePart = (label: Proposal["risk"], { alone, checks = [] }: DraftedProposal): readonly string[] => {
    if (alone.kind === "refused") return [`not proposed (${alone.why})`];
    const placement = placements[list.findIndex((one) => one.draft === alone.draft)] ?? { kind: "new" };
    if (placement.kind === "open")
      return [`${placement.same.map(({ number }) => number).join(", ")} again, open already`];
    const over = done.get(alone.draft);
    if (over !== undefined) return [over];
    if (placement.kind === "twice") return ["the same as one before, listed once"];
    return [describeDraft(label, alone.draft), ...checks.map((check) => describeCheck(alone.draft, check))];
  };
  return drafted.map(({ label, parts }) => ({
    line: parts.flatMap((part) => describePart(label, part)).join("; "),
    done: parts.flatMap(({ alone }) => (alone.kind === "draft" && done.has(alone.draft) ? [alone.draft] : [])),
  }));
}

/** How long the model waits for its reads. After that their end gives it a turn. */
const longestMs = 20_000;

/** For holds, and an end whose announcement was lost. */
const lookMs = 1_000;

type ListedProposal = ListedDraft & Pick<DraftedProposal, "checks" | "raisedFrom">;

/**
 * Proposes what a lease takes of a list that the model is still writing, and waits for the end of its batch, which the queue `execute` runs
 * like every other. Returns what became of each; the rest of the list is untouched (AR-03).
 */
async function runLeased(
  deps: Deps,
  turn: AgentTurn,
  list: readonly ListedProposal[],
): Promise<ReadonlyMap<ActionDraft, string>> {
  let counted: ReadonlySet<string> = new Set();
  const begun = await deps.store.transaction(async (tx) => {
    await turn.fence(tx);
    const incident = await lockIncident(tx, turn.incident.id);
    const rows = await partsOf(tx, incident.id, "actions", "approvals", "batches", "lease", "runs");
    // Behind what runs already, the model would wait in vain. A blocked command ends the lease with the turn.
    const isBusy = rows.batches.some(({ endedAt }) => endedAt === null);
    const isBlocked = list.some(({ draft }) => draft.state === "blocked");
    if (incident.state !== "open" || !rows.lease || isBusy || isBlocked) return undefined;
    const riskier = list.flatMap(({ draft, raisedFrom }) =>
      raisedFrom === undefined ? [] : [effectOf(draft.spec) ?? ""],
    );
    counted = new Set(riskier.filter((one) => !turn.raised.has(one)));
    if (counted.size > 0) await countRaised(tx, incident.id, counted.size);
    const standing = await leaseStandingOf(deps, tx, turn.repoContext, { incident });
    if (standing.kind === "off") return undefined;
    const change = list.findIndex(({ draft }) => draft.spec.risk !== "low");
    const reads = list.slice(0, change === -1 ? undefined : change).filter(({ isStep }) => !isStep);
    const drafts = takenByLease(
      deps,
      turn.repoContext,
      standing.lease,
      reads.map(({ draft }) => draft),
    );
    if (drafts.length === 0) return undefined;
    const { numbers, leased } = await propose(tx, deps, turn.repoContext, {
      incident,
      rows,
      reading: { notes: [] },
      origin: "model",
      drafts: drafts.map((draft) => ({ alone: { kind: "draft", draft } })),
      told: new Set(turn.runs.map(({ number }) => number)),
      adds: true,
      asked: askedOf(turn),
    });
    if (!leased) return undefined;
    await show(tx, deps, incident, `running ${leased.numbers.join(", ")} under the lease`);
    return { drafts, numbers, leased };
  });
  for (const one of counted) turn.raised.add(one);
  if (!begun) return new Map();
  const { drafts, numbers, leased } = begun;
  const ended = await untilEnded(deps, turn, leased);
  const actions = await actionsOf(deps.store.db, turn.incident.id);
  return new Map(
    drafts.flatMap((draft): [ActionDraft, string][] => {
      const number = numbers.get(draft.spec.nonce);
      const action = actions.find((one) => one.number === number);
      if (!action || !leased.numbers.includes(action.number)) return [];
      if (ended && action.state !== "done") turn.handedBack.add(action.number);
      const became =
        action.state === "done"
          ? "ran under the lease"
          : ended
            ? `was not run${action.stateReason === null ? "" : ` (${action.stateReason})`}, waits for people`
            : "has not ended yet: its output will be told to you";
      return [[draft, `${action.number}, ${draft.spec.risk}, ${became}`]];
    }),
  );
}

/** Returns false if the batch goes on: it takes too long, or a hold stops it. */
async function untilEnded(deps: Deps, { incident, signal }: AgentTurn, batch: Batch): Promise<boolean> {
  for (let waited = 0; waited < longestMs && !signal.aborted; waited += lookMs) {
    const heard = deps.store.queue.heard(batch.id, lookMs);
    const { batches, holds } = await partsOf(deps.store.db, incident.id, "batches", "holds");
    if (batches.some(({ id, endedAt }) => id === batch.id && endedAt !== null)) return true;
    if (holds.some(isStanding)) return false;
    await heard;
  }
  return false;
}

/** The closing delimiter must come before the point at which a tool's result is cut. */
const maxCharacters = 24_000;
const maxNamed = 50;

/** A file as data, with the commit that a patch must be against. Errors are for the model. */
async function readRepository(
  { patches, redact }: Pick<Deps, "patches" | "redact">,
  { repoContext, incident, session }: Pick<AgentTurn, "repoContext" | "incident" | "session">,
  server: string,
  path: string,
): Promise<string> {
  const place = repoContext.rules.servers.find(({ name }) => name === server)?.patches;
  if (!place || !patches) throw new Error(`${server} is no repository that takes patches`);
  if (incident.public) throw new Error("this issue is public, so nothing of that repository is shown here");
  const commit = await patches.headOf(place);
  const file = await patches.readFile(place, path.replace(/^\/+/, ""), commit);
  if (!file) throw new Error(`there is no ${path} in ${place.repository} at ${commit}`);
  const text = redactText(redact, cut(file.text));
  return `${delimit(text, `${path} of ${place.repository}`, session.nonce)}\n(commit ${commit}; patches there may change ${place.paths.join(", ")})`;
}

/** The delimited body, and its other files' names. */
export async function readSkill(
  deps: Pick<Deps, "context" | "log">,
  { repoContext, incident, session }: Pick<AgentTurn, "repoContext" | "incident" | "session">,
  skill: Skill,
): Promise<string> {
  const files = await deps.context.skillFolder(repoContext.context, incident, skill).then(
    (folder) => namesOf([...folder.values()]),
    (error: unknown) => {
      deps.log.warn({ module: "systemPrompt", event: "skill_folder_failed", err: error, skill: skill.name });
      return "[the files of this skill could not be listed]";
    },
  );
  const text = [cut(skill.body), files].filter((part) => part !== "").join("\n\n");
  return wrapForeign("skill", { text, source: `${skill.source}:${skill.path}`, nonce: session.nonce });
}

/** Throws for the model if there is no such file. */
async function readSkillFile(
  deps: Pick<Deps, "context">,
  { repoContext, incident, session }: Pick<AgentTurn, "repoContext" | "incident" | "session">,
  skill: Skill,
  path: string,
): Promise<string> {
  const folder = await deps.context.skillFolder(repoContext.context, incident, skill);
  const file = folder.get(path.replace(/^(?:\.\/)+/, ""));
  const text = file && (await deps.context.skillFile(repoContext.context, incident, skill, file));
  if (file === undefined || text === undefined)
    throw new Error(`no such file. ${namesOf([...folder.values()]) || "This skill has no files."}`);
  const source = `${skill.source}:${skill.path.replace(/[^/]*$/, "")}${file.path}`;
  return wrapForeign("skill-file", { text: cut(text), source, nonce: session.nonce });
}

function namesOf(files: readonly SkillFile[]): string {
  if (files.length === 0) return "";
  const named = files.slice(0, maxNamed).map(({ path, bytes }) => `- ${path} (${bytes.toLocaleString("en")} bytes)`);
  const more = files.length > maxNamed ? [`- and ${files.length - maxNamed} more`] : [];
  return ["Files of this skill, to be read with `use_skill` and `file`:", ...named, ...more].join("\n");
}

const cut = (text: string): string =>
  text.length > maxCharacters
    ? `${text.slice(0, maxCharacters).toWellFormed()}\n\n[… cut here: ${(text.length - maxCharacters).toLocaleString("en")} of ${text.length.toLocaleString("en")} characters left out …]`
    : text;
