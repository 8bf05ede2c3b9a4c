/** `.github/countersign/workflows/*.yml`: commands with parameters that become a checklist of proposals (S13.4, WF-1, WF-2). */

import { createHash } from "node:crypto";
import { Cron } from "croner";
import * as z from "zod";
import type { Proposal } from "../base/action.ts";
import { parseDuration } from "../base/duration.ts";
import type { Problem } from "../base/errors.ts";
import type { RepoFile } from "../base/github.ts";
import { parseFile, placeFindings } from "../base/problems.ts";
import type { Expectation } from "../base/run.ts";
import { allShells, type Shell } from "../base/server.ts";
import { demandIn, demandKeys } from "./demand.ts";
import { quoteRunbook } from "./quote.ts";

const maxSteps = 20;

const paramSchema = z.strictObject({
  type: z.enum(["string", "number", "boolean"]).default("string"),
  description: z.string().default(""),
  default: z.union([z.string(), z.number(), z.boolean()]).optional(),
  enum: z
    .array(z.union([z.string(), z.number()]))
    .nonempty()
    .optional(),
});

/** Shown on the card and searched for in a line. */
const pattern = z
  .string()
  .max(200)
  .regex(/^[^\r\n]*[^*\s][^\r\n]*$/, "is no text of one line to look for");

/** `within` is a duration such as `30s`. */
const expectSchema = z
  .strictObject({
    exit: z.int().min(0).max(4_294_967_295).default(0),
    contains: pattern.optional(),
    lacks: pattern.optional(),
    within: z
      .string()
      .refine((text) => parseDuration(text) !== undefined, "is not a duration; write 30s or 10m")
      .optional(),
  })
  .transform(({ within, ...expect }): Expectation => {
    const withinMs = within === undefined ? undefined : parseDuration(within);
    return withinMs === undefined ? expect : { ...expect, withinMs };
  });

const stepSchema = z.strictObject({
  server: z.string().min(1),
  command: z.string().min(1).max(2_000),
  title: z.string().min(1),
  /** A bare text means exit code 0 and this text in the output. */
  expect: z.union([pattern.transform((contains): Expectation => ({ exit: 0, contains })), expectSchema]).optional(),
});

/** `@daily` and a field for seconds are other dialects. */
const parse = (text: string): Cron | undefined => {
  if (!/^\s*[^@\s]/.test(text)) return undefined;
  try {
    return new Cron(text, { mode: "5-part", utcOffset: 0, paused: true });
  } catch {
    return undefined;
  }
};

/** Returns whether it is a five-field expression (UTC) that is ever due; `0 0 31 2 *` never is. */
export const isCron = (text: string): boolean => parse(text)?.nextRun() instanceof Date;

/** Returns the last due time at or before `now`; undefined if there is none. */
export function lastDue(text: string, now: Date): Date | undefined {
  // Croner finds whole seconds strictly before a reference.
  const reference = new Date(Math.floor(now.getTime() / 1_000) * 1_000 + 1_000);
  return parse(text)?.previousRuns(1, reference)[0];
}

/** Counts due times after `since` and before `until`, up to `most`. */
export function countDue(text: string, since: Date, until: Date, most = 1_000): number {
  const cron = parse(text);
  let count = 0;
  for (let at = cron?.nextRun(since); at && at < until && count < most; at = cron?.nextRun(at)) count++;
  return count;
}

const workflowSchema = z.strictObject({
  name: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "is not lowercase words joined by hyphens"),
  description: z.string().min(1),
  params: z.record(z.string().regex(/^[a-z][a-z0-9_]*$/, "is not a lowercase word"), paramSchema).default({}),
  steps: z.array(stepSchema).min(1).max(maxSteps),
  /** For the agent's session that starts it. */
  instructions: z.string().trim().min(1).max(4_000).optional(),
  ...demandKeys,
  schedule: z.string().refine(isCron, "is no cron expression (minute hour day month weekday)").optional(),
});

export type Workflow = Readonly<z.output<typeof workflowSchema>> & {
  readonly path: string;
  /** Hex, of the file's text; the operator allows a schedule by it. */
  readonly sha256: string;
};

type ParsedWorkflow =
  | { readonly ok: true; readonly workflow: Workflow }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Reads a workflow; undeclared placeholders are problems too. Never throws. */
