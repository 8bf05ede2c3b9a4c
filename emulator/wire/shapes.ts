/** The parts we read of GitHub's JSON; the rest passes through untouched. */

export interface User {
  readonly login: string;
  readonly id: number;
  readonly node_id: string;
  readonly type: string;
}

export interface Repo {
  readonly id: number;
  readonly node_id: string;
  readonly name: string;
  readonly full_name: string;
  readonly private: boolean;
  readonly visibility: string;
  readonly archived: boolean;
  readonly default_branch: string;
  readonly html_url: string;
  readonly owner: User;
}

interface Label {
  readonly id: number;
  readonly node_id: string;
  readonly name: string;
  readonly color: string;
}

export interface Issue {
  readonly id: number;
  readonly node_id: string;
  readonly number: number;
  readonly title: string;
  readonly body: string | null;
  readonly state: "open" | "closed";
  readonly state_reason: string | null;
  readonly locked: boolean;
  readonly active_lock_reason: string | null;
  readonly html_url: string;
  readonly user: User;
  readonly labels: readonly Label[];
  readonly assignees: readonly User[];
  readonly created_at: string;
  readonly updated_at: string;
  readonly closed_at: string | null;
  readonly author_association: string;
}

export interface Comment {
  readonly id: number;
  readonly node_id: string;
  readonly body: string;
  readonly html_url: string;
  readonly issue_url: string;
  readonly user: User;
  readonly created_at: string;
  readonly updated_at: string;
  readonly author_association: string;
}

export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A body as an object; anything else counts as empty. */
export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const docs = "https://docs.github.com/rest";

export const refuse = (status: number, message: string, errors?: readonly unknown[]): Answer => ({
  status,
  body: { message, ...(errors ? { errors } : {}), documentation_url: docs, status: String(status) },
});

export const notFound: Answer = refuse(404, "Not Found");

/** GitHub's times have no fraction of a second. */
export const toSeconds = (time: Date | string): string => new Date(time).toISOString().replace(/\.\d+Z$/, "Z");
