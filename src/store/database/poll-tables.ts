import type { Generated } from "kysely";

/** How far polling has read a repository, and who reads it. */
export interface PollTable {
  /** `owner/name`, in lower case. */
  repo: string;
  holder: string | null;
  heldUntil: Date | null;
  /** Whatever changed on GitHub before this is stored. */
  since: Date;
  /** When GitHub was last read to its end. */
  readAt: Date | null;
  standing: string | null;
  standings: Generated<number>;
  pushedAt: string | null;
}
