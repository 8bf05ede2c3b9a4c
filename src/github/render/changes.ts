import type { RepoChange } from "../../base/github.ts";
import type { IncidentChanges } from "../../store/incidents.ts";
import { cell, clock, count, type Markdown, name, paragraphs, utcMinute } from "./ink.ts";

const kinds = {
  merge: "📥 merged",
  deployment: "🚀 deployed",
  release: "📦 released",
  "failed-run": "❌ run failed",
} as const satisfies Record<RepoChange["kind"], string>;

const shown = 20;
/** More stand one tap away. */
const openRows = 3;

/** If they end when the issue was opened, nothing of it says when it began. */
export interface ShownChanges extends IncidentChanges {
  readonly openedAt: Date;
}

/** Newest first, with links, and what could not be seen. */
export function renderChanges(view: ShownChanges, markdown: Markdown): string {
  const { since, until, openedAt, services, changes, unseen } = view;
  const what = services.map(markdown.code).join(", ");
  const order = Math.sign(until.getTime() - openedAt.getTime());
  const moment = order < 0 ? ", when this began" : order === 0 ? ", when the issue was opened" : "";
  const head = `**What changed** · ${what} · ${utcMinute(since)} to ${clock(until)}${moment}`;
  const rows = changes.slice(0, shown).map((change) => rowOf(change, markdown));
  const more = changes.length > shown ? `and ${changes.length - shown} older ones` : "";
  const table = ["| when | what | by |", "|---|---|---|", ...rows].join("\n");
  const blind = unseen.length === 0 ? "" : `⚠️ Not seen: ${unseen.map(markdown.note).join("; ")}.`;
  if (rows.length === 0) return paragraphs(head, "Nothing that I could see.", blind);
  const folded = `<details><summary>${count(changes.length, "change")}</summary>\n\n${paragraphs(table, more)}\n\n</details>`;
  return paragraphs(head, rows.length > openRows ? folded : table, blind);
}

function rowOf({ kind, at, repo, title, url, state, by }: RepoChange, markdown: Markdown): string {
  const words = `${kinds[kind]} ${markdown.link(title, url)}`;
  const where = [words, ...(state === undefined ? [] : [markdown.code(state)]), markdown.code(repo)].join(" · ");
  return `| ${clock(new Date(at))} | ${cell(where)} | ${by === undefined ? "" : name(by)} |`;
}

/** The same for the model. */
export const changesAsText = ({ changes, unseen }: Pick<IncidentChanges, "changes" | "unseen">): string =>
  [
    ...changes
      .slice(0, shown)
      .map(({ kind, at, repo, title, state, by }) =>
        [at, kind, repo, title, state, by && `by ${by}`].filter(Boolean).join(" · "),
      ),
    ...(changes.length === 0 ? ["nothing that could be seen"] : []),
    ...unseen.map((one) => `not seen: ${one}`),
  ].join("\n");
