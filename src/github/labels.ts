import type { Client } from "./client.ts";
import type { CommentPlace } from "./comments.ts";
import { statusOf, type WriteFailure, writeFailure } from "./outcome.ts";
import { type RepoPlace, repoOf } from "./web.ts";

export interface RepoLabel {
  readonly name: string;
  /** Six hexadecimal digits. */
  readonly color: string;
  /** At most 100 characters. */
  readonly description: string;
}

export interface LabelResult {
  readonly kind: "posted";
  /** In lower case, because GitHub ignores case. Undefined if it does not say. */
  readonly on: readonly string[] | undefined;
}

/** One by one, because a PUT would replace the labels of others. Never throws: a failure is data. Idempotent. */
export interface Labels {
  /** Whether this process has seen it listed. */
  readonly isListed: (repo: string, name: string) => boolean;
  /** An existing label stays as people have it. */
  readonly list: (place: RepoPlace, label: RepoLabel) => Promise<{ readonly kind: "posted" } | WriteFailure>;
  readonly add: (place: CommentPlace, names: readonly string[]) => Promise<LabelResult | WriteFailure>;
  readonly remove: (place: CommentPlace, name: string) => Promise<LabelResult | WriteFailure>;
}

export function createLabels(client: Client): Labels {
  const listed = new Set<string>();
  const keyOf = (repo: string, name: string): string => `${repo} ${name}`.toLowerCase();
  return {
    isListed: (repo, name) => listed.has(keyOf(repo, name)),
    list: async (place, label) => {
      try {
        await client.as(place, (octokit) => octokit.rest.issues.createLabel({ ...repoOf(place), ...label }));
      } catch (error) {
        if (statusOf(error) !== 422) return writeFailure(error, Date.now());
      }
      listed.add(keyOf(place.repo, label.name));
      return { kind: "posted" };
    },
    add: async (place, names) => {
      try {
        const { data } = await client.as(place, (octokit) =>
          octokit.rest.issues.addLabels({ ...repoOf(place), issue_number: place.issue, labels: [...names] }),
        );
        return labelled(data);
      } catch (error) {
        return writeFailure(error, Date.now());
      }
    },
    remove: async (place, name) => {
      try {
        const { data } = await client.as(place, (octokit) =>
          octokit.rest.issues.removeLabel({ ...repoOf(place), issue_number: place.issue, name }),
        );
        return labelled(data);
      } catch (error) {
        // Removed, or the issue is gone.
        if (statusOf(error) === 404) return { kind: "posted", on: undefined };
        return writeFailure(error, Date.now());
      }
    },
  };
}

const labelled = (labels: readonly { readonly name: string }[]): LabelResult => ({
  kind: "posted",
  on: labels.map(({ name }) => name.toLowerCase()),
});
