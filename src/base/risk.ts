/** What the classifier says of a command: how much harm, how far it reaches, whether anything ends it (docs/policy.md). */

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

/** What of a command nothing ends or bounds: `tail -f never ends`, with the form to type instead where there is one. */
export interface Unbounded {
  readonly what: string;
  readonly instead?: string | undefined;
}

/** One finding of the classifier, in plain words: why a command has its risk. */
export interface Finding {
  readonly ruleId: string;
  readonly risk: Risk;
  /** e.g. `writes /etc/nginx/nginx.conf by redirection`. */
  readonly text: string;
  /** UTF-16 offsets into the command, where known. */
  readonly span?: readonly [start: number, end: number];
  /** Where it stands in a script found inside the command (quoted, decoded): that script, and the offsets into it. */
  readonly inner?: { readonly text: string; readonly span: readonly [start: number, end: number] };
}

/** What the classifier says of a command. */
export interface Verdict {
  readonly risk: Risk;
  /** True where a program or construct was not known and the risk is therefore a guess on the safe side. */
  readonly unknown: boolean;
  /** Strictest first; at least one. */
  readonly findings: readonly Finding[];
  readonly egress: Egress;
  /** True where something that is no literal of the command goes to another host. */
  readonly sends: boolean;
  /** Empty: it is bounded. */
  readonly unbounded: readonly Unbounded[];
  /** Why its whole answer is a secret, where its words say so; in words that follow "it". */
  readonly secretAnswer?: string;
  readonly rulesVersion: string;
}

/** What the operator allows of leases, narrowed by the repository. */
export interface LeaseCaps {
  /** The servers on which one may run. Empty means none. */
  readonly servers: readonly string[];
  readonly maxTimeMs: number;
  readonly maxCommands: number;
}
