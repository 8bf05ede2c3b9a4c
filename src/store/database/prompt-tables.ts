/** What people have written for the agent's prompt themselves (PA-2). */
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
