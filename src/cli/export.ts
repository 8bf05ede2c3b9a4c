import { OperatorError } from "../base/errors.ts";
import { jsonLines, parseJson } from "../base/json.ts";
import type { Server } from "../base/server.ts";
import { surveyConfig } from "../config/load.ts";
import { serversFor } from "../config/values.ts";
import { incidentRecordSchema, type ServerRecord } from "../features/replay/outcome.ts";
import { serverNamedBy } from "../runbooks/target.ts";
import { createRedactor } from "../text/redact.ts";
import { askStore } from "./local.ts";
import { momentIn } from "./options.ts";

/**
 * Prints closed incidents for a replay, redacted: the servers, then an incident a line, oldest first. Omits those that cannot be redacted
 * and reports them on standard error. Throws an `OperatorError` for an unserved repository.
 */
export async function exportIncidents(options: {
  readonly config?: string | undefined;
  /** `owner/name` */
  readonly repo: string;
  readonly since?: string | undefined;
}): Promise<void> {
  const survey = surveyConfig({ file: options.config });
  const config = survey.ok ? survey.config : survey.rest?.config;
  // Mistakes in repositories and servers matter, missing secrets do not.
  const isWhole = survey.ok || ["servers", "github"].every((section) => !survey.rest?.gaps.has(section));
  if (!config || !isWhole) throw new OperatorError(survey.ok ? [] : survey.problems);
  const known = config.repositories.find(({ name }) => name.toLowerCase() === options.repo.toLowerCase());
  if (!known)
    throw new OperatorError({
      place: "--repo",
      message: `the bot does not serve ${options.repo}`,
      remedy: `name one of: ${config.repositories.map(({ name }) => name).join(", ")}`,
    });
  const servers = serversFor(config, known.name);
  console.log(JSON.stringify({ repo: known.name, servers: servers.map(recordOf) }));
  const redact = createRedactor();
  const clean = (value: unknown): unknown => {
    if (typeof value === "string") {
      const redacted = redact(value);
      if (!redacted.ok) throw new Error(redacted.reason);
      return redacted.text;
    }
    if (Array.isArray(value)) return value.map(clean);
    return value;
  };
  const since = momentIn("--since", options.since)?.toISOString();
  for await (const line of jsonLines(askStore(options, { ask: "incidents", repo: known.name, since }))) {
    const { number, title, body, values, helped } = incidentRecordSchema.parse(parseJson(line));
    try {
      const server = serverNamedBy(values, servers);
      const kept = values.map(({ value, ...rest }) => ({ ...rest, value: clean(value) }));
      const record = { number, title: clean(title), body: clean(body), values: kept, server, helped: clean(helped) };
      console.log(JSON.stringify(record));
    } catch (error) {
      console.error(
        `left out #${number}: it cannot be redacted (${error instanceof Error ? error.message : "unknown"})`,
      );
    }
  }
}

const recordOf = ({
  name,
  os,
  shell,
  env,
  groups,
  maxRisk,
  protectedPaths,
  criticalServices,
}: Server): ServerRecord => ({
  name,
  os,
  shell,
  ...(env === undefined ? {} : { env }),
  groups: [...groups],
  maxRisk,
  protectedPaths: [...protectedPaths],
  ...(criticalServices === undefined ? {} : { criticalServices: [...criticalServices] }),
});
