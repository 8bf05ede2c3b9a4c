import { type Risk, stricter } from "../../base/risk.ts";
import type { Check, ProgramCall } from "../engine/apply.ts";
import { hole, literal, nothing, shown } from "../engine/arg.ts";
import { readPath, writePath } from "../engine/effects.ts";
import { words } from "../engine/options.ts";
import { inProduction } from "../engine/scan.ts";
import { readingCommands, readingMethods } from "../knowledge/languages/mongo.ts";
import { readingProcedures, redisCommands, sqlPatterns, sqlVerbs } from "../knowledge/languages/sql.ts";
import { readingFunctions, readingPatterns } from "../knowledge/languages/sql-functions.ts";

/** Database clients: each statement is judged by its first words. */

/** Whether a function, or a word before a parenthesis, is known only to read or to reckon. Case is of no matter. */
function isKnownToRead(name: string): boolean {
  const lower = name.toLowerCase().replace(/^pg_catalog\./, "");
  return readingFunctions.has(lower) || readingPatterns.test(lower);
}

/** The risk of one SQL statement, and why. */
function judgeStatement(statement: string, isAlone: boolean): { readonly risk: Risk; readonly why: string } {
  // `DESCRIBE ANALYZE` is MySQL's other name of `EXPLAIN ANALYZE`, which carries out what it explains.
  const inner = statement.replace(
    /^(?:explain|desc(?:ribe)?(?=\s+analyze\s))\s+(\([^)]*\)\s*)?(analyze\s+|verbose\s+|analyse\s+)*/i,
    "",
  );
  const isPlan = inner !== statement && !/^\w+\s+(\([^)]*analy|(verbose\s+)?analy)/i.test(statement);
  if (isPlan) return { risk: "low", why: `explains ${shown(inner)}` };
  if (
    /^rollback$/i.test(inner) ||
    startsReading.test(inner) ||
    setsSession.test(inner) ||
    readingProcedure.test(inner) ||
    readingCheck.test(inner)
  )
    return { risk: "low", why: `${shown(inner)}` };
  const verb = (/^[(\s]*([a-z]+)/i.exec(inner)?.[1] ?? "").toUpperCase();
  let risk: Risk = sqlVerbs[verb] ?? "medium";
  // What stood in a string is left out, and that is to be seen.
  const text = shown(inner.replaceAll("''", "'…'"));
  let why = `${verb || "statement"}: ${text}`;
  for (const { pattern, risk: raised, why: reason } of sqlPatterns) {
    if (!pattern.test(inner) || stricter(risk, raised) === risk) continue;
    risk = raised;
    // The only one is the command that the reader has before them.
    why = isAlone ? reason : `${reason}: ${text}`;
  }
  const unknown = risk === "low" ? functionsIn(inner).find((name) => !isKnownToRead(name)) : undefined;
  if (unknown !== undefined) {
    risk = "medium";
    why = `calls ${unknown}, a function the rules do not know: ${text}`;
  }
  if (risk === "medium" && /^(UPDATE)$/.test(verb) && !/\bwhere\b/i.test(inner)) {
    return { risk: "high", why: `UPDATE of every row: ${text}` };
  }
  return { risk, why };
}

/** What a session sets for itself alone, and what ends with it. */
const setsSession =
  /^set (?:nocount on|arithabort on|(?:session |local )?(?:statement_timeout|lock_timeout|idle_in_transaction_session_timeout|max_execution_time|max_statement_time|application_name|timezone|time zone|datestyle|default_transaction_read_only|deadlock_priority)\b ?(?:=|to)? ?(?:''|\w+)|(?:session )?transaction (?:read only|isolation level (?:serializable|repeatable read|read (?:un)?committed|snapshot)))$/i;

const startsReading =
  /^(?:begin(?: work| transaction)?|start transaction|set transaction)(?: isolation level (?:serializable|repeatable read|read (?:un)?committed),?)? read only(?: deferrable)?$/i;
const endsTransaction = /^(?:commit|end)(?: work| transaction)?$/i;

/** Procedures that only show something, with plain words behind them: `exec sp_helpdb 'shop'`. */
const readingProcedure = new RegExp(
  `^(?:exec(?:ute)?\\s+)?(?:master\\.|msdb\\.)?(?:dbo\\.|sys\\.|\\.)?(?:${words(readingProcedures).join("|")})(?:\\s+(?:''|(?!(?:shutdown|checkpoint|reconfigure|commit|rollback|return|break)$)\\w+)(?:\\s*,\\s*(?:''|\\d+))*)?$`,
  "i",
);

