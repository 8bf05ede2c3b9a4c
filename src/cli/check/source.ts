import { readFileSync } from "node:fs";
import type { Server } from "../../base/server.ts";
import { createSources, type SourceRunner, writeQuery } from "../../sources/run.ts";
import { createCapture } from "../../ssh/capture.ts";
import type { CheckLook } from "./look.ts";

/** What `check` looks at a source with. */
export const sourceRunner = (): SourceRunner =>
  createSources({
    readToken: (tokenFile) => readFileSync(tokenFile, "utf8").trim(),
    createCapture: () => createCapture(4096),
    freshMs: Number.POSITIVE_INFINITY,
  });

/** Asks for real whether it answers queries. Never throws. */
export async function lookAtSource(sources: SourceRunner, server: Server): Promise<Omit<CheckLook, "name">> {
  const wrapped = writeQuery({
    call: "query",
    query: "vector(1)",
    ...(server.source?.kind === "loki" && { limit: 1 }),
  });
  const reservation = await sources.reserve({ server, wrapped }, new AbortController().signal);
  const result = await reservation.send(Date.now(), {});
  const ending = result === "stale" ? undefined : result.ending;
  if (ending?.kind === "exited" && ending.code === 0) return { said: `${server.source?.url} answers queries` };
  const printed = result === "stale" ? "" : Buffer.from(result.capture.head).toString("utf8").trim();
  const message = ending?.kind === "unreachable" ? ending.reason : printed || `it did not answer (${ending?.kind})`;
  const remedy = "check `url`, `ca_file` and `token_file`";
  return { said: message, problems: [{ place: `sources.${server.name}`, message, remedy }] };
}
