import type { NamedValue } from "../../base/action.ts";
import type { IncidentRows } from "../../store/incident-rows.ts";
import type { IncidentChanges } from "../../store/incident-values.ts";
import type { Incident, Session } from "../../store/incidents.ts";
import type { Similar } from "../../store/past-incidents.ts";
import type { RepoContext } from "../context.ts";
import type { ToldNumbers } from "../proposal/same-action.ts";
import type { Records } from "../proposal/track-record.ts";
import type { Runbooks } from "./runbooks.ts";
import type { Cause, ToldRun } from "./turn-message.ts";

/** What a turn begins with. */
export interface TurnInput {
  readonly incident: Incident;
  readonly session: Session;
  /** The incident's rows as the turn begins, and as they are once a runbook's checks stand. */
  readonly rows: IncidentRows;
  readonly repoContext: RepoContext;
  readonly runbooks: Runbooks;
  readonly records: Records;
  /** What its alert, its form and people say by name. */
  readonly values: readonly NamedValue[];
  readonly runs: readonly ToldRun[];
  /** Incidents of before that read like this one, where nobody has heard of them yet. */
  readonly similar: readonly Similar[];
  /** What changed on GitHub before it, undefined if the agent knows it already. */
  readonly repoChanges: IncidentChanges | undefined;
  readonly cause: Cause;
  /** Who set it going. */
  readonly personId: number | undefined;
  /** What happened on the issue later is for the next turn (SR-36). */
  readonly askedAt: Date;
  /** The numbers of this turn's proposals that the model is told before the turn ends. */
  readonly toldNumbers: ToldNumbers;
  readonly signal: AbortSignal;
  readonly onStatus: (doing: string) => void;
}