/** `DBCC` that only shows. */
const readingCheck =
  /^dbcc (?:opentran|useroptions|(?:inputbuffer|outputbuffer|tracestatus|show_statistics|proccache|memorystatus|loginfo|sqlperf(?= ?\(logspace\)$))(?: ?\((?:logspace|''|-?\w+)?(?:, ?(?:''|-?\w+))*\))?)$/i;

/** The words before a parenthesis: functions, and what looks like one. */
const functionsIn = (statement: string): readonly string[] =>
  [...statement.matchAll(/([a-z_@][\w.@$]*)["`]?\s*\(/gi)].map(([, name = ""]) => name);

/**
 * What destroys, wherever it stands: in the body of a `DO`, in a text that is run (`EXECUTE`, `\gexec`, `dblink`), in what a request
 * carries. A text that is only compared or printed is not looked at.
 */
const destroys = /\b(drop|truncate)\s+\w|\bdelete\s+from\b|\balter\s+\w+.*\bdrop\b|\bshutdown\b|\bflush(all|db)\b/i;
const runsTexts =
  /(?:^|;)\s*(do|execute|call|prepare|exec)\b|\bexecute\s+(immediate\s+)?('|format)|\\gexec|\b(query_to_xml\w*|dblink\w*|cursor_to_xml\w*|database_to_xml\w*|sp_executesql|xp_\w+)\s*\(?/i;

/** Whether a text that is given to a database destroys something there. */
export const isDestroyingText = (text: string): boolean => destroys.test(text);

/** Lines of SQL*Plus that only say how it shows what follows; a slash on a line of its own ends a statement. */
const layout =
  /^\s*(?:set\s+(?:arraysize|array|colsep|echo|feedback|feed|heading|head|headsep|linesize|lines?|long|longchunksize|newpage|null|numformat|numwidth|pagesize|pages?|serveroutput|space|sqlprompt|tab|termout|term|time|timing|timi|trimout|trimspool|trims|underline|verify|ver|wrap)\s+[\w'" .|,-]+|col(?:umn)?\s+[\w$#"]+(?:\s+(?:for(?:mat)?|hea(?:ding)?)\s+[\w.,$'"]+)*|clear\s+(?:screen|columns)|prompt(?:\s[^&\n]*)?|exit|quit|show\s+(?:parameters?|sga|pdbs|con_name|con_id|user|release|all)(?:\s+[\w$]+)?)\s*;?\s*$/gim;
const withoutLayout = (text: string): string => text.replace(layout, ";").replace(/^\s*\/\s*$/gm, ";");

/** Judges SQL text; used by every client. */
function judgeSql(text: string, call: ProgramCall): void {
  const { report, scan, program } = call;
  if (program === "sqlplus")
    for (const [, command = ""] of text.matchAll(/^\s*(?:ho(?:st?)?\s|!|\$)\s*([^\n;]+)/gim)) {
      report("high", "sqlplus runs a shell command");
      scan.runShell(command, nothing, "in SQL");
    }
  for (const match of text.matchAll(
    /\\!\s*([^\n]*)|^\s*\.(?:shell|system)\s+([^\n]+)|\bPROGRAM\s+'((?:[^']|'')*)'|^\s*system\s+([^\n]+)|^\s*:?!!\s*([^\n]+)/gim,
  )) {
    report("high", `${program} runs a shell command from SQL`);
    scan.runShell(
      match[1] ?? match[2] ?? match[3]?.replaceAll("''", "'") ?? match[4] ?? match[5] ?? "",
      nothing,
      "in SQL",
    );
  }
  judgePsql(text, call);
  if (runsTexts.test(text)) {
    // Texts that are joined are one.
    const joined = text.replace(/(['"])\s*(?:,|\+|\|\||\s)\s*\1/g, "");
    if (isDestroyingText(text) || isDestroyingText(joined)) report("high", `${program} runs a text that destroys data`);
    else if (/\\gexec/i.test(text)) report("medium", `${program} runs what a query gives it`);
  }
  const namesFile = program === "duckdb" ? /'([^']+)'/g : /'(\/[^']+)'/g;
  for (const [, path = ""] of text.matchAll(namesFile))
    readPath({ ...literal(path), glob: program === "duckdb" && /[*?[]/.test(path) }, scan);
  if (program === "duckdb")
    for (const [, path = ""] of text.matchAll(/\bto\s+'([^']+)'/gi)) writePath(literal(path), "overwrite", scan);
  if (program === "sqlcmd" && /'(?:\\\\|\/\/)[^']/.test(text)) report("medium", "sqlcmd reads a file of another host");
  if (text.includes(hole)) report("medium", "runs SQL that is known only when it runs");
  // Statements without comments and with string contents blanked, split at `;` outside of strings.
  const sql = (program === "sqlplus" ? withoutLayout(text) : text).replaceAll(hole, "?");
  const bare = sql
    .replace(/'(?:[^'\\]|''|\\.)*'/gs, "''")
    .replace(/--[^\n]*/g, " ")
    .replace(/\/\*(?!!)[\s\S]*?\*\//g, " ")
    .replace(/\/\*!\d*|\*\//g, " ")
    .replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''")
    // A function's name may stand in quotation marks.
    .replace(/["`[](\w+)["`\]](?=\s*\()/g, "$1");
  const statements = bare
    .split(/;|\\G|\\g(?:x|desc)?\b/)
    .map((s) => s.replace(/\s+/g, " ").trim())
    .filter(Boolean);
  let isReading = false;
  for (const statement of statements) {
    isReading ||= startsReading.test(statement);
    // It ends what may only read; what the statements between do is judged with each.
    if (isReading && endsTransaction.test(statement)) continue;
    if (/^\\/.test(statement)) {
      judgeMeta(statement, call);
      continue;
    }
    const { risk, why } = judgeStatement(statement, statements.length === 1);
    const raised = inProduction(risk, scan);
    report(raised, why + (raised === risk ? "" : " (production)"));
  }
}

/** Lines of sqlite3 and duckdb that only show something, or how it is shown. */
const showingLine =
  /^\s*\.(?:databases|dbinfo|dump|eqp|explain|fullschema|headers?|help|indexes|indices|mode|nullvalue|print|schema|separator|show|stats|tables|timer|version|vfslist|width)\b[^\n|]*$/gm;

/** `psql -c`, `mysql -e`, `sqlite3 file sql`, SQL on stdin. */
export const sqlClient: Check = (call) => {
  const { options, operands, stdin, report, program, has, scan } = call;
  const given = options
    .filter(
      (o) =>
        o.value &&
        /^(-c|--command|-e|--execute|-Q|-q|--query|--eval|-cmd|-execute)$/.test(o.name) &&
        !(program === "psql" && o.name === "-q"),
    )
    .map((o) => o.value?.text ?? "");
  const [database] = operands;
  if (database && /^(sqlite|sqlite3|duckdb)$/.test(program)) readPath(database, scan);
  if (/^(sqlite|sqlite3|duckdb)$/.test(program)) given.push(...operands.slice(1).map((a) => a.text));
  if (program === "mysqladmin") return undefined;
  for (const text of given) judgeSql(text.replaceAll(showingLine, "select 1;"), call);
  const file = options.find((o) => /^(-f|--file|-i|--input-file)$/.test(o.name))?.value;
  for (const { name, value } of options) {
    // It runs before the statement, and is not the one that the client waits for.
    if (value && name === "--init-command") judgeSql(value.text, call);
    if (value && name === "-init" && value.text !== "/dev/null")
      report("medium", `${program} runs what is in ${shown(value.text)}`, value);
  }
  if (file && !/^(-|\/dev\/stdin)$/.test(file.text))
    report("medium", `${program} runs the SQL in ${shown(file.text)}`, file);
  if ((has("-l", "--list", "-V", "--version") || (program === "sqlplus" && has("-v"))) && given.length === 0)
    report("low", `${program}: lists databases`);
  else if (stdin.text !== undefined) {
    judgeSql(stdin.text, call);
    report("low", `${program} shows what its input asks for`);
  } else if (given.length === 0 && (!file || file.text === "-")) {
    if (stdin.present) {
      const risk = isDestroyingText(stdin.pieces ?? "") ? "high" : "medium";
      report(risk, `${program} runs SQL from ${stdin.from ?? "a pipe"}`);
    } else report("medium", `${program} without a statement waits for input`);
  }
  if (given.length > 0) scan.spend();
  // What a query prints may be a text that it holds.
  return given.length > 0 ? { present: true, pieces: given.join("\n"), taint: stdin.taint } : undefined;
};

/** `redis-cli --cluster VERB HOST …`: what the cluster's manager does; any other verb is medium. */
const clusterVerbs: Readonly<Record<string, Risk>> = { check: "low", info: "low", help: "low", "del-node": "high" };

/** `redis-cli COMMAND …`. */
export const redis: Check = (call) => {
  const { args, operands, stdin, report, has, scan } = call;
  const manager = args.findIndex((a) => a.text === "--cluster");
  // Behind the first word that is no option, and as the value of one (`-a --cluster`), it is none itself.
  const isManager = has("--cluster") && !(operands[0] && args.indexOf(operands[0]) < manager);
  if (isManager) {
    const [verb, , ...rest] = args.slice(manager + 1).map((a) => a.text);
    if (verb === "call") judgeRedis(rest, call);
    else {
      const isFix = has("--cluster-fix-with-unreachable-masters") || (verb === "check" && has("--cluster-fix"));
      const risk = isFix ? "high" : (clusterVerbs[verb ?? ""] ?? "medium");
      report(inProduction(risk, scan), `redis-cli --cluster ${shown(verb ?? "")}`);
    }
    return undefined;
  }
  if (operands.length === 0) {
    const lines = stdin.text?.split("\n").filter((line) => line.trim() !== "") ?? [];
    for (const line of lines) judgeRedis(line.trim().split(/\s+/), call);
    if (lines.length > 0) return undefined;
    if (
      has(
        "--bigkeys",
        "--memkeys",
        "--hotkeys",
        "--latency",
        "--latency-history",
        "--stat",
        "--scan",
        "--version",
        "--latency-dist",
        "--intrinsic-latency",
      )
    )
      report("low", "redis-cli: only reads");
    else report("medium", "redis-cli without a command");
    return undefined;
  }
  if (has("--eval")) report("medium", "redis-cli runs a script");
  judgeRedis(
    operands.map((a) => a.text),
    call,
  );
  return undefined;
};

/** Settings of Redis that hold a password, and whether a pattern of `CONFIG GET` may be about one. */
const passwordSettings = words(
  "requirepass masterauth masteruser primaryauth primaryuser user aclfile sentinel-pass sentinel-user tls-key-file-pass " +
    "tls-client-key-file-pass",
);
function namesPassword(pattern: string): boolean {
  // One made of many stars would cost time to match.
  if (/pass|auth|[[\\]/.test(pattern) || /(\*.*){4}/.test(pattern)) return true;
  const glob = pattern
    .replaceAll(/[.+^${}()|]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  return passwordSettings.some((name) => new RegExp(`^${glob}$`).test(name));
}

function judgeRedis(words: readonly string[], { report, scan }: ProgramCall): void {
  const [first = "", second = ""] = words.map((word) => word.toUpperCase());
  const rest = words.slice(2).map((word) => word.toLowerCase());
  if (first === "CONFIG" && second === "GET" && rest.some(namesPassword))
    report("high", `redis CONFIG GET ${shown(rest.join(" "))}: shows a password`);
  if (rest.includes("reset")) report(inProduction("medium", scan), `redis ${first} ${second}: resets what it shows`);
  const risk = redisCommands[`${first} ${second}`] ?? redisCommands[first] ?? "medium";
  report(inProduction(risk, scan), `redis ${first}${redisCommands[`${first} ${second}`] ? ` ${second}` : ""}`);
}

/** Commands of psql and mysql that only show something or change how it is shown. */
const showing =
  /^\\(d\w*[+S]*|l\+?|list\+?|conninfo|timing|x|a|t|H|f|C|T\?|pset|encoding|errverbose|h|help|\?|q|quit|z|dp|du|sf\+?|sv\+?|copyright|set|unset|echo|qecho|warn|p|print|r|reset|s$|status|u$|use|c|connect|if|elif|else|endif|prompt|crosstabview|bind|gdesc|W|w$|nowarning)(\s|$)/;

/** Commands whose argument is a file that they write, or a program after a bar. */
const writing = /^\\(o|out|w|write|g|gx|T|tee|s)(?=[\s|]|$)\s*(.*)$/s;
const reading = /^\\(i|ir|include|include_relative|lo_import|\.|source)\s+(.*)$/s;

/** Programs of a shell in a line of psql: what stands in backticks behind a backslash command, and what its output goes to. */
function judgePsql(text: string, { program, report, scan }: ProgramCall): void {
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
function judgeMeta(statement: string, { report, scan, program }: ProgramCall): void {
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

// `mongosh --eval '…'`: JavaScript. Only methods and commands that are known to read are low.

/** `mongosh --eval '…'`: method names decide. */
export const mongo: Check = ({ options, stdin, report, scan, operands }) => {
  const text = [...options.filter((o) => o.name === "--eval").map((o) => o.value?.text ?? ""), stdin.text ?? ""].join(
    "\n",
  );
  const isScript =
    operands.some((a) => /\.(c?js|mjs|mongodb)$/.test(a.text)) || options.some((o) => /^(-f|--file)$/.test(o.name));
  if (isScript) report("medium", "runs a script");
  if (text.trim() === "") {
    if (!isScript) report("medium", "opens a database shell");
    return undefined;
  }
  if (
    /\b(drop\w*|deleteMany|deleteOne|remove|shutdownServer|findOneAndDelete|killAllSessions|fsyncLock|removeShard|reconfig|resync)\s*\(|\b(drop\w*|shutdown|delete)\s*:/.test(
      text,
    )
  )
    report("high", `destroys data or stops the server: ${shown(text.trim())}`);
  else if (
    /\b(insert\w*|update\w*|replace\w*|create\w*|killOp|set\w+|stepDown|save|ensureIndex|grant\w*|bulkWrite|rename\w*|add\w*|compact|enable\w*|move\w*|out)\s*\(|\$(out|merge)\b/.test(
      text,
    )
  )
    report(inProduction("medium", scan), `changes data: ${shown(text.trim())}`);
  else if (/\bvalidate\s*\([^)]*(repair|fixMultikey)\s*:/.test(text)) report("medium", "repairs what it validates");
  else if (/^\s*(snippet|edit|enableTelemetry|disableTelemetry)\b/m.test(text))
    report("medium", "changes the database shell or opens an editor");
  else if (/\b(require|child_process|run|runProgram|exec|load|eval|Function)\s*\(/.test(text))
    report("high", "runs code in the database shell");
  else if (/\bshowCredentials\b|\bsystem\.users\b/.test(text)) report("high", "shows the hashes of passwords");
  else {
    const strange = strangeIn(text);
    report(
      strange === undefined ? "low" : inProduction("medium", scan),
      strange === undefined ? "mongosh: only reads" : `mongosh: ${strange} is not known only to read`,
    );
  }
  return undefined;
};

/** An unknown method or command, or one whose name is computed; undefined if all are known to only read. */
function strangeIn(text: string): string | undefined {
  const bare = text.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`/g, (quoted) =>
    quoted.length > 2 ? '"s"' : quoted,
  );
  if (
    /\][\s]*\(|\[[^\]]*[+`][^\]]*\]|\bdb\s*\[(?!\w+\]\.[A-Za-z])|\$(where|function|accumulator)\b|\bimport\b|\b(process|globalThis|constructor|fs)\b|=>\s*\{[^}]*\bdb\b/.test(
      bare,
    )
  )
    return "a name that is put together";
  const methods = [...bare.matchAll(/([A-Za-z_$][\w$]*)\s*\(/g)].map(([, name = ""]) => name);
  const method = methods.find((name) => !readingMethods.has(name));
  if (method !== undefined) return shown(method);
  for (const [, key = "", word = ""] of text.matchAll(
    /\b(?:admin|run)Command\s*\(\s*(?:\{\s*["']?([\w$]+)["']?\s*:|["'](\w+)["'])/g,
  )) {
    const command = key || word;
    if (!readingCommands.has(command)) return shown(command);
  }
  const calls = methods.filter((name) => /^(admin|run)Command$/.test(name)).length;
  const read = [...text.matchAll(/\b(?:admin|run)Command\s*\(\s*[{"']/g)].length;
  return calls > read ? "a command that is put together" : undefined;
}
