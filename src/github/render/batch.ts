import { maxCommentCharacters } from "../comments.ts";
import { duration, type Ink, name } from "./ink.ts";
import { type ActionView, endingNote, endingWords } from "./state.ts";

export interface BatchView {
  readonly login: string;
  readonly note: string | null;
  /** The actions of the batch in the order in which they run; those not begun have no run. */
  readonly actions: readonly ActionView[];
}

/** The run card: one comment a batch, one paragraph a run, edited while output comes in (DC-5, PRODUCT.md). */
export function renderBatch(view: BatchView, ink: Ink): string {
  const draw = (excerptLimit: number): string => {
    const parts = view.actions.map((action) => renderRun(shortened(action, excerptLimit), ink));
    if (view.note) parts.push(`⚠️ ${ink.plain(view.note)}`);
    return parts.join("\n\n");
  };
  const limit = excerptLimits.find((candidate) => draw(candidate).length <= maxBodyCharacters);
  return draw(limit ?? 0);
}

/** GitHub takes 65,536 characters; many long outputs in one batch share them, and each can be read whole by `/output`. */
const maxBodyCharacters = maxCommentCharacters - 5_000;
const excerptLimits = [Number.POSITIVE_INFINITY, 3_000, 1_000, 300];

function shortened(action: ActionView, limit: number): ActionView {
  const { run } = action;
  if (!run?.excerpt || run.excerpt.length <= limit) return action;
  const half = Math.floor(limit / 2);
  const mark = `  ⋯ shortened, since this comment is full · /output ${action.number} ⋯`;
  const excerpt = [run.excerpt.slice(0, half), mark, limit === 0 ? "" : run.excerpt.slice(-half)].join("\n").trim();
  return { ...action, run: { ...run, excerpt } };
}

function renderRun(action: ActionView, ink: Ink): string {
  const { run } = action;
  const approvers = action.verdicts.filter((v) => v.verdict === "approve").map((v) => name(v.login));
  const by = approvers.length === 0 ? "" : ` · approved by ${approvers.join(" and ")}`;
  const where = `${ink.code(action.spec.server)}${by}`;
  if (!run) {
    const waits = action.state === "approved" || action.state === "dispatching";
    return `**${action.number}** · ${waits ? "⏳ next" : "⏸️ not run"} · ${where}`;
  }
  if (!run.ending) {
    return [
      `**${action.number}** · ▶️ running since ${run.startedAt.toISOString().slice(11, 19)}Z · ${where}`,
      output(run.excerpt, ink),
    ]
      .filter((part) => part !== "")
      .join("\n\n");
  }
  const { ending } = run;
  const took = run.durationMs === null ? "" : ` · ${duration(run.durationMs)}`;
  const line = `**${action.number}** · ${endingWords(ending)}${took} · ${where}`;
  const note = endingNote(ending, ink.plain);
  const body = output(run.excerpt, ink);
  const folded =
    body !== "" && ending.kind === "exited" && ending.code === 0
      ? `<details><summary>output</summary>\n\n${body}\n\n</details>`
      : body;
  return [line, note, folded].filter((part) => part !== "").join("\n\n");
}

const output = (excerpt: string | null, ink: Ink): string =>
  excerpt === null || excerpt === "" ? "" : ink.fence(excerpt, "text");
