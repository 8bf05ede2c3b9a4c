import type { Generated } from "kysely";

/** Which repository a name meant at first contact, and by which installation it is reached (SR-07). */
export interface RepositoryTable {
  /** `owner/name`, in lower case. */
  name: string;
  id: number;
  installationId: number;
  /** Whether GitHub has not said since that this installation is gone. */
  installed: Generated<boolean>;
  firstSeenAt: Generated<Date>;
}

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
  lastPush: string | null;
}
