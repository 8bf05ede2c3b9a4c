/**
 * The one form of knowledge about programs: a `Program` is a record of the table (`knowledge/*.ts`), and an operator writes the very same
 * in YAML. Lists are words separated by spaces.
 */
import type { Risk } from "../base/risk.ts";
import type { CallEffect } from "./call-effect.ts";
import type { SqlDialect } from "./probe-sql.ts";

/**
 * What an option takes: nothing (`flag`); a word (`value`); a file that is read, written, or run as commands (`script`); a command line
 * (`argv`); the host it talks to; a password or a key that the program uses and does not show (`secret`);
 * a file that says whom it talks to (`settings`).
 */
export const optionKinds = [
  "flag",
  "value",
  "path-read",
  "path-write",
  "script",
  "argv",
  "host",
  "secret",
  "settings",
] as const;
export type OptionKind = (typeof optionKinds)[number];
export type Options = Partial<Readonly<Record<OptionKind, string>>>;

/** What a program does with its operands, which are paths. `stat` looks at metadata only and never triggers a path rule. */
export const argumentRoles = [
  "read",
  "pattern-read",
  "write",
  "append",
  "delete",
  "target-last",
  "move",
  "link",
  "remote-copy",
  "touch",
  "edit",
  "stat",
] as const;
export type ArgumentRole = (typeof argumentRoles)[number];

/** Words by the level they give. */
export type Levels = Partial<Readonly<Record<Risk, string>>>;

/** A fact about some of a record's names, or about all where it names none. */
interface Fact {
  readonly names?: string;
}

/** Patterns as of `RegExp`; a blank inside a word is seen as `␠`. */
export interface Rung extends Fact {
  readonly level: Risk;
  /** Fits any call where none is given. */
  readonly if?: string;
  readonly unless?: string;
  /** True where it is about the operands alone. */
  readonly operands?: boolean;
  readonly why?: string;
}

/** A program's call, or one of its sub-commands. */
export interface Detail {
  /** The level of a plain call; `medium` where nothing is said. */
  readonly level?: Risk;
  readonly options?: Options;
  /** Options that raise the level. */
  readonly flags?: Levels;
  /** Where given, the options that are known to be harmless, beside those that take a value; any other makes the call at least medium. */
  readonly safe?: string;
  /**
   * Words (options or operands) that decide the level instead of `level`: the strictest that is met. A `*` at the end
   * stands for any rest, `_*` for more words in the same one (`varnishadm 'ban req.url ~ /'`); the program's own name counts too, and `PROGRAM_WORD` is a word of that program
   * alone, for records over several: `-s` asks fdisk for a size and parted for no questions.
   */
  readonly when?: Levels;
  /** Sub-commands by level: one or two words joined with `_`, `*` allowed at the end. */
  readonly sub?: Levels;
  /** The level of a sub-command that is not listed; never low by default. */
  readonly otherSub?: Risk;
  /** The level when there is no sub-command at all. */
  readonly noSub?: Risk;
  /** Sub-commands that need more than a level. */
  readonly deep?: Readonly<Record<string, Detail>>;
  readonly operands?: ArgumentRole;
  /** Options that make it only say what it would do, beside `--dry-run`; with none at all it knows not even that one, or hands it on. */
  readonly dry?: string;
  /** Of a tool of the shape `TOOL NOUN VERB`, which the common verbs judge: the words, or two joined with `_`, that mean something else. */
  readonly verbs?: Levels;
  /** Patterns over the call's words, each between blanks: the first rung that fits decides, beside `level`. */
  readonly ladder?: readonly Rung[];
  readonly effects?: readonly CallEffect[];
  /** A predicate in code, where a language of the program's own is unavoidable. */
  readonly check?: string;
  /** True where long options have one dash (`openssl -in`), so that letters are not a cluster. */
  readonly oneDash?: boolean;
  /** Writes to databases and clusters are one level higher on a server with `env: prod`. */
  readonly tag?: "database" | "cluster";
  readonly why?: string;
  /** What a sub-command does to its operands, in words for who approves it. */
  readonly subWhy?: Readonly<Record<string, string>>;
}

/** How it reaches the network: it fetches or sends. A program without it reaches what the addresses in its arguments name. */
export interface Reach extends Fact {
  /**
   * `request`: what its arguments hold goes to the host. `lookup`: asks for a name or a way, so that what it asks stands in the question,
   * and sends nothing else of its own. `service`: talks to what it was set up for, another host only where it is named one. `copy`: files
   * go along, to the host before the colon. `account`: the same, to a bucket or a remote of whoever's account that is.
   */
  readonly kind: "request" | "lookup" | "service" | "copy" | "account";
  /** Sub-commands that reach out at all (`*`: each); every call does where none is named. */
  readonly sub?: string;
  /** Where operands name hosts: each one, or the first. */
  readonly operands?: "hosts" | "host-first";
  /** `host`: the value names one; `path-read`: a file that is sent, or that says what is sent; `value`: it stays here. */
  readonly options?: Pick<Options, "host" | "path-read" | "value">;
  /** Options with which nothing leaves: it only rehearses, lists or checks. */
  readonly stays?: string;
  /** True where what it reads on its standard input is sent, whatever the options. */
  readonly stdin?: boolean;
}

