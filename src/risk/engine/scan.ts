import { type Egress, type Finding, type Risk, stricter, type UnboundedPart } from "../../base/risk.ts";
import type { OperatingSystem, Shell } from "../../base/server.ts";
import type { KindOfHost } from "../reach/hosts.ts";
import type { Script, SyntaxNode } from "../shell/parse.ts";
import type { CompiledRule, Table } from "../table.ts";
import type { Tracer } from "../trace.ts";
import type { Arg, Flow, Taint } from "./arg.ts";

/** What one classification knows while it runs: findings, budget, variables, and how to go deeper. */

/** A command that may have run, or may yet run, before the one that is judged. */
export interface EarlierCommand {
  /** For the reader: its number. */
  readonly name: string;
  readonly command: string;
  /** False if it may not have done all it says. */
  readonly isSure: boolean;
}

/** Where a command would run, as far as the classification depends on it. */
export interface ScanPlace {
  readonly os: OperatingSystem;
  readonly shell: Shell;
  /** `prod` raises database and cluster writes by one. */
  readonly env?: string | undefined;
  readonly protectedPaths?: readonly string[] | undefined;
  readonly criticalServices?: readonly string[] | undefined;
  /** Where no shell reads: the level of a command by its first word; no other one runs there. */
  readonly source?: { readonly levels: Readonly<Record<string, Risk>> } | undefined;
  /** Where a command is a patch. */
  readonly patches?: { readonly repository: string; readonly base: string } | undefined;
  /** In the order in which they run. */
  readonly earlier?: readonly EarlierCommand[] | undefined;
}

export interface Variable {
  /** Every value it may have at this point; several after a branch or in a loop. */
  readonly values: readonly string[];
  /** The elements, where it is an array. */
  readonly list?: readonly string[] | undefined;
  /** The elements' keys, where it is an associative array. */
  readonly keys?: readonly string[] | undefined;
  readonly taint?: Taint | undefined;
  /** The variable it only stands for (`declare -n`). */
  readonly refersTo?: string | undefined;
  /** True where the values are globs of paths that something lists. */
  readonly listed?: boolean | undefined;
  /** True if what is unknown in the values can hold no code. */
  readonly isTame?: boolean | undefined;
  /** True if each value it is given is evaluated (`declare -i`). */
  readonly isInteger?: boolean | undefined;
}

