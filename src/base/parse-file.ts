import type * as z from "zod";
import type { Problem } from "./errors.ts";
import { placeFindings, schemaFindings } from "./problems.ts";
import { type FilePlace, parseYaml } from "./yaml.ts";

type FileParsed<T> =
  | {
      readonly ok: true;
      readonly value: T;
      /** Where a key of it stands in the file. */
      readonly locate: (path: readonly PropertyKey[]) => FilePlace;
    }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Reads a YAML file by its schema; an empty one is a mapping without keys. Every problem has its place. Never throws. */
export function parseFile<T>(schema: z.ZodType<T>, text: string, file: string): FileParsed<T> {
  const yaml = parseYaml(text, file);
  if (!yaml.ok) return yaml;
  const value = yaml.value ?? {};
  const parsed = schema.safeParse(value);
  if (parsed.success) return { ok: true, value: parsed.data, locate: yaml.locate };
  return { ok: false, problems: placeFindings(schemaFindings(schema, value, parsed.error.issues), file, yaml.locate) };
}
