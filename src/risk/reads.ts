/**
 * Low is a closed world: a call is low because all of it is known to only read. A record (`program.ts`) says what raises a call; the tables
 * in `knowledge/reads/` say which options, operands and sub-commands only read. What neither lists makes a call at least medium.
 */
import { type Grammar, words } from "./engine/options.ts";
import { clientReads } from "./knowledge/clients.ts";
import { formatReads } from "./knowledge/formats.ts";
import { hostReads } from "./knowledge/host.ts";
import { inventoryReads } from "./knowledge/inventory.ts";
import { networkReads } from "./knowledge/network.ts";
import { packageReads } from "./knowledge/packages.ts";
import { clusterReads, databaseReads } from "./knowledge/reads/clusters.ts";
import { familyReads } from "./knowledge/reads/families.ts";
import { instrumentReads, operationReads } from "./knowledge/reads/operations.ts";
import { fileReads, textReads } from "./knowledge/reads/text.ts";
import { toolReads } from "./knowledge/reads/tools.ts";
import { treeReads } from "./knowledge/reads/trees.ts";
import type { CompiledRule } from "./table.ts";

/** What only reads of a program, or of one of its sub-commands. Lists are words separated by spaces. */
export interface Reads {
  /**
   * The options; one that ends in `=` takes a value, one that ends in `?` may have one in the same word, and of one with a value behind the `=` only that value only reads (`-lock=false`, `-o=-`).
   * `*`: every word that looks like an option is text (`echo`).
   */
  readonly options?: string;
  /**
   * True if its operands are names, patterns or numbers that it looks up; a pattern if only some are, which each must fit. A record whose operands
   * have a role needs it not.
   */
  readonly names?: true | RegExp;
  /** Options with which any call of it prints its help and does nothing else; not of its sub-commands that hand words on (`exec`, `run`). */
  readonly help?: string;
  /** Options behind which another program stands with its own words, to a `;` or `+` (`find -exec`); `operand`: it begins at the first operand (`xargs`). */
  readonly runs?: string;
  /**
   * By sub-command, written as in a record: words joined with `_`, several separated by spaces, `*` for each. Options of the program itself hold for
   * all of them.
   */
  readonly sub?: Readonly<Record<string, Reads>>;
}

/** By the names of programs, separated by spaces. */
export type ReadTable = Readonly<Record<string, Reads>>;

/** What is known to only read in one call. */
export interface KnownReads {
  /** They take no value, even if the record says so of others. */
  readonly flags: ReadonlySet<string>;
  readonly takes: ReadonlySet<string>;
  /** Options with one value that only reads, which may stand in the next word: `-o -`. */
  readonly valued: ReadonlySet<string>;
  /** Those whose value stands in the same word, if there is one: `-I` of date, `-i` of lsof. */
  readonly attached: ReadonlySet<string>;
  readonly isText: boolean;
  readonly names: boolean | RegExp;
  readonly runs: ReadonlySet<string>;
}

export const readTable: ReadonlyMap<string, Reads> = new Map(
  [
    clientReads,
    clusterReads,
    databaseReads,
    familyReads,
    fileReads,
    formatReads,
    hostReads,
    instrumentReads,
    inventoryReads,
    networkReads,
    operationReads,
    packageReads,
    textReads,
    toolReads,
  ].flatMap((reads) =>
    Object.entries(reads).flatMap(([names, one]) => words(names).map((name) => [name, one] as const)),
  ),
);

/** By its name, or by that without a version (`python3.11`). */
const entryOf = (program: string): Reads | undefined =>
  readTable.get(program) ?? readTable.get(program.replace(/[-.]?\d+(\.\d+)*$/, ""));

const handsOn = /^(exec|run|rsh|debug|compose|ssh|attach|plugin|alias|--)$/;

/**
 * Whether a call only asks for help, as far as the program is known to honor that. Any other option could say what shows the help (`git -c
 * man.viewer=…`), and a sub-command that no record lists may be a plugin, which would run.
 */
export function asksForHelp(program: string, args: readonly string[], isSub: (word: string) => boolean): boolean {
  const help = words(entryOf(program)?.help);
  const [first] = args.filter((arg) => !help.includes(arg));
  return (
    first !== undefined &&
    args.some((arg) => help.includes(arg)) &&
    args.every((arg) => help.includes(arg) || !arg.startsWith("-")) &&
    !args.some((arg) => handsOn.test(arg)) &&
    isSub(first)
  );
}

/** Whether anybody has listed what of a program only reads. */
export const isListed = (program: string): boolean => entryOf(program) !== undefined;

const nothingKnown: KnownReads = {
  flags: new Set(),
  takes: new Set(),
  valued: new Set(),
  attached: new Set(),
  isText: false,
  names: false,
  runs: new Set(),
};
/** What stands behind a path of a tree is a name. */
const treeKnown: KnownReads = { ...nothingKnown, names: true };
const cache = new Map<string, KnownReads>();

/** Finds what is known to only read for a program, and for the sub-command that its first operands name. */
export function findReads(program: string, given: readonly string[]): KnownReads {
  const top = entryOf(program);
  if (!top) return trees.has(program) ? treeKnown : nothingKnown;
  const key = top.sub && given.length > 0 ? `${program} ${given.slice(0, maxWords).join(" ")}` : program;
  const found = cache.get(key);
  if (found) return found;
  const entries = top.sub ? entriesFor(top.sub, given) : [];
  const joined = join(given.length > 0 && top.sub && entries.length === 0 ? [top, {}] : [top, ...entries]);
  const made = trees.has(program) && !joined.names ? { ...joined, names: true } : joined;
  if (cache.size < maxCached && key.length < maxKey) cache.set(key, made);
  return made;
}
const maxWords = 4;
const maxCached = 5000;
const maxKey = 200;

