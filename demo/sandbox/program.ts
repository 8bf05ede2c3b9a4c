import { parseArgs } from "node:util";
import type { IFileSystem } from "just-bash";
import type { Machine } from "./machine.ts";

/** What a program of the sandbox leaves behind. */
export interface Outcome {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** What a program may use: the imagined machine and nothing of the host. */
export interface Call {
  readonly machine: Machine;
  readonly fs: IFileSystem;
  readonly cwd: string;
  readonly stdin: string;
  /** Runs another program of the sandbox. */
  readonly run: (argv: readonly string[]) => Promise<Outcome>;
  /** The shell library's own program of the same name. */
  readonly original: (args: readonly string[]) => Promise<Outcome>;
  /** Waits; returns early, with true, when the command is cancelled. */
  readonly pause: (ms: number) => Promise<boolean>;
  /** Shows text at once where stdout is the terminal; in a pipe it does nothing and returns false. */
  readonly show: ((text: string) => void) | undefined;
}

export type Program = (args: readonly string[], call: Call) => Outcome | Promise<Outcome>;

export const say = (stdout: string): Outcome => ({
  stdout: stdout === "" || stdout.endsWith("\n") ? stdout : `${stdout}\n`,
  stderr: "",
  exitCode: 0,
});
export const fail = (stderr: string, exitCode = 1): Outcome => ({ stdout: "", stderr: `${stderr}\n`, exitCode });

export type Flags = Readonly<Record<string, { type: "string" | "boolean"; short?: string }>>;

/** Reads options the way GNU programs do; unknown ones are ignored, since an invented machine need not be strict. */
export const readArgs = (args: readonly string[], flags: Flags) => {
  const { values, positionals } = parseArgs({ args: [...args], options: flags, strict: false, allowPositionals: true });
  return {
    words: positionals,
    has: (name: string): boolean => values[name] !== undefined && values[name] !== false,
    text: (name: string): string | undefined => {
      const value = values[name];
      return typeof value === "string" ? value : undefined;
    },
  };
};

/** Columns padded to their widest cell; `right` lists the columns that hold numbers. */
export const table = (rows: readonly (readonly string[])[], right: readonly number[] = []): string => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          right.includes(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
        )
        .join(" ")
        .trimEnd(),
    )
    .join("\n");
};

const units = ["", "K", "M", "G", "T"] as const;

/** Bytes as `-h` prints them: one digit below ten, rounded up. */
export const human = (bytes: number): string => {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  if (unit === 0) return String(Math.ceil(value));
  const text = value < 9.95 ? (Math.ceil(value * 10) / 10).toFixed(1) : String(Math.ceil(value));
  return `${text}${units[unit]}`;
};