/** What a check may ask of the walk; every `run…` adds findings and gives back what would come out of stdout. */
export interface Scan {
  readonly table: Table;
  readonly protectedPaths: readonly string[];
  /** Undefined if the operator names none. */
  readonly criticalServices: readonly string[] | undefined;
  readonly production: boolean;
  /** The directory after `cd`; undefined if it is not known. */
  cwd: string | undefined;
  readonly variables: Map<string, Variable>;
  readonly functions: Map<string, SyntaxNode>;
  readonly aliases: Map<string, string>;
  /** What this script wrote to which file; running a fetched one is download-and-run. */
  readonly files: Map<string, Flow>;
  /** Where the links and mounts this script has made lead to. */
  readonly links: Map<string, string>;
  /** Which value of each variable with several is looked at just now; see `walk.ts`. */
  readonly world: Map<string, { index: number; count: number }>;
  /** Receives what is seen, if a caller asks; never what is only tried. */
  tracer: Tracer | undefined;
  depth: number;
  /** How many wrappers are around the words judged just now. */
  calls: number;
  /** Where the text judged just now was found, e.g. `in base64`; empty for the command itself. */
  seen: string;
  /** The text being walked just now: the command itself, or one found in it. */
  text: string;
  /** Above zero inside a branch or loop: an assignment there adds a possible value, it does not replace the others. */
  branches: number;
  /** Counts every report, those above low and those above medium: tells a check that said nothing from one that said "low". */
  readonly reports: { all: number; risky: number; high: number };
  /** Above zero while a text is only tried (it may be no command at all): only a block counts then. */
  trials: number;
  report(risk: Risk, ruleId: string, text: string, at?: Arg): void;
  /** Reports what the classifier cannot read or follow: such a command is never proposed. What is only tried may be no command at all. */
  refuse(ruleId: string, text: string): void;
  markUnknown(): void;
  /** Notes how far a call reaches, and whether anything that is no literal of it goes along. */
  reach(egress: Egress, sends: boolean): void;
  readonly kindOfHost: KindOfHost;
  /** Notes that nothing in a call bounds its time, its packets, its memory or how much it reads; `instead` is the bounded form. */
  unbound(what: string, instead?: string): void;
  /** Notes that a call prints a secret by design, as far as its words tell. */
  answerSecret(what: string): void;
  /** Notes that a call may print secrets, so a person must ask for it. */
  reveal(what: string): void;
  /** Above zero in a container or a guest, whose first process is not that of this host. */
  inside: number;
  /** Above zero below something that ends what it runs (`timeout 60 …`). */
  limits: number;
  /** True before a `| head`, which ends what writes. */
  shortened: boolean;
  /** The texts of what the output of the command judged just now is piped into, one after another. */
  filters: readonly string[];
  /** Counts work, in units of about five microseconds; false once the budget is spent (then `high` has been reported). */
  spend(units?: number): boolean;
  /** Keeps a text that could not be followed to its end, for a last look at its pieces (`loose.ts`). */
  leave(text: string): void;
  runShell(text: string, stdin: Flow, seen: string): Flow;
  runScript(script: Script, stdin: Flow): Flow;
  runNode(node: SyntaxNode, stdin: Flow): Flow;
  runArgs(args: readonly Arg[], stdin: Flow): Flow;
  /** Judges what may be a command; only what must be blocked is reported. */
  attempt(run: () => void): void;
}

/** A program's call, as all that judges it sees it. */
export interface SeenCall {
  readonly program: string;
  readonly name: Arg;
  /** Without the program's name. */
  readonly args: readonly Arg[];
  readonly stdin: Flow;
  readonly scan: Scan;
  /** Undefined for an unknown program. */
  readonly rule: readonly CompiledRule[] | undefined;
}

/** A change to a database or a cluster is one level higher in production. */
export const inProduction = (risk: Risk, { production }: Pick<Scan, "production">): Risk =>
  production && risk === "medium" ? "high" : risk;

const maxSpending = 6000;
export const maxDepth = 12;
const maxFindings = 40;

/** What handling so many characters once costs, in units of `spend`. */
export const unitsFor = (characters: number): number => 1 + (characters >> 6);

export interface Ledger {
  readonly findings: Finding[];
  unknown: boolean;
  /** True once something threw: what came after it was not seen. */
  failed: boolean;
  spent: number;
  /** How many units may be spent. */
  limit: number;
  risk: Risk;
  egress: Egress;
  sends: boolean;
  secretAnswer: string | undefined;
  reveals: string | undefined;
  readonly unbounded: Map<string, UnboundedPart>;
  /** Texts that were not followed to their end. */
  readonly left: Set<string>;
}

export const createLedger = (): Ledger => ({
  findings: [],
  unknown: false,
  failed: false,
  spent: 0,
  limit: maxSpending,
  risk: "low",
  egress: "none",
  sends: false,
  secretAnswer: undefined,
  reveals: undefined,
  unbounded: new Map(),
  left: new Set(),
});

/** Adds a finding once; beyond the first forty only stricter ones are kept, so that a flood cannot hide a block. */
export function addFinding(ledger: Ledger, finding: Finding): void {
  const isWorse = stricter(ledger.risk, finding.risk) !== ledger.risk;
  ledger.risk = stricter(ledger.risk, finding.risk);
  if (!isWorse && ledger.findings.length >= maxFindings) return;
  if (ledger.findings.some((f) => f.text === finding.text && f.risk === finding.risk)) return;
  ledger.findings.push(finding);
}
