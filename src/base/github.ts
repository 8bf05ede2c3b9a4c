import type { RunbookDemand } from "./action.ts";

/** The numeric id is the identity; the login is only for display (SR-14). */
export interface Person {
  readonly id: number;
  readonly login: string;
}

/** Renames do not change it (SR-25). */
export interface IssueRef {
  readonly installationId: number;
  readonly repoId: number;
  /** `owner/name` at the delivery. */
  readonly repo: string;
  readonly number: number;
  readonly nodeId: string;
}

/** Of the second App, which proposes patches: no more and no less. */
export const patchRights = {
  metadata: "read",
  contents: "write",
  pull_requests: "write",
  checks: "read",
  statuses: "read",
} as const;

/** In order. Unknown roles are `none` by now. */
export const roles = ["none", "read", "triage", "write", "maintain", "admin"] as const;
export type Role = (typeof roles)[number];

/** Ignores case: no two labels on GitHub differ in case alone. */
export const hasLabel = (labels: readonly (string | undefined)[], wanted: string): boolean =>
  labels.some((label) => label?.toLowerCase() === wanted.toLowerCase());

/** By the Agent Skills specification, at `path` of `source`, e.g. `acme/web@1a2b3c4`. */
export interface Skill {
  readonly name: string;
  readonly description: string;
  readonly path: string;
  readonly source: string;
  readonly body: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** `disable-model-invocation`: no agent chooses it by itself. */
  readonly onlyByName?: boolean;
  /** `user-invocable: false`: people do not choose it. */
  readonly neverByName?: boolean;
  readonly demand?: RunbookDemand;
}

/** `source`: e.g. `acme/web@1a2b3c4`. */
export interface RepoFile {
  readonly path: string;
  readonly text: string;
  readonly source: string;
}

/** Its texts are untrusted. */
export interface RepoChange {
  readonly kind: "merge" | "deployment" | "release" | "failed-run";
  /** RFC 3339. */
  readonly at: string;
  /** `owner/name` */
  readonly repo: string;
  readonly title: string;
  readonly url: string;
  /** Of a deployment; or a failed run's branch. */
  readonly state?: string | undefined;
  readonly by?: string | undefined;
}

/** `unseen`: what GitHub did not report. */
export interface SeenChanges {
  /** Newest first. */
  readonly changes: readonly RepoChange[];
  readonly unseen: readonly string[];
}

/** For a pattern that ignores case; logins of managed accounts end in `_acme`. */
export const loginForm = String.raw`[a-z\d](?:[\w-]{0,37}[a-z\d])?`;

const groupNames = new Set(["all", "channel", "everyone", "here"]);

/** Whether it names a group: `everyone`, `@here`, `acme/oncall`. */
export const namesGroup = (text: string): boolean => {
  const name = text.trim().replace(/^@/, "").toLowerCase();
  return groupNames.has(name) || /^[\w-]+\/[\w.-]+$/.test(name);
};

/** A pull request's checks and reviews, as GitHub shows them. */
export interface PullRequestState {
  readonly state: "open" | "merged" | "closed";
  readonly isDraft: boolean;
  /** Numbers of checks. */
  readonly checks: { readonly passed: number; readonly failed: number; readonly pending: number };
  /** Logins, by their last review. */
  readonly approved: readonly string[];
  readonly changesRequested: readonly string[];
}