export function parseWorkflow(file: RepoFile): ParsedWorkflow {
  const parsed = parseFile(workflowSchema, file.text, file.path);
  if (!parsed.ok) return parsed;
  const { steps, params, schedule } = parsed.value;
  const undeclared = steps.flatMap(({ server, command }, index) =>
    [...placeholdersIn(server), ...placeholdersIn(command)]
      .filter((name) => !Object.hasOwn(params, name))
      .map((name) => ({
        path: ["steps", index],
        message: `\`{{${name}}}\` is not among \`params\``,
        remedy: "declare it",
      })),
  );
  // A scheduled run has no person to give values.
  const unfilled = Object.keys(params).filter((name) => schedule !== undefined && params[name]?.default === undefined);
  const findings = [
    ...undeclared,
    ...unfilled.map((name) => ({
      path: ["params", name],
      message: `\`${name}\` has no default, which a scheduled workflow needs`,
      remedy: "add `default:`",
    })),
  ];
  if (findings.length > 0) return { ok: false, problems: placeFindings(findings, file.path, parsed.locate) };
  const sha256 = createHash("sha256").update(file.text).digest("hex");
  return { ok: true, workflow: { ...parsed.value, path: file.path, sha256 } };
}

type FilledWorkflow =
  | { readonly ok: true; readonly steps: readonly Proposal[] }
  /** For the person who typed `/workflow`. */
  | { readonly ok: false; readonly refusals: readonly string[] };

/** None if there is no such server or group. */
export type ShellsOf = (place: string) => readonly Shell[];

/** Fills steps with `values` (typed as `key=value`), quoted: never more than a part of one word. Reports all mistakes at once. */
export function fillWorkflow(
  workflow: Workflow,
  values: Readonly<Record<string, string>>,
  shellsOf: ShellsOf,
): FilledWorkflow {
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
    const text = Object.hasOwn(values, key)
      ? values[key]
      : param.default === undefined
        ? undefined
        : String(param.default);
    const refusal = text === undefined ? missing(key, param) : refusalOf(key, text, param);
    if (refusal !== undefined) refusals.push(refusal);
    else if (text !== undefined) filled.set(key, text);
  }
  if (refusals.length > 0) return { ok: false, refusals };
  const given = (key: string) => filled.get(key) ?? "";
  const inWords = (text: string) => text.replace(placeholder, (_, key: string) => given(key));
  const steps = workflow.steps.map((step, index) => {
    const server = inWords(step.server);
    const { command: template, title, expect } = step;
    const shells = shellsOf(server);
    const misfits = new Set<string>();
    // All shells that may read it must read its values alike.
    const command = template.replace(placeholder, (whole, key: string, at: number) => {
      const gap = { before: template.slice(0, at), after: template.slice(at + whole.length) };
      const written = (shells.length === 0 ? allShells : shells).map((shell) => quoteRunbook(given(key), gap, shell));
      const [first] = written;
      const bad = written.find((one) => !one.ok);
      if (bad?.ok === false) misfits.add(`\`${key}\` ${bad.why}`);
      else if (written.some((one) => one.ok && first?.ok && one.text !== first.text))
        misfits.add(`\`${key}\` is quoted in one way for some of the servers and in another for others`);
      return first?.ok ? first.text : whole;
    });

    refusals.push(...[...misfits].map((misfit) => `${misfit} (step ${index + 1}, "${title}")`));
    const demand = demandIn(workflow);
    return { title: inWords(title), description, server, command, expect, ...(demand && { demands: [demand] }) };
  });
  return refusals.length > 0 ? { ok: false, refusals } : { ok: true, steps };
}

/** Returns a step's parameters. */
export const paramsOf = ({ server, command }: Workflow["steps"][number]): ReadonlySet<string> =>
  new Set([...placeholdersIn(server), ...placeholdersIn(command)]);

type Param = z.output<typeof paramSchema>;

const missing = (key: string, param: Param): string =>
  `\`${key}\` (${kindOf(param)}) is missing: write \`${key}=…\`${param.description === "" ? "" : `. ${param.description}`}`;

/** Describes what fits a parameter. */
export const kindOf = ({ type, enum: choices }: Pick<Param, "type" | "enum">): string =>
  choices ? `one of ${choices.join(", ")}` : { string: "text", number: "a number", boolean: "true or false" }[type];

function refusalOf(key: string, text: string, param: Param): string | undefined {
  const fits = (): boolean => {
    if (param.enum) return param.enum.map(String).includes(text);
    if (param.type === "number") return /^\d{1,15}(\.\d{1,9})?$/.test(text);
    return param.type === "string" || /^(true|false)$/.test(text);
  };
  return fits() ? undefined : `\`${key}\` must be ${kindOf(param)}`;
}

const placeholder = /\{\{\s*([a-z][a-z0-9_]*)\s*\}\}/g;
const placeholdersIn = (text: string): readonly string[] =>
  [...text.matchAll(placeholder)].map((match) => match[1] ?? "");
