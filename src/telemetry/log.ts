import { AsyncLocalStorage } from "node:async_hooks";
import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { type Logger, pino } from "pino";
import { messageOf } from "../base/errors.ts";
import { parseJson } from "../base/json.ts";
import { activeSpan } from "./trace.ts";

export type { Logger } from "pino";

export interface LogOptions {
  readonly level: string;
  readonly stdout: boolean;
  readonly file?: string | undefined;
  readonly rotation: { readonly maxDays: number; readonly maxSizeMb: number };
  /** Redacts a line with text of others; undefined withholds it. */
  readonly redact: (line: string) => string | undefined;
  readonly also?: ((line: string) => void) | undefined;
  /** From `info` up, even if such lines are not written. */
  readonly observe?: ((fields: object) => void) | undefined;
}

const ofJob = new AsyncLocalStorage<object>();

/** Adds fields to each line that `work` logs. */
export const logWith = <T>(fields: object, work: () => Promise<T>): Promise<T> =>
  ofJob.run({ ...ofJob.getStore(), ...fields }, work);

/** Adds fields to later lines of the work under way. */
export const logAlso = (fields: object): void => void Object.assign(ofJob.getStore() ?? {}, fields);

const info = 30;

/** pino sets a line's level on a stream with this mark. */
const wantsLevel = Symbol.for("pino.metadata");

