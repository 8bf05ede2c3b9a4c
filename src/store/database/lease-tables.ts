import type { Generated, JSONColumnType } from "kysely";

/** A lease: one person's word on an incident that the agent's reads run without being asked (AR-03). */
export interface LeaseTable {
  incidentId: string;
  personId: number;
  login: string;
  role: string;
  commentId: number;
  commentNodeId: string;
  commentSha256: string;
  /** The newest comment that gave or ended a lease. */
  lastComment: number;
  /** The servers that it was given for, by name: it holds on no other. */
  servers: JSONColumnType<readonly string[]>;
  endsAt: Date;
  /** How many commands may run under it, each server of one counted, and how many have been claimed. */
  maxCommands: number;
  used: number;
  /** The latest time at which anything was claimed under it. */
  seenAt: Date;
  onAt: Generated<Date>;
  offAt: Date | null;
  offWhy: string | null;
}
