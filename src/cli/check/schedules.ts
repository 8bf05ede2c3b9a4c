import type { Problem } from "../../base/errors.ts";
import type { Server } from "../../base/server.ts";
import type { Config } from "../../config/load.ts";
import { startWorkflow } from "../../features/proposal/start-workflow.ts";
import { targetServersOf } from "../../features/proposal/target-servers.ts";
import type { Workflow } from "../../runbooks/workflows.ts";

/**
 * Whether what the operator allows by time is what a checked-out repository holds (WF-2): the content, a `schedule:`, and servers
 * for each step. `repo` is the checkout's name without its owner.
 */
export function checkSchedules(
  { schedules, servers, repositories }: Pick<Config, "schedules" | "servers" | "repositories">,
  { repo, workflows }: { readonly repo: string; readonly workflows: readonly Workflow[] },
  print: (line: string) => void,
): readonly Problem[] {
  const all = [...servers.values()];
  const bears = (name: string): boolean => name.toLowerCase().endsWith(`/${repo.toLowerCase()}`);
  // A workflow of another repository may have the same name. A checkout whose folder is named otherwise may be any of them.
  const isKnown = repositories.some(({ name }) => bears(name));
  const own = schedules.allowed
    .map((entry, index) => ({ entry, index }))
    .filter(({ entry }) => !isKnown || bears(entry.repo));
  const names = new Set(own.map(({ entry }) => entry.workflow));
  for (const { name, schedule, sha256 } of workflows)
    if (schedule !== undefined && !names.has(name))
      print(`schedules    ! ${name} is due ${schedule} and not allowed; its sha256 is ${sha256}`);
  return own.flatMap(({ entry, index }) => {
    const place = `schedules.allowed.${index}`;
    const workflow = workflows.find(({ name }) => name === entry.workflow);
    if (!workflow)
      return bears(entry.repo)
        ? [
            {
              place,
              message: `there is no workflow \`${entry.workflow}\` that can be used`,
              remedy: "correct the name, or take the entry out",
            },
          ]
        : [];
    // The content before, or after, a change that is under way.
    const isOther = (one: typeof entry): boolean => one.sha256.toLowerCase() !== workflow.sha256;
    if (isOther(entry) && own.some((one) => one.entry.workflow === workflow.name && !isOther(one.entry))) return [];
    return faultsOf(workflow, entry, all).map((fault) => ({ place, ...fault }));
  });
}

type Fault = Pick<Problem, "message" | "remedy">;

function faultsOf(
  workflow: Workflow,
  entry: Config["schedules"]["allowed"][number],
  all: readonly Server[],
): readonly Fault[] {
  const { name, schedule, sha256 } = workflow;
  const allowed = entry.servers.flatMap((place) => serversOf(all, place));
  const started = startWorkflow(workflow, {}, all);
  const strange = started.ok
    ? started.proposals.flatMap(({ server }, index) =>
        serversOf(all, server).length > 0 && serversOf(all, server).every((one) => allowed.includes(one))
          ? []
          : [
              {
                message: `step ${index + 1} of \`${name}\` runs on ${server}, which the entry does not allow`,
                remedy: "add it to `servers`, or correct the step",
              },
            ],
      )
    : started.refusals.map((refusal) => ({
        message: `\`${name}\` cannot be started: ${refusal}`,
        remedy: "correct its defaults",
      }));
  return [
    ...(sha256 === entry.sha256.toLowerCase()
      ? []
      : [
          {
            message: `\`${name}\` is suspended: its file is not the one that is allowed`,
            remedy: `read it, then write sha256: ${sha256}`,
          },
        ]),
    ...(schedule === undefined ? [{ message: `\`${name}\` has no \`schedule:\``, remedy: "add one to its file" }] : []),
    ...strange,
  ];
}

const serversOf = (all: readonly Server[], place: string): readonly string[] => {
  const placed = targetServersOf(all, place);
  return placed.kind === "placed" ? placed.servers.map(({ name }) => name) : [];
};
