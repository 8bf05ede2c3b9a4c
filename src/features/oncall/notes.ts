import { name, utcMinute } from "../../github/render/ink.ts";
import type { Escalation } from "../../store/outbox/escalations.ts";
import type { OnCallNow } from "./roster.ts";

export const hookNames = {
  slack: "Slack",
  teams: "Microsoft Teams",
  ntfy: "ntfy",
  pagerduty: "PagerDuty",
  webhook: "the webhook",
} as const;

const hookName = (kind: string): string => new Map<string, string>(Object.entries(hookNames)).get(kind) ?? "the hook";

/** `the webhook could not be called (HTTP 500)` */
export function calledWords({ kind, who, state, fault }: Escalation): string {
  if (kind === "team") return "everybody who may approve";
  const because = fault === null ? "" : ` (${fault})`;
  if (kind === "person") return `${name(who)}${state === "failed" ? `, not assigned${because}` : ""}`;
  const words = {
    open: `${hookName(who)} is being called${because}`,
    sending: `${hookName(who)} is being called`,
    done: `${hookName(who)} was called`,
    failed: `${hookName(who)} could not be called${because}`,
    unsure: `${hookName(who)} may not have been called${because}`,
  } as const;
  return words[state];
}

/** `on call: @lee until 2026-11-30 09:00Z; next: @mona from then` */
export function onCallLine(onCall: OnCallNow): string {
  if (onCall.kind === "unset") return "nobody has said who is on call";
  if (onCall.kind === "unreadable") return onCall.why;
  const { now, next, unknown } = onCall.roster;
  const people = now.map(({ login, at }) => `${name(login)} until ${utcMinute(at)}`);
  const strangers = unknown.map((one) => `\`${one.replaceAll("`", "").slice(0, 60)}\`, who is nobody's name here`);
  const first = next[0] ? `; next: ${name(next[0].login)} from ${utcMinute(next[0].at)}` : "";
  return `on call: ${[...people, ...strangers].join(", ") || "nobody now"}${first}`;
}
