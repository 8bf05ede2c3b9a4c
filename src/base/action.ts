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
  /** Several commands that are proposed as one set of checks; `command` is then not looked at. */
  readonly set?: readonly Pick<Proposal, "command" | "expect" | "filled" | "open">[] | undefined;
  /** Commands that only read, to run right behind it under the same approval. */
  readonly check?: readonly string[] | undefined;
  /** What was filled into the command, and who said it. */
  readonly filled?: readonly NamedValue[] | undefined;
  /** What it still leaves open: where anything is, it is a form and runs nothing. */
  readonly open?: readonly OpenPlace[] | undefined;
  /** A step of a workflow: it stands in its place even if the same command is open already (WF-1). */
  readonly isStep?: boolean | undefined;
}

/*
 * A set of checks: several reads of one server, or of each of a group, under one number and one approval, each run by itself.
 */

/** More than this is no list that somebody reads before pressing. */
export const mostInSet = 8;
/** Each of a set's commands runs on so many servers at most: its table has a row for each. */
export const mostServersOfSet = 8;

/** One command of a set. */
export interface SetMember {
  readonly command: string;
  readonly expect?: Expectation | undefined;
}

/** What an action runs: its command, or each of its set. */
interface Runs {
  readonly command: string;
  readonly expect?: Expectation | undefined;
  readonly set?: readonly SetMember[] | undefined;
}

/** Where a run of an action is: its server and, of a set, which of its commands, counted from 0. */
export interface RunPlace {
  readonly server: string;
  readonly step?: number | null | undefined;
}

export const checksIn = ({ command, expect, set }: Runs): readonly SetMember[] => set ?? [{ command, expect }];

/** Whether two run the same: a set is never the same as a script of its lines. */
export const runsSame = (one: Runs, other: Runs): boolean =>
  JSON.stringify(checksIn(one).map(({ command }) => command)) ===
  JSON.stringify(checksIn(other).map(({ command }) => command));

/** The command of a run, with what is expected of it. Throws where the action has no such command. */
export function memberOf(spec: Runs, { step }: Pick<RunPlace, "step">): SetMember {
  const member = checksIn(spec)[step ?? 0];
  if (!member) throw new Error(`a set of ${checksIn(spec).length} has no command ${step}`);
  return member;
}

/** What tells a run from the others of its action: `web-1`, or `web-1#2` for the second command of a set. */
export const placeOfRun = ({ server, step }: RunPlace): string =>
  step === null || step === undefined ? server : `${server}#${step + 1}`;

/** Which of an action's outputs is a run's, as `/output` has it behind the number: `2`, `web-1` or `2 web-1`; empty where it is the only one. */
export const outputPlace = (targets: readonly Pick<RunPlace, "server">[], { server, step }: RunPlace): string =>
  [
    ...(step === null || step === undefined ? [] : [`${step + 1}`]),
    ...(serversIn(targets).length === 1 ? [] : [server]),
  ].join(" ");

/** The target of a run, where the action has it. */
export const targetOfRun = <T extends RunPlace>(targets: readonly T[], run: RunPlace): T | undefined =>
  targets.find((target) => placeOfRun(target) === placeOfRun(run));

/** The servers of targets, each once. */
export const serversIn = (targets: readonly Pick<RunPlace, "server">[]): readonly string[] => [
  ...new Set(targets.map(({ server }) => server)),
];
