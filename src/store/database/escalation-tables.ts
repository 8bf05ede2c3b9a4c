import type { Generated } from "kysely";

/** Who was called because a command waits for an approval, and what became of it. */
export interface EscalationTable {
  actionId: string;
  /** From 1, in the order in which they were called. */
  step: number;
  incidentId: string;
  /** `person`: assigned and mentioned; `hook`: the operator's outgoing hook; `team`: all who may approve. */
  kind: "person" | "hook" | "team";
  /** A login, the kind of the hook, or empty for the team. */
  who: string;
  /** Why it was not the one on call; empty where it was. */
  why: string;
  at: Date;
  state: "open" | "sending" | "done" | "failed" | "unsure";
  attempts: Generated<number>;
  triedAt: Date | null;
  fault: string | null;
}
