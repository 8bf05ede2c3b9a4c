import type { ScheduledStep } from "../../base/run.ts";
import type { Schedule, ScheduleRun } from "../../store/schedules.ts";
import { endingNote, resultWords } from "./ending.ts";
import { duration, type Markdown, paragraphs, renderCommand, utcMinute } from "./ink.ts";

type ScheduleRunView = Pick<ScheduleRun, "dueAt" | "state" | "why" | "steps">;

interface ScheduleView extends Pick<Schedule, "failures"> {
  /** Undefined if not, or if said before. */
  readonly suspended: string | undefined;
  /** The newest first. */
  readonly runs: readonly ScheduleRunView[];
}

const states = {
  claimed: "⏳ about to begin",
  running: "▶️ running",
  ok: "✅ went well",
  failed: "❌ failed",
  "not-run": "⏸️ not run",
  missed: "⏭️ missed",
} as const satisfies Record<ScheduleRunView["state"], string>;

/** Of a comment's 65,536 characters. */
const outputRoom = 30_000;

/** The newest with its outputs, a line for each earlier one (AR-08). */
export function renderRecord({ failures, suspended, runs }: ScheduleView, markdown: Markdown): string {
  const [latest, ...before] = runs;
  return [
    ...(suspended === undefined ? [] : [`⏸️ **Suspended:** ${markdown.note(suspended)}`]),
    ...(failures > 1 ? [`❌ **${failures} failures in a row**`] : []),
    ...(latest
      ? [`**${headOf(latest, markdown)}**`, ...latest.steps.map((step) => stepOf(step, latest.steps.length, markdown))]
      : []),
    ...(before.length > 0
      ? [["**Before that**", "", ...before.map((run) => `- ${headOf(run, markdown)}`)].join("\n")]
      : []),
  ].join("\n\n");
}

const headOf = ({ dueAt, state, why }: ScheduleRunView, markdown: Markdown): string =>
  `${utcMinute(dueAt)} · ${states[state]}${why === null ? "" : ` · ${markdown.note(why)}`}`;

export function stepOf(step: ScheduledStep, of: number, markdown: Markdown): string {
  const { skipped, ending, outcome = null, durationMs, excerpt = "" } = step;
  const words = skipped !== undefined ? "⏸️ left out" : ending ? resultWords(step, markdown) : "▶️ running";
  const took = ending && durationMs ? ` · ${duration(durationMs)}` : "";
  const note = ending ? endingNote({ ending, outcome }, markdown.note) : markdown.note(skipped ?? "");
  const room = Math.floor(outputRoom / Math.max(of, 1));
  const shown =
    excerpt.length > room ? `${excerpt.slice(0, room)}\n  ⋯ cut here, since this comment is full ⋯` : excerpt;
  return paragraphs(
    `${step.step}. ${words}${took} · ${markdown.code(step.server)} · ${markdown.plain(step.title)}`,
    note,
    renderCommand(step.command, markdown),
    shown === "" ? "" : `<details><summary>output</summary>\n\n${markdown.fence(shown, "text")}\n\n</details>`,
  );
}
