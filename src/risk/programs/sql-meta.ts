/** What a database client does itself, beside the statements it sends: `\\o file`, `\\g |program`, `\\copy`, `.output`. */
import type { ProgramCall } from "../engine/apply.ts";
import { literal, nothing, shown } from "../engine/arg.ts";
import { readPath, writePath } from "../engine/effects.ts";

/** Commands of psql and mysql that only show something or change how it is shown. */
const showing =
  /^\\(d\w*[+S]*|l\+?|list\+?|conninfo|timing|x|a|t|H|f|C|T\?|pset|encoding|errverbose|h|help|\?|q|quit|z|dp|du|sf\+?|sv\+?|copyright|set|unset|echo|qecho|warn|p|print|r|reset|s$|status|u$|use|c|connect|if|elif|else|endif|prompt|crosstabview|bind|gdesc|W|w$|nowarning)(\s|$)/;

/** Commands whose argument is a file that they write, or a program after a bar. */
const writing = /^\\(o|out|w|write|g|gx|T|tee|s)(?=[\s|]|$)\s*(.*)$/s;
const reading = /^\\(i|ir|include|include_relative|lo_import|\.|source)\s+(.*)$/s;

/** Programs of a shell in a line of psql: what stands in backticks behind a backslash command, and what its output goes to. */
export function judgePsql(text: string, { program, report, scan }: ProgramCall): void {
  if (/^(sqlite|sqlite3|duckdb)$/.test(program)) {
    for (const [, command = ""] of text.matchAll(/^\s*\.\w+\b[^\n|]*["'\s]\|([^\n]+)/gm)) {
      report("high", `${program} runs a shell command`);
      scan.runShell(command.replace(/["']\s*$/, ""), nothing, "in SQL");
    }
    return;
  }
  if (!/^(psql|pgcli|vsql|gsql|cockroach|ysqlsh|edb-psql)$/.test(program)) return;
  for (const [line] of text.matchAll(/\\[a-z!?][^\n]*/gi))
    for (const [, command = ""] of line.matchAll(/`([^`]*)(?:`|$)/g)) {
      report("high", `${program} runs a shell command in backticks`);
      scan.runShell(command, nothing, "in SQL");
    }
  for (const [, given = ""] of text.matchAll(/\\gx?(?![a-z])\s*(?:\([^)]*\))?\s*([^\s;\\][^\n]*)/g)) {
    if (!/^\|/.test(given)) {
      report("medium", `${program} writes its output to ${shown(given)}`);
      writePath(literal(given.trim()), "overwrite", scan);
      continue;
    }
    report("high", `${program} gives its output to a program`);
    scan.runShell(given.slice(1), nothing, "in SQL");
  }
  if (/\\watch\b/.test(text)) scan.unbound(`${program} repeats a statement for ever`);
  if (/\\gset\b/.test(text)) report("medium", `${program} takes a query's answer into its variables`);
  for (const [, given = ""] of text.matchAll(/\\c(?:onnect)?\s+([^\n;\\]+)/g))
    connect(given.trim(), { program, report, scan });
}

/** `\\connect DATABASE USER HOST`, or a connection string. */
function connect(given: string, { program, report, scan }: Pick<ProgramCall, "program" | "report" | "scan">): void {
  const named = /\bhost(?:addr)?\s*=\s*'?([^\s']+)|:\/\/(?:[^@/]*@)?([^/:?\s]+)/.exec(given);
  const host = named?.[1] ?? named?.[2] ?? given.split(/\s+/)[2];
  if (host === undefined || host === "-" || scan.kindOfHost(host) !== "outside") return;
  scan.reach("outside", false);
  report("medium", `${program} connects to ${shown(host)}, which policy.egress does not list`);
}

/** Judges one backslash command; what is not known only to show is medium at least. */
export function judgeMeta(statement: string, { report, scan, program }: ProgramCall): void {
  const [, command = "", target = ""] = writing.exec(statement) ?? [];
  const place = target.trim().replace(/^'(.*)'$/s, "$1");
  if (command !== "" && place !== "") {
    if (place.startsWith("|")) {
      report("high", `${program} gives its output to a program`);
      scan.runShell(place.slice(1), nothing, "in SQL");
    } else {
      report("medium", `${program} writes its output to ${shown(place)}`);
      writePath(literal(place), "overwrite", scan);
    }
    return;
  }
  const file = reading.exec(statement)?.[2]?.trim();
  if (file !== undefined) {
    report("medium", `${program} runs or stores what ${shown(file)} holds`);
    readPath(literal(file), scan);
    return;
  }
  const [, way, copied = ""] = /^\\copy\b.*\b(from|to)\s+'?([^\s']*)/is.exec(statement) ?? [];
  if (way !== undefined) {
    const isShown = /^to$/i.test(way) && /^p?stdout$/i.test(copied);
    report(isShown ? "low" : "medium", `${program} copies ${way.toLowerCase()} ${shown(copied)}`);
    if (!/^(stdin|stdout|pstdin|pstdout|program)$/i.test(copied)) {
      if (way.toLowerCase() === "to") writePath(literal(copied), "overwrite", scan);
      else readPath(literal(copied), scan);
    }
    return;
  }
  report(showing.test(statement) ? "low" : "medium", `${program}: ${shown(statement)}`);
}
