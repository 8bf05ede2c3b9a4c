import type { AlertRow } from "../../store/alerts.ts";
import { clock, type Markdown, utcMinute } from "./ink.ts";

export type AlertView = Pick<
  AlertRow,
  "source" | "state" | "severity" | "startedAt" | "fires" | "firedAt" | "resolves" | "resolvedAt"
>;

const times = (n: number): string => (n === 1 ? "once" : `${n} times`);

/** The board's line of an alert. */
export function renderAlertState(alert: AlertView, markdown: Markdown): string {
  const { state, severity, source, startedAt, fires, firedAt, resolves, resolvedAt } = alert;
  const isFiring = state === "firing" || resolvedAt === null;
  return [
    isFiring ? "**Alert firing**" : `✅ **Alert resolved** ${utcMinute(resolvedAt)}`,
    ...(severity === null ? [] : [markdown.plain(severity)]),
    `from ${markdown.code(source)}`,
    ...(startedAt === null ? [] : [`started ${utcMinute(startedAt)}`]),
    `fired ${times(fires)}, last ${utcMinute(firedAt)}`,
    ...(resolves === 0 ? [] : [`resolved ${times(resolves)}`]),
  ].join(" · ");
}

/** Several within a while become one. */
export function renderResolved(
  given: {
    readonly source: string;
    readonly at: Date;
    readonly since: Date;
    readonly times: number;
    readonly issue: "open" | "closed";
  },
  markdown: Markdown,
): string {
  const { source, at, since, times: count, issue } = given;
  const again = count === 1 ? "" : `, ${count} times since ${clock(since)}`;
  return `✅ ${markdown.code(source)} reports the alert resolved (${clock(at)}${again}).${issue === "open" ? " The issue stays open; close it with `/close` and the cause." : ""}`;
}
