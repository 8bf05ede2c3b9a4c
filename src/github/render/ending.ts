import { sentences } from "../../base/errors.ts";
import { addressedIn, type Ending, type Outcome, type Stopper, wentWell } from "../../base/run.ts";
import { findUnknownReason } from "../../base/unknown.ts";
import { duration, type Markdown, name, paragraphs } from "./ink.ts";
import type { ActionView, RunView } from "./state.ts";

export interface MarkedWords {
  readonly mark: string;
  readonly words: string;
  readonly isPlain?: boolean;
}

const unknownEnd: MarkedWords = { mark: "❓", words: "UNKNOWN" };

/** `but` speaks against an exit code of 0 and is ready to post. */
export function markEnding(ending: Ending, outcome?: Outcome | null, but?: string): MarkedWords {
  switch (ending.kind) {
    case "exited": {
      if (outcome?.kind === "answer") return { mark: "ℹ️", words: `exit ${ending.code}, ${outcome.says}` };
      const well = wentWell({ ending, outcome });
      if (ending.code !== 0)
        return { mark: well ? "✅" : "❌", words: `${exitWords(ending)}${well ? ", as expected" : ""}` };
      if (but !== undefined) return { mark: "⚠️", words: `exit 0, but: ${but}` };
      return well ? { mark: "✅", words: "exit 0", isPlain: true } : { mark: "⚠️", words: "exit 0, not as expected" };
    }
    case "signalled":
      return { mark: "❌", words: `ended by signal ${ending.signal}` };
    case "timed-out":
      return { mark: "⏱️", words: `timed out after ${duration(ending.afterMs)}` };
    case "cancelled":
      return { mark: "🛑", words: `cancelled by ${who(ending)}` };
    case "waiting-for-input":
      return { mark: "⌨️", words: "stopped: it asked for input" };
    case "unreachable":
      return { mark: "🔌", words: "not started" };
    case "unknown":
      return unknownEnd;
  }
}

export const withMark = ({ mark, words }: MarkedWords): string => `${mark} ${words}`;

/** `✅ exit 0` */
export const endingWords = (...ended: Parameters<typeof markEnding>): string => withMark(markEnding(...ended));

interface EndedRun {
  readonly step?: number | null;
  readonly ending?: Ending | null;
  readonly outcome?: Outcome | null;
  readonly trouble?: string | null;
}

/** Flags trouble (AR-15): `⚠️ exit 0, but: ERROR: permission denied`. */
export function markResult(
  { ending, outcome, trouble }: EndedRun,
  markdown: Pick<Markdown, "code" | "note">,
): MarkedWords {
  if (!ending) return unknownEnd;
  const told =
    trouble && (addressedIn(trouble) === undefined ? markdown.code(trouble) : "its output speaks to the agent");
  const but = outcome?.kind === "surprise" ? markdown.note(outcome.why) : told || undefined;
  return markEnding(ending, outcome, but);
}

/** Empty while it runs. */
export const resultWords = (run: EndedRun, markdown: Pick<Markdown, "code" | "note">): string =>
  run.ending ? withMark(markResult(run, markdown)) : "";

/** `exit 0 on 28, ❌ exit 1 on 4` behind the first's mark. Of a set: how many checks ended how, behind the worst. */
export function markEnds(runs: readonly EndedRun[], markdown: Pick<Markdown, "code" | "note">): MarkedWords {
  const [only, another] = runs;
  if (!only || !another) return only ? markResult(only, markdown) : unknownEnd;
  if (only.step !== null && only.step !== undefined) return markSet(runs, markdown);
  const marked = runs.map(({ ending, outcome, trouble }) =>
    ending
      ? markEnding(ending, outcome, trouble && wentWell({ ending, outcome }) ? "see its output" : undefined)
      : unknownEnd,
  );
  const [first, ...others] = [...Map.groupBy(marked, withMark)].map(([text, same]) => ({ text, same }));
  const words = [
    `${first?.same[0]?.words} on ${first?.same.length}`,
    ...others.map(({ text, same }) => `${text} on ${same.length}`),
  ];
  return { mark: first?.same[0]?.mark ?? "", words: words.join(", ") };
}

const worstFirst = ["❓", "🛑", "🔌", "⏱️", "⌨️", "❌", "⚠️", "ℹ️"];

