import type { Generated, JSONColumnType } from "kysely";

/** Agent mode: one person's standing word on an incident. */
export interface AutoModeTable {
  incidentId: string;
  personId: number;
  login: string;
  role: string;
  commentId: number;
  commentNodeId: string;
  commentSha256: string;
  /** The newest comment that said anything of it. */
  lastComment: number;
  /** Turns that the session had taken when it was switched on. */
  fromStep: number;
  /** The servers on which it was allowed then, by name: it holds on no other. */
  servers: JSONColumnType<readonly string[]>;
  onAt: Generated<Date>;
  offAt: Date | null;
  offWhy: string | null;
}
