import type { Ending, Outcome } from "./run.ts";

/** A step of a scheduled workflow on one of its servers, from before it is sent; or one that was left out. */
export interface ScheduledStep {
  readonly step: number;
  readonly title: string;
  readonly place: string;
  readonly server: string;
  readonly command: string;
  /** Why it was left out; nothing was sent then. */
  readonly skipped?: string;
  readonly ending?: Ending;
  readonly outcome?: Outcome | null;
  /** A line of its output that reports trouble (AR-15), where one does. */
  readonly trouble?: string;
  readonly durationMs?: number | null;
  /** Cleaned, redacted and cut. */
  readonly excerpt?: string;
}
