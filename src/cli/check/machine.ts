import { accessSync, constants, existsSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { dirname } from "node:path";
import { messageOf, OperatorError, type Problem } from "../../base/errors.ts";
import { listenReason, nearUrl } from "../../base/listen.ts";
import { counted } from "../../base/words.ts";
import type { Config } from "../../config/values.ts";
import { appHeader } from "../../http/server.ts";
import { readNotary } from "../../store/audit/checkpoint.ts";
import type { CheckLook, ConfigLookKind } from "./look.ts";

export const filesLook: ConfigLookKind = {
  name: "files",
  restsOn: ["audit", "logging"],
  look: ({ config }) => lookAtFiles(config),
};

/** Checks the files the bot writes or signs with; otherwise a mistake shows only at a start, or an hour later. */
export function lookAtFiles({
  audit,
  logging,
  roles,
}: Pick<Config, "audit" | "logging" | "roles">): readonly CheckLook[] {
  // A process that only takes webhooks has neither.
  const { signingKeyFile, checkpointFile } = roles.some((role) => role !== "web") ? audit : noAudit;
  const problems: Problem[] = [];
  if (signingKeyFile !== undefined)
    try {
      readNotary(signingKeyFile);
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      problems.push(...error.problems);
    }
  if (checkpointFile !== undefined)
    problems.push(...placeFaults("audit.checkpoint_file", checkpointFile, dirname(checkpointFile)));
  // A start creates the log's folder.
  if (logging.file !== undefined)
    problems.push(...placeFaults("logging.file", logging.file, firstThere(dirname(logging.file))));
  const all = [signingKeyFile, checkpointFile, logging.file].filter((file) => file !== undefined);
  return [
    {
      name: "files",
      said: all.length === 0 ? "none for audit and log" : `${counted(all.length, "file")} for audit and log`,
      problems,
    },
  ];
}

const noAudit: Config["audit"] = {};

function placeFaults(place: string, file: string, folder: string): readonly Problem[] {
  try {
    if (!statSync(folder).isDirectory())
      return [{ place, message: `${folder} is no folder`, remedy: "name a file in one" }];
    accessSync(folder, constants.W_OK | constants.X_OK);
    if (!existsSync(file)) return [];
    if (statSync(file).isDirectory()) return [{ place, message: `${file} is a folder`, remedy: "name a file in it" }];
    accessSync(file, constants.W_OK);
    return [];
  } catch (error) {
    const remedy = "make the folder, and chown it to whoever runs the bot";
    return [{ place, message: `cannot be written: ${messageOf(error)}`, remedy }];
  }
}

/** The folder or its nearest existing parent. */
export function firstThere(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : firstThere(dirname(folder));
}

export const portLook: ConfigLookKind = {
  name: "port",
  restsOn: ["server", "github.app_id"],
  look: ({ config }) => lookAtPort(config),
};

/** Whether the port is free or this bot's. Never throws. */
export async function lookAtPort({
  server: { host, port },
  github: { appId },
}: Pick<Config, "server" | "github">): Promise<readonly CheckLook[]> {
  const name = "port";
  const at = `${host}:${port}`;
  const fault = (message: string, remedy: string): readonly CheckLook[] => [
    { name, said: `${at} ${message}`, problems: [{ place: "server.port", message: `${at} ${message}`, remedy }] },
  ];
  const refused = await new Promise<Error | undefined>((resolve) => {
    const server = createServer()
      .once("error", resolve)
      .listen(port, host, () => server.close(() => resolve(undefined)));
  });
  if (refused === undefined) return [{ name, said: `${at} is free` }];
  if (!isTaken(refused)) return fault(listenReason(refused), "correct `server.host` and `server.port`");
  const app = await appAt(host, port);
  if (app === String(appId)) return [{ name, said: `${at}: this bot is already running here` }];
  return app === undefined
    ? fault("is taken by another program", "`ss -ltnp` names it; end it, or set another `server.port`")
    : fault(`is taken by another Countersign bot, of App ${app}`, "set another `server.port` for one of the two");
}

const isTaken = (error: Error): boolean => "code" in error && error.code === "EADDRINUSE";

/** Undefined if another program listens. */
async function appAt(host: string, port: number): Promise<string | undefined> {
  const url = `${nearUrl({ host, port })}/livez`;
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(3_000), redirect: "manual" });
    const app = response.headers.get(appHeader);
    return app !== null && /^\d+$/.test(app) ? app : undefined;
  } catch {
    return undefined;
  }
}
