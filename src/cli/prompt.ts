import { basename, resolve } from "node:path";
import * as z from "zod";
import { toolSpecs } from "../agent/tools.ts";
import { wireTools } from "../agent/wire/shapes.ts";
import { OperatorError } from "../base/errors.ts";
import { parseJson } from "../base/json.ts";
import { schemaFindings } from "../base/problems.ts";
import { counted } from "../base/words.ts";
import { defaultConfig } from "../config/load.ts";
import type { Config } from "../config/values.ts";
import { rulesFor } from "../features/context.ts";
import {
  approvalRules,
  buildRequest,
  placeRules,
  type SystemPrompt,
  type ToolMakers,
} from "../features/turn/prompt.ts";
import { runbooksOf } from "../features/turn/runbooks.ts";
import { componentFolders, componentPlan, repositoryPlan } from "../github/context/plan.ts";
import { readContext, readInstructions } from "../github/context/read.ts";
import { type Component, contextNames } from "../github/context/source.ts";
import { pillars } from "../store/incidents.ts";
import { redactText } from "../text/bare.ts";
import { createRedactor } from "../text/redact.ts";
import { readCheckout } from "./checkout.ts";
import { readNamedFile } from "./places.ts";

export interface PromptOptions {
  readonly repo: string;
  /**
   * JSON with `title`, `body`, `labels`, `number`, `note` (after /investigate), `part_1` (after /prompt set), `pillar`; or text that begins
   * with the title.
   */
  readonly issue: string;
  readonly config: Config | undefined;
}

export interface AssembledPrompt extends Pick<SystemPrompt, "text" | "sha256" | "sections" | "notes"> {
  readonly tools: ReturnType<typeof wireTools>;
  /** Estimated, in all. */
  readonly tokens: number;
  readonly milliseconds: { readonly read: number; readonly assemble: number };
}

const issueSchema = z.object({
  number: z.int().positive().default(1),
  title: z.string(),
  body: z.string().nullish(),
  labels: z.array(z.union([z.string(), z.object({ name: z.string() })])).default([]),
  note: z.string().optional(),
  part_1: z.string().optional(),
  pillar: z.enum(pillars).default("troubleshoot"),
});

/** An issue's first prompt and tools, by the function that sends them (OP-1, INJ-5). Throws an `OperatorError` if a file is unreadable. */
export async function assemblePrompt({ repo, issue: file, config }: PromptOptions): Promise<AssembledPrompt> {
  const settings = config ?? defaultConfig();
  const issue = readIssue(file);
  const names = contextNames(settings);
  const started = performance.now();
  const context = readContext({ repository: readCheckout(repo, repositoryPlan(names)) }, names);
  const folders = componentFolders(issue, settings.incident.componentLabel);
  const component: Component = {
    folders,
    ...(folders.length > 0 && names.filenames.length > 0
      ? readInstructions(readCheckout(repo, componentPlan(folders, names)))
      : { instructions: [], notes: [] }),
  };
  const read = performance.now();
  const all = runbooksOf(context, () => {});
  const runbooks = settings.features.skills ? all : { ...all, skills: [] };
  const folder = basename(resolve(repo));
  const known = config?.repositories.find(({ name }) => name.split("/")[1] === folder);
  const rules = config && known ? rulesFor({ config }, known.name, context) : undefined;
  const { prompt, tools } = buildRequest(
    {
      config: settings,
      incident: { ...issue, repo: known?.name ?? folder },
      session: {
        nonce: "0000",
        pillar: issue.pillar,
        instructions: issue.note === undefined ? [] : [{ source: "@you", text: issue.note }],
      },
      personPrompt: issue.part_1 === undefined ? undefined : { login: "you", text: issue.part_1 },
      context,
      component,
      runbooks,
      records: new Map(),
      servers: rules?.servers ?? [],
      approvals: rules && approvalRules(rules.policy),
      places: rules && placeRules(rules, new Date()),
      repoNonce: "0000",
    },
    nobodyCalls,
  );
  const milliseconds = { read: read - started, assemble: performance.now() - read };
  const shared = settings.context.organizationRepo;
  const unread = shared === undefined ? [] : [`${shared} is not read here: only the bot can`];
  const faults = [...runbooks.problems, ...runbooks.warnings].map(({ place, message }) => `${place} ${message}`);
  const { sha256, sections } = prompt;
  return {
    text: redactText(createRedactor({ secrets: [] }), prompt.text),
    tools: wireTools(toolSpecs(tools)),
    sha256,
    sections,
    tokens: sections.reduce((sum, section) => sum + section.tokens, 0),
    notes: [...unread, ...prompt.notes, ...faults],
    milliseconds,
  };
}

const never = async (): Promise<never> => {
  throw new Error("no model is asked here");
};
const nobodyCalls: ToolMakers = {
  createTools: () => ({
    useSkill: never,
    readOutput: never,
    updatePlan: never,
    feedbackHistory: never,
    startWorkflow: never,
  }),
  createDelegate: () => never,
};

function readIssue(file: string) {
  const text = readNamedFile(file, "name the file with the issue");
  const given = file.endsWith(".json") ? parseJson(text) : undefined;
  const json = file.endsWith(".json") ? issueSchema.safeParse(given) : undefined;
  if (json && !json.success) {
    const [first] = schemaFindings(issueSchema, given, json.error.issues);
    const message = given === undefined ? "is no JSON" : (first?.message ?? "is no issue");
    throw new OperatorError({ place: file, message, remedy: 'write { "title", "body", "labels" }' });
  }
  const [title = "", ...body] = text.split("\n");
  const { labels, ...issue } =
    json?.data ?? issueSchema.parse({ title: title.replace(/^#+\s*/, ""), body: body.join("\n") });
  return {
    ...issue,
    body: issue.body ?? "",
    labels: labels.map((label) => (typeof label === "string" ? label : label.name)),
  };
}

/** For people. */
export function describePrompt({
  text,
  tools,
  sha256,
  sections,
  tokens,
  notes,
  milliseconds,
}: AssembledPrompt): string {
  const rows = sections.map(({ name, source, sha256: hash, tokens: size }) =>
    [name.padEnd(21), String(size).padStart(7), hash.slice(0, 12), source].join("  "),
  );
  const { read, assemble } = milliseconds;
  return [
    ["section".padEnd(21), " tokens", "sha256".padEnd(12), "source"].join("  "),
    ...rows,
    `${counted(sections.length, "section")}, ${tokens} tokens (estimated), sha256 ${sha256}`,
    `read in ${read.toFixed(1)} ms, assembled in ${assemble.toFixed(1)} ms`,
    ...notes.map((note) => `! ${note}`),
    "",
    text,
    "",
    `${tools.length} tools are sent with it:`,
    ...tools.map((tool) => JSON.stringify(tool)),
  ].join("\n");
}
