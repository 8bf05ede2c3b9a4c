/** In order. `block` never runs, even approved (docs/policy.md). */
export const risks = ["low", "medium", "high", "block"] as const;
export type Risk = (typeof risks)[number];

export const stricter = (a: Risk, b: Risk): Risk => (risks.indexOf(a) >= risks.indexOf(b) ? a : b);

/** Whether `a` allows less than `b`. */
export const isStricter = (a: Risk, b: Risk): boolean => risks.indexOf(a) < risks.indexOf(b);

/** In order. `known`: only hosts that the operator knows. */
export const egresses = ["none", "known", "outside"] as const;
export type Egress = (typeof egresses)[number];

export const further = (a: Egress, b: Egress): Egress => (egresses.indexOf(a) >= egresses.indexOf(b) ? a : b);

/** A part that never ends, with the form to type instead, if any. */
export interface UnboundedPart {
  readonly what: string;
  readonly instead?: string | undefined;
}

export interface Finding {
  readonly ruleId: string;
  readonly risk: Risk;
  readonly text: string;
  /** UTF-16 offsets into the command. */
  readonly span?: readonly [start: number, end: number];
  /** A quoted or decoded script, with offsets into it. */
  readonly inner?: { readonly text: string; readonly span: readonly [start: number, end: number] };
}

export interface Verdict {
  readonly risk: Risk;
  /** Something is unknown, so the risk is a guess on the safe side. */
  readonly unknown: boolean;
  /** Strictest first; at least one. */
  readonly findings: readonly Finding[];
  readonly egress: Egress;
  /** Data beyond the command's literals goes to another host. */
  readonly sends: boolean;
  readonly unbounded: readonly UnboundedPart[];
  /** A clause that follows "it": why the whole output is secret. */
  readonly secretAnswer?: string;
  /** A clause that follows "it": what of its output may be secret. Redaction is enough where a person asked for it. */
  readonly reveals?: string;
  readonly rulesVersion: string;
}

/** The operator's limits, narrowed by the repository. */
export interface LeaseCaps {
  readonly servers: readonly string[];
  readonly maxTimeMs: number;
  readonly maxCommands: number;
}
