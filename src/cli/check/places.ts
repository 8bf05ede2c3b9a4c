import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import * as z from "zod";
import type { AlertKind } from "../../alert/alert.ts";
import { messageOf, OperatorError } from "../../base/errors.ts";
import { parseFile } from "../../base/problems.ts";
import { alertKinds } from "../../config/alert-schema.ts";
import { type Config, environment, storeUrlOf } from "../../config/load.ts";
import { configSchema } from "../../config/schema.ts";
import { toProgramSide } from "../../config/shape.ts";

const ownFile = "name the bot's own file with --config FILE or COUNTERSIGN_CONFIG";

const orLeftOut = <S extends z.ZodType>(section: S) => z.preprocess((value) => value ?? undefined, section);

type Section = "server" | "audit" | "alerts" | "github";

/** A fault in a section that is not asked for is of no matter: the kill switch works with any file that tells where the store is. */
function placesSchema(asked: readonly Section[]) {
  const needed = <S extends z.ZodType>(section: Section, schema: S, otherwise: z.output<S>) =>
    asked.includes(section) ? schema : schema.catch(otherwise);
  const source = z.object({ kind: z.enum(alertKinds) });
  return z.object({
    store: orLeftOut(configSchema.shape.store),
    server: needed("server", z.object({ public_url: z.url().optional() }).nullish(), undefined),
    audit: needed("audit", orLeftOut(configSchema.shape.audit), configSchema.shape.audit.parse(undefined)),
    alerts: needed("alerts", z.object({ sources: z.record(z.string(), source).nullish() }).nullish(), undefined),
    github: needed(
      "github",
      z.object({ repositories: z.array(z.object({ name: z.string() })).default([]) }).prefault({}),
      { repositories: [] },
    ),
  });
}

/**
 * Of the operator's file only where the store is and what stands in the sections `asked` for: whoever acts in haste, or keeps the
 * records, has no secrets at hand (SR-55).
 */
export function readPlaces(
  given: string | undefined,
  ...asked: readonly Section[]
): {
  readonly storeUrl: string;
  readonly repositories: readonly string[];
  /** Where the audit's key and checkpoint are, if anywhere. */
  readonly audit: Config["audit"];
  /** Where people reach the pages of passkeys; nothing where the file does not say. */
  readonly publicUrl: string | undefined;
  /** The sources of alerts, and how each speaks. */
  readonly alertKinds: ReadonlyMap<string, AlertKind>;
} {
  const file = resolve(given || environment().COUNTERSIGN_CONFIG || "countersign.yml");
  const parsed = parseFile(placesSchema(asked), readNamedFile(file, ownFile), file);
  if (!parsed.ok) throw new OperatorError(parsed.problems);
  const { store, server, audit, alerts, github } = parsed.value;
  return {
    storeUrl: storeUrlOf(store.url, file),
    repositories: github.repositories.map(({ name }) => name),
    audit: toProgramSide(configSchema.shape.audit, audit, file),
    publicUrl: server?.public_url,
    alertKinds: new Map(Object.entries(alerts?.sources ?? {}).map(([name, { kind }]) => [name, kind])),
  };
}

/** The text of a file that somebody has named. Throws an `OperatorError` where it cannot be read. */
export function readNamedFile(file: string, remedy?: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new OperatorError({ place: file, message: `cannot be read: ${messageOf(error, file)}`, remedy });
  }
}
