/** The form of a rule. Rules are data (`rules/*.ts`); option and name lists are words separated by spaces. */
import type { Risk } from "../base/types.ts";

/** What a program does with its operands, which are paths. `stat` looks at metadata only and never triggers a path rule. */
export type Role = "read" | "pattern-read" | "write" | "append" | "delete" | "target-last" | "touch" | "edit" | "stat";

export interface Detail {
  /** The level of a plain call; `medium` where nothing is said. */
  readonly level?: Risk;
  /** Options that take a value. */
  readonly takes?: string;
  /** Options that raise the level. */
  readonly flags?: Partial<Readonly<Record<Risk, string>>>;
  /** Where given, the options that are known to be harmless; any other makes the call at least medium. */
  readonly safe?: string;
  /**
   * Words (options or operands) that decide the level instead of `level`: the strictest that is met. A `*` at the end
   * stands for any rest, `_*` for more words in the same one (`varnishadm 'ban req.url ~ /'`); the program's own name counts too, and `PROGRAM_WORD` is a word of that program
   * alone, for rules over several: `-s` asks fdisk for a size and parted for no questions.
   */
  readonly when?: Partial<Readonly<Record<Risk, string>>>;
  /** Sub-commands by level: one or two words joined with `_`, `*` allowed at the end. */
  readonly sub?: Partial<Readonly<Record<Risk, string>>>;
  /** The level of a sub-command that is not listed; never low by default. */
  readonly otherSub?: Risk;
  /** The level when there is no sub-command at all. */
  readonly noSub?: Risk;
  /** Sub-commands that need more than a level. */
  readonly deep?: Readonly<Record<string, Detail>>;
  readonly operands?: Role;
  /** Options whose value is a file that is read or written, or a command line that is run. */
  readonly reads?: string;
  readonly writes?: string;
  readonly execs?: string;
  /** Options whose value is a file that the program runs, and those that make it only say what it would do. */
  readonly runs?: string;
  readonly dry?: string;
  /** Long options the check asks about and that raise, so that their abbreviations reach it. */
  readonly asks?: string;
  /** A predicate in code, where a mini-language is unavoidable. */
  readonly check?: string;
  /** True where long options have one dash (`openssl -in`), so that letters are not a cluster. */
  readonly oneDash?: boolean;
  /** Writes to databases and clusters are one level higher on a server with `env: prod`. */
  readonly tag?: "database" | "cluster";
  readonly why?: string;
  /** What a sub-command does to its operands, in words for who approves it. */
  readonly subWhy?: Readonly<Record<string, string>>;
}

export interface Rule extends Detail {
  readonly id: string;
  readonly names: string;
  /** Commands with the risk this rule must give them; run by a test. */
  readonly examples: Partial<Readonly<Record<Risk, readonly string[]>>>;
}

/** An operator's rule (docs/policy.md, `policy.rules`): any level for unknown programs, only raising for known ones. */
export type OperatorRule = Omit<Rule, "examples" | "check"> & { readonly examples?: Rule["examples"] };