/** Words of a table, ready for look-ups: `list_*` stands for any that begins so. */
interface Names {
  readonly whole: ReadonlySet<string>;
  readonly starts: readonly string[];
}

const namesOf = (list: readonly string[]): Names => ({
  whole: new Set(list),
  starts: list.flatMap((word) => (/.\*$/.test(word) ? [word.slice(0, -1)] : [])),
});
const startsIn = (name: string, { starts }: Names): boolean => starts.some((start) => name.startsWith(start));
const isIn = (name: string, names: Names): boolean => names.whole.has(name) || startsIn(name, names);

const trees: ReadonlyMap<string, readonly [before: Names, last: Names]> = new Map(
  Object.entries(treeReads).flatMap(([names, [before, last]]) => {
    const tree = [namesOf(words(before)), namesOf(words(last))] as const;
    return words(names).map((name) => [name, tree] as const);
  }),
);
const subNames = new Map<string, Names>();

/**
 * The words of the longest sub-command that is listed among those a call begins with; none if none is, and undefined if the program lists no
 * sub-commands at all.
 */
export function findListed(program: string, given: readonly string[]): readonly string[] | undefined {
  const sub = entryOf(program)?.sub;
  if (!sub && !trees.has(program)) return undefined;
  const count = countListed(program, given);
  return given.slice(0, count === 0 && sub?.["*"] && !trees.has(program) ? 1 : count);
}

/** Whether a sub-command that is listed begins with a word, or one of a tree has it before its last. */
export function beginsSub(program: string, word: string): boolean {
  const names = Object.keys(entryOf(program)?.sub ?? {}).flatMap(words);
  const [before, last] = trees.get(program) ?? [];
  return (
    names.some((name) => name === word || name.startsWith(`${word}_`)) ||
    before?.whole.has(word) === true ||
    last?.whole.has(word) === true
  );
}

/** Whether the words name a sub-command that is listed by its name. */
export const isListedSub = (program: string, given: readonly string[]): boolean => countListed(program, given) > 0;

function countListed(program: string, given: readonly string[]): number {
  const names = subNames.get(program) ?? namesOf(Object.keys(entryOf(program)?.sub ?? {}).flatMap(words));
  if (readTable.has(program)) subNames.set(program, names);
  const most = given.slice(0, maxWords).findLastIndex((_, used) => isIn(given.slice(0, used + 1).join("_"), names));
  const tree = trees.get(program);
  if (!tree) return most + 1;
  const [before, last] = tree;
  const end = given.findIndex((text) => !isIn(text, before));
  const path = given.slice(0, end < 0 ? given.length : end + 1);
  // What only begins like a read (`list-*`) names one behind the word that says of what.
  return (
    1 +
    Math.max(
      most,
      path.findLastIndex((text, at) => last.whole.has(text) || (at > 0 && startsIn(text, last))),
    )
  );
}

/** The entries of the sub-command's words, from the first to the most that are listed; `*` if none is. */
function entriesFor(sub: Readonly<Record<string, Reads>>, given: readonly string[]): readonly Reads[] {
  const found = given.slice(0, maxWords).flatMap((_, used) => {
    const name = given.slice(0, used + 1).join("_");
    return Object.entries(sub).flatMap(([names, one]) =>
      words(names).some((word) => isNamed(name, word)) ? [one] : [],
    );
  });
  const any = sub["*"];
  return found.length === 0 && given.length > 0 && any ? [any] : found;
}

/** Whether a word of the table names a sub-command; `list_*` stands for any that begins so. */
const isNamed = (name: string, word: string): boolean =>
  word.endsWith("*") && word.length > 1 ? name.startsWith(word.slice(0, -1)) : word === name;

function join(entries: readonly Reads[]): KnownReads {
  const options = entries.flatMap((one) => words(one.options));
  const plain = (word: string): string => word.replace(/(?<=\w)\?$/, "");
  return {
    flags: new Set(options.filter((word) => !word.endsWith("=")).map(plain)),
    takes: new Set(options.flatMap((word) => (word.endsWith("=") ? [word.slice(0, -1)] : []))),
    valued: new Set(options.flatMap((word) => /^(-\w)=./.exec(word)?.[1] ?? [])),
    attached: new Set(options.flatMap((word) => /^(-\w)\?$/.exec(word)?.[1] ?? [])),
    isText: options.includes("*"),
    names: entries.at(-1)?.names ?? false,
    runs: new Set(entries.flatMap((one) => words(one.runs))),
  };
}

const grammars = new WeakMap<CompiledRule, Map<object, Grammar>>();

/** A rule's grammar with the options that are known to only read, so that values are taken for what they are. */
export function grammarWithReads(
  rule: CompiledRule,
  { root, path }: { readonly root: string; readonly path: readonly string[] },
): Grammar {
  const reads = findReads(root, path);
  const byReads = grammars.get(rule) ?? new Map<object, Grammar>();
  grammars.set(rule, byReads);
  const { grammar } = rule;
  const found = byReads.get(reads) ?? {
    ...grammar,
    takes: grammar.takes.difference(reads.flags).union(reads.takes).union(reads.valued),
    attached: reads.attached,
    known: grammar.known.union(reads.flags).union(reads.takes),
  };
  byReads.set(reads, found);
  return found;
}
