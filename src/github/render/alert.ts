import type { AlertRow, PagerAnswer } from "../../store/alerts.ts";
import { clock, type Markdown, name, utcMinute } from "./ink.ts";

export type AlertView = Pick<
  AlertRow,
  "source" | "state" | "severity" | "startedAt" | "fires" | "firedAt" | "resolves" | "resolvedAt"
> & {
  /** Of its current firing, or of the last. */
  readonly answers: readonly PagerAnswer[];
  /** The pager that still waits to hear of it. */
  readonly pager: string | undefined;
};

const times = (n: number): string => (n === 1 ? "once" : `${n} times`);

/** The board's line of an alert. */
export function renderAlertState(alert: AlertView, markdown: Markdown): string {
  const { state, severity, source, startedAt, fires, firedAt, resolves, resolvedAt, answers, pager } = alert;
  const isFiring = state === "firing" || resolvedAt === null;
  const line = [
    isFiring ? "**Alert firing**" : `✅ **Alert resolved** ${utcMinute(resolvedAt)}`,
    ...(severity === null ? [] : [markdown.plain(severity)]),
    `from ${markdown.code(source)}`,
    ...(startedAt === null ? [] : [`started ${utcMinute(startedAt)}`]),
    `fired ${times(fires)}, last ${utcMinute(firedAt)}`,
    ...(resolves === 0 ? [] : [`resolved ${times(resolves)}`]),
  ].join(" · ");
  const known = answers.filter(({ state }) => state !== "moot");
  const told =
    known.length > 0
      ? known.map((answer) => pagerWords(answer, markdown)).join(" · ")
      : pager && isFiring && `an approval or \`/ack\` tells ${pager} that somebody is on it`;
  return told ? `${line}\n📟 ${told}` : line;
}

/** A pager takes what it is told without saying what follows from it. */
function pagerWords({ pager, event, state, login, toldAt, fault }: PagerAnswer, markdown: Markdown): string {
  const what = event === "acknowledge" ? `that ${name(login)} is on it` : `that ${name(login)} closed this`;
  const why = fault === null ? "" : markdown.note(fault);
  const byHand = `${event} it there`;
  switch (state) {
    case "done":
      return `${pager} was told ${what}${toldAt === null ? "" : `, ${clock(toldAt)}`}`;
    case "failed":
      return `⚠️ ${pager} was **not** told ${what}: ${why}; ${byHand}`;
    case "unsure":
      return `⚠️ ${pager} may not know ${what}: ${why}; look there`;
    default:
      return `${pager} is being told ${what}${why === "" ? "" : ` (${why}; trying again)`}`;
  }
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
