import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { messageOf } from "../base/errors.ts";

const dayMs = 24 * 3_600_000;
const lookEveryMs = 3_600_000;

export interface LogFile {
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
