/** The verdict on a command: its harm, its reach, and whether it ends (docs/policy.md). */

/** How much harm a command can do, from least to most. `block` never runs, even approved (docs/policy.md). */
export const risks = ["low", "medium", "high", "block"] as const;
export type Risk = (typeof risks)[number];

/** The stricter of two risks. */
export const stricter = (a: Risk, b: Risk): Risk => (risks.indexOf(a) >= risks.indexOf(b) ? a : b);

/** Whether `a` allows less than `b`. */
export const isStricter = (a: Risk, b: Risk): boolean => risks.indexOf(a) < risks.indexOf(b);

/** How far a command reaches over the network: not at all, to hosts that the operator knows, or to others (docs/policy.md). */
export const egresses = ["none", "known", "outside"] as const;
export type Egress = (typeof egresses)[number];

/** The further of two. */
export const further = (a: Egress, b: Egress): Egress => (egresses.indexOf(a) >= egresses.indexOf(b) ? a : b);

/** A part of a command without an end or bound: `tail -f never ends`, with the form to type instead if there is one. */
export interface UnboundedPart {
  readonly what: string;
  readonly instead?: string | undefined;
}

/** One finding of the classifier, in plain words: why a command has its risk. */
export interface Finding {
  readonly ruleId: string;
  readonly risk: Risk;
  /** e.g. `writes /etc/nginx/nginx.conf by redirection`. */
  readonly text: string;
  /** UTF-16 offsets into the command, if known. */
  readonly span?: readonly [start: number, end: number];
  /** A script inside the command (quoted, decoded) with the finding, and the offsets into it. */
  readonly inner?: { readonly text: string; readonly span: readonly [start: number, end: number] };
}

/** What the classifier says of a command. */
export interface Verdict {
  readonly risk: Risk;
  /** True if a program or construct is unknown, so that the risk is a guess on the safe side. */
  readonly unknown: boolean;
  /** Strictest first; at least one. */
  readonly findings: readonly Finding[];
  readonly egress: Egress;
  /** True if data that is no literal of the command goes to another host. */
  readonly sends: boolean;
  /** Empty: it is bounded. */
  readonly unbounded: readonly UnboundedPart[];
  /** Why its whole output is a secret; a clause that follows "it". */
  readonly secretAnswer?: string;
  readonly rulesVersion: string;
}

/** The operator's limits of a lease, narrowed by the repository. */
export interface LeaseCaps {
  /** The servers of a lease. Empty means none. */
  readonly servers: readonly string[];
  readonly maxTimeMs: number;
  readonly maxCommands: number;
}
