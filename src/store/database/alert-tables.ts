import type { Generated } from "kysely";

/** An issue that was opened for a group of alerts; its id is the hidden mark. */
export interface AlertTable {
  id: string;
  source: string;
  /** SHA-256 of what the source calls the group. */
  key: string;
  isCurrent: Generated<boolean>;
  /** The incident that stood for the group before. */
  previousId: string | null;
  /** Nothing while the issue is being opened. */
  incidentId: string | null;
  state: "firing" | "resolved";
  severity: string | null;
  startedAt: Date | null;
  fires: Generated<number>;
  firedAt: Date;
  resolves: Generated<number>;
  resolvedAt: Date | null;
  told: Generated<number>;
  toldSince: Date | null;
  toldTimes: Generated<number>;
  seenDigest: string;
  seenAt: Date;
  eventAt: Date | null;
  closeAskedAt: Date | null;
  createdAt: Generated<Date>;
}
