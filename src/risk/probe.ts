import { anyCase } from "../base/any-case.ts";
import { type Arg, inWords, literal } from "./engine/arg.ts";
import { programName } from "./engine/judge.ts";
import { parseOptions, words as split } from "./engine/options.ts";
import type { Probe, Row } from "./program.ts";
import { type Command, parseShell, type Redirection, type Word, type WordPart } from "./shell/parse.ts";
import { countOwn } from "./shell/unwrap.ts";
import { builtInTable, findRule, ownGrammar, programFacts } from "./table.ts";

/** The command that shows what a change would do: from the table's records alone, put together of the change's own parsed words. */

export type FoundProbe =
  | { readonly kind: "probe"; readonly command: string; readonly shows: string }
  /** `why`: a clause for people. */
  | { readonly kind: "none"; readonly why: string };

const none = (why: string): FoundProbe => ({ kind: "none", why });

/** Finds the probe of a bash command. It is not judged yet: the caller must see that it is low before proposing it. Pure; never throws. */
export function findProbe(command: string): FoundProbe {
  const called = callWordsOf(command);
  if (!called.ok) return none(called.why);
  const own = wrappersOf(called.words);
  const [name, ...args] = called.words.slice(own);
  if (!name || name.glob) return none("it calls no program by its name");
  const program = programName(name.text);
  const rule = findRule(program, { table: builtInTable });
  const grammar = ownGrammar(program, rule);
  const known = rule ?? [];
  const probes = known.flatMap(({ names }) => [...names]).includes(program) ? programFacts(program, known).probes : [];
  if (!grammar || probes.length === 0) return none(`the policy knows no dry run of \`${program}\``);
  const texts = inWords(args);
  const isMeant = (row: Row): boolean =>
    (row.if === undefined || new RegExp(anyCase(row.if)).test(texts)) &&
    (row.unless === undefined || !new RegExp(anyCase(row.unless)).test(texts));
  for (const probe of probes.filter(isMeant).flatMap((row) => row.probe ?? [])) {
    const parsed = parseOptions(args, grammar);
    const run = fillIn(probe, { name, args, ...parsed });
    if (run === undefined) continue;
    const wrapped = [...called.words.slice(0, own).map(({ written }) => written), run].join(" ");
    return { kind: "probe", command: `${called.before}${wrapped}`, shows: probe.shows };
  }
  return none(`the policy knows no dry run of this use of \`${program}\``);
}

/** How many words stand before the program that is started: `sudo -u app`, `timeout 60`. */
function wrappersOf(words: readonly CallWord[]): number {
  for (let at = 0; ; ) {
    const program = programName(words[at]?.text ?? "");
    const rest = words.slice(at + 1);
    const own = countOwn(rest, findRule(program, { table: builtInTable }));
    if (own === undefined || own >= rest.length) return at;
    at += 1 + own;
  }
}

interface Call {
  readonly name: CallWord;
  readonly args: readonly CallWord[];
  readonly options: ReturnType<typeof parseOptions>["options"];
  readonly operands: readonly Arg[];
}

/** The probe's words with those of the call in their places; undefined if it has not what the probe needs. */
function fillIn(probe: Probe, { name, args, options, operands }: Call): string | undefined {
  const without = probe.without === undefined ? undefined : new RegExp(probe.without);
  const dropped = new Set(args.filter(({ text }) => without?.test(text)));
  for (const option of options) {
    const value = args.find((arg) => arg === option.value);
    const before = value && args[args.indexOf(value) - 1];
    if (before && dropped.has(before)) dropped.add(value);
  }
  const kept = args.filter((arg) => !dropped.has(arg));
  const isOperand = (arg: CallWord): boolean => operands.includes(arg);
  const given = kept.filter(isOperand);
  const looks = sqlOf(probe, { args, options, operands });
  const place = (token: string): readonly string[] | undefined => {
    const [, number, more] = /^\$([1-9])(\+?)$/.exec(token) ?? [];
    if (number !== undefined) {
      const from = given.slice(Number(number) - 1);
      const chosen = more === "+" ? from : from.slice(0, 1);
      return chosen.length === 0 ? undefined : chosen.map(({ written }) => written);
    }
    switch (token) {
      case "$0":
        return [name.written];
      case "$@":
        return kept.map(({ written }) => written);
      case "$-":
        return kept.filter((arg) => !isOperand(arg) && arg.text !== "--").map(({ written }) => written);
      case "$*":
        return given.length === 0 ? undefined : [writtenOf(given)];
      case "$pids":
        return given.length > 0 && given.every(({ text }) => /^\d+$/.test(text))
          ? [given.map(({ text }) => text).join(",")]
          : undefined;
      case "$sql":
        return looks && [quoteWord(looks.join("; "))];
      case "$-c":
        return looks?.flatMap((statement) => ["-c", quoteWord(statement)]);
      default:
        return [token.replaceAll("␠", " ")];
    }
  };
  const places = split(probe.run).map(place);
  return places.every((words) => words !== undefined) ? places.flat().join(" ") : undefined;
}

