import type { PostmortemDraft } from "../../agent/postmortem.ts";
import { checksIn } from "../../base/action.ts";
import { wentWell } from "../../base/run.ts";
import { resultWords } from "../../github/render/ending.ts";
import { type Markdown, name } from "../../github/render/ink.ts";
import type { Action, Approval } from "../../store/actions.ts";
import type { Incident } from "../../store/incidents.ts";
import type { Run } from "../../store/runs.ts";
import type { Turn } from "../../store/turns.ts";
import { agentsCause } from "./cause.ts";
import { namedCommand, shorten } from "./timeline.ts";

/** Everything that the store has of an incident which is over. */
export interface Past {
  readonly incident: Incident;
  readonly actions: readonly Action[];
  readonly approvals: readonly Approval[];
  readonly runs: readonly Run[];
  readonly turns: readonly Turn[];
}

/** What ran, as one line knows it: a command, or one check of a set. */
export interface Done {
  readonly action: Action;
  readonly command: string;
  readonly runs: readonly Run[];
  readonly words: string;
  readonly good: boolean;
  /** It only looked and said so by its exit code: `systemctl status` of a unit that has failed found the fault. */
  readonly saw: boolean;
}

/** What nobody can know from the rows; it stays where there is no model that drafts it. */
const blanks = {
  impact: "**Impact** · *To be written: who noticed what, and for how long.*",
  changes: "**What ran that can change something**",
  follows: "**What follows** · *To be written: what keeps it from coming back, who does it, until when.*",
} as const;

/** Made of rows, and of `cause`, as whoever closed it gave it; what nobody can know is left to be written, and says so. */
export function renderPostmortem(past: Past, cause: string, markdown: Markdown): string {
  const { incident } = past;
  const done = doneOf(past, markdown);
  const changed = done.filter(({ action }) => action.spec.risk !== "low").map((one) => doneLine(one, markdown));
  const wrong = [
    ...done.filter(({ good, saw }) => !good && !saw).map((one) => doneLine(one, markdown)),
    ...refusedLines(past, markdown),
  ];
  return [
    `**What happened** · ${markdown.plain(incident.title)}`,
    blanks.impact,
    `**Cause** · ${cause === "" ? causeSoFar(past, markdown) : markdown.plain(cause)}`,
    changed.length === 0
      ? `${blanks.changes} · ${done.length === 0 ? "Nothing was run." : "Nothing; every command only read."}`
      : `${blanks.changes}\n\n${changed.join("\n")}`,
    ...(wrong.length === 0 ? [] : [`**What did not go well**\n\n${wrong.join("\n")}`]),
    blanks.follows,
  ].join("\n\n");
}

const draftMark = "*(model's draft)*";

/** A posted postmortem with what the model drafted in place of what was left to be written. What others wrote has no line like ours in it. */
export function fillInDraft(posted: string, { impact, chain, followUps }: PostmortemDraft, markdown: Markdown): string {
  const list = followUps.map((line) => `- ${markdown.plain(line)}`).join("\n");
  const edits: readonly (readonly [blank: string, filled: string | undefined])[] = [
    [blanks.impact, impact && `**Impact** ${draftMark} · ${markdown.plain(impact)}`],
    [
      `\n${blanks.changes}`,
      chain && `\n**How it came about** ${draftMark} · ${markdown.plain(chain)}\n\n${blanks.changes}`,
    ],
    [blanks.follows, list && `**What follows** ${draftMark}\n\n${list}`],
  ];
  return edits.reduce((text, [blank, filled]) => (filled ? text.replace(blank, () => filled) : text), posted);
}

const doneLine = ({ action: { number, spec }, command, words }: Done, markdown: Markdown): string =>
  `- **${number}** ${markdown.code(shorten(command))} on ${markdown.code(spec.place)} · ${words}`;

const actionWords = (action: Action, markdown: Markdown): string =>
  `**${action.number}** ${namedCommand(action, markdown)} on ${markdown.code(action.spec.place)}`;

/** What the policy blocked, and what people turned down with their reason. */
function refusedLines({ actions, approvals }: Past, markdown: Markdown): readonly string[] {
  return actions.flatMap((action) => {
    if (action.state === "blocked") {
      const by = action.origin === "person" ? `, proposed by ${name(action.authorLogin ?? "ghost")}` : "";
      return [`- ${actionWords(action, markdown)} · ⛔ blocked: ${markdown.note(action.findings[0]?.text ?? "")}${by}`];
    }
    return approvals.flatMap(({ verdict, actionId, login, reason }) =>
      verdict === "reject" && actionId === action.id
        ? [
            `- ${actionWords(action, markdown)} · turned down by ${name(login)}${reason === "" ? "" : `: ${markdown.plain(reason)}`}`,
          ]
        : [],
    );
  });
}

function causeSoFar(past: Past, { plain }: Markdown): string {
  const cause = agentsCause(past);
  return cause === undefined
    ? "*To be written.*"
    : `${plain(cause.words)} *(${cause.sure}, in the agent's words, not verified)*`;
}

/** What ran, in the order of its numbers, with how it ended. */
export function doneOf({ actions, runs }: Past, markdown: Markdown): readonly Done[] {
  return actions.flatMap((action) =>
    checksIn(action.spec).flatMap(({ command, expect }, step): readonly Done[] => {
      const own = runs.filter((run) => run.actionId === action.id && (run.step ?? 0) === step);
      const words = own.flatMap((run) => resultWords(run, markdown) || []);
      if (words.length === 0) return [];
      const isRead = action.spec.risk === "low" && expect === undefined;
      const saw = isRead && own.every(({ ending }) => ending?.kind === "exited");
      return [{ action, command, runs: own, words: [...new Set(words)].join(", "), good: own.every(wentWell), saw }];
    }),
  );
}
