/** The rule table: built-in rules by program name, then the operator's. */
import type { Risk } from "../base/risk.ts";
import type { CallEffect } from "./call-effect.ts";
import { type Grammar, grammarOf, levelsOf, words } from "./engine/options.ts";
import type { Scan } from "./engine/scan.ts";
import { applicationRules } from "./knowledge/applications.ts";
import { cloudRules } from "./knowledge/cloud.ts";
import { containerRules } from "./knowledge/containers.ts";
import { databaseRules } from "./knowledge/databases.ts";
import { directoryRules } from "./knowledge/directories.ts";
import { diskRules } from "./knowledge/disks.ts";
import { filePrograms } from "./knowledge/files.ts";
import { hostRules } from "./knowledge/host.ts";
import { networkPrograms } from "./knowledge/network.ts";
import { packageRules } from "./knowledge/packages.ts";
import { readerRules } from "./knowledge/readers.ts";
import { scheduleRules } from "./knowledge/schedules.ts";
import { serviceRules } from "./knowledge/services.ts";
import { shellRules } from "./knowledge/shell.ts";
import { transferRules } from "./knowledge/transfer.ts";
import { volumeRules } from "./knowledge/volumes.ts";
import { wrapperRules } from "./knowledge/wrappers.ts";
import type { Detail, OperatorProgram, Program, Rung, Trait } from "./program.ts";
import { grammarWithReads } from "./reads.ts";

export interface CompiledEffect {
  readonly effect: CallEffect;
  readonly pattern: RegExp | undefined;
  readonly where: RegExp | undefined;
  readonly unless: RegExp | undefined;
}

export interface CompiledRule {
  readonly id: string;
  readonly detail: Detail;
  readonly grammar: Grammar;
  readonly flagLevels: ReadonlyMap<string, Risk>;
  readonly safe: ReadonlySet<string> | undefined;
  readonly when: readonly (readonly [word: string, risk: Risk])[];
  /** The words of `when` that lower. */
  readonly lowers: ReadonlySet<string>;
  /** The programs it is for: a word of `when` that is one of them means the program, never an operand (`lpadmin -d lpstat`). */
  readonly names: ReadonlySet<string>;
  readonly sub: ReadonlyMap<string, Risk>;
  /** `list-*` and the like. */
  readonly subPrefixes: readonly (readonly [prefix: string, risk: Risk])[];
  readonly deep: ReadonlyMap<string, CompiledRule>;
  readonly ladder: readonly { readonly rung: Rung; readonly met: RegExp; readonly unmet: RegExp | undefined }[];
  readonly effects: readonly CompiledEffect[];
  /** The whole record, where this is no sub-command. */
  readonly program: Partial<Program>;
}

const clientRules: readonly Program[] = [
  ...applicationRules,
  ...networkPrograms,
  ...transferRules,
  ...directoryRules,
  ...packageRules,
  ...containerRules,
  ...databaseRules,
  ...cloudRules,
];

export const builtInRules: readonly Program[] = [
  ...readerRules,
  ...filePrograms,
  ...diskRules,
  ...volumeRules,
  ...hostRules,
  ...scheduleRules,
  ...serviceRules,
  ...clientRules,
  ...shellRules,
  ...wrapperRules,
];

const clients = new Set<unknown>(clientRules);

/**
 * Whether a program may ask another host although no word names one: a client (but for one whose record has an empty `reach`), one with a
 * record of what it reaches, or one that nobody knows.
 */
export const isClient = (program: string, rule: readonly CompiledRule[] | undefined): boolean =>
  judging(rule)?.some((one) => clients.has(one.program) && one.program.reach?.length !== 0) !== false ||
  programFacts(program, rule).reach.some(({ sub }) => sub !== "");

/** The operator's word for a program stands as it is: nothing is read into the names of what it does not list. */
export const isOperators = ({ id }: Pick<CompiledRule, "id">): boolean => id.startsWith("operator.");

