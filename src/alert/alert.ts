import * as z from "zod";
import { isOlderThan } from "../base/clock.ts";

const texts = z.record(z.string(), z.string());
/** ISO 8601. */
const time = z.string().nullable();

/** A message about one group of alerts (docs/alerts.md). Others wrote all of it: it is data and never a command. */
export const alertSchema = z.object({
  /** The source's name for the group. */
  key: z.string(),
  /** A pager's name for the same, if the source shares one; null if it is unknown. */
  pagerKey: z.string().nullable(),
  state: z.enum(["firing", "resolved"]),
  title: z.string(),
  severity: z.string().nullable(),
  startedAt: time,
  /** The source's name and time for this message. */
  messageId: z.string().nullable(),
  at: time,
  /** Recognizes a repeated message without event name. */
  digest: z.string(),
  /** Shared by all alerts of the group. */
  labels: texts,
  annotations: texts,
  /** With what only they have. */
  alerts: z.array(z.object({ state: z.string(), startedAt: time, labels: texts, annotations: texts })),
  firing: z.number(),
  total: z.number(),
  links: z.array(z.object({ words: z.string(), url: z.string() })),
  rest: z.record(z.string(), z.unknown()),
});
export type Alert = Readonly<z.output<typeof alertSchema>>;

export interface KnownAlert {
  readonly state: Alert["state"];
  /** Of the last message. */
  readonly seenDigest: string;
  readonly seenAt: Date;
  readonly eventAt: Date | null;
  /** Undefined while its issue is being opened. */
  readonly issue: { readonly state: "open" | "closed"; readonly closedAt: Date | null } | undefined;
}

type AlertDecision =
  | { readonly kind: "nothing"; readonly why: "sent again" | "older than what is known" | "nothing fires" }
  /** `another`: the known issue was closed too long ago. */
  | { readonly kind: "open"; readonly another: boolean }
  | { readonly kind: "count" }
  | { readonly kind: "reopen" }
  | { readonly kind: "resolve" };

/** A source without an answer repeats itself within this; later repetitions count. */
const retryMs = 60_000;

/** Decides about a message. An issue that a person closed during a firing alert stays closed until it resolves and fires again. */
export function decideAlert(
  message: Pick<Alert, "state" | "digest" | "at">,
  { known, now, reopenWithinMs }: { readonly known?: KnownAlert; readonly now: Date; readonly reopenWithinMs: number },
): AlertDecision {
  if (!known?.issue) return message.state === "firing" ? { kind: "open", another: false } : nothing("nothing fires");
  if (known.seenDigest === message.digest && !isOlderThan(retryMs, known.seenAt.getTime(), now.getTime()))
    return nothing("sent again");
  if (message.at !== null && known.eventAt !== null && Date.parse(message.at) < known.eventAt.getTime())
    return nothing("older than what is known");
  if (message.state === "resolved") return known.state === "firing" ? { kind: "resolve" } : nothing("nothing fires");
  const { state, closedAt } = known.issue;
  if (state === "open" || known.state === "firing") return { kind: "count" };
  const sinceMs = now.getTime() - (closedAt?.getTime() ?? 0);
  return sinceMs <= reopenWithinMs ? { kind: "reopen" } : { kind: "open", another: true };
}

const nothing = (why: Extract<AlertDecision, { kind: "nothing" }>["why"]): AlertDecision => ({ kind: "nothing", why });
