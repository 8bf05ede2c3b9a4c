import type { Problem } from "../../base/errors.ts";
import type { Skill } from "../../base/github.ts";
import type { RepoFiles } from "../../github/context/read.ts";

import { readSkills } from "../../runbooks/skills.ts";
import { parseWorkflow, type Workflow } from "../../runbooks/workflows.ts";
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
