import type { Problem } from "../../base/errors.ts";
import type { Skill } from "../../base/github.ts";
import type { RepoFiles } from "../../github/context/source.ts";
import { readSkills } from "../../runbooks/skills.ts";
import { parseWorkflow, type Workflow } from "../../runbooks/workflows.ts";

/** The skills and workflows of a repository that can be used, and what is wrong with others (OP-3, S13.3). */
export interface Runbooks {
  readonly skills: readonly Skill[];
  readonly workflows: readonly Workflow[];
  /** Why others cannot be. */
  readonly problems: readonly Problem[];
  /** What is forgiven in those that can. */
  readonly warnings: readonly Problem[];
}

/** By context: the files of a commit are parsed once, however many turns are taken on it (INJ-5). */
const known = new WeakMap<RepoFiles, Runbooks>();

/** Reads a repository's runbooks; `onRead` learns of them the first time, to log what is wrong. */
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
