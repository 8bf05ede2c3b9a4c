/** What people have written for the agent's prompt themselves (PA-2). `migrations.ts` makes the table. */
export const promptTables: readonly string[] = [
  // `awaits_*`: after /prompt update the person's next comment on that incident is the new text, for a quarter of an hour.
  `create table person_prompt (
    person_id bigint primary key,
    login text not null,
    text text not null default '',
    awaits_incident uuid references incident,
    awaits_after bigint,
    awaits_since timestamptz,
    updated_at timestamptz not null default now()
  )`,
];

export interface PersonPromptTable {
  personId: number;
  login: string;
  /** Blank: the default holds. */
  text: string;
  awaitsIncident: string | null;
  /** The comment with /prompt update; an older one is never the text. */
  awaitsAfter: number | null;
  /** By GitHub's clock. */
  awaitsSince: Date | null;
  updatedAt: Date;
}
