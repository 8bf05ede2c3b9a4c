/** What the classifier says of a command: how much harm, how far it reaches, whether anything ends it (docs/policy.md). */
import type { Finding, Risk } from "./risk.ts";

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
  readonly rulesVersion: string;
}
