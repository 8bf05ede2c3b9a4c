import * as z from "zod";
import { type AlertKind, alertSourceOf, alertSources } from "../alert/sources.ts";
import { nearest, type SchemaFinding } from "../base/problems.ts";
import type { ProcessRole } from "../base/roles.ts";
import type { Gaps } from "./keep.ts";
import type { ParsedFile } from "./schema.ts";
import { durationKey, path, repositoryName } from "./schema-leaves.ts";
import { fromFile, type Notes, readLines, type Sources } from "./secrets.ts";
import type { AlertSource, FileSide } from "./values.ts";

const alertKinds = Object.keys(alertSources) as AlertKind[];

/** See docs/alerts.md. */
const alertSourceSchema = z.strictObject({
  kind: z.enum(alertKinds),
  repository: repositoryName,
  secret_file: path(),
  /** By default the first that the product supports. */
  auth: z.enum(["bearer", "basic", "hmac"]).optional(),
  /** The header with the signed time. */
  timestamp_header: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,64}$/, "is not the name of a header")
    .optional(),
  reopen_within: durationKey("24h"),
  issues_per_hour: z.int().min(1).max(500).default(20),
  messages_per_minute: z.int().min(1).max(10_000).default(300),
  max_body_kb: z.int().min(1).max(10_240).default(1_024),
});
const sourceName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,39}$/, "cannot name a source: a lower-case letter, then letters, digits and `-`");

export const alertSourcesSchema = z.record(sourceName, alertSourceSchema).default({});

/** Adds the secrets, which only the web role has (SR-55). Never throws: mistakes are findings. */
export function readAlertSources(
  { alerts, github }: ParsedFile,
  sides: FileSide["alerts"]["sources"],
  given: Sources & { readonly roles: readonly ProcessRole[]; readonly gaps: Gaps },
): Omit<Notes, "warnings"> & { readonly sources: Readonly<Record<string, AlertSource>> } {
  const files: string[] = [];
  const findings: SchemaFinding[] = [];
  const names = given.gaps.has("github") ? undefined : github.repositories.map(({ name }) => name);
  const sources = Object.entries(sides).map(([name, { secretFile, auth, ...side }]) => {
    const written = alerts.sources[name];
    let secrets: readonly string[] = [];
    if (written && given.roles.includes("web")) {
      const read = fromFile(written.secret_file, ["alerts", "sources", name, "secret_file"], given);
      const lines = read.value
        ? readLines(read, read.value, { name: "secret", where: "at the source" })
        : { ...read, value: [] };
      secrets = lines.value;
      files.push(...lines.files);
      findings.push(...lines.findings);
    }
    if (written) findings.push(...misfits(name, written, names));
    return [name, { ...side, auth: auth ?? alertSourceOf(side.kind).auth[0], secrets }] as const;
  });
  return { files, findings, sources: Object.fromEntries(sources) };
}

function misfits(
  name: string,
  { repository, auth, kind, timestamp_header: timestamp }: ParsedFile["alerts"]["sources"][string],
  repositories: readonly string[] | undefined,
): readonly SchemaFinding[] {
  const path = ["alerts", "sources", name];
  const { auth: supported, signature } = alertSourceOf(kind);
  const found: SchemaFinding[] = [];
  if (repositories && !repositories.some((one) => one.toLowerCase() === repository.toLowerCase())) {
    const near = nearest(repository, repositories);
    const remedy = near ? `did you mean \`${near}\`?` : "add it there";
    found.push({
      path: [...path, "repository"],
      message: `\`${repository}\` is not among github.repositories`,
      remedy,
    });
  }
  if (auth !== undefined && !supported.includes(auth)) {
    const remedy = `write ${supported.map((one) => `\`${one}\``).join(" or ")}`;
    const message = auth === "hmac" ? `${kind} does not sign` : `${kind} does not send \`${auth}\``;
    found.push({ path: [...path, "auth"], message, remedy });
  }
  if (timestamp !== undefined && (!signature?.isTimed || auth !== "hmac")) {
    const timed = alertKinds
      .flatMap((one) => (alertSourceOf(one).signature?.isTimed ? alertSourceOf(one).title : []))
      .join(" or ");
    found.push({ path: [...path, "timestamp_header"], message: `it is for ${timed} with \`auth: hmac\`` });
  }
  return found;
}
