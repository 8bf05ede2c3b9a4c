/**
 * The one form of knowledge about programs: a `Program` is a record of the table (`knowledge/*.ts`), and an operator writes the very same
 * in YAML. Lists are words separated by spaces.
 */
import type { Risk } from "../base/risk.ts";
import type { SqlDialect } from "./probe.ts";

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
  "read-members",
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

/** What a call can do with a word of its own. */
export const effectKinds = [
  "reads",
  "writes",
  "appends",
  "deletes",
  "runs-text",
  "runs-argv",
  "runs-elsewhere",
  "stops",
  "restarts",
] as const;

/** Words by the level they give. */
export type Levels = Partial<Readonly<Record<Risk, string>>>;

/** What a call does with words of its own: the operands, unless `after`, `operand`, `all` or `stdin` says otherwise. */
export interface CallEffect {
  /**
   * `runs-text`: each word is shell text; `runs-argv`: they are a program with its arguments; `stops`, `restarts`: each is a service.
   * `runs-elsewhere`: it hands a command on to a container, a guest or a host, where it is judged as if it stood here and the call's level is that
   * of the command and `level`: the value of one of the options `after`, with the words from the operand on; else those alone, or those behind
   * `--`. A call without a command opens a shell there.
   */
  readonly is: (typeof effectKinds)[number];
  /** The words behind one of these (options or not; `*` at the end); of `runs-argv` all that follow. */
  readonly after?: string;
  /** The operand with this number behind the sub-command; of `runs-argv` and `runs-elsewhere` all from it on. */
  readonly operand?: number;
  /** Every word, options too. */
  readonly all?: boolean;
  /** What it is given on its input. */
  readonly stdin?: boolean;
  /** The words name files that this script may have written, and what they hold is meant. */
  readonly file?: boolean;
  /** A pattern whose group is meant, as often as it fits; the whole word if none is given. */
  readonly if?: string;
  /** What doing so adds if there is such a word. */
  readonly level?: Risk;
  readonly why?: string;
  /** True if it may be no command: only what must be blocked counts. */
  readonly tried?: boolean;
  /** Of `runs-text`: stands before each text. */
  readonly prefix?: string;
  /** Of `runs-argv` and `runs-elsewhere`: the words are joined and read as shell text; of `runs-text`: all that `if` finds in a word is one command. */
  readonly joins?: boolean;
  /** Of `writes`: what is written is the input. */
  readonly input?: boolean;
}

/** How a program reaches the network: it fetches or sends. A program without it reaches what the addresses in its arguments name. */
export interface Reach {
  /**
   * `request`: what its arguments hold goes to the host. `lookup`: asks for a name or a way, so that what it asks stands in the question,
   * and sends nothing else of its own. `service`: talks to what it was set up for, another host only if it is named one. `copy`: files
   * go along, to the host before the colon. `account`: the same, to a bucket or a remote of an account that may be a stranger's.
   */
  readonly kind: "request" | "lookup" | "service" | "copy" | "account";
  /** If operands name hosts: each one, or the first. */
  readonly operands?: "hosts" | "host-first";
  /** `host`: the value names one; `path-read`: a file that is sent, or that says what is sent; `value`: it stays here. */
  readonly options?: Pick<Options, "host" | "path-read" | "value">;
  /** Options with which nothing leaves: it only rehearses, lists or checks. */
  readonly stays?: string;
  /** True if what it reads on its standard input is sent, with any options. */
  readonly stdin?: boolean;
}

/** What a program does without an end or a bound of its own: time, packets, memory, or reading a whole file system. */
export interface Bound {
  /** Options that make it endless; any call is if none is named. */
  readonly endless?: string;
  /** Options that give it an end. */
  readonly ends?: string;
  /** It repeats at an interval if one number fewer than these stands among its operands (`vmstat 1` of 2). */
  readonly interval?: number;
  /** It goes on unless as many numbers stand among its operands (`dstat 1 5`). */
  readonly counted?: number;
  /** What it does, for people. */
  readonly does: string;
  /** The bounded form to type instead. */
  readonly instead?: string;
}

