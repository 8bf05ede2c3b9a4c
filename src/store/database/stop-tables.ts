import type { Generated } from "kysely";

/** The operator's kill switch, where the store is on a server. */
export interface HaltTable {
  scope: string;
  halted: boolean;
  by: string;
  /** RFC 3339. */
  at: string;
  /** What runs is ended too. */
  kill: Generated<boolean>;
}

/** Holds put on by people on an issue. */
export interface HoldTable {
  repoId: number;
  /** 0 for every incident of the repository. */
  issue: number;
  personId: number;
  login: string;
  commentId: number;
  /** What runs is ended too. */
  kill: boolean;
  heldAt: Date;
  liftedAt: Date | null;
  /** The comment that lifted it. */
  liftedBy: Generated<number | null>;
}
