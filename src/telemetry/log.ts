import { AsyncLocalStorage } from "node:async_hooks";
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { type Logger, pino } from "pino";
import { parseJson } from "../base/json.ts";
import { openLogFile } from "./log-file.ts";
import { activeSpan } from "./trace.ts";

export type { Logger } from "pino";

export interface LogOptions {
  readonly level: string;
  readonly stdout: boolean;
  /** A file that rotates by day and by size; nothing for none. */
  readonly file?: string | undefined;
  readonly rotation: { readonly maxDays: number; readonly maxSizeMb: number };
  /** Every line that holds words of others passes it before it is written (S14.10, SR-45); nothing where it cannot vouch for the line. */
  readonly redact: (line: string) => string | undefined;
  /** Gets each line as it is written, beside the places above. */
  readonly also?: ((line: string) => void) | undefined;
  /** Gets the fields of each event from `info` up, whatever the level of the lines that are written. */
  readonly observe?: ((fields: object) => void) | undefined;
}

/** What every line says that is written during one job. */
const ofJob = new AsyncLocalStorage<object>();

/** Does `work` so that each line it logs, however deep down, carries these fields too. */
export const logWith = <T>(fields: object, work: () => Promise<T>): Promise<T> =>
  ofJob.run({ ...ofJob.getStore(), ...fields }, work);

/** Has the lines of the work that is under way carry these too from now on. */
export const logAlso = (fields: object): void => void Object.assign(ofJob.getStore() ?? {}, fields);

/** What a log line says of an error. A database's error carries the values of its query, and those stay out. */
function errorFields(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name: type, message, stack } = error;
  return { type, message, stack };
}

/** A time is told in whole milliseconds, whatever clock it was taken by. */
const inWholeMs = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === "number" && name.endsWith("Ms") ? Math.round(value) : value,
    ]),
  );

const info = 30;

/** pino tells a stream that carries this mark the level of each line. */
const wantsLevel = Symbol.for("pino.metadata");

/** JSON lines with `ts` (ISO 8601), `level` (word), `module`, `event` and camelCase fields (S14). */
export async function createLog(options: LogOptions): Promise<{
  readonly log: Logger;
  /** Which lines are written from now on. */
  readonly setLevel: (level: string) => void;
  readonly close: () => void;
}> {
  const { observe, redact } = options;
  const { sinks, close } = openSinks(options);
  const rankOf = (level: string): number => pino.levels.values[level] ?? info;
  /** The level that pino is to make lines of: who observes wants those of `info` too. */
  const made = (level: string): string => (observe && rankOf(level) > info ? "info" : level);
  let least = rankOf(options.level);
  const stream = {
    [wantsLevel]: true,
    lastLevel: 0,
    write(made: string): void {
      if (this.lastLevel < least) return;
      // pino writes what an event, its child logger and its job say one behind the other: of a key that comes twice the last is
      // meant, but for the line's own level and time.
      const { level: _, ts: __, ...fields } = JSON.parse(made);
      const whole = { level: pino.levels.labels[this.lastLevel], ts: new Date().toISOString(), ...fields };
      const line = `${JSON.stringify(whole)}\n`;
      const redacted = mayHoldSecret(whole) ? redactLine(redact, line) : line;
      for (const sink of sinks) sink.write(redacted ?? ownLine("warn", "log_line_withheld"));
    },
  };
  const log = pino(
    {
      level: made(options.level),
      base: null,
      messageKey: "msg",
      timestamp: false,
      serializers: { err: errorFields },
      formatters: { log: inWholeMs },
      mixin: () => ({ ...ofJob.getStore(), ...activeSpan() }),
      // What the line itself says wins.
      mixinMergeStrategy: (own, ofAll) => ({ ...ofAll, ...own }),
      ...(observe && {
        hooks: {
          logMethod(args, write, level) {
            const [fields] = args as readonly unknown[];
            // `debug` is for people who look for a fault.
            if (level >= info && typeof fields === "object" && fields !== null) observe(fields);
            write.apply(this, args);
          },
        },
      }),
    },
    stream,
  );
  const setLevel = (level: string): void => {
    least = rankOf(level);
    log.level = made(level);
  };
  return { log, setLevel, close };
}

interface Sink {
  readonly write: (line: string) => unknown;
}

/** Opens the places that lines are written to. */
function openSinks({ stdout, also, file: path, rotation }: LogOptions): {
  readonly sinks: readonly Sink[];
  readonly close: () => void;
} {
  const others: readonly Sink[] = [...(stdout ? [process.stdout] : []), ...(also ? [{ write: also }] : [])];
  if (path) mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const file = path
    ? openLogFile(path, rotation, (reason) => tellFailed("log_file_failed", reason, others))
    : undefined;
  const sinks: readonly Sink[] = [...others, ...(file ? [file] : [])];
  // Whoever read it is gone: each line fails from then on, and that is told once.
  const onUnread = ({ message }: Error): void =>
    tellFailed(
      "log_stdout_failed",
      message,
      sinks.filter((sink) => sink !== process.stdout),
    );
  if (stdout) process.stdout.once("error", onUnread);
  const close = (): void => {
    process.stdout.off("error", onUnread);
    file?.close();
  };
  return { sinks, close };
}

/** What fails must not take the bot down with it: the other places say so, or stderr where there is none. */
function tellFailed(event: string, reason: string, others: readonly Sink[]): void {
  for (const sink of others.length > 0 ? others : [process.stderr]) sink.write(ownLine("error", event, { reason }));
}

/** A line of the log about itself. */
const ownLine = (level: string, event: string, fields: object = {}): string =>
  `${JSON.stringify({ level, ts: new Date().toISOString(), module: "log", event, ...fields })}\n`;

/** Fields that hold names and ids of ours alone, most of which look like a secret to a redactor. */
const ownFields = new Set(
  "level ts module event queue key guid outcome incidentId sessionId model source run risk traceId spanId sha256".split(
    " ",
  ),
);

/** As names and ids are written; what somebody has put into such a field by mistake is no exception. */
const ownWord = /^[\w.:/#-]{0,120}$/;

/** As we name fields; what others name is no plain word at times. */
const ownName = /^[A-Za-z]{1,24}$/;

/** Whether somebody else may have written any of it. */
const mayHoldSecret = (fields: object): boolean =>
  Object.entries(fields).some(([name, value]: [string, unknown]) => {
    if (!ownName.test(name)) return true;
    if (typeof value === "string") return !(ownFields.has(name) && ownWord.test(value));
    return typeof value === "object" && value !== null && mayHoldSecret(value);
  });

/**
 * The line without its secrets. What the redactor takes out may reach over a value's end: then the values are redacted one by
 * one, so that each line stays JSON (S14.6).
 */
function redactLine(redact: LogOptions["redact"], line: string): string | undefined {
  const redacted = redact(line);
  if (redacted === undefined || redacted === line || parseJson(redacted) !== undefined) return redacted;
  let isWhole = true;
  const bare = JSON.stringify(JSON.parse(line), (_, value: unknown) => {
    if (typeof value !== "string") return value;
    const text = redact(value);
    isWhole &&= text !== undefined;
    return text;
  });
  return isWhole ? `${bare}\n` : undefined;
}
