/** The rule table: built-in rules by program name, then the operator's. */
import { anyCase } from "../base/any-case.ts";
import { lazy } from "../base/lazy.ts";
import type { Risk } from "../base/risk.ts";
import { type Grammar, grammarOf, words } from "./engine/options.ts";
import { type CompiledRow, compileRow, isAnywhere, type LevelRow } from "./engine/rows.ts";
import type { Scan } from "./engine/scan.ts";
import { applicationRules, databaseRules } from "./knowledge/applications.ts";
import { stateRules } from "./knowledge/clients.ts";
import { cloudRules } from "./knowledge/cloud.ts";
import { containerRules } from "./knowledge/containers.ts";
import { diskRules, filePrograms, volumeRules } from "./knowledge/disks.ts";
import { endless, type SubBound } from "./knowledge/endless.ts";
import { formatRules } from "./knowledge/formats.ts";
import { hostRules, scheduleRules } from "./knowledge/host.ts";
import { localOperationRules, operationRules } from "./knowledge/instruments.ts";
import { inventoryClients, inventoryRules } from "./knowledge/inventory.ts";
import { directoryRules, networkPrograms, transferRules } from "./knowledge/network.ts";
import { packageRules } from "./knowledge/packages.ts";
import { readerRules } from "./knowledge/readers.ts";
import { serviceRules } from "./knowledge/services.ts";
import { elsewherePrograms, shellRules, wrapperRules } from "./knowledge/wrappers.ts";
import {
  type ArgumentRole,
  argumentRoles,
  type CallEffect,
  type Detail,
  type OperatorProgram,
  type Program,
  type Reach,
  type Row,
} from "./program.ts";
import { grammarWithReads } from "./reads.ts";

/** An effect with what must hold for it. */
export interface CompiledEffect {
  readonly row: CompiledRow;
  readonly effect: CallEffect;
  readonly pattern: RegExp | undefined;
}

/** What the rows of a record say beside levels and effects, each about some of its programs. */
interface Facts {
  readonly reach: readonly (Reach & { readonly sub: string | undefined })[];
  readonly bounds: readonly SubBound[];
  readonly exits: readonly Row[];
  readonly traits: readonly Row[];
  /** Which calls load the code of a project. */
  readonly projects: readonly CompiledRow[];
  readonly prints: readonly string[];
  readonly probes: readonly Row[];
}

export interface CompiledRule {
  readonly id: string;
  readonly detail: Detail;
  readonly grammar: Grammar;
  /** Rows that give a level, but for plain sub-commands. */
  readonly levels: readonly LevelRow[];
  /** Words of theirs that lower. */
  readonly lowers: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
  /** Rows of a sub-command. */
  readonly sub: ReadonlyMap<string, Row>;
  /** `list-*` and the like. */
  readonly subPrefixes: readonly (readonly [prefix: string, row: Row])[];
  readonly otherSub: Risk | undefined;
  readonly noSub: Risk | undefined;
  readonly hasSub: boolean;
  /** What the words of a `family` mean. */
  readonly verbs: ReadonlyMap<string, Risk>;
  readonly deep: ReadonlyMap<string, CompiledRule>;
  readonly effects: readonly CompiledEffect[];
  readonly role: ArgumentRole | undefined;
  /** Options of a rehearsal beside `--dry-run` (`knowledge/rehearsals.ts`); undefined if it knows none, not even that one. */
  readonly dry: ReadonlySet<string> | undefined;
  /** Whether it decides by itself what a call is. */
  readonly decides: boolean;
  /** The whole record, if this is no sub-command. */
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
  ...operationRules,
  ...inventoryClients,
  ...stateRules,
];

export const builtInRules: readonly Program[] = [
  ...readerRules,
  ...formatRules,
  ...inventoryRules,
  ...filePrograms,
  ...diskRules,
  ...volumeRules,
  ...localOperationRules,
  ...hostRules,
  ...scheduleRules,
  ...serviceRules,
  ...clientRules,
  ...shellRules,
  ...wrapperRules,
  ...elsewherePrograms,
];

const clients = new Set<unknown>(clientRules);

/**
 * Whether a program may ask another host although no word names one: a client (but for one whose record says that it is local), one with a
 * record of what it reaches, or an unknown one.
 */
export const isClient = (program: string, rule: readonly CompiledRule[] | undefined): boolean =>
  judging(rule)?.some((one) => clients.has(one.program) && !one.program.rows?.some(({ is }) => is === "local")) !==
    false || programFacts(program, rule).reach.some(({ sub }) => sub !== "");

const roles = new Set<unknown>(argumentRoles);
const effectOf = (does: Row["does"]): CallEffect | undefined =>
  does === undefined || roles.has(does) ? undefined : typeof does === "object" ? does : ({ is: does } as CallEffect);
const isLeveled = (row: Row): row is Row & { readonly level: Risk } => row.level !== undefined;

