import { clock, name, utcMinute } from "../../github/render/ink.ts";
import type { ActionView } from "../../github/render/state.ts";
import type { Escalation } from "../../store/outbox/escalations.ts";
import type { OnCallNow } from "./roster.ts";

type NotedAction = Pick<ActionView, "number" | "state"> & {
  readonly id: string;
  readonly createdAt: Date;
  readonly verdicts: readonly { readonly login: string; readonly verdict: string }[];
};

export const hookNames = {
  slack: "Slack",
  teams: "Microsoft Teams",
  ntfy: "ntfy",
  pagerduty: "PagerDuty",
  webhook: "the webhook",
} as const;

const hookName = (kind: string): string => new Map<string, string>(Object.entries(hookNames)).get(kind) ?? "the hook";

/** `4 waits since 10:02Z · @lee has not answered → @mona, 10:12Z` */
export function escalationNotes(
  actions: readonly NotedAction[],
  escalations: readonly Escalation[],
): readonly string[] {
  const open = actions.flatMap((action) => {
    const calls = escalations.filter(({ actionId }) => actionId === action.id);
    if (action.state !== "proposed" || calls.length === 0) return [];
    const { createdAt, verdicts } = action;
    const steps = calls.map((call, index) => {
      const isLast = index === calls.length - 1;
      const approved = verdicts.some(({ login, verdict }) => login === call.who && verdict === "approve");
      const silent = isLast ? `, ${clock(call.at)}` : approved ? " approved" : " has not answered";
      return `${call.why === "" ? "" : `${call.why} → `}${calledWords(call)}${call.kind === "person" ? silent : `, ${clock(call.at)}`}`;
    });
    const line = `since ${clock(createdAt)} · ${steps.join(" → ")}`;
    return [{ action, line }];
  });
  return [...Map.groupBy(open, ({ line }) => line)].map(([line, same]) => {
    const numbers = same.map(({ action }) => action.number).join(", ");
    return `ℹ️ ${numbers} ${same.length === 1 ? "waits" : "wait"} ${line}`;
  });
}

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
