/** The sources of alerts: their secrets, and whether what is said of them fits the rest of the file. */

import { nearest, type SchemaFinding } from "../base/problems.ts";
import type { ProcessRole } from "../base/roles.ts";
import type { Gaps } from "./keep.ts";
import type { ParsedFile } from "./schema.ts";
import { fromFile, type Notes, readLines, type Sources } from "./secrets.ts";
import type { AlertSource, FileSide } from "./values.ts";

type Written = ParsedFile["alerts"]["sources"][string];

/** Which kinds can sign what they send; the others can only send the secret itself. */
const signing = ["grafana", "pagerduty", "json"];

/** Puts the secrets in. Only whoever answers at the door has them (SR-55). Never throws: what cannot be used is a finding. */
export function readAlertSources(
  { alerts, github }: ParsedFile,
  sides: FileSide["alerts"]["sources"],
  given: Sources & { readonly roles: readonly ProcessRole[]; readonly gaps: Gaps },
): Omit<Notes, "warnings"> & { readonly sources: Readonly<Record<string, AlertSource>> } {
  const notes = { files: [] as string[], findings: [] as SchemaFinding[] };
  // Of names that point into a gap nothing is said.
  const names = given.gaps.has("github") ? undefined : github.repositories.map(({ name }) => name);
  const sources = Object.entries(sides).map(([name, { secretFile, auth, ...side }]) => {
    const written = alerts.sources[name];
    const read = given.roles.includes("web") && written ? readSecrets(name, written, given) : undefined;
    notes.files.push(...(read?.files ?? []));
    notes.findings.push(...(read?.findings ?? []), ...(written ? misfits(name, written, names) : []));
    const source = {
      ...side,
      auth: auth ?? (side.kind === "pagerduty" ? "hmac" : "bearer"),
      secrets: read?.value ?? [],
    };
    return [name, source] as const;
  });
  return { ...notes, sources: Object.fromEntries(sources) };
}

function readSecrets(name: string, { secret_file }: Written, given: Sources) {
  const read = fromFile(secret_file, ["alerts", "sources", name, "secret_file"], given);
  return read.value ? readLines(read, read.value, { name: "secret", where: "at the source" }) : { ...read, value: [] };
}

function misfits(name: string, source: Written, repositories: readonly string[] | undefined): readonly SchemaFinding[] {
  const path = ["alerts", "sources", name];
  const { repository, auth, kind, timestamp_header: timestamp } = source;
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
  if (auth === "hmac" && !signing.includes(kind))
    found.push({ path: [...path, "auth"], message: `${kind} does not sign`, remedy: "write `bearer` or `basic`" });
  if (timestamp !== undefined && (kind !== "grafana" || auth !== "hmac"))
    found.push({ path: [...path, "timestamp_header"], message: "it is for Grafana with `auth: hmac`" });
  return found;
}
