import { existsSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { code, plain } from "../../text/fence.ts";
import type { CheckFinding } from "./look.ts";

/**
 * A finding as a workflow command of GitHub Actions, which shows it at its line of a pull request. Paths are the repository's own:
 * `root` is where it was checked out.
 */
export function annotationOf({ severity, place, message, remedy }: CheckFinding, root: string): string {
  const at = locate(place, root);
  const where = Object.entries({ file: at?.path, line: at?.line, col: at?.column, title: at ? "Countersign" : place });
  const properties = where.flatMap(([name, value]) => (value ? [`${name}=${escapeProperty(value)}`] : []));
  return `::${severity} ${properties.join(",")}::${escapeData(remedy ? `${message} — ${remedy}` : message)}`;
}

const mostRows = 200;
const signs = { error: "❌", warning: "⚠️" } as const;

/** The findings as a job's summary, in Markdown. What a repository's files say stays text. */
export function annotationSummary(found: readonly CheckFinding[], root: string): string {
  const head = "### Countersign check\n\n";
  if (found.length === 0) return `${head}Nothing is wrong.\n`;
  const rows = found.slice(0, mostRows).map(({ severity, place, message, remedy = "" }) => {
    const at = locate(place, root);
    const where = at ? [at.path, at.line].filter(Boolean).join(":") : place;
    return `| ${[signs[severity], code(where), plain(message), plain(remedy)].map(inCell).join(" | ")} |`;
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

/** A place as a path below the root and a line; nothing for what is no file there, such as a setting. */
function locate(place: string, root: string): Location | undefined {
  const [, path = place, line, column] = /^(.+?)(?::(\d+)(?::(\d+))?)?$/s.exec(place) ?? [];
  const inside = relative(resolve(root), resolve(path));
  if (inside === "" || inside.startsWith("..") || isAbsolute(inside) || !existsSync(resolve(path))) return undefined;
  return { path: inside.split(sep).join("/"), line, column };
}

/** By GitHub's rules (actions/toolkit, command.ts): else a text could end the command, or begin one. */
const escapeData = (text: string): string =>
  text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
const escapeProperty = (text: string): string => escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");

/** A bar would end the cell, in a code span too. */
const inCell = (markdown: string): string => markdown.replace(/(?<!\\)\|/g, "\\|");
