import { expect, it } from "vitest";
import { type PullRequestView, pullRequestWords } from "../../../src/github/render/state.ts";

const seen = { state: "open", isDraft: true, approved: [], changesRequested: [] } as const;
const none = { passed: 0, failed: 0, pending: 0 };

it.each<[string, Partial<PullRequestView>, string]>([
  ["before the first look", {}, "[pull request 12](https://github.com/acme/infra/pull/12), a draft"],
  [
    "without checks",
    { seen: { ...seen, checks: none } },
    "[pull request 12](https://github.com/acme/infra/pull/12), a draft",
  ],
  [
    "with checks and reviews",
    {
      seen: {
        ...seen,
        isDraft: false,
        checks: { passed: 3, failed: 1, pending: 2 },
        approved: ["kim", "lee"],
        changesRequested: ["sam"],
      },
    },
    "[pull request 12](https://github.com/acme/infra/pull/12), ready for review: three checks passed, **one check failed**, two checks not finished · approved there by `@kim` and `@lee` · `@sam` asked for changes there",
  ],
  ["merged", { state: "merged" }, "[pull request 12](https://github.com/acme/infra/pull/12), merged"],
  [
    "closed",
    { state: "closed" },
    "[pull request 12](https://github.com/acme/infra/pull/12), closed without being merged",
  ],
])("AR-13 the board says of a pull request %s", (_, view, words) => {
  const link = (label: string, url: string): string => `[${label}](${url})`;
  const pull = {
    number: 12,
    url: "https://github.com/acme/infra/pull/12",
    state: "open",
    seen: null,
    ...view,
  } as const;
  expect(pullRequestWords(pull, { link })).toBe(words);
});