/** The statements that look, where the call sends one that changes rows and nothing else. */
function sqlOf(probe: Probe, { args, options, operands }: Omit<Call, "name">): readonly string[] | undefined {
  if (probe.sql === undefined) return undefined;
  const { from, dialect } = probe.sql;
  const given = /^\d$/.test(from)
    ? operands.slice(Number(from) - 1)
    : options.flatMap(({ name, value }) => (value && split(from).includes(name) ? [value] : []));
  const [only, another] = given;
  if (!only || another || args.some(({ glob }) => glob)) return undefined;
  return looksInstead(only.text, dialect);
}

// From an SQL statement that changes rows to statements that look: its plan, and how many rows it is about.

const name = String.raw`(?:[\w$]+|"[^"]+"|\x60[^\x60]+\x60)`;
const table = `(?<table>${name}(?:\\.${name})?)`;
const deletes = new RegExp(`^delete\\s+from\\s+(?:only\\s+)?${table}(?:\\s+where\\s+(?<where>[\\s\\S]+))?$`, "i");
const updates = new RegExp(`^update\\s+(?:only\\s+)?${table}\\s+set\\s+[\\s\\S]+$`, "i");
const empties = new RegExp(
  `^(?:truncate(?:\\s+table)?|drop\\s+table(?:\\s+if\\s+exists)?)\\s+${table}(?:\\s+(?:cascade|restrict))?$`,
  "i",
);

/** What is sent in place of it, by the database. MySQL opens the tables of an `EXPLAIN` as the statement would, so it stands outside. */
const dialects = {
  postgres: (plan: readonly string[], count: string) => [
    "BEGIN READ ONLY",
    ...plan.map((text) => `EXPLAIN ${text}`),
    count,
    "ROLLBACK",
  ],
  mysql: (plan: readonly string[], count: string) => [
    ...plan.map((text) => `EXPLAIN ${text}`),
    "START TRANSACTION READ ONLY",
    count,
    "ROLLBACK",
  ],
  /** For a connection that is read-only by itself. */
  sqlite: (plan: readonly string[], count: string) => [...plan.map((text) => `EXPLAIN QUERY PLAN ${text}`), count],
} as const;

export type SqlDialect = keyof typeof dialects;

/**
 * What to ask instead of one `DELETE`, `UPDATE`, `TRUNCATE` or `DROP TABLE`: its plan and the count of its rows, where the database offers
 * it in a read-only transaction. Returns undefined for any other text, for several statements, and for what cannot be read with certainty
 * (comments, joins, `RETURNING`).
 */
