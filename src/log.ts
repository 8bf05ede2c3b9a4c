import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { type Logger, pino } from "pino";
import roll from "pino-roll";

export type { Logger } from "pino";

export interface LogOptions {
  readonly level: string;
  readonly stdout: boolean;
  /** A file that rotates by day and by size; nothing for none. */
  readonly file?: string | undefined;
  readonly rotation: { readonly maxDays: number; readonly maxSizeMb: number };
  /** Every line passes it before it is written (S14.10, SR-45); nothing where it cannot vouch for the line. */
  readonly redact: (line: string) => string | undefined;
}

/** What a log line says of an error. A database's error carries the values of its query, and those stay out. */
function errorFields(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name: type, message, stack } = error;
  return { type, message, stack };
}

/** JSON lines with `ts` (ISO 8601), `level` (word), `module`, `event` and camelCase fields (S14). */
export async function createLog(
  options: LogOptions,
): Promise<{ readonly log: Logger; readonly close: () => Promise<void> }> {
  const sinks: { write: (line: string) => unknown }[] = [];
  const close = async (): Promise<void> => {};
  if (options.stdout) sinks.push(process.stdout);
  if (options.file) {
    mkdirSync(dirname(options.file), { recursive: true, mode: 0o700 });
    const { maxDays, maxSizeMb } = options.rotation;
    sinks.push(
      await roll({ file: options.file, frequency: "daily", size: `${maxSizeMb}m`, limit: { count: maxDays } }),
    );
  }
  const write = (line: string): void => {
    const redacted = options.redact(line) ?? `{"level":"warn","event":"log_line_withheld"}\n`;
    for (const sink of sinks) sink.write(redacted);
  };
  const log = pino(
    {
      level: options.level,
      base: null,
      messageKey: "msg",
      timestamp: () => `,"ts":"${new Date().toISOString()}"`,
      serializers: { err: errorFields },
      formatters: { level: (label) => ({ level: label }) },
    },
    { write },
  );
  return { log, close };
}