/** Makes a rule ready for look-ups. */
function compileRule(id: string, detail: Detail, program: Partial<Program> = {}): CompiledRule {
  const rows = detail.rows ?? [];
  const isFamily = detail.check === "family";
  const isPlain = ({ names, if: met, unless }: Row): boolean => [names, met, unless].every((one) => one === undefined);
  const subs = rows
    .filter((row) => isLeveled(row) && isPlain(row))
    .flatMap((row) =>
      words(row.words)
        .filter((word) => !isAnywhere(word))
        .map((word) => [word, row] as const),
    );
  const named = isFamily ? [] : subs.filter(([word]) => word !== "*" && word !== "()");
  const levelAt = (at: string): Risk | undefined => subs.find(([word]) => word === at)?.[1].level;
  const levels = rows
    .filter(isLeveled)
    .map((row) => ({ ...compileRow(row), row }))
    .map((one) => (isPlain(one.row) ? { ...one, subs: [] } : one))
    .filter(({ row, anywhere }) => !isPlain(row) || anywhere.length > 0);
  const deep = Object.entries(detail.deep ?? {}).flatMap(([list, inner]) =>
    words(list).map((word) => [word, compileRule(`${id}.${word}`, inner)] as const),
  );
  const effects = rows.flatMap((row) => {
    const effect = effectOf(row.does);
    const pattern = effect?.if === undefined ? undefined : new RegExp(anyCase(effect.if), "g");
    return effect ? [{ row: compileRow(row), effect, pattern }] : [];
  });
  const role = rows.map(({ does }) => does).find((does) => roles.has(does)) as ArgumentRole | undefined;
  const [otherSub, noSub] = isFamily ? [] : [levelAt("*"), levelAt("()")];
  return {
    id,
    detail,
    grammar: grammarOf(detail),
    levels,
    lowers: new Set(levels.flatMap(({ row, anywhere }) => (row.level === "low" ? anywhere : []))),
    names: new Set(words(program.names)),
    sub: new Map(named.filter(([word]) => !word.endsWith("*"))),
    subPrefixes: named
      .filter(([word]) => word.endsWith("*"))
      .map(([word, row]) => [word.slice(0, -1), row] as const)
      .toSorted((a, b) => b[0].length - a[0].length),
    otherSub,
    noSub,
    hasSub: deep.length > 0 || named.length > 0 || otherSub !== undefined || noSub !== undefined,
    verbs: new Map(isFamily ? subs.flatMap(([word, { level }]) => (level ? [[word, level] as const] : [])) : []),
    deep: new Map(deep),
    effects,
    role,
    dry: rows.some(({ is }) => is === "undry")
      ? undefined
      : new Set(rows.flatMap((row) => (row.is === "rehearsal" ? words(row.words) : []))),
    decides: detail.check !== undefined || effects.length > 0,
    program,
  };
}

export type Table = Pick<ReadonlyMap<string, readonly CompiledRule[]>, "get" | "has" | "keys" | "size">;

/**
 * Program name → its rules, built-in first. Several rules on one name: the strictest wins. A rule is compiled when its program is first
 * asked for, because an incident needs some of thousands.
 */
export function createTable(rules: readonly (Program | OperatorProgram)[]): Table {
  const byName = new Map<string, (() => CompiledRule)[]>();
  for (const rule of rules) {
    const compiled = lazy(() => compileRule(rule.id, rule, rule));
    for (const name of words(rule.names)) byName.set(name, [...(byName.get(name) ?? []), compiled]);
  }
  const found = new Map<string, readonly CompiledRule[]>();
  return {
    size: byName.size,
    has: (name) => byName.has(name),
    keys: () => byName.keys(),
    get: (name) => {
      const known = found.get(name);
      if (known) return known;
      const rule = byName.get(name)?.map((compiled) => compiled());
      if (rule) found.set(name, rule);
      return rule;
    },
  };
}

export const builtInTable: Table = createTable(builtInRules);

function factsOf(program: string, rule: readonly CompiledRule[]): Facts {
  const rows = rule
    .flatMap((one) => one.program.rows ?? [])
    .filter(({ names }) => names === undefined || words(names).includes(program));
  return {
    reach: rows.flatMap(({ reach, words: sub }) => (reach ? [{ ...reach, sub }] : [])),
    bounds: [
      ...(endless.get(program) ?? []),
      ...rows.flatMap(({ ends, words: sub }) => (ends ? [{ ...ends, sub }] : [])),
    ],
    exits: rows.filter(({ exit }) => exit),
    traits: rows.filter(({ is }) => is),
    projects: rows.filter(({ is }) => is === "project").map(compileRow),
    prints: rows.flatMap(({ prints }) => prints ?? []),
    probes: rows.filter(({ probe }) => probe),
  };
}
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
export const hasTrait = (program: string, trait: NonNullable<Row["is"]>, table: Table): boolean =>
  programFacts(program, table.get(program)).traits.some(({ is }) => is === trait);

/** The rules that judge a program; undefined if it is unknown, even if some facts are listed. */
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
