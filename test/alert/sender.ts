import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createThread, type Thread } from "../../demo/thread.ts";
import { repo } from "../harness/playground.ts";
import { type Stage, startStage } from "../harness/stage.ts";
import { alertSources, headersFor } from "./payloads.ts";

type SourceName = keyof typeof headersFor;

/** A whole bot with a source of alerts of each kind. */
export interface AlertStage extends Stage {
  /** Posts a body as its source does, and resolves with the answer once the bot has nothing left to do. */
  readonly send: (source: SourceName, body: object) => Promise<string>;
  /** The same of any text with any headers; the bot may still be at it. */
  readonly post: (
    path: string,
    body: string | Uint8Array<ArrayBuffer>,
    headers?: Record<string, string>,
  ) => Promise<string>;
  /** What is on GitHub, oldest first. */
  readonly issues: () => Promise<readonly OpenedIssue[]>;
  readonly thread: (number: number) => Thread & { readonly number: number };
}

interface OpenedIssue {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly state: string;
}

export async function startAlertStage(
  more: object = {},
  options: { readonly private?: boolean } = {},
): Promise<AlertStage> {
  const folder = mkdtempSync(join(tmpdir(), "countersign-alerts-"));
  const stage = await startStage({ ...options, config: { alerts: alertSources(folder, repo, more) } });
  const post: AlertStage["post"] = async (path, body, headers = {}) => {
    const response = await fetch(stage.bot.url + path, { method: "POST", body, headers });
    return `${response.status} ${await response.text()}`;
  };
  return {
    ...stage,
    get bot() {
      return stage.bot;
    },
    post,
    send: async (source, body) => {
      const text = JSON.stringify(body);
      const answer = await post(`/api/alerts/${source}`, text, headersFor[source](text));
      await stage.quiet();
      return answer;
    },
    issues: async () => {
      const { body } = await stage.github.as("mona")(
        "GET",
        `/repos/${repo}/issues?state=all&per_page=100&direction=asc`,
      );
      return body as readonly OpenedIssue[];
    },
    thread: (number) => ({ ...createThread(stage.github, repo, number), number }),
    close: async () => {
      await stage.close();
      rmSync(folder, { recursive: true });
    },
  };
}
