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