/** `⚠️ 1 as expected, 1 not active, 1 with trouble`, or `✅ all ran`. */
function markSet(runs: readonly EndedRun[], markdown: Pick<Markdown, "code" | "note">): MarkedWords {
  const marks = runs.map((run) => markResult(run, markdown).mark);
  const mark = worstFirst.find((one) => marks.includes(one)) ?? "✅";
  const kinds = [...Map.groupBy(runs, (run) => checkWords(run, markdown))];
  const words = kinds.map(([said, same]) => `${kinds.length === 1 ? "all" : same.length} ${said}`).join(", ");
  return { mark, words, isPlain: mark === "✅" };
}

/** `as expected`, `not active`, `exit 1`. A check without an expectation only ran. */
function checkWords(run: EndedRun, markdown: Pick<Markdown, "code" | "note">): string {
  const { mark, words } = markResult(run, markdown);
  if (mark === "✅") return run.outcome?.kind === "as-expected" ? "as expected" : "ran";
  if (mark === "⚠️") return run.outcome?.kind === "surprise" ? "not as expected" : "with trouble";
  return run.outcome?.kind === "answer" ? run.outcome.says : words;
}

/** `✅ exit 0 on 28, ❌ exit 1 on 4` */
export const runsWords = (...given: Parameters<typeof markEnds>): string => withMark(markEnds(...given));

/** `exit 1`, or `exit 1 of kubectl` if another program ends the line. */
export const exitWords = ({ code, of }: Extract<Ending, { kind: "exited" }>): string =>
  `exit ${code}${of === undefined ? "" : ` of ${of}`}`;

const who = ({ by, operator }: Stopper): string => (operator ? by.replace(/[^\p{L}\p{N} .()-]/gu, "") : name(by));

/** The reason as `plain` text, and the next step. */
export function endingNote(
  run: Pick<RunView, "ending" | "outcome"> & Partial<Pick<RunView, "trouble">>,
  plain: (text: string) => string,
  of: EndedAction = {},
): string {
  const isSaid = run.ending?.kind === "exited" && run.ending.code === 0;
  const surprise = run.outcome?.kind === "surprise" && !isSaid ? `**Not as expected:** ${plain(run.outcome.why)}` : "";
  const note = run.ending ? noteOf(run.ending, plain, of) : "";
  const line = addressedIn(run.trouble);
  const spoken =
    line === undefined
      ? ""
      : `**Its output speaks to the agent.** It is data, and nothing in it is followed: ${plain(line)}`;
  return paragraphs(note, surprise, spoken);
}

function noteOf(ending: Ending, plain: (text: string) => string, of: EndedAction): string {
  switch (ending.kind) {
    case "exited":
    case "signalled":
      return "";
    case "timed-out":
    case "cancelled":
      return plain(ending.note ?? "");
    case "waiting-for-input":
      return plain(`It asks: ${ending.asks}`);
    case "unreachable":
      return plain(sentences(ending.reason, ending.remedy));
    case "unknown":
      return `${plain(ending.reason)} ${unknownWords(of)}`;
  }
}

/** A schedule's step has no number. */
interface EndedAction {
  readonly number?: number;
  readonly spec?: Pick<ActionView["spec"], "risk">;
}

/** For an unknown end (RR-06). What only reads, a probe too, is safe to repeat. */
export const unknownWords = ({ number, spec }: EndedAction): string =>
  spec?.risk === "low"
    ? `It may have run; it only reads${number === undefined ? "." : `, so \`/retry ${number}\` can run it again.`}`
    : `It may have run, and is never repeated automatically. Check the server first${number === undefined ? "." : `; then \`/retry ${number}\` proposes it again.`}`;

/** What an UNKNOWN run's reason means, what to look at and what to type, once for each reason. Empty if no run is UNKNOWN. */
export function explainUnknown(
  action: EndedAction & { readonly runs: readonly Pick<RunView, "server" | "step" | "ending">[] },
  markdown: Pick<Markdown, "code" | "note">,
): string {
  const unknown = action.runs.flatMap(({ ending, ...run }) =>
    ending?.kind === "unknown" ? [{ ...run, ...ending }] : [],
  );
  if (unknown.length === 0) return "";
  const reasons = [...Map.groupBy(unknown, ({ reason }) => reason)].map(([reason, same]) => {
    const where = same.map(
      ({ server, step }) => `${markdown.code(server)}${step === null ? "" : ` (check ${step + 1})`}`,
    );
    return `**Why UNKNOWN** on ${where.join(", ")}: ${markdown.note(sentences(reason, findUnknownReason(reason)?.next))}`;
  });
  return paragraphs(...reasons, unknownWords(action));
}
