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
