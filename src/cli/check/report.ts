import { randomUUID } from "node:crypto";
import { appendFileSync } from "node:fs";
import type { WriteStream } from "node:tty";
import { annotationOf, annotationSummary } from "./annotate.ts";
import { check } from "./check.ts";
import type { CheckFinding } from "./look.ts";

type CheckOptions = Parameters<typeof check>[0] & {
  readonly json?: boolean;
  /** For GitHub Actions: each finding at its line of a pull request. */
  readonly annotate?: boolean;
  /** A file to which the findings are added as Markdown. */
  readonly summary?: string | undefined;
};

/** Checks and says what was found, as people or programs read it; false where something does not work. */
export async function reportCheck({ json, annotate, summary, ...options }: CheckOptions): Promise<boolean> {
  const root = options.repo ?? ".";
  const report = json ? reportJson : annotate ? reportToActions : reportToPeople;
  const found = await report(options, root);
  if (summary !== undefined) appendFileSync(summary, annotationSummary(found, root));
  return found.every(({ severity }) => severity === "warning");
}

type Report = (options: Parameters<typeof check>[0], root: string) => Promise<readonly CheckFinding[]>;

const reportJson: Report = async (options) => {
  const found = await check(options, () => {});
  console.log(JSON.stringify(found, null, 2));
  return found;
};

const reportToPeople: Report = async (options) => {
  const waiting = process.stderr.isTTY ? waitingLine(process.stderr) : undefined;
  const print = (line: string): void => {
    waiting?.clear();
    console.log(line);
  };
  const found = await check(options, print, waiting?.show);
  waiting?.clear();
  for (const finding of found) console.error(lineOf(finding));
  return found;
};

/** A pull request's files may be anybody's: no line that quotes them is taken for a command but the annotations. */
const reportToActions: Report = async (options, root) => {
  const token = randomUUID();
  let found: readonly CheckFinding[] = [];
  console.log(`::stop-commands::${token}`);
  try {
    found = await check(options, (line) => console.log(line));
    for (const finding of found) console.log(lineOf(finding));
  } finally {
    console.log(`::${token}::`);
  }
  for (const finding of found) console.log(annotationOf(finding, root));
  return found;
};

const lineOf = ({ severity, place, message, remedy }: CheckFinding): string =>
  `${severity === "error" ? "✗" : "!"} ${place}: ${message}${remedy ? ` — ${remedy}` : ""}`;

/** One line of a terminal that tells what is being waited for, and is gone when there is more to say. */
export function waitingLine(terminal: Pick<WriteStream, "write" | "columns">): {
  readonly show: (what: string) => void;
  readonly clear: () => void;
} {
  const clear = (): void => void terminal.write("\r\u001b[2K");
  const show = (what: string): void => {
    clear();
    // A line that wraps is cleared only in part. Some terminals do not tell how wide they are.
    terminal.write(`${what} …`.slice(0, (terminal.columns || 80) - 1));
  };
  return { show, clear };
}
