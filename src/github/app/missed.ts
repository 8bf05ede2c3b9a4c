import type { Client } from "../client.ts";
import { type CommentPlace, markIn } from "../comments.ts";
import { repoOf } from "../web.ts";
import { type AppKey, asApp } from "./access.ts";

/** GitHub redelivers nothing older. */
export const redeliverableMs = 3 * 24 * 3_600_000;

export interface FailedDelivery {
  readonly id: number;
  /** The same for all attempts. */
  readonly guid: string;
  readonly at: Date;
  readonly isFirst: boolean;
}

export interface FailedDeliveries {
  /** Newest first. */
  readonly attempts: readonly FailedDelivery[];
  /** False if the oldest are left out. */
  readonly isWhole: boolean;
}

export interface FoundComment {
  readonly id: number;
  readonly issue: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Unedited: only then may it start anything. */
  readonly asWritten: boolean;
  /** As an `issue_comment` webhook has it. */
  readonly comment: unknown;
  readonly author: unknown;
  /** Our comment's id, if this App wrote it. */
  readonly ours: string | undefined;
}

/** Webhooks that never arrived (RR-03). Each call throws if GitHub does not answer. */
export interface MissedWebhooks {
  /** Of more than 1,000 the newest. */
  readonly failedSince: (since: Date) => Promise<FailedDeliveries>;
  /** Under the same GUID. */
  readonly redeliver: (id: number) => Promise<void>;
  /** Of all issues of the repository, written or changed since then, oldest first. */
  readonly commentsSince: (place: Omit<CommentPlace, "issue">, since: Date) => Promise<readonly FoundComment[]>;
  readonly issue: (place: CommentPlace) => Promise<unknown>;
}

const mostPages = 10;
const perPage = 100;
const timeoutMs = 30_000;

/** Signs in as the App for its webhook log, as the installation for issues. */
export function createMissed(client: Client, app: AppKey): MissedWebhooks {
  return {
    failedSince: async (since) => {
      const failed: FailedDelivery[] = [];
      const octokit = asApp(app, timeoutMs);
      const asked = { per_page: perPage, status: "failure" } as const;
      const pages = octokit.paginate.iterator(octokit.rest.apps.listWebhookDeliveries, asked);
      let page = 0;
      for await (const { data } of pages) {
        for (const { id, guid, delivered_at, redelivery } of data)
          failed.push({ id, guid, at: new Date(delivered_at), isFirst: !redelivery });
        if (++page === mostPages || failed.some(({ at }) => at < since)) break;
      }
      const isWhole = page < mostPages || failed.some(({ at }) => at < since);
      return { attempts: failed.filter(({ at }) => at >= since), isWhole };
    },
    redeliver: async (id) => {
      await asApp(app, timeoutMs).rest.apps.redeliverWebhookDelivery({ delivery_id: id });
    },
    commentsSince: (place, since) =>
      client.as(place, async (octokit) => {
        const comments = await octokit.paginate(octokit.rest.issues.listCommentsForRepo, {
          ...repoOf(place),
          since: since.toISOString(),
          sort: "created",
          direction: "asc",
          per_page: perPage,
        });
        return comments.map((comment) => ({
          id: comment.id,
          issue: Number(comment.issue_url.split("/").at(-1)),
          createdAt: new Date(comment.created_at),
          updatedAt: new Date(comment.updated_at),
          asWritten: comment.created_at === comment.updated_at,
          comment,
          author: comment.user,
          ours:
            comment.performed_via_github_app?.id === app.appId && comment.user?.type === "Bot"
              ? markIn(comment.body ?? "")
              : undefined,
        }));
      }),
    issue: (place) =>
      client.as(place, async (octokit) => {
        const { data } = await octokit.rest.issues.get({ ...repoOf(place), issue_number: place.issue });
        return data;
      }),
  };
}
