import type { TurnTools } from "../../agent/tools.ts";
import type { NamedValue, Proposal } from "../../base/action.ts";
import type { Server } from "../../base/server.ts";
import { valueFor } from "../../runbooks/values.ts";
import { fillWorkflow, paramsOf, type Workflow } from "../../runbooks/workflows.ts";
import { delimit } from "../../text/read/visible.ts";
import { shellsOf } from "./in-force.ts";

type WorkflowStart =
  | { readonly ok: true; readonly workflow: Workflow; readonly proposals: readonly Proposal[] }
  | { readonly ok: false; readonly refusals: readonly string[] };

/**
 * Makes a workflow's steps proposals (WF-1), each with its place, because people decide on them singly. A missing value without default is
 * the incident's, if only one has the name.
 */
export function startWorkflow(
  workflow: Workflow,
  values: Readonly<Record<string, string>>,
  servers: readonly Server[],
  known: readonly NamedValue[] = [],
): WorkflowStart {
  const missing = Object.keys(workflow.params).filter(
    (key) => !Object.hasOwn(values, key) && workflow.params[key]?.default === undefined,
  );
  const taken = missing.flatMap((name) => {
    const { value } = valueFor(name, known);
    return value === undefined ? [] : [{ ...value, name }];
  });
  const all = { ...Object.fromEntries(taken.map(({ name, value }) => [name, value])), ...values };
  const filled = fillWorkflow(workflow, all, (place) => shellsOf(servers, place));
  if (!filled.ok) return filled;
  const proposals = filled.steps.map((step, index) => ({
    ...step,
    isStep: true,
    filled: taken.filter(({ name }) => workflow.steps[index] && paramsOf(workflow.steps[index]).has(name)),
    description: `step ${index + 1} of ${filled.steps.length} of ${workflow.name}`,
  }));
  return { ok: true, workflow, proposals };
}

/**
 * Throws for the model if workflow or values do not fit, or a step cannot be an action, because a checklist with holes is another workflow.
 */
export const createStartWorkflow =
  ({
    workflows,
    servers,
    nonce,
    known,
    whyRefused,
  }: {
    readonly workflows: readonly Workflow[];
    readonly servers: readonly Server[];
    readonly nonce: string;
    readonly known: readonly NamedValue[];
    readonly whyRefused: (step: Proposal) => string | undefined;
  }): NonNullable<TurnTools["startWorkflow"]> =>
  async (name, params) => {
    const workflow = workflows.find((candidate) => candidate.name === name);
    if (!workflow)
      throw new Error(`there is no such workflow; the workflows are ${workflows.map((it) => it.name).join(", ")}`);
    const started = startWorkflow(workflow, params, servers, known);
    if (!started.ok) throw new Error(started.refusals.join("; "));
    const { proposals } = started;
    const refusals = proposals.flatMap((step, index) => {
      const why = whyRefused(step);
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
  };
