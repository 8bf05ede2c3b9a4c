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
