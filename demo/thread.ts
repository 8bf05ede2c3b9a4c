import type { EmulatedGitHub } from "../emulator/start.ts";

/** A comment as a person reads it through the API. */
export interface ThreadComment {
  readonly id: number;
  readonly login: string;
  readonly body: string;
}

/** One issue of the emulated GitHub, as somebody who reads along sees it. */
export function createThread(github: EmulatedGitHub, repo: string, number: number) {
  const read = async (login: string): Promise<readonly ThreadComment[]> => {
    const { body } = await github.as(login)("GET", `/repos/${repo}/issues/${number}/comments?per_page=100`);
    if (!Array.isArray(body)) throw new Error(`the comments of #${number} cannot be read`);
    return body.map((comment: { id: number; body: string; user: { login: string } }) => ({
      id: comment.id,
      login: comment.user.login,
      body: comment.body,
    }));
  };
  return {
    comments: () => read("mona"),
    /** Comments as a person; the id of the comment. */
    say: async (login: string, body: string): Promise<number> => {
      const { status, body: made } = await github.as(login)("POST", `/repos/${repo}/issues/${number}/comments`, {
        body,
      });
      if (status !== 201 || typeof made !== "object" || made === null || !("id" in made)) {
        throw new Error(`@${login} could not comment: ${status} ${JSON.stringify(made)}`);
      }
      return Number(made.id);
    },
    /** That it was seen comes first, then how it went: GitHub shows them in an order of its own, not in that of their posting. */
    reactions: async (commentId: number): Promise<readonly string[]> => {
      const { body } = await github.as("mona")("GET", `/repos/${repo}/issues/comments/${commentId}/reactions`);
      const contents = Array.isArray(body) ? body.map((reaction: { content: string }) => reaction.content) : [];
      return [...contents.filter((content) => content === "eyes"), ...contents.filter((content) => content !== "eyes")];
    },
    /** Waits until a comment of the bot fits; throws, with what there is, when none does in time. */
    waitFor: async (fits: (body: string) => boolean, what: string, timeoutMs = 240_000): Promise<ThreadComment> => {
      const until = performance.now() + timeoutMs;
      for (;;) {
        const comments = await read("mona");
        const found = comments.find((comment) => comment.login.endsWith("[bot]") && fits(comment.body));
        if (found) return found;
        if (performance.now() > until) {
          const seen = comments.map((comment) => `--- ${comment.login}\n${comment.body}`).join("\n");
          throw new Error(`waited ${timeoutMs} ms for ${what}; the issue reads:\n${seen}`);
        }
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
  };
}

export type Thread = ReturnType<typeof createThread>;

/** Opens an issue with the label that makes it an incident; its number. */
export async function openIssue(
  github: EmulatedGitHub,
  repo: string,
  issue: { readonly by: string; readonly title: string; readonly body: string; readonly labels: readonly string[] },
): Promise<number> {
  const { by, ...fields } = issue;
  const { status, body } = await github.as(by)("POST", `/repos/${repo}/issues`, fields);
  if (status !== 201 || typeof body !== "object" || body === null || !("number" in body)) {
    throw new Error(`@${by} could not open an issue: ${status} ${JSON.stringify(body)}`);
  }
  return Number(body.number);
}
