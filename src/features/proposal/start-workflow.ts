import type { NamedValue, Proposal } from "../../base/action.ts";
import type { Server } from "../../base/server.ts";
import { valueFor } from "../../runbooks/values.ts";
import { fillWorkflow, paramsOf, type Workflow } from "../../runbooks/workflows.ts";
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
