/** The rule table: built-in rules by program name, then the operator's. */
import type { Risk } from "../base/types.ts";
import { type Grammar, grammarOf, words } from "./engine/options.ts";
import type { Scan } from "./engine/scan.ts";
import { applicationRules } from "./knowledge/applications.ts";
import { cloudRules } from "./knowledge/cloud.ts";
import { containerRules } from "./knowledge/containers.ts";
import { databaseRules } from "./knowledge/databases.ts";
import { directoryRules } from "./knowledge/directories.ts";
import { diskRules } from "./knowledge/disks.ts";
import { fileRules } from "./knowledge/files.ts";
import { hostRules } from "./knowledge/host.ts";
import { networkRules } from "./knowledge/network.ts";
import { packageRules } from "./knowledge/packages.ts";
import { readerRules } from "./knowledge/readers.ts";
import { scheduleRules } from "./knowledge/schedules.ts";
import { serviceRules } from "./knowledge/services.ts";
import { shellRules } from "./knowledge/shell.ts";
import { transferRules } from "./knowledge/transfer.ts";
import { volumeRules } from "./knowledge/volumes.ts";
import type { Detail, OperatorRule, Rule } from "./rule.ts";

export interface Compiled {
  readonly id: string;
  readonly detail: Detail;
  readonly grammar: Grammar;
  readonly flagLevels: ReadonlyMap<string, Risk>;
  readonly safe: ReadonlySet<string> | undefined;
  readonly when: readonly (readonly [word: string, risk: Risk])[];
  /** The programs it is for: a word of `when` that is one of them means the program, never an operand (`lpadmin -d lpstat`). */
  readonly names: ReadonlySet<string>;
  readonly sub: ReadonlyMap<string, Risk>;
  /** `list-*` and the like. */
  readonly subPrefixes: readonly (readonly [prefix: string, risk: Risk])[];
  readonly deep: ReadonlyMap<string, Compiled>;
}

export const builtInRules: readonly Rule[] = [
  ...readerRules,
  ...fileRules,
  ...diskRules,
  ...volumeRules,
  ...hostRules,
  ...scheduleRules,
  ...serviceRules,
  ...applicationRules,
  ...networkRules,
  ...transferRules,
  ...directoryRules,
  ...packageRules,
  ...containerRules,
  ...databaseRules,
  ...cloudRules,
  ...shellRules,
];

const levelsOf = (lists: Partial<Readonly<Record<Risk, string>>> | undefined): [string, Risk][] =>
  Object.entries(lists ?? {}).flatMap(([risk, list]) =>
    words(list).map((word): [string, Risk] => [word, risk as Risk]),
  );

/** Makes a rule ready for look-ups. */
function compileRule(id: string, detail: Detail, names = ""): Compiled {
  const levels = levelsOf(detail.sub);
  const grammar = grammarOf(detail);
  return {
    id,
    detail,
    grammar,
    flagLevels: new Map(levelsOf(detail.flags)),
    safe: detail.safe === undefined ? undefined : new Set([...words(detail.safe), ...grammar.takes]),
    when: levelsOf(detail.when),
    names: new Set(words(names)),
    sub: new Map(levels.filter(([word]) => !word.endsWith("*"))),
    subPrefixes: levels
      .filter(([word]) => word.endsWith("*"))
      .map(([word, risk]) => [word.slice(0, -1), risk] as const)
      .toSorted((a, b) => b[0].length - a[0].length),
    deep: new Map(
      Object.entries(detail.deep ?? {}).map(([word, inner]) => [word, compileRule(`${id}.${word}`, inner)]),
    ),
  };
}

export type Table = ReadonlyMap<string, readonly Compiled[]>;

/** Program name → its rules, built-in first. Several rules on one name: the strictest wins. */
export function createTable(rules: readonly (Rule | OperatorRule)[]): Table {
  const table = new Map<string, Compiled[]>();
  for (const rule of rules) {
    const compiled = compileRule(rule.id, rule, rule.names);
    for (const name of words(rule.names)) table.set(name, [...(table.get(name) ?? []), compiled]);
  }
  return table;
}

/** The rules of a program: by its name, or without a version (`python3.11`, `mkfs.ext4`, `pg_dump-15`). */
export function findRule(program: string, scan: Pick<Scan, "table">): readonly Compiled[] | undefined {
  const found = scan.table.get(program);
  if (found) return found;
  const base = program.replace(/[-.]?\d+(\.\d+)*$/, "");
  return scan.table.get(base) ?? (/^(mkfs|fsck)\./.test(program) ? scan.table.get(program.slice(0, 4)) : undefined);
}
