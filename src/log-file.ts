import { readdirSync, rmSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import roll from "pino-roll";
import { messageOf } from "./errors.ts";

/** A day in milliseconds. */
const dayMs = 24 * 3_600_000;
const lookEveryMs = 3_600_000;

export interface LogFile {
  readonly write: (line: string) => void;
  /** Writes what is left and lets go of the file. */
  readonly close: () => Promise<void>;
}

/**
 * The log's file, a new one each day and whenever one is full (S14.9): `countersign.log` becomes
 * `countersign.2026-02-11.1.log`, `….2.log` and so on, mode 0600. Files older than `maxDays` are removed, those of earlier
 * starts too, which pino-roll's own limit forgets. A disk that cannot be written is told to `onError`, and the bot goes on.
 */
export async function openLogFile(
  file: string,
  rotation: { readonly maxDays: number; readonly maxSizeMb: number },
  onError: (reason: string) => void,
): Promise<LogFile> {
  const stream = await roll({
    file,
    frequency: "daily",
    dateFormat: "yyyy-MM-dd",
    size: `${rotation.maxSizeMb}m`,
    mode: 0o600,
  });
  let lastError = "";
  const tell = (error: unknown): void => {
    const message = messageOf(error);
    if (message !== lastError) onError(message);
    lastError = message;
  };
  let isLost = false;
  stream.on("error", (error) => {
    tell(error);
    isLost = true;
  });
  const prune = (): void => {
    try {
      for (const name of outdated(file, readdirSync(dirname(file)), rotation.maxDays, new Date()))
        rmSync(join(dirname(file), name));
    } catch (error) {
      tell(error);
    }
  };
  prune();
  const timer = setInterval(prune, lookEveryMs).unref();
  return {
    write: (line) => {
      try {
        stream.write(line);
      } catch (error) {
        // Without a file descriptor it throws: that is told already.
        if (!isLost) tell(error);
      }
    },
    close: () =>
      new Promise((resolve) => {
        clearInterval(timer);
        if (isLost) return resolve();
        stream.once("close", resolve);
        stream.once("error", () => resolve());
        stream.end();
      }),
  };
}

/** Of the files in the log's folder those that are its own and from a day before the last `maxDays`, today counted. */
export function outdated(file: string, names: readonly string[], maxDays: number, now: Date): readonly string[] {
  const extension = extname(file);
  const base = basename(file, extension);
  const oldest = Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()) - (maxDays - 1) * dayMs;
  return names.filter((name) => {
    if (!name.startsWith(`${base}.`) || !name.endsWith(extension)) return false;
    const [, day] = /^(\d{4}-\d\d-\d\d)\.\d+$/.exec(name.slice(base.length + 1, name.length - extension.length)) ?? [];
    return day !== undefined && Date.parse(day) < oldest;
  });
}
