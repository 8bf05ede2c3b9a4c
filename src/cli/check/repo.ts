import { join } from "node:path";
import { counted } from "../../base/counted.ts";
import type { Problem } from "../../base/errors.ts";
import type { Config } from "../../config/load.ts";
import { runbooksOf } from "../../features/turn/runbooks.ts";
import { withinBudget } from "../../github/context/instructions.ts";
import { repositoryPlan, rulesPath, rulesStarter } from "../../github/context/plan.ts";
import { readContext } from "../../github/context/read.ts";
import { contextNames } from "../../github/context/source.ts";
import { readCheckout, skillFoldersWithout } from "../checkout.ts";
import { checkNarrowing, type Holding } from "./narrowing.ts";
import { onCallProblems } from "./oncall.ts";
import { checkSchedules } from "./schedules.ts";

/**
 * What is wrong in a checked-out repository, by the letter: what the bot would leave out, what it only forgives (OP-3, WF-1), and
 * where its own file asks for more than the operator gives (SR-38). The same folders are looked into as by the bot, the
 * organization's own repository included when it is the one checked out. Throws an OperatorError where the folder cannot be read.
 */
export function checkRepository(
  folder: string,
  config: Pick<Config, "context" | "features" | "incident" | "schedules"> & Holding["rules"],
  by: Holding["by"],
  print: (line: string) => void,
): { readonly problems: readonly Problem[]; readonly warnings: readonly Problem[] } {
  const names = contextNames(config);
  const snapshot = readCheckout(folder, repositoryPlan(names));
  const context = readContext({ repository: snapshot }, names);
  const { skills, workflows, problems, warnings } = runbooksOf(context, () => {});
  const empty = skillFoldersWithout(folder, "SKILL.md", names).map((path) => ({
    place: join(folder, path),
    message: "has no SKILL.md",
    remedy: "a skill is a folder with a SKILL.md in it",
  }));
  const own = context.config
    ? checkNarrowing(folder, { ...context.config, path: join(folder, context.config.path) }, { by, rules: config })
    : { problems: [], warnings: [] };
  const found = [...problems, ...warnings].map((one) => ({ ...one, place: join(folder, onDisk(one.place)) }));
  const lost = context.notes.map((note) => ({
    place: folder,
    message: onDisk(note),
    remedy: "commit it as a plain text file of a readable size",
  }));
  const left = problems.length + empty.length;
  print(
    `runbooks     ${left === 0 ? "✓" : "✗"} ${counted(skills.length, "skill")} and ${counted(workflows.length, "workflow")} can be used, ${left} cannot`,
  );
  if (context.rulesFault !== undefined) print(`rules        ! ${rulesPath} ${context.rulesFault}`);
  else if (!context.rules)
    print(`rules        – none; ${rulesPath} is optional, and ${rulesStarter} one to start with`);
  for (const note of withinBudget([...context.instructions, ...context.scoped]).notes)
    print(`context      ! ${onDisk(note)}`);
  const shared = config.context.organizationRepo;
  if (shared !== undefined)
    print(`context      ! ${shared} is not looked at here: check a checkout of it with --repo too`);
  const schedules = checkSchedules(config, { repo: snapshot.repo, workflows }, print);
  return {
    problems: [...found, ...empty, ...own.problems, ...lost, ...schedules, ...onCallProblems(context.oncall)],
    warnings: own.warnings,
  };

  /** `web@on disk:AGENTS.md …` → `AGENTS.md …`. */
  function onDisk(text: string): string {
    const source = `${snapshot.repo}@${snapshot.commit}:`;
    return text.startsWith(source) ? text.slice(source.length) : text;
  }
}