/**
 * `text`: its arguments are messages or patterns, and what looks like a command in them is none. `names`: a path is only a name to it,
 * or its record says what it does to it. `plain`: a `!` in its input leaves it for no shell. `client`: a shell that it is given is
 * given to the network. `versioned`: it is installed under its name with a version, too (`python3.11`). `walks`: it goes through a folder and
 * all below it. `inline`: the word behind an argument that fits is program text. `rehearsal`: with these options it only says what it would
 * do, as with `--dry-run`. `undry`: it knows not even `--dry-run`, or hands it on. `local`: it asks no
 * other host, with any operands. `project`: it loads the code of the project that it is about, in the working folder or where an option
 * says, so that such a call is medium at least, even if it only shows or rehearses something; `why` says which code.
 */
export const rowTraits = [
  "text",
  "names",
  "plain",
  "client",
  "versioned",
  "walks",
  "inline",
  "rehearsal",
  "undry",
  "local",
  "project",
] as const;

/** A command that only reads and shows what a change by this program would do (`/probe`); of several the first that fits. */
export interface Probe {
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

/** What is known of some calls of a program: which ones, and what holds for them. */
export interface Row {
  /** The programs of the record that it is about; all if none is named. */
  readonly names?: string;
  /**
   * The words of such a call, each enough by itself; any call if there are none. `-k --kill`: an option. `start`, `disk_list`, `get-*`: the
   * sub-command (the longest listed one counts); `*`: each that no row lists; `()`: none at all. `~clear`: a word anywhere, or the value of an option;
   * `~ban_*`: one that begins with `ban` and a blank.
   */
  readonly words?: string;
  /** A pattern over the call's words, each between blanks; a blank inside a word is seen as `␠`. */
  readonly if?: string;
  /** A pattern with which it is no such call. */
  readonly unless?: string;
  /** True if the patterns are about the operands alone. */
  readonly operands?: boolean;
  /** The strictest of the rows that fit decides; if none does, the record's own level. */
  readonly level?: Risk;
  readonly why?: string;
  /**
   * What it does. A role (`read`, `write`, `delete` …) says it of all operands of the whole record, which are paths, so it stands in a row
   * without words. An effect (`reads`, `writes`, `deletes` …) holds for the calls of its row.
   */
  readonly does?: ArgumentRole | (typeof effectKinds)[number] | CallEffect;
  /** Here `words` are the sub-commands that reach out at all; empty: none does by itself. */
  readonly reach?: Reach;
  readonly ends?: Bound;
  /** What an exit code other than 0 means. */
  readonly exit?: Readonly<Record<number, string>>;
  /** What it prints, as far as its words tell: by a name in `engine/output.ts`. */
  readonly prints?: string;
  readonly is?: (typeof rowTraits)[number];
  readonly probe?: Probe;
}

/** A program's call, or one of its sub-commands. */
export interface Detail {
  /** The level of a plain call; if nothing is said `medium`, but low without operands if it has sub-commands, because that prints its usage. */
  readonly level?: Risk;
  readonly why?: string;
  readonly options?: Options;
  /** True if long options have one dash (`openssl -in`), so that letters are not a cluster. */
  readonly oneDash?: boolean;
  /** Writes to databases and clusters are one level higher on a server with `env: prod`. */
  readonly tag?: "database" | "cluster";
  /** A predicate in code, if a language of the program's own is unavoidable; `family`: of a tool of the shape `TOOL NOUN VERB`, whose rows say which words mean something else. */
  readonly check?: string;
  readonly rows?: readonly Row[];
  /** Sub-commands with options and rows of their own, by their names. */
  readonly deep?: Readonly<Record<string, Detail>>;
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
  /** Options with which it runs the rest as root and changes nothing else. */
  readonly asRoot?: string;
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
  /** A pattern, as in a row, of calls without a following program that only look (`taskset -p 42`). */
  readonly looks?: string;
}

export interface Program extends Detail {
  readonly id: string;
  readonly names: string;
  /** False if no more is known of its programs than these facts: they are judged as unknown programs are. */
  readonly known?: false;
  readonly wraps?: Wraps;
  /** Commands with the level the record must give them: one for each that it can give. */
  readonly match: Partial<Readonly<Record<Risk, readonly string[]>>>;
  /** Commands it must say nothing about. */
  readonly not_match?: readonly string[];
}

/** An operator's record (docs/policy.md, `policy.rules`): any level for unknown programs, only raising for known ones. */
export type OperatorProgram = Omit<Program, "match" | "check" | "known" | "wraps"> & Partial<Pick<Program, "match">>;
