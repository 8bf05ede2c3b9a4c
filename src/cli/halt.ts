import { readFileSync } from "node:fs";
import { userInfo } from "node:os";
import { resolve } from "node:path";
import * as z from "zod";
import { environment } from "../config.ts";
import { configSchema } from "../config-schema.ts";
import { messageOf, OperatorError } from "../errors.ts";
import {
  type HaltEntry,
  haltFileOf,
  readHaltFile,
  type SwitchState,
  writeHaltFile,
  writeHaltTable,
} from "../jobs/halt.ts";
import { openStore } from "../store/database.ts";
import { parseYaml } from "../yaml.ts";

interface Options {
  readonly config?: string | undefined;
  readonly repo?: string | undefined;
}

interface HaltOptions extends Options {
  /** Also ends the commands that run. */
  readonly kill?: boolean | undefined;
}

/** Stops the bot, or its work for one repository, from running anything, also while it runs (SR-68); in words. */
export const halt = (options: HaltOptions): Promise<string> =>
  turn(options, { halted: true, kill: options.kill ?? false });

/** Takes a halt back. That of the whole bot and that of a repository are taken back each on its own; in words. */
export const resume = (options: Options): Promise<string> => turn(options, { halted: false, kill: false });

async function turn(options: Options, word: Pick<HaltEntry, "halted" | "kill">): Promise<string> {
  const { storeUrl, repositories } = readPlaces(options.config);
  const scope = scopeOf(repositories, options.repo);
  const entry = { scope, ...word, by: ownName(), at: new Date().toISOString() };
  const file = haltFileOf(storeUrl);
  if (file === undefined) await turnOnServer(storeUrl, entry);
  else await writeHaltFile(file, withEntry(await readHaltFile(file), entry, file));
  const what = scope === "*" ? "the whole bot" : scope;
  if (!word.halted) return `${what} is resumed: what was approved before must be approved anew`;
  const running = word.kill ? "what runs is being ended" : "what runs goes on (--kill ends it too)";
  return `${what} is halted: nothing is approved or run until it is resumed; ${running}`;
}

/** A switch that cannot be read halts everything, so only a word on everything may replace it. */
function withEntry(state: SwitchState, entry: HaltEntry, file: string): readonly HaltEntry[] {
  if (state.kind === "read") return [...state.entries.filter(({ scope }) => scope !== entry.scope), entry];
  if (entry.scope === "*") return [entry];
  const message = `the kill switch cannot be read, so everything is halted: ${state.reason}`;
  throw new OperatorError([
    { place: file, message, remedy: "`halt` or `resume` without --repo writes it anew; then name each repository" },
  ]);
}

async function turnOnServer(url: string, entry: HaltEntry): Promise<void> {
  const store = await openStore(url);
  try {
    await store.transaction((tx) => writeHaltTable(tx, entry));
  } finally {
    await store.close();
  }
}

const placesSchema = z.object({
  store: z.preprocess((value) => value ?? undefined, configSchema.shape.store),
  github: z.object({ repositories: z.array(z.object({ name: z.string() })).default([]) }).prefault({}),
});

/** Of the operator's file only what the switch needs: whoever halts in haste has no secrets in their environment. */
function readPlaces(given: string | undefined): {
  readonly storeUrl: string;
  readonly repositories: readonly string[];
} {
  const file = resolve(given || environment().COUNTERSIGN_CONFIG || "countersign.yml");
  const yaml = parseYaml(readText(file), file);
  if (!yaml.ok) throw new OperatorError(yaml.problems);
  const parsed = placesSchema.safeParse(yaml.value ?? {});
  if (!parsed.success) throw new OperatorError([{ place: file, message: z.prettifyError(parsed.error) }]);
  const { store, github } = parsed.data;
  return { storeUrl: absolute(store.url, file), repositories: github.repositories.map(({ name }) => name) };
}

/** As config.ts has it for the bot: the folder is meant from the file's own. */
const absolute = (url: string, file: string): string =>
  url.startsWith("file:") ? `file:${resolve(file, "..", url.slice("file:".length).replace(/^\/\/(?=\/)/, ""))}` : url;

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const remedy = "name the bot's own file with --config FILE or COUNTERSIGN_CONFIG";
    throw new OperatorError([{ place: file, message: `cannot be read: ${messageOf(error)}`, remedy }]);
  }
}

function scopeOf(repositories: readonly string[], repo: string | undefined): string {
  if (repo === undefined) return "*";
  const known = repositories.find((name) => name.toLowerCase() === repo.toLowerCase());
  if (known !== undefined) return known;
  throw new OperatorError([
    {
      place: "--repo",
      message: `the bot does not work for ${repo}`,
      remedy: `one of: ${repositories.join(", ") || "none"}`,
    },
  ]);
}

/** Who halts, as the operating system knows them. */
const ownName = (): string =>
  userInfo()
    .username.replace(/[^\p{L}\p{N} ._-]/gu, "-")
    .slice(0, 64) || "somebody";
