/**
 * The words everybody shares. Each is used one way:
 *
 * - **delivery**: one webhook call. **job**: what a delivery becomes; it waits in its incident's line.
 * - **incident**: an issue that carries the configured label or was taken in by a person.
 * - **session**: the agent's state for one incident. **turn**: one run of the model, ending in one comment; it is a *step*.
 * - **action**: one proposed command on one server, with a number never reused in that issue.
 * - **approval**: one person's countersignature on one action, bound to the action's digest.
 * - **run**: the execution of an approved action; it has output and an ending.
 * - **server**: where commands run. **command**: an action's shell text. **slash command**: a `/approve` in a comment.
 * - **prompt** is the model's prompt only; **agent** is the model side, never ssh-agent.
 */

import type { Risk } from "./risk.ts";
import type { Expectation } from "./run.ts";

/** The states of an action; `src/store/actions.ts` knows which may follow which. */
export const actionStates = [
  "proposed",
  "approved",
  "dispatching",
  "running",
  "done",
  "rejected",
  "superseded",
  "expired",
  "void",
  "blocked",
  "incomplete",
] as const;
export type ActionState = (typeof actionStates)[number];

interface Standing {
  readonly state: ActionState;
}

/** It waits for people: for their decision, or for values. */
export const isUndecided = ({ state }: Standing): boolean => state === "proposed" || state === "incomplete";

/** It is not over: undecided, or approved and not at its end. */
export const isUnfinished = (action: Standing): boolean =>
  isUndecided(action) || ["approved", "dispatching", "running"].includes(action.state);

/** What an alert's labels, an issue form or a person says by name: somebody else's text, and never more than data. */
export interface NamedValue {
  readonly source: "alert" | "form" | "person";
  readonly name: string;
  readonly value: string;
}

/** A place in a command that only a person can fill. */
export interface OpenPlace {
  readonly name: string;
  /** What can stand there, in words. */
  readonly kind: string;
  /** Why what is known does not fill it. */
  readonly why?: string | undefined;
}

/** An action as somebody proposes it, before policy has looked at it and before it has a number. */
export interface Proposal {
  readonly title: string;
  readonly description: string;
  readonly server: string;
  readonly command: string;
  /** The proposer's own label; it can only raise what our classifier says (PA-7). */
  readonly risk?: Risk | undefined;
  readonly expect?: Expectation | undefined;
  /** A command that only reads, to run right behind it under the same approval. */
  readonly check?: string | undefined;
  /** What was filled into the command, and who said it. */
  readonly filled?: readonly NamedValue[] | undefined;
  /** What it still leaves open: where anything is, it is a form and runs nothing. */
  readonly open?: readonly OpenPlace[] | undefined;
}
