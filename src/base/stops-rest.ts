import type { Risk } from "./risk.ts";
import { type Ending, type Outcome, wentWell } from "./run.ts";

/** Whether it only reads and was to come to nothing in particular: then however it exits it has answered. */
export const isAnswer = (
  risk: Risk,
  { ending, outcome }: { readonly ending: Ending | null; readonly outcome?: Outcome | null | undefined },
): boolean => risk === "low" && outcome?.kind !== "surprise" && ending?.kind === "exited";

/**
 * Whether a run stops what stands behind it. What only reads does not, unless it was to come to something else, a person ended it, or
 * nobody knows its end.
 */
export const stopsRest = (
  risk: Risk,
  run: { readonly ending: Ending | null; readonly outcome?: Outcome | null | undefined },
): boolean =>
  !wentWell(run) &&
  (risk !== "low" ||
    run.outcome?.kind === "surprise" ||
    run.ending === null ||
    run.ending.kind === "cancelled" ||
    run.ending.kind === "unknown");
