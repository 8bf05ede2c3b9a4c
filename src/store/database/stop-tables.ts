import type { Generated } from "kysely";

/** What stops the bot: the operator's kill switch, and holds put on by people on an issue. `migrations.ts` makes the tables. */
export const stopTables: readonly string[] = [
  // The kill switch of a bot whose store is on a server; an embedded one has a file in its folder (src/features/incident/halt.ts).
  `create table halt (
    scope text primary key,
    halted boolean not null,
    "by" text not null,
    at text not null,
    kill boolean not null default false
  )`,
  // The last word on each incident, and under issue 0 on a repository as a whole. A hold that was lifted stays: what was
  // approved before that does not run after it.
  `create table hold (
    repo_id bigint not null,
    issue integer not null,
    person_id bigint not null,
    login text not null,
    comment_id bigint not null,
    kill boolean not null,
    held_at timestamptz not null default now(),
    lifted_at timestamptz,
    lifted_by bigint,
    primary key (repo_id, issue)
  )`,
];

export interface HaltTable {
  scope: string;
  halted: boolean;
  by: string;
  /** RFC 3339. */
  at: string;
  /** What runs is ended too. */
  kill: Generated<boolean>;
}

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
