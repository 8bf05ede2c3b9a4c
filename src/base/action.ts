/**
 * The shared words, each used one way:
 *
 * - **delivery**: one webhook call; it becomes a **job**.
 * - **incident**: an issue with the label, or taken in by a person.
 * - **session**: the agent's state for an incident. **turn**: one run of the model, ending in one comment.
 * - **action**: a proposed command on a server; its number is never reused in the issue.
 * - **approval**: a person's countersignature, bound to the action's digest.
 * - **run**: the execution of an approved action.
 * - **command**: shell text. **slash command**: `/approve` in a comment.
 * - **prompt** is only the model's; **agent** never means ssh-agent.
 */

import type { Risk } from "./risk.ts";
import type { Expectation } from "./run.ts";

/** `src/store/actions.ts` has the transitions. */
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

/** What a skill or a workflow asks for its commands, beyond policy. */
export interface RunbookDemand {
  readonly approvals?: number | undefined;
  /** Teams; people must be in one of them. */
  readonly approvers?: readonly string[] | undefined;
}

interface Standing {
  readonly state: ActionState;
}

/** Whether it waits for a decision or for values. */
export const isUndecided = ({ state }: Standing): boolean => state === "proposed" || state === "incomplete";

/** Undecided, or approved and not ended. */
export const isUnfinished = (action: Standing): boolean =>
  isUndecided(action) || ["approved", "dispatching", "running"].includes(action.state);

/** What later proposals are compared with, of an action that ran: what it did, when, and how it ended. */
export interface DoneAct {
  readonly number: number;
  /** Equal for the same act on the same servers. */
  readonly act: string;
  readonly isDone: boolean;
  /** It may have changed something. */
  readonly isChange: boolean;
  /** In ms; null if no run of it has begun. */
  readonly begunAt: number | null;
  readonly endedAt: number;
  /** How its runs ended, in words. */
  readonly ends: readonly string[];
  /** It went well everywhere. */
  readonly isWell: boolean;
}

/** Untrusted text; always data. */
export interface NamedValue {
  readonly source: "alert" | "form" | "person";
  readonly name: string;
  readonly value: string;
}

/** Only a person can fill it. */
export interface OpenPlace {
  readonly name: string;
  readonly kind: string;
  readonly why?: string | undefined;
}

/** An action before the policy judges and numbers it. */
export interface Proposal {
  readonly title: string;
  readonly description: string;
  readonly server: string;
  readonly command: string;
  /** It can only raise the classifier's risk (PA-7). */
  readonly risk?: Risk | undefined;
  readonly expect?: Expectation | undefined;
  /** A set of checks, instead of `command`. */
  readonly set?: readonly Pick<Proposal, "command" | "expect" | "filled" | "open">[] | undefined;
  /** Reads under the same approval, right after it. */
  readonly check?: readonly string[] | undefined;
  /** Of a patch: where its checks run, once it is merged. */
  readonly checkOn?: string | undefined;
  /** Why a patch could not be made ready for judging; continues a sentence. */
  readonly unfit?: string | undefined;
  readonly when?: Condition | undefined;
  /** Of an earlier action that this repeats or changes. */
  readonly guard?: Guard | undefined;
  /** Of the workflow whose step it is, or of the action that it repeats or changes. */
  readonly demands?: readonly RunbookDemand[] | undefined;
  readonly filled?: readonly NamedValue[] | undefined;
  /** With any it is a form and runs nothing. */
  readonly open?: readonly OpenPlace[] | undefined;
  /** Keeps its place even if the same command is open (WF-1). */
  readonly isStep?: boolean | undefined;
}

/* Several reads under one number and approval, each run by itself. */

export const mostInSet = 8;
export const mostServersOfSet = 8;

export interface SetMember {
  readonly command: string;
  readonly expect?: Expectation | undefined;
}

interface Runs {
  readonly command: string;
  readonly expect?: Expectation | undefined;
  readonly set?: readonly SetMember[] | undefined;
}

/** A change's condition: that read shows this, on each server of the change. */
export interface Condition {
  readonly server: string;
  readonly command: string;
  /** In a line of the output; `*` stands for anything. */
  readonly shows: string;
  /** The servers that must show it, if not those of the change. */
  readonly on?: string;
}

/** What must hold just before a change is sent: on each of its servers, or of those named, the read `command` shows `shows`. */
export interface Guard {
  /** The number of the action that proposed the read. */
  readonly check: number;
  readonly command: string;
  readonly shows: string;
  readonly on?: readonly string[];
  /** If that action is a set: all its commands, and which of them it is, from 1. */
  readonly set?: { readonly command: string; readonly member: number };
}

/** `step`: the command's index in a set. */
export interface RunPlace {
  readonly server: string;
  readonly step?: number | null | undefined;
}

export const checksIn = ({ command, expect, set }: Runs): readonly SetMember[] => set ?? [{ command, expect }];

/** Whether both run the same commands; a set differs from a script of its lines. */
export const runsSame = (one: Runs, other: Runs): boolean =>
  JSON.stringify(checksIn(one).map(({ command }) => command)) ===
  JSON.stringify(checksIn(other).map(({ command }) => command));

/** Throws if the action has no command at that step. */
export function memberOf(spec: Runs, { step }: Pick<RunPlace, "step">): SetMember {
  const member = checksIn(spec)[step ?? 0];
  if (!member) throw new Error(`a set of ${checksIn(spec).length} has no command ${step}`);
  return member;
}

/** `web-1`, or `web-1#2` for the second command of a set. */
export const placeOfRun = ({ server, step }: RunPlace): string =>
  step === null || step === undefined ? server : `${server}#${step + 1}`;

/** Follows the number in `/output`: `2`, `web-1` or `2 web-1`; empty for a single run. */
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
