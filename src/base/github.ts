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

/** GitHub's roles in order. An unknown one is `none` before it comes here, a custom one what it is built on where GitHub tells only that. */
export const roles = ["none", "read", "triage", "write", "maintain", "admin"] as const;
export type Role = (typeof roles)[number];

/** Whether one of the labels is that one: GitHub has no two that differ in case alone. */
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

/** Something that changed in a service's repository, as GitHub has it; texts are those of others. */
export interface RepoChange {
  readonly kind: "merge" | "deployment" | "release" | "failed-run";
  /** RFC 3339. */
  readonly at: string;
  /** `owner/name` */
  readonly repo: string;
  readonly title: string;
  readonly url: string;
  /** Of a deployment its state, of a failed run its branch. */
  readonly state?: string | undefined;
  readonly by?: string | undefined;
}

/** What GitHub told of the changes of some repositories, and in words what it did not tell. */
export interface SeenChanges {
  /** Newest first. */
  readonly changes: readonly RepoChange[];
  readonly unseen: readonly string[];
}

/** How a login on GitHub is written, for a pattern without regard to case; where a company manages its accounts, `_acme` is at its end. */
export const loginForm = String.raw`[a-z\d](?:[\w-]{0,37}[a-z\d])?`;

/** What chat programs call whole groups by; nobody on call has such a login. */
const groupNames = new Set(["all", "channel", "everyone", "here"]);

/** Whether this names a group of people, as `everyone`, `@here` or `acme/oncall` do, where one person is wanted. */
export const namesGroup = (text: string): boolean => {
  const name = text.trim().replace(/^@/, "").toLowerCase();
  return groupNames.has(name) || /^[\w-]+\/[\w.-]+$/.test(name);
};
