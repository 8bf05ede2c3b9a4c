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
  /** A file that rotates by day and by size. */
  readonly file?: string | undefined;
  readonly rotation: { readonly maxDays: number; readonly maxSizeMb: number };
  /** Redacts a line with text of others before it is written; undefined if the line must be withheld. */
  readonly redact: (line: string) => string | undefined;
  /** Also gets each line. */
  readonly also?: ((line: string) => void) | undefined;
  /** Gets the fields of each event from `info` up, at any level of the written lines. */
  readonly observe?: ((fields: object) => void) | undefined;
}

/** Fields of every line that is written during one job. */
const ofJob = new AsyncLocalStorage<object>();

/** Adds these fields to each line that `work` logs, at any depth. */
export const logWith = <T>(fields: object, work: () => Promise<T>): Promise<T> =>
  ofJob.run({ ...ofJob.getStore(), ...fields }, work);

/** Adds these fields to later lines of the work under way. */
export const logAlso = (fields: object): void => void Object.assign(ofJob.getStore() ?? {}, fields);

/** A database's error carries the values of its query, which stay out of the log. */
function errorFields(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name: type, message, stack } = error;
  return { type, message, stack };
}

/** Rounds times to whole milliseconds. */
const inWholeMs = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === "number" && name.endsWith("Ms") ? Math.round(value) : value,
    ]),
  );

const info = 30;

/** pino sets the level of each line on a stream with this mark. */
const wantsLevel = Symbol.for("pino.metadata");

/** JSON lines with `ts` (ISO 8601), `level` (word), `module`, `event` and camelCase fields (S14, SR-45). */
export async function createLog(options: LogOptions): Promise<{
  readonly log: Logger;
  readonly setLevel: (level: string) => void;
  readonly close: () => void;
}> {
  const { observe, redact } = options;
  const { sinks, close } = openSinks(options);
  const rankOf = (level: string): number => pino.levels.values[level] ?? info;
  /** The level at which pino makes lines: an observer needs `info` too. */
  const made = (level: string): string => (observe && rankOf(level) > info ? "info" : level);
  let least = rankOf(options.level);
  const stream = {
    [wantsLevel]: true,
    lastLevel: 0,
    write(made: string): void {
      if (this.lastLevel < least) return;
      // pino writes the fields of the event, its child logger and its job one after the other. If a key comes twice, the last one counts,
      // except for the line's own level and time.
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
      // The line's own fields win.
      mixinMergeStrategy: (own, ofAll) => ({ ...ofAll, ...own }),
      ...(observe && {
        hooks: {
          logMethod(args, write, level) {
            const [fields] = args as readonly unknown[];
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
  // If the reader of standard output is gone, every later line fails. The log says so once.
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

/** A failed place must not end the bot: the other places report it, or stderr if there is none. */
function tellFailed(event: string, reason: string, others: readonly Sink[]): void {
  for (const sink of others.length > 0 ? others : [process.stderr]) sink.write(ownLine("error", event, { reason }));
}

/** A line of the log about itself. */
const ownLine = (level: string, event: string, fields: object = {}): string =>
  `${JSON.stringify({ level, ts: new Date().toISOString(), module: "log", event, ...fields })}\n`;

/** Fields with only the bot's own names and ids, most of which look like a secret to a redactor. */
const ownFields = new Set(
  "level ts module event queue key guid outcome incidentId sessionId model source run risk traceId spanId sha256".split(
    " ",
  ),
);

/** The form of names and ids; another text in such a field is redacted. */
const ownWord = /^[\w.:/#-]{0,120}$/;

/** The form of the bot's own field names. */
const ownName = /^[A-Za-z]{1,24}$/;

/** Whether a part of it may come from others. */
const mayHoldSecret = (fields: object): boolean =>
  Object.entries(fields).some(([name, value]: [string, unknown]) => {
    if (!ownName.test(name)) return true;
    if (typeof value === "string") return !(ownFields.has(name) && ownWord.test(value));
    return typeof value === "object" && value !== null && mayHoldSecret(value);
  });

/**
 * Redacts a line. If the redactor cuts across the end of a value, the values are redacted one by one, so that the line stays JSON.
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
