import type { Generated, JSONColumnType } from "kysely";

/** Agent mode: one person's standing word on an incident. `migrations.ts` makes the table. */
export const autoTables: readonly string[] = [
  // The last word on each incident. The comment that switched it on stands for its approvals, so it is kept as theirs is.
  `create table auto_mode (
    incident_id uuid primary key references incident,
    person_id bigint not null,
    login text not null,
    role text not null,
    comment_id bigint not null,
    comment_node_id text not null,
    comment_sha256 text not null,
    last_comment bigint not null,
    from_step integer not null,
    servers jsonb not null,
    on_at timestamptz not null default now(),
    off_at timestamptz,
    off_why text
  )`,
];

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