/** Makes a rule ready for look-ups. */
function compileRule(id: string, detail: Detail, program: Partial<Program> = {}): CompiledRule {
  const levels = levelsOf(detail.sub);
  const grammar = grammarOf(detail);
  return {
    id,
    detail,
    grammar,
    flagLevels: new Map(levelsOf(detail.flags)),
    safe: detail.safe === undefined ? undefined : new Set([...words(detail.safe), ...grammar.takes]),
    when: levelsOf(detail.when),
    lowers: new Set(words(detail.when?.low)),
    names: new Set(words(program.names)),
    sub: new Map(levels.filter(([word]) => !word.endsWith("*"))),
    subPrefixes: levels
      .filter(([word]) => word.endsWith("*"))
      .map(([word, risk]) => [word.slice(0, -1), risk] as const)
      .toSorted((a, b) => b[0].length - a[0].length),
    deep: new Map(
      Object.entries(detail.deep ?? {}).map(([word, inner]) => [word, compileRule(`${id}.${word}`, inner)]),
    ),
    ladder: (detail.ladder ?? []).map((rung) => ({
      rung,
      met: new RegExp(rung.if ?? ""),
      unmet: patternOf(rung.unless),
    })),
    effects: (detail.effects ?? []).map((effect) => ({
      effect,
      pattern: patternOf(effect.if, "g"),
      where: patternOf(effect.where),
      unless: patternOf(effect.unless),
    })),
    program,
  };
}

const patternOf = (text: string | undefined, flags = ""): RegExp | undefined =>
  text === undefined ? undefined : new RegExp(text, flags);

export type Table = ReadonlyMap<string, readonly CompiledRule[]>;

/** Program name → its rules, built-in first. Several rules on one name: the strictest wins. */
export function createTable(rules: readonly (Program | OperatorProgram)[]): Table {
  const table = new Map<string, CompiledRule[]>();
  for (const rule of rules) {
    const compiled = compileRule(rule.id, rule, rule);
    for (const name of words(rule.names)) table.set(name, [...(table.get(name) ?? []), compiled]);
  }
  return table;
}

export const builtInTable: Table = createTable(builtInRules);

const factKinds = ["reach", "unbounded", "walks", "inline", "prints", "exits", "traits", "probes"] as const;
type Facts = Required<Pick<Program, (typeof factKinds)[number]>>;
const factsOf = (program: string, rule: readonly CompiledRule[]): Facts =>
  Object.fromEntries(
    factKinds.map((kind) => [
      kind,
      rule.flatMap((one) => one.program[kind]?.filter(({ names }) => !names || words(names).includes(program)) ?? []),
    ]),
  ) as unknown as Facts;
const noFacts = factsOf("", []);
const foundFacts = new WeakMap<readonly CompiledRule[], Map<string, Facts>>();

/** What its rules say of this very program. */
export function programFacts(program: string, rule: readonly CompiledRule[] | undefined): Facts {
  if (!rule) return noFacts;
  const byName = foundFacts.get(rule) ?? new Map<string, Facts>();
  foundFacts.set(rule, byName);
  const found = byName.get(program);
  if (found) return found;
  const facts = factsOf(program, rule);
  // Of names without end (`python3.11`) nothing is kept.
  if (rule[0]?.names.has(program)) byName.set(program, facts);
  return facts;
}

/** Whether a program has a trait. */
export const hasTrait = (program: string, trait: Trait["is"], table: Table): boolean =>
  programFacts(program, table.get(program)).traits.some(({ is }) => is === trait);

/** The rules that judge a program; undefined where nobody knows it, whatever facts there are. */
export function judging(rule: readonly CompiledRule[] | undefined): readonly CompiledRule[] | undefined {
  if (!rule?.some(({ program }) => program.known === false)) return rule;
  const known = rule.filter(({ program }) => program.known !== false);
  return known.length > 0 ? known : undefined;
}

/** What is known of the options of a program that starts no other. */
export function ownGrammar(program: string, rule: readonly CompiledRule[] | undefined): Grammar | undefined {
  const [first] = judging(rule) ?? [];
  return !first || first.program.wraps ? undefined : grammarWithReads(first, { root: program, path: [] });
}

/** Whether any rule judges a program of just this name. */
export const isKnown = (program: string, table: Table): boolean => judging(table.get(program)) !== undefined;

/** The rules of a program: by its name, or without a version (`python3.11`, `mkfs.ext4`, `pg_dump-15`). */
export function findRule(program: string, scan: Pick<Scan, "table">): readonly CompiledRule[] | undefined {
  const found = scan.table.get(program);
  if (found) return found;
  const base = program.replace(/[-.]?\d+(\.\d+)*$/, "");
  if (base !== program && hasTrait(base, "versioned", scan.table)) return scan.table.get(base);
  return /^(mkfs|fsck)\./.test(program) ? scan.table.get(program.slice(0, 4)) : undefined;
}