/** What it does without an end or a bound of its own: time, packets, memory, or reading a whole file system. */
export interface Bound extends Fact {
  /** Sub-commands it is about; the program itself where none is named. */
  readonly sub?: string;
  /** Options that make it endless; any call is where none is named. */
  readonly endless?: string;
  /** Options that give it an end. */
  readonly ends?: string;
  /** It repeats at an interval (`vmstat 1`), unless so many numbers stand among its operands. */
  readonly interval?: number;
  /** It goes on unless so many numbers stand among its operands (`dstat 1 5`). */
  readonly counted?: number;
  /** What it does, for people. */
  readonly does: string;
  /** The bounded form to type instead. */
  readonly instead?: string;
}

/** What an exit code other than 0 means where it answers by it. */
export interface ExitMeaning extends Fact {
  /** Only of a call that has one of these words. */
  readonly where?: string;
  readonly says: Readonly<Record<number, string>>;
}

/** An argument with which it does so, as a pattern; any call does where none is given. */
export interface FactCondition extends Fact {
  readonly if?: string;
}

/** What it prints, as far as its words tell: by a name in `output.ts`. */
export interface Print extends Fact {
  readonly as: string;
}

/**
 * `text`: its arguments are messages or patterns, and what looks like a command in them is none. `names`: a path is only a name to it,
 * or its record says what it does to it. `plain`: a `!` in its input leaves it for no shell. `client`: a shell that it is given is
 * given to the network. `versioned`: it is installed under its name with a version, too (`python3.11`).
 */
export interface Trait extends Fact {
  readonly is: "text" | "names" | "plain" | "client" | "versioned";
}

/** A command that only reads and shows what a change by this program would do (`/probe`); of several the first that fits. */
export interface Probe extends Fact {
  /** Patterns over the call's words, as a rung's. */
  readonly if?: string;
  readonly unless?: string;
  /**
   * Its words. `$0` is the program as it was called, `$@` all words behind it, `$-` its options with their values, `$*` its operands,
   * `$2` the second of them, `$2+` those from there on, `$pids` all of them with commas, `$sql` and `$-c` the statements that look (joined, or one an option). Any other
   * word stands as it is.
   */
  readonly run: string;
  /** Words that are left out, as a pattern; an option goes with its value. */
  readonly without?: string;
  /** Where its SQL stands: the value of an option, or an operand by its number. */
  readonly sql?: { readonly from: string; readonly dialect: SqlDialect };
  /** What it shows, for people. */
  readonly shows: string;
  /** A change and its probe, exactly. */
  readonly example: readonly [change: string, probe: string];
}

/**
 * It runs the program in its arguments. An option that is not among its own makes the call high: what follows it could be its value or
 * the program, and guessing is how a block rule is slipped past.
 */
export interface Wraps {
  /** How many operands stand before the program (`timeout 5 …`). */
  readonly skip?: number;
  /** Words that may stand before the program or be left out (`setarch [ARCH] …`). */
  readonly skipWords?: string;
  /** `NAME=value` may stand before the program. */
  readonly assigns?: boolean;
  /** The rest is joined and read as shell text (`watch`, `ssh`) instead of being run as it stands. */
  readonly joins?: boolean;
  /** How options begin that, with a process named by `-p` or `--pid`, change that process. */
  readonly sets?: string;
  /** True where the operand before the program is a file it writes. */
  readonly writesFirst?: boolean;
  /** The program that what follows is given to, where it is not a program itself. */
  readonly runs?: string;
  /** What it adds itself. */
  readonly level?: "low" | "medium" | "high";
  /** The level of options without a following program, where they mean something (`sudo -l`, `env`). */
  readonly alone?: "low" | "medium" | "high";
}

export interface Program extends Detail {
  readonly id: string;
  readonly names: string;
  /** False where no more is known of its programs than these facts: they are judged as any that nobody knows. */
  readonly known?: false;
  readonly wraps?: Wraps;
  readonly reach?: readonly Reach[];
  readonly unbounded?: readonly Bound[];
  readonly exits?: readonly ExitMeaning[];
  /** It goes through a folder and all below it. */
  readonly walks?: readonly FactCondition[];
  /** The word behind such an argument is program text. */
  readonly inline?: readonly FactCondition[];
  readonly prints?: readonly Print[];
  readonly traits?: readonly Trait[];
  readonly probes?: readonly Probe[];
  /** Commands with the level the record must give them: one for each that it can give. */
  readonly match: Partial<Readonly<Record<Risk, readonly string[]>>>;
  /** Commands it must say nothing about. */
  readonly not_match?: readonly string[];
}

/** An operator's record (docs/policy.md, `policy.rules`): any level for unknown programs, only raising for known ones. */
export type OperatorProgram = Omit<
  Program,
  "match" | "check" | "known" | "wraps" | "exits" | "prints" | "walks" | "inline" | "traits" | "probes"
> &
  Partial<Pick<Program, "match">>;
