/** One proposal on a card: an entry of its checklist. */

import { serversIn } from "../../base/action.ts";
import type { Expectation } from "../../base/run.ts";
import { count, duration, indent, type Markdown, renderCommand, riskMark } from "./ink.ts";
import { type ActionView, isAuto, stateWords } from "./state.ts";
import { renderServers } from "./targets.ts";
import { filledWords, openWords } from "./values.ts";

/**
 * One entry of the checklist. Number, risk, server, findings and command come from the action alone; `beside` it stand the others
 * of its card, of which one may be its check.
 */
export function renderAction(action: ActionView, markdown: Markdown, beside: readonly ActionView[] = []): string {
  const { spec } = action;
  const gone = ["superseded", "expired", "void", "rejected", "blocked"].includes(action.state);
  const line = `${renderHead(action, markdown)}${isAuto(action) ? " · 🤖 lease" : ""}`;
  const lines = [
    `- [${action.state === "done" ? "x" : " "}] ${gone ? `~~${line}~~ ${stateWords(action, markdown)}` : line}${
      action.description === "" || gone ? "" : ` — ${markdown.plain(action.description)}`
    }`,
  ];
  if (spec.risk !== "low") lines.push(`  ${riskReasons(action, markdown)}`);
  if (spec.set) lines.push(`  *${spec.set.length} checks, one approval:* each runs by itself, in a shell of its own`);
  for (const member of spec.set ?? [])
    if (member.expect)
      lines.push(`  *expects of* ${markdown.code(member.command)}*:* ${expectationWords(member.expect, markdown)}`);
  if (spec.expect) lines.push(`  *expects:* ${expectationWords(spec.expect, markdown)}`);
  const own = beside.find((other) => other.spec.command === spec.check && other.spec.place === spec.place);
  const carried = spec.ownCheck?.split("\n") ?? [];
  const advised = spec.check === undefined || carried.includes(spec.check) ? undefined : spec.check;
  if (own && advised !== undefined) lines.push(`  *check, by the runbook:* **${own.number}**`);
  else if (advised !== undefined) lines.push(`  *check, by the runbook:* ${markdown.code(advised)}`);
  if (spec.undo !== undefined)
    lines.push(
      `  *undo, by the runbook:* ${/^none\b/i.test(spec.undo) ? markdown.plain(spec.undo) : markdown.code(spec.undo)}`,
    );
  if (carried.length > 0) lines.push(`  *then, under the same approval:* ${carried.map(markdown.code).join(" · ")}`);
  if (spec.unbounded?.length && action.state === "proposed") lines.push(`  ${endWords(spec, markdown)}`);
  if (action.attended !== undefined) lines.push(`  *left to people:* ${markdown.plain(action.attended)}`);
  if (spec.tidied?.length)
    lines.push(`  *changed from what was written:* ${spec.tidied.map(markdown.plain).join("; ")}`);
  if (spec.filled?.length) lines.push(`  *filled in:* ${filledWords(spec.filled, markdown)}`);
  if (action.state === "incomplete")
    lines.push(`  *needs a value before it can be approved:* ${openWords(action, markdown)}`);
  lines.push(...renderServers(spec, markdown), indent(renderCommand(spec.command, markdown)));
  if (action.probe !== undefined) lines.push("", indent(action.probe));
  return lines.join("\n");
}

/** What of a command nothing ends by itself, and when it is ended. */
function endWords({ unbounded = [], targets }: ActionView["spec"], markdown: Markdown): string {
  const what = unbounded.map(
    ({ what, instead }) =>
      `${markdown.plain(what)}${instead === undefined ? "" : ` (bounded: ${markdown.code(instead)})`}`,
  );
  const limit = Math.max(...targets.map(({ hardTimeoutMs = 0 }) => hardTimeoutMs));
  return `*no end of its own:* ${what.join("; ")}${limit > 0 ? `; ended after ${duration(limit)}` : ""}`;
}

/** `**4** · 🟡 medium · `web-1` · **Rotate the log now**` */
export const renderHead = ({ number, spec, title }: ActionView, markdown: Markdown): string =>
  `**${number}** · ${riskMark(spec.risk)} · ${renderPlace(spec, markdown)} · **${markdown.plain(title)}**`;

/** What a run must come to, or it counts as failed: `exit 0 · "active" in its output · within 30 s`. */
const expectationWords = ({ exit, contains, lacks, withinMs }: Expectation, markdown: Markdown): string =>
  [
    `exit ${exit}`,
    ...(contains === undefined ? [] : [`${markdown.code(contains)} in its output`]),
    ...(lacks === undefined ? [] : [`no ${markdown.code(lacks)} in its output`]),
    ...(withinMs === undefined ? [] : [`within ${duration(withinMs)}`]),
  ].join(" · ");

/** `web-1`, or `web` with the servers that it is. */
export const renderPlace = ({ place, targets }: ActionView["spec"], markdown: Markdown): string =>
  serversIn(targets).length === 1
    ? markdown.code(targets[0]?.server ?? place)
    : `${markdown.code(place)} (${serversIn(targets).length} servers)`;

/** The three strictest, and how many there are beside them: nobody may take three reasons for all. */
function riskReasons({ spec, findings }: ActionView, markdown: Markdown): string {
  const reasons = findings.filter(({ risk }) => risk !== "low").map(({ text }) => markdown.plain(text));
  const rest = reasons.length - 3;
  const more = rest > 0 ? ` and ${count(rest, "more reason")}` : "";
  return `*why ${spec.risk === "block" ? "blocked" : spec.risk}:* ${reasons.slice(0, 3).join("; ")}${more}`;
}