export function looksInstead(text: string, dialect: SqlDialect): readonly string[] | undefined {
  const statement = text.trim().replace(/;\s*$/, "");
  const bare = withoutTexts(statement);
  if (bare === undefined || /[;\\#]|--|\/\*|\$\w*\$/.test(bare)) return undefined;
  const looks = dialects[dialect];
  const emptied = empties.exec(statement)?.groups?.table;
  if (emptied !== undefined) return looks([], counted(emptied));
  if (/\b(?:returning|using|join|limit|order|current\s+of)\b/i.test(bare)) return undefined;
  const deleted = deletes.exec(statement)?.groups;
  if (deleted) return looks([statement], counted(deleted.table, deleted.where));
  const updated = updates.exec(statement)?.groups;
  const [where, another] = [...bare.matchAll(/\bwhere\b/gi)];
  if (!updated || another || /\bfrom\b/i.test(bare)) return undefined;
  const rows = where && statement.slice(where.index + where[0].length).trim();
  return looks([statement], counted(updated.table, rows));
}

const counted = (from = "", where?: string): string =>
  `SELECT count(*) FROM ${from}${where === undefined ? "" : ` WHERE ${where}`}`;

/** The same length with its quoted texts blanked out; undefined if a quote stays open. */
function withoutTexts(statement: string): string | undefined {
  const bare = statement.replace(/'(?:[^'\\]|'')*'|"[^"]*"|`[^`]*`/g, (text) => "_".repeat(text.length));
  return /['"`]/.test(bare) ? undefined : bare;
}

/** A word as it is written, and as the program gets it; a pattern is for the shell to expand. */
interface CallWord extends Arg {
  readonly written: string;
}

type CallWords =
  /** `before`: what stands before the call and stays, a `cd` or variables. */
  | { readonly ok: true; readonly before: string; readonly words: readonly CallWord[] }
  | { readonly ok: false; readonly why: string };

/** Takes a command apart that is one call of one program, behind a `cd` or not. Returns why it is not one. */
function callWordsOf(text: string): CallWords {
  const script = parseShell(text);
  const [statement, ...others] = script.commands;
  if (!statement || script.errors?.length) return refuse("it cannot be read as a shell command");
  if (others.length > 0 || statement.background) return refuse(several);
  const { command } = statement;
  if (command.type === "Command") return callOf(command);
  if (command.type !== "AndOr" || command.commands.length !== 2 || command.operators[0] !== "&&")
    return refuse(several);
  const [first, second] = command.commands;
  if (first?.type !== "Command" || second?.type !== "Command" || first.name?.value !== "cd") return refuse(several);
  const moved = callOf(first);
  const called = callOf(second);
  if (!moved.ok || !called.ok) return moved.ok ? called : moved;
  return { ...called, before: `${writtenOf(moved.words)} && ${called.before}` };
}

const writtenOf = (words: readonly Pick<CallWord, "written">[]): string =>
  words.map(({ written }) => written).join(" ");

/** A literal for the shell: as it is where nothing in it means anything there, else in single quotes. */
const quoteWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

const several = "it is more than one command; propose the change by itself to probe it";
const unknown = "a part of it is known only when it runs";
const refuse = (why: string) => ({ ok: false, why }) as const;

function callOf(command: Command): CallWords {
  const { name, args, prefix, redirects } = command;
  if (!name) return refuse("it calls no program");
  if (!redirects.every(isHarmless)) return refuse("it also reads or writes a file by a redirection");
  const words: CallWord[] = [];
  for (const arg of [name, ...args]) {
    const word = arg.type === "Word" ? wordOf(arg) : undefined;
    if (!word) return refuse(unknown);
    words.push(word);
  }
  const variables: string[] = [];
  for (const part of prefix) {
    if (part.type !== "Assignment") continue;
    const value = part.value?.type === "Word" ? wordOf(part.value) : undefined;
    if (!value || value.glob || !part.name || part.append || part.index) return refuse(unknown);
    variables.push(`${part.name}=${value.written} `);
  }
  return { ok: true, before: variables.join(""), words };
}

/** What it prints goes nowhere else than to who reads it. */
const isHarmless = (redirection: Redirection): boolean =>
  redirection.type === "Redirect" &&
  ((redirection.operator === ">&" && /^[12]$/.test(redirection.target?.value ?? "")) ||
    redirection.target?.value === "/dev/null");

/** Returns undefined if the word depends on what is known only when it runs. */
function wordOf(word: Word): CallWord | undefined {
  const home = /^~[\w-]*(?=\/|$)/.exec(word.text)?.[0];
  if (!word.parts) {
    const rest = home === undefined ? word.value : word.value.slice(home.length);
    const written = home === undefined ? quoteWord(rest) : `${home}${rest === "" ? "" : quoteWord(rest)}`;
    return { ...literal(word.value), written };
  }
  let text = "";
  let written = "";
  let glob = false;
  for (const [index, part] of word.parts.entries()) {
    const value = literalOf(part);
    if (value !== undefined) {
      const start = index === 0 && home !== undefined && part.type === "Literal" ? home : "";
      written += start + (value === start ? "" : quoteWord(value.slice(start.length)));
      text += value;
    } else if (part.type === "Glob" || (part.type === "BraceExpansion" && /^[\w.,{}/-]+$/.test(part.text))) {
      written += part.text;
      text += part.text;
      glob = true;
    } else return undefined;
  }
  return { text, written: written === "" ? "''" : written, dynamic: false, glob };
}

/** The text that a part stands for, in any state of the shell. */
function literalOf(part: WordPart): string | undefined {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      return part.value;
    case "DoubleQuoted": {
      const inner = part.parts.map(literalOf);
      return inner.every((text) => text !== undefined) ? inner.join("") : undefined;
    }
    default:
      return undefined;
  }
}
