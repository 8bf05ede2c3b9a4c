import { anyCase } from "../../base/any-case.ts";
/** One matcher of words: which rows of a record are about a call. */
import type { Risk } from "../../base/risk.ts";
import { knownVerbs } from "../knowledge/verbs.ts";
import type { OptionKind, Row } from "../program.ts";
import type { CompiledRule } from "../table.ts";
import { type Arg, inWords } from "./arg.ts";
import { type Grammar, levelsOf, type Option, words } from "./options.ts";

/** A call as rows see it. */
export interface RowCall {
  readonly program: string;
  readonly args: readonly Arg[];
  readonly options: readonly Option[];
  /** Without the words of the sub-command. */
  readonly operands: readonly Arg[];
  /** The operands with them. */
  readonly path: readonly Arg[];
}

/** A row, ready for look-ups. */
export interface CompiledRow {
  readonly row: Row;
  readonly names: ReadonlySet<string> | undefined;
  /** Its words that stand anywhere: options as they are, others without their `~`. */
  readonly anywhere: readonly string[];
  readonly subs: readonly string[];
  readonly met: RegExp | undefined;
  readonly unmet: RegExp | undefined;
}

export const isAnywhere = (word: string): boolean => /^[-+~]/.test(word);

export function compileRow(row: Row): CompiledRow {
  const listed = words(row.words);
  return {
    row,
    names: row.names === undefined ? undefined : new Set(words(row.names)),
    anywhere: listed.filter(isAnywhere).map((word) => word.replace(/^~/, "")),
    subs: listed.filter((word) => !isAnywhere(word)),
    met: row.if === undefined ? undefined : new RegExp(anyCase(row.if)),
    unmet: row.unless === undefined ? undefined : new RegExp(anyCase(row.unless)),
  };
}

/** The operator's word for a program stands as it is: nothing is read into the names of what it does not list. */
export const isOperators = ({ id }: Pick<CompiledRule, "id">): boolean => id.startsWith("operator.");

/** What changes something behind a word that only names what it is about: `npm audit fix`, `nmcli connection import`. */
const changing = new Map(levelsOf(knownVerbs).filter(([, risk]) => risk !== "low"));
/** Whether a word says by itself, or by its first part, that it changes something. */
const isChanging = (word: string): boolean =>
  changing.has(word) || (/^[a-z]{3,}[-_]/.test(word) && changing.has(word.split(/[-_]/)[0] ?? ""));

/** What these take is a file, a host or a command, and no word of the program: `squid -f parse`. */
const named: ReadonlySet<OptionKind> = new Set([
  "path-read",
  "path-write",
  "settings",
  "script",
  "argv",
  "host",
  "secret",
]);

/** The words that decide a level. Behind a verb that changes something, one that only looks is a name: `dmsetup load status`. */
export function decidingWords(
  { options, path }: RowCall,
  lowers: ReadonlySet<string>,
  { kinds }: Pick<Grammar, "kinds">,
): { readonly all: ReadonlySet<string>; readonly looking: ReadonlySet<string> } {
  const [said, texts] = [saidBy(options), path.map(({ text }) => text)];
  const verb = texts.findIndex((text) => isChanging(text) && !lowers.has(text));
  const isNamed = ({ name }: Option): boolean => named.has(kinds.get(name) ?? "value");
  const looking = saidBy(options.map((one) => (isNamed(one) ? { name: one.name } : one)));
  return {
    all: new Set([...said, ...texts]),
    looking: new Set([...looking, ...(verb < 0 ? texts : texts.slice(0, verb))]),
  };
}

const saidBy = (options: readonly Option[]): readonly string[] =>
  options.flatMap(({ name, value }) => (value ? [name, value.text, `${name}=${value.text}`] : [name]));

const allWords = new WeakMap<readonly Option[], ReadonlySet<string>>();
function wordsOf({ options, args, path }: RowCall): ReadonlySet<string> {
  const found = allWords.get(options);
  if (found) return found;
  const made = new Set([...saidBy(options), ...args.map(({ text }) => text), ...path.map(({ text }) => text)]);
  allWords.set(options, made);
  return made;
}

/** `*` at the end stands for any rest, `_*` for more words in the same one. */
function isMet(listed: string, given: ReadonlySet<string>): boolean {
  if (!listed.endsWith("*")) return given.has(listed);
  const start = listed.slice(0, -1).replace(/_$/, " ");
  for (const word of given) if (word.startsWith(start)) return true;
  return false;
}

/** Whether a call's words begin with a sub-command. */
export function isSub(listed: string, path: readonly Arg[]): boolean {
  if (listed === "()") return path.length === 0;
  const given = path
    .slice(0, listed.split("_").length)
    .map(({ text }) => text)
    .join("_");
  return listed.endsWith("*") ? path.length > 0 && given.startsWith(listed.slice(0, -1)) : given === listed;
}

/** Whether a row is about a call. */
export function fits(one: CompiledRow, call: RowCall, given?: ReadonlySet<string>): boolean {
  const { row, names, anywhere, subs, met, unmet } = one;
  if (names && !names.has(call.program)) return false;
  if (row.words !== undefined) {
    const said = given ?? wordsOf(call);
    if (!anywhere.some((word) => isMet(word, said)) && !subs.some((word) => isSub(word, call.path))) return false;
  }
  if (!met && !unmet) return true;
  const text = inWords(row.operands ? call.operands : call.args);
  return (met?.test(text) ?? true) && !unmet?.test(text);
}

/** Its options that a call has. */
export const optionsMet = ({ anywhere }: CompiledRow, { options }: RowCall): readonly string[] =>
  options.map(({ name }) => name).filter((name) => anywhere.some((word) => isMet(word, new Set([name]))));

/** A row that gives a level. */
export type LevelRow = CompiledRow & { readonly row: Row & { readonly level: Risk } };

/** Words that read what stands behind them, so that it is a name, even if it looks like a verb: `apt show update`. */
const reading = new Set(
  words(`${knownVerbs.low} policy depends rdepends deps uses provides which why log diff grep warnings cat wait`),
);

/** The level of what a word that only names something hides; undefined if it hides nothing. */
export function hiddenVerb(rule: CompiledRule, word: Arg, next: Arg | undefined): Risk | undefined {
  const isReading = reading.has(word.text) || reading.has(word.text.split("-")[0] ?? "");
  if (!next || isReading || rule.names.has("git")) return undefined;
  return rule.sub.get(next.text)?.level ?? (isOperators(rule) ? undefined : changing.get(next.text));
}
