/** A set of checks: several reads of one server under one number and one approval, each run by itself. */

import type { Expectation } from "./run.ts";

/** More than this is no list that somebody reads before pressing. */
export const mostInSet = 8;

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
interface RunPlace {
  readonly server: string;
  readonly step?: number | null | undefined;
}

export const membersOf = ({ command, expect, set }: Runs): readonly SetMember[] => set ?? [{ command, expect }];

/** The command of a run, with what is expected of it. Throws where the action has no such command. */
export function memberOf(spec: Runs, { step }: Pick<RunPlace, "step">): SetMember {
  const member = membersOf(spec)[step ?? 0];
  if (!member) throw new Error(`a set of ${membersOf(spec).length} has no command ${step}`);
  return member;
}

/** What tells a run from the others of its action: `web-1`, or `web-1#2` for the second command of a set. */
export const placeOfRun = ({ server, step }: RunPlace): string =>
  step === null || step === undefined ? server : `${server}#${step + 1}`;

/** The target of a run, where the action has it. */
export const targetOfRun = <T extends RunPlace>(targets: readonly T[], run: RunPlace): T | undefined =>
  targets.find((target) => placeOfRun(target) === placeOfRun(run));

/** The servers of targets, each once. */
export const serversIn = (targets: readonly Pick<RunPlace, "server">[]): readonly string[] => [
  ...new Set(targets.map(({ server }) => server)),
];
