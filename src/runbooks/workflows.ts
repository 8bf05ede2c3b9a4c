/** `.github/countersign/workflows/*.yml` (WF-1): a parameterised list of commands that becomes a checklist of proposals. */

import * as z from "zod";
import { findingsOf, place } from "../config-problems.ts";
import type { Problem } from "../errors.ts";
import type { Ending, Proposal, RepoFile } from "../types.ts";
import { parseYaml } from "../yaml.ts";
import { isCron } from "./cron.ts";

const maxSteps = 20;

/**
 * What may stand in for `{{name}}`: nothing that any shell reads as more than a part of a word. A leading dash would
 * make an option of it.
 */
const harmless = /^[A-Za-z0-9_@%+=:,./][A-Za-z0-9_@%+=:,./-]{0,199}$/;

const paramSchema = z.strictObject({
  type: z.enum(["string", "number", "boolean"]).default("string"),
  description: z.string().default(""),
  default: z.union([z.string(), z.number(), z.boolean()]).optional(),
  enum: z
    .array(z.union([z.string(), z.number()]))
    .nonempty()
    .optional(),
});

const expectSchema = z.strictObject({
  exit: z.int().min(0).max(255).default(0),
  contains: z.string().min(1).optional(),
  lacks: z.string().min(1).optional(),
});

const stepSchema = z.strictObject({
  server: z.string().min(1),
  command: z.string().min(1).max(2_000),
  title: z.string().min(1),
  /** A bare text means: exit code 0 and this text in the output. */
  expect: z
    .union([
      z
        .string()
        .min(1)
        .transform((contains) => ({ exit: 0, contains })),
      expectSchema,
    ])
    .optional(),
});

const workflowSchema = z.strictObject({
  name: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "is not lowercase words joined by hyphens"),
  description: z.string().min(1),
  params: z.record(z.string().regex(/^[a-z][a-z0-9_]*$/, "is not a lowercase word"), paramSchema).default({}),
  steps: z.array(stepSchema).min(1).max(maxSteps),
  schedule: z.string().refine(isCron, "is no cron expression (minute hour day month weekday)").optional(),
});

export type Workflow = Readonly<z.output<typeof workflowSchema>> & { readonly path: string };
type Expectation = NonNullable<Workflow["steps"][number]["expect"]>;

type ParsedWorkflow =
  | { readonly ok: true; readonly workflow: Workflow }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Reads a workflow. Every problem has its place; a placeholder that no param declares is one. Never throws. */
export function parseWorkflow(file: RepoFile): ParsedWorkflow {
  const yaml = parseYaml(file.text, file.path);
  if (!yaml.ok) return yaml;
  const value = yaml.value ?? {};
  const parsed = workflowSchema.safeParse(value);
  if (!parsed.success) {
    return {
      ok: false,
      problems: place(findingsOf(workflowSchema, value, parsed.error.issues), file.path, yaml.locate),
    };
  }
  const { steps, params, schedule } = parsed.data;
  const undeclared = steps.flatMap(({ server, command }, index) =>
    [...placeholdersIn(server), ...placeholdersIn(command)]
      .filter((name) => !Object.hasOwn(params, name))
      .map((name) => ({
        path: ["steps", index],
        message: `\`{{${name}}}\` is not among \`params\``,
        remedy: "declare it",
      })),
  );
  // Nobody is there at three in the morning to give a value.
  const unfilled = Object.keys(params).filter((name) => schedule !== undefined && params[name]?.default === undefined);
  const findings = [
    ...undeclared,
    ...unfilled.map((name) => ({
      path: ["params", name],
      message: `\`${name}\` has no default, which a scheduled workflow needs`,
      remedy: "add `default:`",
    })),
  ];
  if (findings.length > 0) return { ok: false, problems: place(findings, file.path, yaml.locate) };
  return { ok: true, workflow: { ...parsed.data, path: file.path } };
}

type FilledWorkflow =
  | { readonly ok: true; readonly steps: readonly (Proposal & { readonly expect?: Expectation | undefined })[] }
  /** In words for the person who typed `/workflow`; nothing was proposed. */
  | { readonly ok: false; readonly refusals: readonly string[] };

/** Puts `values` (as typed: `key=value`) into a workflow's steps. A value can only ever be part of one shell word. */
export function fillWorkflow(workflow: Workflow, values: Readonly<Record<string, string>>): FilledWorkflow {
  const { params, name, description } = workflow;
  const known = Object.keys(params);
  const refusals = Object.keys(values)
    .filter((key) => !known.includes(key))
    .map(
      (key) =>
        `\`${key}\` is not a parameter of \`${name}\`; it has ${known.length > 0 ? known.map((it) => `\`${it}\``).join(", ") : "none"}`,
    );
  const filled = new Map<string, string>();
  for (const [key, param] of Object.entries(params)) {
    const text = values[key] ?? (param.default === undefined ? undefined : String(param.default));
    const refusal = text === undefined ? `\`${key}\` is missing: write \`${key}=…\`` : refusalOf(key, text, param);
    if (refusal !== undefined) refusals.push(refusal);
    else if (text !== undefined) filled.set(key, text);
  }
  if (refusals.length > 0) return { ok: false, refusals };
  const fill = (text: string) => text.replace(placeholder, (whole, key: string) => filled.get(key) ?? whole);
  const steps = workflow.steps.map(({ title, server, command, expect }) => {
    return { title: fill(title), description, server: fill(server), command: fill(command), expect };
  });
  return { ok: true, steps };
}

function refusalOf(key: string, text: string, param: z.output<typeof paramSchema>): string | undefined {
  if (param.enum && !param.enum.map(String).includes(text)) return `\`${key}\` must be one of ${param.enum.join(", ")}`;
  if (param.type === "number" && !/^\d{1,15}(\.\d{1,9})?$/.test(text)) return `\`${key}\` must be a number`;
  if (param.type === "boolean" && !/^(true|false)$/.test(text)) return `\`${key}\` must be true or false`;
  if (!harmless.test(text))
    return `\`${key}\` may hold letters, digits and _ @ % + = : , . / - only, and not begin with -`;
  return undefined;
}

/** Why a step's outcome is not what its `expect` says; nothing where it is. Without `expect`, exit code 0 is expected. */
export function unmetExpectation(
  expect: Expectation | undefined,
  run: { ending: Ending; output: string },
): string | undefined {
  const { exit, contains, lacks } = { exit: 0, contains: undefined, lacks: undefined, ...expect };
  if (run.ending.kind !== "exited") return `it did not exit by itself (${run.ending.kind})`;
  if (run.ending.code !== exit) return `it exited with ${run.ending.code}, not ${exit}`;
  if (contains !== undefined && !run.output.includes(contains)) return `its output lacks "${contains}"`;
  if (lacks !== undefined && run.output.includes(lacks)) return `its output has "${lacks}"`;
  return undefined;
}

const placeholder = /\{\{\s*([a-z][a-z0-9_]*)\s*\}\}/g;
const placeholdersIn = (text: string): readonly string[] =>
  [...text.matchAll(placeholder)].map((match) => match[1] ?? "");
