import { randomUUID } from "node:crypto";
import { appendFileSync, existsSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import type { WriteStream } from "node:tty";
import { code, plain } from "../../text/fence.ts";
import { check } from "./check.ts";
import type { CheckFinding } from "./look.ts";

type CheckOptions = Parameters<typeof check>[0] & {
  readonly json?: boolean;
  /** For pull requests in GitHub Actions. */
  readonly annotate?: boolean;
  /** A file, appended as Markdown. */
  readonly summary?: string | undefined;
};

/** Prints the findings; false if something does not work. */
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

/** Pull requests are untrusted: Actions must not run quoted lines as commands. */
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

/** Shows the current wait. */
export function waitingLine(terminal: Pick<WriteStream, "write" | "columns">): {
  readonly show: (what: string) => void;
  readonly clear: () => void;
} {
  const clear = (): void => void terminal.write("\r\u001b[2K");
  const show = (what: string): void => {
    clear();
    // A wrapped line is cleared only in part; some terminals report no width.
    terminal.write(`${what} …`.slice(0, (terminal.columns || 80) - 1));
  };
  return { show, clear };
}

/** A workflow command of GitHub Actions; paths are relative to `root`, the checkout. */
export function annotationOf({ severity, place, message, remedy }: CheckFinding, root: string): string {
  const at = locate(place, root);
  const where = Object.entries({ file: at?.path, line: at?.line, col: at?.column, title: at ? "Countersign" : place });
  const properties = where.flatMap(([name, value]) =>
    value ? [`${name}=${escapeData(value).replaceAll(":", "%3A").replaceAll(",", "%2C")}`] : [],
  );
  return `::${severity} ${properties.join(",")}::${escapeData(remedy ? `${message} — ${remedy}` : message)}`;
}

const mostRows = 200;
const signs = { error: "❌", warning: "⚠️" } as const;

/** Renders Markdown; text from the repository is escaped. */
export function annotationSummary(found: readonly CheckFinding[], root: string): string {
  const head = "### Countersign check\n\n";
  if (found.length === 0) return `${head}Nothing is wrong.\n`;
  const rows = found.slice(0, mostRows).map(({ severity, place, message, remedy = "" }) => {
    const at = locate(place, root);
    const where = at ? [at.path, at.line].filter(Boolean).join(":") : place;
    // A bar ends a cell, even in a code span.
    return `| ${[signs[severity], code(where), plain(message), plain(remedy)].map((markdown) => markdown.replace(/(?<!\\)\|/g, "\\|")).join(" | ")} |`;
  });
  const left = found.length - rows.length;
  const more = left > 0 ? [`| | | and ${left} more, in the log | |`] : [];
  return `${head}${["| | where | what | do |", "|---|---|---|---|", ...rows, ...more].join("\n")}\n`;
}

interface Location {
  readonly path: string;
  readonly line: string | undefined;
  readonly column: string | undefined;
}

/** Undefined if the place is no file below the root. */
function locate(place: string, root: string): Location | undefined {
  const [, path = place, line, column] = /^(.+?)(?::(\d+)(?::(\d+))?)?$/s.exec(place) ?? [];
  const inside = relative(resolve(root), resolve(path));
  if (inside === "" || inside.startsWith("..") || isAbsolute(inside) || !existsSync(resolve(path))) return undefined;
  return { path: inside.split(sep).join("/"), line, column };
}

/** By actions/toolkit's command.ts; otherwise a text could end or begin a command. */
const escapeData = (text: string): string =>
  text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
