import * as z from "zod";
import { pagerNames, pagerOf } from "../alert/pagers.ts";
import { type AlertKind, alertSourceOf, alertSources } from "../alert/sources.ts";
import { nearest, type SchemaFinding } from "../base/problems.ts";
import type { ProcessRole } from "../base/roles.ts";
import type { Gaps } from "./keep.ts";
import type { ParsedFile } from "./schema.ts";
import { fromEnv, fromFile, type Notes, readLines, type Sources } from "./secrets.ts";
import { durationKey, path, repositoryName } from "./shape.ts";
import type { AlertSource, FileSide } from "./values.ts";

const alertKinds = Object.keys(alertSources) as AlertKind[];

/** Of the source's alerts. */
const answerSchema = z.strictObject({
  pager: z.enum(pagerNames),
  key_file: path().optional(),
  /** For trials. */
  key_env: z.string().min(1).optional(),
  /** One of the pager's. */
  url: z.string().optional(),
  /** `/close` resolves the alert there. */
  resolve: z.boolean().default(false),
});

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
  answer: answerSchema.optional(),
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
): Notes & { readonly sources: Readonly<Record<string, AlertSource>> } {
  const files: string[] = [];
  const warnings: SchemaFinding[] = [];
  const findings: SchemaFinding[] = [];
  const names = given.gaps.has("github") ? undefined : github.repositories.map(({ name }) => name);
  const sources = Object.entries(sides).map(([name, { secretFile, auth, answer, ...side }]) => {
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
    const told = readAnswer(written?.answer, ["alerts", "sources", name, "answer"], given);
    files.push(...told.files);
    findings.push(...told.findings);
    warnings.push(...told.warnings);
    return [name, { ...side, auth: auth ?? alertSourceOf(side.kind).auth[0], secrets, answer: told.value }] as const;
  });
  return { files, findings, warnings, sources: Object.fromEntries(sources) };
}

/** A test's pager. */
const loopback = /^http:\/\/127\.0\.0\.1:\d{1,5}\//;

/** Undefined without an entry, or if this process tells no pager. */
function readAnswer(
  written: z.output<typeof answerSchema> | undefined,
  path: readonly string[],
  given: Sources & { readonly roles: readonly ProcessRole[] },
): Notes & { readonly value: AlertSource["answer"] } {
  if (!written || !given.roles.includes("agent")) return { files: [], findings: [], warnings: [], value: undefined };
  const { pager, key_file: keyFile, key_env: keyEnv, url, resolve } = written;
  const { urls, secret, title } = pagerOf(pager);
  const key = keyFile === undefined ? "key_env" : "key_file";
  const read =
    keyFile === undefined ? fromEnv(keyEnv ?? "", [...path, key], given) : fromFile(keyFile, [...path, key], given);
  const text = read.value?.text.trim();
  const findings = [...read.findings];
  if (keyFile === undefined && keyEnv === undefined)
    findings.push({ path, message: `\`${pager}\` needs a \`key_file\` with the ${secret.name}` });
  else if (text === undefined && keyFile === undefined)
    findings.push({
      path: [...path, key],
      message: `the environment has no ${keyEnv}`,
      remedy: "set it, or use key_file",
    });
  else if (text !== undefined && !secret.form.test(text))
    findings.push({
      path: [...path, key],
      message: `it holds no ${secret.name}, which is ${secret.words}`,
      remedy: `copy it from the integration at ${title}`,
    });
  if (url !== undefined && !urls.includes(url) && !loopback.test(url))
    findings.push({
      path: [...path, "url"],
      message: `it is no address of ${title}`,
      remedy: `write ${urls.join(" or ")}`,
    });
  return {
    ...read,
    findings,
    value:
      text !== undefined && secret.form.test(text) ? { pager, secret: text, url: url ?? urls[0], resolve } : undefined,
  };
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
