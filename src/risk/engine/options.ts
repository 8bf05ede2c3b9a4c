/** Splits arguments into options and operands by what a rule says of the program's options. */
import { type Risk, risks } from "../../base/risk.ts";
import { usualOptions } from "../knowledge/verbs.ts";
import type { Detail, Levels, OptionKind, Row } from "../program.ts";
import type { Arg } from "./arg.ts";

export interface Option {
  /** With its dashes: `-n`, `--lines`. */
  readonly name: string;
  readonly value?: Arg | undefined;
}

export interface ParsedArguments {
  readonly options: readonly Option[];
  readonly operands: readonly Arg[];
}

export interface Grammar {
  /** What each option takes that the rule speaks of. */
  readonly kinds: ReadonlyMap<string, OptionKind>;
  readonly takes: ReadonlySet<string>;
  /** Every option the rule speaks of. */
  readonly known: ReadonlySet<string>;
  /** Those that an abbreviation of a long option is completed to: never one that lowers the level. */
  readonly completed: readonly string[];
  readonly oneDash: boolean;
  /** Short options whose value may stand in the same word, never in the next. */
  readonly attached?: ReadonlySet<string>;
}

const split = new Map<string, readonly string[]>();

/** The words of a list of the table; each list is split once. */
export function words(text: string | undefined): readonly string[] {
  if (!text) return [];
  const found = split.get(text) ?? text.split(" ").filter(Boolean);
  split.set(text, found);
  return found;
}

/** The words of lists by level, each with its level. */
export const levelsOf = (lists: Levels = {}): readonly (readonly [word: string, risk: Risk])[] =>
  Object.entries(lists).flatMap(([risk, list]) => words(list).map((word) => [word, risk as Risk] as const));

/** The grammar of a rule's options. */
export function grammarOf({ options = {}, rows = [], level = "medium", check, oneDash = false }: Detail): Grammar {
  const kinds = new Map<string, OptionKind>();
  for (const [kind, list] of Object.entries(options))
    for (const word of words(list)) kinds.set(word, kind as OptionKind);
  if (check === "family") for (const word of words(usualOptions)) if (!kinds.has(word)) kinds.set(word, "value");
  const takes = new Set([...kinds].flatMap(([word, kind]) => (kind === "flag" ? [] : [word])));
  const optionsOf = (row: Row): readonly string[] => words(row.words).filter((word) => /^[-+]/.test(word));
  const leveled = rows.filter((row) => row.level !== undefined);
  const dry = rows.filter(({ is }) => is === "rehearsal").flatMap(optionsOf);
  const isLower = (row: Row): boolean => risks.indexOf(row.level ?? "low") < Math.max(1, risks.indexOf(level));
  const lowers = new Set([...dry, ...leveled.filter(isLower).flatMap(optionsOf)]);
  // `PROGRAM_--word`, of a row about some of the programs.
  const flags = leveled.flatMap((row) =>
    optionsOf(row).flatMap((word) => (row.names ? words(row.names).map((name) => `${name}_${word}`) : [word])),
  );
  const plain = [...words(options.flag), ...leveled.flatMap(optionsOf)];
  return {
    kinds,
    takes,
    known: new Set([...takes, ...words(options.flag), ...flags, ...dry]),
    completed: [...takes, ...plain].filter((word) => word.startsWith("-") && !lowers.has(word) && !/[=*]/.test(word)),
    oneDash,
  };
}

/**
 * GNU accepts `--rec` for `--recursive`: the text itself, and all listed options that it abbreviates. That it may be short
 * for one that is harmless says nothing.
 */
function complete(name: string, { known, completed }: Grammar): string[] {
  if (known.has(name) || name.length < 3) return [name];
  return [name, ...completed.filter((word) => word.startsWith(name))];
}

/** Splits `args` (without the program's name) into options and operands; options may stand anywhere before `--`. */
export function parseOptions(args: readonly Arg[], grammar: Grammar): ParsedArguments {
  const options: Option[] = [];
  const operands: Arg[] = [];
  for (let i = 0; i < args.length; i++) {
    const arg = args[i];
    if (!arg) continue;
    const text = arg.text;
    if (text === "--") {
      operands.push(...args.slice(i + 1));
      break;
    }
    if (text.length < 2 || text[0] !== "-" || (text[1] ?? "") === "\u0001") {
      operands.push(arg);
      continue;
    }
    const isWhole = text.length > 2 && grammar.known.has(text.split("=", 1)[0] ?? "");
    if (text.startsWith("--") || isWhole || (grammar.oneDash && !grammar.takes.has(text.slice(0, 2)))) {
      i += readLong({ arg, next: args[i + 1], grammar, options });
      continue;
    }
    i += readCluster({ arg, next: args[i + 1], grammar, options });
  }
  return { options, operands };
}

interface Reading {
  readonly arg: Arg;
  readonly next: Arg | undefined;
  readonly grammar: Grammar;
  readonly options: Option[];
}

/** Gives back how many following arguments were taken. */
function readLong({ arg, next, grammar, options }: Reading): number {
  const equals = arg.text.indexOf("=");
  const names = complete(equals < 0 ? arg.text : arg.text.slice(0, equals), grammar);
  if (equals >= 0) {
    const value = { ...arg, text: arg.text.slice(equals + 1) };
    options.push(...names.map((name) => ({ name, value })));
    return 0;
  }
  const takesNext = names.some((name) => grammar.takes.has(name));
  options.push(...names.map((name) => ({ name, value: takesNext ? next : undefined })));
  return takesNext ? 1 : 0;
}

function readCluster({ arg, next, grammar, options }: Reading): number {
  for (let i = 1; i < arg.text.length; i++) {
    const name = `-${arg.text[i]}`;
    const rest = arg.text.slice(i + 1);
    if (grammar.attached?.has(name)) {
      options.push(rest ? { name, value: { ...arg, text: rest } } : { name });
      return 0;
    }
    if (!grammar.takes.has(name)) {
      options.push({ name });
      continue;
    }
    options.push({ name, value: rest ? { ...arg, text: rest.startsWith("=") ? rest.slice(1) : rest } : next });
    return rest ? 0 : 1;
  }
  return 0;
}
