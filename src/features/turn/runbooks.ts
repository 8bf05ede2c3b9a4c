import type { RunbookLink } from "../../base/agent.ts";
import type { Problem } from "../../base/errors.ts";
import type { Skill } from "../../base/github.ts";
import type { RepoFiles } from "../../github/context/read.ts";
import { readSkills } from "../../runbooks/skills.ts";
import { parseWorkflow, type Workflow } from "../../runbooks/workflows.ts";
import type { KnownLink } from "../../store/track-record.ts";
import type { Deps, RepoContext } from "../context.ts";

/** A repository's skills and workflows (INJ-5, OP-3, OP-8, S13.3). */
export interface Runbooks {
  readonly skills: readonly Skill[];
  readonly workflows: readonly Workflow[];
  /** Of unusable files. */
  readonly problems: readonly Problem[];
  /** Of usable files. */
  readonly warnings: readonly Problem[];
}

const known = new WeakMap<RepoFiles, Runbooks>();

/** Parses runbooks once for each commit; calls `onRead` only then. */
export function runbooksOf(context: RepoFiles, onRead: (runbooks: Runbooks) => void): Runbooks {
  const before = known.get(context);
  if (before) return before;
  const { skills, problems, warnings } = readSkills(context.skills);
  const parsed = context.workflows.map((file) => parseWorkflow(file));
  const made = {
    skills,
    workflows: parsed.flatMap((one) => (one.ok ? [one.workflow] : [])),
    problems: [...problems, ...parsed.flatMap((one) => (one.ok ? [] : one.problems))],
    warnings,
  };
  known.set(context, made);
  onRead(made);
  return made;
}

/** The runbooks that the config allows; logs faults once for each commit. */
export function readRunbooks(deps: Pick<Deps, "config" | "log">, repoContext: Pick<RepoContext, "context">): Runbooks {
  const runbooks = runbooksOf(repoContext.context, ({ problems }) => {
    if (problems.length === 0) return;
    const named = problems.slice(0, 20).map(({ place, message }) => `${place} ${message}`);
    deps.log.warn({ module: "runbooks", event: "runbooks_faulty", count: problems.length, problems: named });
  });
  return deps.config.features.skills ? runbooks : { ...runbooks, skills: [] };
}

/** By runbook: `worked 4 of 5, last 12 days ago`. */
export type Records = ReadonlyMap<string, string>;

const dayMs = 24 * 3_600_000;

export function daysAgo(at: Date, asOf: Date): string {
  const days = Math.max(0, Math.floor((asOf.getTime() - at.getTime()) / dayMs));
  return days === 0 ? "today" : days === 1 ? "yesterday" : `${days} days ago`;
}

/** A reply's links with skill, record and address. */
export const knownLinks = (
  links: readonly RunbookLink[],
  { skills, records }: { readonly skills: readonly Skill[]; readonly records: Records },
  addressIn: (url: string, skill: Skill | undefined) => string | undefined,
): readonly KnownLink[] =>
  links.map(({ label, url }) => {
    const isOf = ({ path }: Skill): boolean => `/${url}`.endsWith(`/${path}`);
    const skill = skills.find((one) => label === one.name || url === one.metadata.runbook || isOf(one));
    const record = skill && records.get(skill.name);
    const address = skill && isOf(skill) ? addressIn(skill.path, skill) : addressIn(url, undefined);
    return {
      label,
      url: address ?? url,
      ...(skill && { skill: skill.name }),
      ...(record !== undefined && { record }),
    };
  });