/** Opens the log: JSON lines with `ts` (ISO 8601), `level` (word), `module`, `event` and camelCase fields (S14, SR-45). */
export async function createLog(options: LogOptions): Promise<{
  readonly log: Logger;
  readonly setLevel: (level: string) => void;
  readonly close: () => void;
}> {
  const { observe, redact } = options;
  const { stdout, also, file: path, rotation } = options;
  const others: readonly Sink[] = [...(stdout ? [process.stdout] : []), ...(also ? [{ write: also }] : [])];
  if (path) mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const file = path && openLogFile(path, rotation, (reason) => tellFailed("log_file_failed", reason, others));
  const sinks: readonly Sink[] = [...others, ...(file ? [file] : [])];
  // If standard output's reader is gone, every later line fails.
  const onUnread = ({ message }: Error): void => {
    const rest = sinks.filter((sink) => sink !== process.stdout);
    tellFailed("log_stdout_failed", message, rest);
  };
  if (stdout) process.stdout.once("error", onUnread);
  const rankOf = (level: string): number => pino.levels.values[level] ?? info;
  /** An observer needs `info` too. */
  const made = (level: string): string => (observe && rankOf(level) > info ? "info" : level);
  let least = rankOf(options.level);
  const stream = {
    [wantsLevel]: true,
    lastLevel: 0,
    write(made: string): void {
      if (this.lastLevel < least) return;
      // pino may write a key twice (event, child logger, job). The last one counts.
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
      serializers: {
        // A database error carries its query's values.
        err: (error: unknown) => {
          if (!(error instanceof Error)) return { message: String(error) };
          const { name: type, message, stack } = error;
          return { type, message, stack };
        },
      },
      formatters: {
        log: (fields: object) =>
          Object.fromEntries(
            Object.entries(fields).map(([name, value]: [string, unknown]) => [
              name,
              typeof value === "number" && name.endsWith("Ms") ? Math.round(value) : value,
            ]),
          ),
      },
      mixin: () => ({ ...ofJob.getStore(), ...activeSpan() }),
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
  const close = (): void => {
    process.stdout.off("error", onUnread);
    if (file) file.close();
  };
  return { log, setLevel, close };
}

const dayMs = 24 * 3_600_000;

const lookEveryMs = 3_600_000;

interface LogFile {
  readonly write: (line: string) => void;
  readonly close: () => void;
}

interface OpenLogFile {
  readonly fd: number;
  /** In UTC, `2026-02-11`. */
  readonly day: string;
  readonly bytes: number;
}

/**
 * Opens the log, mode 0600, always under its own name (S14.9). On a new day, or if a line would not fit, it is renamed to
 * `countersign.2026-02-11.log`, then `….1.log`, and removed after `maxDays`. If the disk fails, it calls `onError` and goes on.
 */
export function openLogFile(
  file: string,
  rotation: { readonly maxDays: number; readonly maxSizeMb: number },
  onError: (reason: string) => void,
): LogFile {
  const maxBytes = rotation.maxSizeMb * 1024 * 1024;
  let current: OpenLogFile | undefined;
  const told = { lines: "", files: "" };
  const orTell = (of: keyof typeof told, work: () => void): boolean => {
    try {
      work();
      return true;
    } catch (error) {
      const message = messageOf(error);
      if (message !== told[of]) onError(message);
      told[of] = message;
      return false;
    }
  };
  const close = (): void => {
    const { fd } = current ?? {};
    current = undefined;
    if (fd !== undefined) closeSync(fd);
  };
  const write = (line: string): void => {
    const text = Buffer.from(line);
    const day = dayOf(new Date());
    let open = current ?? openEnd(file, day);
    if (open.bytes > 0 && (open.day !== day || open.bytes + text.length > maxBytes)) {
      current = undefined;
      const full = open;
      const isRenamed = orTell("files", () => rename(file, full));
      open = openEnd(file, day);
      // A failed rename is tried again after as many bytes, or on the next day.
      if (!isRenamed) open = { ...open, day, bytes: 0 };
    }
    current = { fd: open.fd, day, bytes: open.bytes + text.length };
    for (let from = 0; from < text.length; ) from += writeSync(open.fd, text, from);
  };
  const prune = (): void => {
    for (const name of outdated(file, readdirSync(dirname(file)), rotation.maxDays, new Date()))
      rmSync(join(dirname(file), name));
  };
  orTell("lines", () => {
    current = openEnd(file, dayOf(new Date()));
  });
  orTell("files", prune);
  const timer = setInterval(() => orTell("files", prune), lookEveryMs).unref();
  return {
    write: (line) => {
      // An error that comes back is reported again.
      if (orTell("lines", () => write(line))) told.lines = "";
    },
    close: () => {
      clearInterval(timer);
      orTell("lines", close);
    },
  };
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** Its lines count for the day of its last change. */
function openEnd(file: string, today: string): OpenLogFile {
  const fd = openSync(file, "a", 0o600);
  const { size, mtime } = fstatSync(fd);
  return { fd, day: size === 0 ? today : dayOf(mtime), bytes: size };
}

/** Another process may have renamed it already. */
function rename(file: string, { fd, day }: OpenLogFile): void {
  const isOurs = existsSync(file) && statSync(file).ino === fstatSync(fd).ino;
  closeSync(fd);
  if (!isOurs) return;
  const extension = extname(file);
  const named = (more: string) => `${file.slice(0, file.length - extension.length)}.${day}${more}${extension}`;
  let name = named("");
  for (let number = 1; existsSync(name); number++) name = named(`.${number}`);
  renameSync(file, name);
}

/** Renamed files older than the last `maxDays` days, today included. */
export function outdated(file: string, names: readonly string[], maxDays: number, now: Date): readonly string[] {
  const extension = extname(file);
  const base = basename(file, extension);
  const oldest = Date.parse(dayOf(now)) - (maxDays - 1) * dayMs;
  return names.filter((name) => {
    if (!name.startsWith(`${base}.`) || !name.endsWith(extension)) return false;
    const middle = name.slice(base.length + 1, name.length - extension.length);
    const [, day] = /^(\d{4}-\d\d-\d\d)(?:\.\d+)?$/.exec(middle) ?? [];
    return day !== undefined && Date.parse(day) < oldest;
  });
}

interface Sink {
  readonly write: (line: string) => unknown;
}

/** The other places report it, else stderr. */
function tellFailed(event: string, reason: string, others: readonly Sink[]): void {
  for (const sink of others.length > 0 ? others : [process.stderr]) sink.write(ownLine("error", event, { reason }));
}

const ownLine = (level: string, event: string, fields: object = {}): string =>
  `${JSON.stringify({ level, ts: new Date().toISOString(), module: "log", event, ...fields })}\n`;

/** Most of these names and ids look like a secret to a redactor. */
const ownFields = new Set(
  "level ts module event queue key guid outcome incidentId sessionId model source run risk traceId spanId sha256".split(
    " ",
  ),
);

/** Another text in such a field is redacted. */
const ownWord = /^[\w.:/#-]{0,120}$/;

const ownName = /^[A-Za-z]{1,24}$/;

const mayHoldSecret = (fields: object): boolean =>
  Object.entries(fields).some(([name, value]: [string, unknown]) => {
    if (!ownName.test(name)) return true;
    if (typeof value === "string") return !(ownFields.has(name) && ownWord.test(value));
    return typeof value === "object" && value !== null && mayHoldSecret(value);
  });

/** If redaction cuts across a value's end, values are redacted one by one, so the line stays JSON. */
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
