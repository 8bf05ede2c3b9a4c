import { readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import * as z from "zod";
import type { Config } from "../config.ts";
import { configSchema } from "../config-schema.ts";
import { toProgramSide } from "../config-shape.ts";
import { serversFor } from "../config-values.ts";
import { counted } from "../counted.ts";
import { messageOf, OperatorError } from "../errors.ts";
import { type Component, contextNames } from "../github/context.ts";
import { componentFolders, componentPlan, repositoryPlan } from "../github/context-plan.ts";
import { readContext, readInstructions } from "../github/context-read.ts";
import { buildSystemPrompt, type SystemPrompt } from "../jobs/prompt.ts";
import { runbooksOf } from "../jobs/runbooks.ts";
import { summaryOf } from "../jobs/turn-tools.ts";
import { buildMenu } from "../runbooks/menu.ts";
import { pillars } from "../store/schema.ts";
import { readCheckout } from "./checkout.ts";

export interface PromptOptions {
  /** A checked-out repository. */
  readonly repo: string;
  /**
   * A JSON file with `title`, `body`, `labels`, `number`, and what people say to the bot: `note` (text after /investigate),
   * `part_1` (text after /prompt set), `pillar`. Or a text whose first line is the title.
   */
  readonly issue: string;
  readonly config: Config | undefined;
}

export interface AssembledPrompt extends Pick<SystemPrompt, "text" | "sha256" | "sections" | "notes"> {
  /** Estimated, of the whole. */
  readonly tokens: number;
  /** What reading the files took, and what assembling them took. */
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

/** The system prompt the bot would send for this issue at its first turn, and what it is made of (OP-1, INJ-5). Throws an OperatorError where the files cannot be read. */
export async function assemblePrompt({ repo, issue: file, config }: PromptOptions): Promise<AssembledPrompt> {
  const settings = config ?? toProgramSide(configSchema, configSchema.parse({}), "countersign.yml");
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
  const menu = buildMenu(runbooks.skills, issue);
  const folder = basename(resolve(repo));
  const known = config?.repositories.find(({ name }) => name.split("/")[1] === folder);
  const servers = config && known ? serversFor(config, known.name).map(summaryOf) : [];
  const prompt = buildSystemPrompt({
    config: settings,
    incident: { repo: known?.name ?? folder, number: issue.number },
    session: {
      nonce: "0000",
      pillar: issue.pillar,
      instructions: issue.note === undefined ? [] : [{ source: "/investigate", text: issue.note }],
    },
    personPrompt: issue.part_1 === undefined ? undefined : { login: "you", text: issue.part_1 },
    context,
    component,
    runbooks,
    menu,
    servers,
    tools: {
      listServers: () => servers,
      skillNames: menu.map(({ name }) => name),
      useSkill: async () => undefined,
      readOutput: async () => "",
      mayPropose: true,
      mayAsk: false,
    },
  });
  const milliseconds = { read: read - started, assemble: performance.now() - read };
  const shared = settings.context.organizationRepo;
  const unread = shared === undefined ? [] : [`${shared} is not read here: only the bot can`];
  const faults = [...runbooks.problems, ...runbooks.warnings].map(({ place, message }) => `${place} ${message}`);
  const { text, sha256, sections } = prompt;
  const tokens = sections.reduce((sum, section) => sum + section.tokens, 0);
  return { text, sha256, sections, tokens, notes: [...unread, ...prompt.notes, ...faults], milliseconds };
}

function readIssue(file: string) {
  const text = readText(file);
  const json = file.endsWith(".json") ? issueSchema.safeParse(parseJson(text)) : undefined;
  if (json && !json.success)
    throw new OperatorError([
      { place: file, message: z.prettifyError(json.error), remedy: 'write { "title", "body", "labels" }' },
    ]);
  const [title = "", ...body] = text.split("\n");
  const { labels, ...issue } =
    json?.data ?? issueSchema.parse({ title: title.replace(/^#+\s*/, ""), body: body.join("\n") });
  return {
    ...issue,
    body: issue.body ?? "",
    labels: labels.map((label) => (typeof label === "string" ? label : label.name)),
  };
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new OperatorError([{ place: file, message: `cannot be read: ${messageOf(error)}` }]);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // What is no JSON has none of the fields either, and that is what is said.
    return undefined;
  }
}

/** For people: what the prompt is made of, then the prompt itself as it would be sent. */
export function describePrompt({ text, sha256, sections, tokens, notes, milliseconds }: AssembledPrompt): string {
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
  ].join("\n");
}
