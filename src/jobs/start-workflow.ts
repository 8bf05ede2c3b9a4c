import type { TurnTools } from "../agent/tools.ts";
import { fillWorkflow, type Workflow } from "../runbooks/workflows.ts";

/** A workflow's steps as proposals (WF-1). Throws for the model where there is no such workflow or it lacks a value. */
export const createStartWorkflow =
  (workflows: readonly Workflow[]): NonNullable<TurnTools["startWorkflow"]> =>
  async (name, params) => {
    const workflow = workflows.find((candidate) => candidate.name === name);
    if (!workflow)
      throw new Error(`there is no such workflow; the workflows are ${workflows.map((it) => it.name).join(", ")}`);
    const filled = fillWorkflow(workflow, params);
    if (!filled.ok) throw new Error(filled.refusals.join("; "));
    const proposals = filled.steps.map(({ title, description, server, command }) => ({
      title,
      description,
      server,
      command,
    }));
    return {
      text: `Proposed:\n${proposals.map(({ title, server }) => `- "${title}" on ${server}`).join("\n")}`,
      proposals,
    };
  };
