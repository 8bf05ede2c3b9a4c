/** A person as GitHub knows them. The numeric id is the identity; the login is only for display (SR-14). */
export interface Person {
  readonly id: number;
  readonly login: string;
}

/** An issue, addressed so that it stays the same issue through renames (SR-25). */
export interface IssueRef {
  readonly installationId: number;
  readonly repoId: number;
  /** `owner/name` at the time of the delivery. */
  readonly repo: string;
  readonly number: number;
  /** GraphQL node id of the issue. */
  readonly nodeId: string;
}

/** GitHub's roles in order. An unknown one becomes `none` before it comes here; a custom one may become its base role, if GitHub names only that. */
export const roles = ["none", "read", "triage", "write", "maintain", "admin"] as const;
export type Role = (typeof roles)[number];

/** Ignores case: GitHub has no two labels that differ in case alone. */
export const hasLabel = (labels: readonly (string | undefined)[], wanted: string): boolean =>
  labels.some((label) => label?.toLowerCase() === wanted.toLowerCase());

/** A skill by the Agent Skills specification, as found in a repository: at `path` of `source`, e.g. `acme/web@1a2b3c4`. */
export interface Skill {
  readonly name: string;
  readonly description: string;
  readonly path: string;
  readonly source: string;
  readonly body: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** A text file read from a repository at a commit. `source`: where it came from, e.g. `acme/web@1a2b3c4`. */
export interface RepoFile {
  readonly path: string;
  readonly text: string;
  readonly source: string;
}

/** A change in a service's repository at GitHub; its texts are untrusted. */
export interface RepoChange {
  readonly kind: "merge" | "deployment" | "release" | "failed-run";
  /** RFC 3339. */
  readonly at: string;
  /** `owner/name` */
  readonly repo: string;
  readonly title: string;
  readonly url: string;
  /** The state of a deployment, or the branch of a failed run. */
  readonly state?: string | undefined;
  readonly by?: string | undefined;
}

/** The changes of some repositories, and in words those that GitHub did not report. */
export interface SeenChanges {
  /** Newest first. */
  readonly changes: readonly RepoChange[];
  readonly unseen: readonly string[];
}

/** The form of a login on GitHub, for a pattern that ignores case; accounts that a company manages end in `_acme`. */
export const loginForm = String.raw`[a-z\d](?:[\w-]{0,37}[a-z\d])?`;

/** Names of whole groups in chat programs; no person on call has such a login. */
const groupNames = new Set(["all", "channel", "everyone", "here"]);

/** Whether a text names a group of people (`everyone`, `@here`, `acme/oncall`) instead of one person. */
export const namesGroup = (text: string): boolean => {
  const name = text.trim().replace(/^@/, "").toLowerCase();
  return groupNames.has(name) || /^[\w-]+\/[\w.-]+$/.test(name);
};
