import { allowanceOf, decideSchedule, decideScheduledStep } from "../../approval/schedule.ts";
import type { Proposal } from "../../base/action.ts";
import type { Server } from "../../base/server.ts";
import type { Facts } from "../../github/facts.ts";
import type { RepoPlace } from "../../github/repo-place.ts";
import type { ActionDraft } from "../../store/actions.ts";
import { type Schedule, type ScheduleRun, setSchedule } from "../../store/schedules.ts";
import { type Deps, loadRepoContext, type RepoContext, repoContextAt } from "../context.ts";
import { mayRun, type StoppableIncident } from "../incident/hold.ts";
import { admitRepository } from "../intake/tenancy.ts";
import { draftAction, riskNowOf, whyAttendedNow } from "../proposal/draft.ts";
import { targetServersOf } from "../proposal/target-servers.ts";
import { waitForConfig } from "../run/preflight.ts";
import { readRunbooks } from "../turn/runbooks.ts";
import { voidIfRestored } from "../verify/restored.ts";

/** What is carried out: one due time of a schedule, by the content of its file at the beginning. */
export interface Due {
  readonly schedule: Schedule & { readonly issue: number };
  readonly run: ScheduleRun;
  readonly sha256: string;
}

/** A step as it stands in its workflow, from 1. */
export interface DueStep {
  readonly number: number;
  readonly proposal: Proposal;
}

/** A command that may be sent now. */
export interface Go {
  readonly kind: "go";
  readonly spec: ActionDraft["spec"];
  readonly servers: readonly Server[];
  /** The issue of the schedule, for holds and the kill switch. */
  readonly at: StoppableIncident;
}

export type Checked =
  | Go
  /** Left out; the others go on. */
  | { readonly kind: "skip"; readonly reason: string }
  /** Nothing more of this run is sent. */
  | { readonly kind: "no"; readonly reason: string };

const no = (reason: string): { readonly kind: "no"; readonly reason: string } => ({ kind: "no", reason });

/** Reads everything that the operator's permission rests on again, from GitHub, the store and the inventory, and decides (SR-24). */
export async function checkStep(deps: Deps, due: Due, { proposal }: DueStep): Promise<Checked> {
  const { schedule, sha256 } = due;
  const { installationId, repo, issue, workflow: name } = schedule;
  await waitForConfig(deps);
  if (await voidIfRestored(deps)) return no("an older copy of the bot's store was put back");
  // Throws where GitHub does not answer whole: whoever asks then runs nothing.
  const facts = await deps.facts({ installationId, repo, issue, people: [], comments: [], teams: [] });
  const known = await loadRepoContext(deps, { installationId, repo });
  const repoContext = facts.repository
    ? await repoContextAt(deps, known, { installationId, repo }, facts.repository.commit)
    : known;
  if (!repoContext) return no("the repository's files cannot be read");
  const now = readRunbooks(deps, repoContext).workflows.find((workflow) => workflow.name === name);
  if (now?.sha256 !== sha256) return no("its file was changed while it ran");
  const same = await isServed(deps, { installationId, repo }, facts);
  if (facts.repository && same && schedule.repoId !== facts.repository.id)
    await setSchedule(deps.store.db, schedule.key, { repoId: facts.repository.id });
  const at = { repoId: facts.repository?.id ?? 0, repo, number: issue };
  const may = await mayRun(deps, deps.store.db, at);
  const allowance = allowanceOf(deps.config.schedules.allowed, { repo, name, sha256 });
  const decision = decideSchedule({
    allowance,
    low: repoContext.rules.policy.low,
    executes: deps.config.execution.enabled,
    repository: { same, public: facts.repository?.private === false },
    record: { open: facts.issue?.open === true },
    stopped: may.kind === "stopped" ? may.words : undefined,
  });
  if (decision.kind === "no") return decision;
  if (!deps.isConfigCurrent()) return no("the operator's files have changed and are being read");
  const places = allowance.kind === "allowed" ? allowance.places : [];
  const command = checkCommand(deps, repoContext, proposal, allowedServers(repoContext, places));
  return command.kind === "go" ? { ...command, at } : command;
}

/** Whether GitHub shows under the name the repository for which the bot works (SR-07). */
async function isServed(deps: Deps, place: RepoPlace, { repository }: Facts): Promise<boolean> {
  if (!repository || repository.name.toLowerCase() !== place.repo.toLowerCase()) return false;
  const { id: repoId, private: isPrivate } = repository;
  return (await admitRepository(deps, { ...place, repoId, private: isPrivate })).kind === "served";
}

/** The servers that the operator's words mean now; a name that means none allows none. */
const allowedServers = (repoContext: RepoContext, places: readonly string[]): readonly string[] =>
  places.flatMap((place) => {
    const placed = targetServersOf(repoContext.rules.servers, place);
    return placed.kind === "placed" ? placed.servers.map(({ name }) => name) : [];
  });

function checkCommand(
  deps: Deps,
  repoContext: RepoContext,
  proposal: Proposal,
  allowed: readonly string[],
): Exclude<Checked, Go> | Omit<Go, "at"> {
  // As of the agent, not of a person: no line breaks.
  const drafted = draftAction(deps, repoContext, proposal, { origin: "offline", model: null, promptSha256: null });
  if (drafted.kind === "refused") return no(drafted.why);
  const { spec, state } = drafted.draft;
  const placed = targetServersOf(repoContext.rules.servers, spec.place);
  if (placed.kind !== "placed") return no("its servers cannot be told");
  const { servers } = placed;
  const riskNow = state === "blocked" ? "block" : riskNowOf(deps, servers, spec);
  const attended = whyAttendedNow(deps, servers, spec);
  const names = servers.map(({ name }) => name);
  const decision = decideScheduledStep({ risk: spec.risk, riskNow, attended, servers: names }, allowed);
  return decision.kind === "go" ? { kind: "go", spec, servers } : decision;
}
