import type { Fields } from "../base/json.ts";

interface PagerWord {
  /** What people did on the issue, in the pager's terms. */
  readonly event: "acknowledge" | "resolve";
  /** The pager's own name for the alert. */
  readonly pagerKey: string;
  /** The issue, with its name. */
  readonly link: { readonly href: string; readonly text: string };
}

/** A pager that can hear back. Config, `check`, sender, board, tests and docs derive from its row (AL-8). */
export interface Pager {
  readonly title: string;
  /** The first is the default. The secret goes to no other host. */
  readonly urls: readonly [string, ...string[]];
  readonly secret: { readonly name: string; readonly form: RegExp; readonly words: string };
  /** In characters. */
  readonly longestKey: number;
  readonly body: (word: PagerWord, secret: string) => Fields;
  /** Whether a refusal is about the secret. */
  readonly isSecretRefused: (answer: Fields) => boolean;
}

/** By the operator's `answer.pager` (docs/alerts.md). */
export const pagers = {
  pagerduty: {
    title: "PagerDuty",
    // Events API v2; accounts in the EU have a host of their own.
    urls: ["https://events.pagerduty.com/v2/enqueue", "https://events.eu.pagerduty.com/v2/enqueue"],
    secret: { name: "routing key", form: /^[A-Za-z0-9]{32}$/, words: "32 letters and digits" },
    longestKey: 255,
    body: ({ event, pagerKey, link }, secret) => ({
      routing_key: secret,
      event_action: event,
      dedup_key: pagerKey,
      links: [link],
    }),
    isSecretRefused: ({ errors }) => Array.isArray(errors) && errors.some((one) => /routing.?key/i.test(String(one))),
  },
} as const satisfies Readonly<Record<string, Pager>>;

export type PagerName = keyof typeof pagers;

export const pagerNames = Object.keys(pagers) as PagerName[];

export const pagerOf = (name: PagerName): Pager => pagers[name];
