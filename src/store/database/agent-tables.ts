import type { Generated, JSONColumnType } from "kysely";
import type { NamedValue } from "../../base/action.ts";
import type { RepoChange } from "../../base/github.ts";

export interface UsageTable {
  id: string;
  sessionId: string;
  incidentId: string;
  repoId: number;
  installationId: number;
  /** Who set the turn going; null where nobody did. */
  personId: number | null;
  step: number;
  /** Null until the model has answered. */
  model: string | null;
  inputTokens: number;
  /** Of the input tokens those that the provider had in its cache. */
  cachedTokens: Generated<number>;
  outputTokens: number;
  /** In the currency of the endpoint's price; 0 where it has none. */
  cost: Generated<number>;
  /** True while the ask is open, and where the endpoint counted nothing. */
  estimated: Generated<boolean>;
  at: Date;
}

export interface NoticeTable {
  about: string;
  at: Generated<Date>;
}

export interface QuestionTable {
  id: string;
  incidentId: string;
  /** `q1` is 1. */
  number: number;
  step: number;
  text: string;
  choices: JSONColumnType<readonly string[]>;
  askedAt: Generated<Date>;
  answer: string | null;
  answeredById: number | null;
  answeredByLogin: string | null;
  answeredCommentId: number | null;
  answeredAt: Date | null;
}

export interface FeedbackTable {
  id: string;
  sessionId: string;
  source: "command" | "reaction";
  /** Which comment of ours it is on, by its slot. */
  slot: string;
  verdict: "up" | "down";
  note: Generated<string>;
  personId: number;
  login: string;
  givenAt: Date;
}

/** What changed in an incident's services before it began. */
export interface IncidentChangesTable {
  incidentId: string;
  since: Date;
  until: Date;
  services: JSONColumnType<readonly string[]>;
  changes: JSONColumnType<readonly RepoChange[]>;
  unseen: JSONColumnType<readonly string[]>;
  /** When a turn showed it to the agent. */
  toldAt: Date | null;
}

/** What an incident's alert or its issue form says by name. */
export interface IncidentValueTable extends NamedValue {
  incidentId: string;
}
