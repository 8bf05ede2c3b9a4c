import type { Generated } from "kysely";

/** Which repository a name meant at first contact, and by which installation it is reached (SR-07). `migrations.ts` makes it. */
export const pinTables: readonly string[] = [
  `create table repository (
    name text primary key,
    id bigint not null,
    installation_id bigint not null,
    installed boolean not null default true,
    first_seen_at timestamptz not null default now()
  )`,
];

export interface RepositoryTable {
  /** `owner/name`, in lower case. */
  name: string;
  id: number;
  installationId: number;
  /** Whether GitHub has not said since that this installation is gone. */
  installed: Generated<boolean>;
  firstSeenAt: Generated<Date>;
}
