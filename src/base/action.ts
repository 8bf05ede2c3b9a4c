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

/** The states of an action; `src/store/actions.ts` has the transitions. */
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

/** It waits for people: for a decision or for values. */
export const isUndecided = ({ state }: Standing): boolean => state === "proposed" || state === "incomplete";

/** Undecided, or approved and not ended. */
export const isUnfinished = (action: Standing): boolean =>
  isUndecided(action) || ["approved", "dispatching", "running"].includes(action.state);

/** A named value from an alert's labels, an issue form or a person: untrusted text, and never more than data. */
export interface NamedValue {
  readonly source: "alert" | "form" | "person";
  readonly name: string;
  readonly value: string;
}

/** A place in a command that only a person can fill. */
export interface OpenPlace {
  readonly name: string;
  /** The valid content, in words. */
  readonly kind: string;
  /** Why the known values do not fill it. */
  readonly why?: string | undefined;
}

/** An action as it is proposed, before the policy judges it and it has a number. */
export interface Proposal {
  readonly title: string;
  readonly description: string;
  readonly server: string;
  readonly command: string;
  /** The proposer's own label; it can only raise the classifier's risk (PA-7). */
  readonly risk?: Risk | undefined;
  readonly expect?: Expectation | undefined;
  /** Several commands that are proposed as one set of checks, instead of `command`. */
  readonly set?: readonly Pick<Proposal, "command" | "expect" | "filled" | "open">[] | undefined;
  /** Commands that only read; they run right after it under the same approval. */
  readonly check?: readonly string[] | undefined;
  /** The values in the command, and their sources. */
  readonly filled?: readonly NamedValue[] | undefined;
  /** Its open places. With any of them it is a form and runs nothing. */
  readonly open?: readonly OpenPlace[] | undefined;
  /** A step of a workflow: it keeps its place even if the same command is already open (WF-1). */
  readonly isStep?: boolean | undefined;
}

/*
 * A set of checks: several reads of one server, or of each of a group, under one number and one approval, each run by itself.
 */

/** No person reads a longer list before an approval. */
export const mostInSet = 8;
/** The most servers of a set: its table has a row for each. */
export const mostServersOfSet = 8;

/** One command of a set. */
export interface SetMember {
  readonly command: string;
  readonly expect?: Expectation | undefined;
}

/** The commands of an action: its own, or those of its set. */
interface Runs {
  readonly command: string;
  readonly expect?: Expectation | undefined;
  readonly set?: readonly SetMember[] | undefined;
}

/** The target of a run: its server and, for a set, the index of the command. */
export interface RunPlace {
  readonly server: string;
  readonly step?: number | null | undefined;
}

export const checksIn = ({ command, expect, set }: Runs): readonly SetMember[] => set ?? [{ command, expect }];

/** Whether two run the same commands: a set never equals a script of its lines. */
export const runsSame = (one: Runs, other: Runs): boolean =>
  JSON.stringify(checksIn(one).map(({ command }) => command)) ===
  JSON.stringify(checksIn(other).map(({ command }) => command));

/** The command of a run, with its expectation. Throws if the action has no such command. */
export function memberOf(spec: Runs, { step }: Pick<RunPlace, "step">): SetMember {
  const member = checksIn(spec)[step ?? 0];
  if (!member) throw new Error(`a set of ${checksIn(spec).length} has no command ${step}`);
  return member;
}

/** The key of a run within its action: `web-1`, or `web-1#2` for the second command of a set. */
export const placeOfRun = ({ server, step }: RunPlace): string =>
  step === null || step === undefined ? server : `${server}#${step + 1}`;

/** How `/output` names a run's output after the number: `2`, `web-1` or `2 web-1`; empty for the only one. */
export const outputPlace = (targets: readonly Pick<RunPlace, "server">[], { server, step }: RunPlace): string =>
  [
    ...(step === null || step === undefined ? [] : [`${step + 1}`]),
    ...(serversIn(targets).length === 1 ? [] : [server]),
  ].join(" ");

export const targetOfRun = <T extends RunPlace>(targets: readonly T[], run: RunPlace): T | undefined =>
  targets.find((target) => placeOfRun(target) === placeOfRun(run));

export const serversIn = (targets: readonly Pick<RunPlace, "server">[]): readonly string[] => [
  ...new Set(targets.map(({ server }) => server)),
];
