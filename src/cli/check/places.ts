import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import * as z from "zod";
import { messageOf, OperatorError } from "../../base/errors.ts";
import { parseYaml } from "../../base/yaml.ts";
import { type Config, environment } from "../../config/load.ts";
import { configSchema } from "../../config/schema.ts";
import { toProgramSide } from "../../config/shape.ts";

const orLeftOut = <S extends z.ZodType>(section: S) => z.preprocess((value) => value ?? undefined, section);

const placesSchema = z.object({
  store: orLeftOut(configSchema.shape.store),
  audit: orLeftOut(configSchema.shape.audit),
  github: z.object({ repositories: z.array(z.object({ name: z.string() })).default([]) }).prefault({}),
});

/** Of the operator's file only where things are: whoever acts in haste, or keeps the records, has no secrets at hand (SR-55). */
export function readPlaces(given: string | undefined): {
  readonly storeUrl: string;
  readonly repositories: readonly string[];
  /** Where the audit's key and checkpoint are, if anywhere. */
  readonly audit: Config["audit"];
} {
  const file = resolve(given || environment().COUNTERSIGN_CONFIG || "countersign.yml");
  const yaml = parseYaml(readText(file), file);
  if (!yaml.ok) throw new OperatorError(yaml.problems);
  const parsed = placesSchema.safeParse(yaml.value ?? {});
  if (!parsed.success) throw new OperatorError([{ place: file, message: z.prettifyError(parsed.error) }]);
  const { store, audit, github } = parsed.data;
  return {
    storeUrl: absolute(store.url, file),
    repositories: github.repositories.map(({ name }) => name),
    audit: toProgramSide(configSchema.shape.audit, audit, file),
  };
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
