import type { Confidence, Hypothesis } from "../../base/agent.ts";
import { mostHypotheses, type NamedHypotheses, type NamedHypothesis } from "./actions.ts";
import { type RecordedRun, strike, type UnfoundedClaim } from "./claims.ts";

interface HypothesisEvidence {
  /** As they were before the reply. */
  readonly known: readonly Hypothesis[];
  readonly runs: readonly RecordedRun[];
  readonly findUnfounded: (text: string) => readonly UnfoundedClaim[];
}

export interface JudgedHypotheses {
  /** Those that the reply names, as they are now. */
  readonly now: readonly Hypothesis[];
  /** All, as they were before. */
  readonly known: readonly Hypothesis[];
  /** Those of them that the reply calls confirmed or refuted, and no run does. */
  readonly lowered: readonly Hypothesis[];
  /** Clauses, such as `"disk": 9 has not run`. */
  readonly faults: readonly string[];
}

/** Whether it is known what a run did, as far as it got. */
export const hasKnownEnd = ({ ending }: Pick<RecordedRun, "ending">): boolean =>
  ending?.kind !== "unknown" && ending?.kind !== "unreachable";

const reference =
  /^(?:(?:the )?(?:run|action|output|result|command|number)s?\b\s*)?(?:of\s+)?(?:n[o°r]\.?\s*)?[#*]*(\d{1,6})\**(?:,? (?:on|check) [\w.-]{1,40}){0,2}$/i;

/** Returns the number of the run that a reference names, or why it proves nothing. */
function findRun(written: string, runs: readonly RecordedRun[]): number | { readonly why: string } {
  const digits = reference.exec(written)?.[1];
  if (digits === undefined) return { why: `"${written}" is no run` };
  const number = Number(digits);
  const own = runs.filter((run) => run.number === number);
  if (own.some((run) => run.ending !== null && hasKnownEnd(run))) return number;
  const [first] = own;
  if (!first) return { why: `${number} has not run` };
  if (first.ending === null) return { why: `${number} has not ended` };
  return { why: first.ending.kind === "unknown" ? `how ${number} ended is unknown` : `${number} was not started` };
}

/**
 * Compares the hypotheses that a reply names with the record (AR-15, PA-4): drops references to what no run holds, and takes none for
 * confirmed or refuted without a run that stands for it. Never throws.
 */
export function judgeHypotheses(
  { named, unreadable }: NamedHypotheses,
  evidence: HypothesisEvidence,
): JudgedHypotheses {
  const { known } = evidence;
  const latest = new Map<string, NamedHypothesis>();
  for (const one of named) latest.set(one.id, { ...latest.get(one.id), ...one });
  const now: Hypothesis[] = [];
  const lowered: Hypothesis[] = [];
  const faults = [...unreadable];
  let room = mostHypotheses - known.length;
  for (const [id, one] of latest) {
    const before = known.find((earlier) => earlier.id === id);
    const { hypothesis, why } =
      before || room > 0
        ? judgeOne(one, before, evidence)
        : { why: [`there are ${mostHypotheses} already, change one of those`] };
    const settled = hypothesis && settle(hypothesis);
    if (settled) now.push(settled);
    if (settled && !before) room -= 1;
    if (settled && settled !== hypothesis) {
      lowered.push(settled);
      why.push(`no run ${hypothesis.status === "confirmed" ? "confirms" : "refutes"} it`);
    }
    faults.push(...why.map((clause) => `"${id}": ${clause}`));
  }
  return { now, known, lowered, faults };
}

function judgeOne(
  { id, says = "", status: named, ...references }: NamedHypothesis,
  before: Hypothesis | undefined,
  { runs, findUnfounded }: HypothesisEvidence,
): { readonly hypothesis?: Hypothesis; readonly why: string[] } {
  const status = named ?? before?.status ?? "open";
  // What is open or likely says a theory, and claims nothing.
  const isGuess = status === "open" || status === "likely";
  const claims = isGuess ? [] : findUnfounded(says).filter(({ stays }) => !stays);
  const why = claims.map((claim) => claim.why);
  const words = strike(says, claims) || before?.says;
  if (words === undefined) return { why: why.length > 0 ? why : ["says is missing"] };
  const found = (written: readonly string[] | undefined, earlier: readonly number[] = []): readonly number[] => {
    if (!written) return earlier;
    const read = written.map((one) => findRun(one, runs));
    why.push(...read.flatMap((one) => (typeof one === "number" ? [] : one.why)));
    return [...new Set(read.filter((one) => typeof one === "number"))];
  };
  const forRuns = found(references.for, before?.forRuns);
  const againstRuns = found(references.against, before?.againstRuns);
  const hypothesis = { id, says: words, status, forRuns, againstRuns };
  return { hypothesis, why };
}

/** A run that speaks both for and against it settles nothing. */
function settle(hypothesis: Hypothesis): Hypothesis {
  const { status, forRuns, againstRuns } = hypothesis;
  if (status === "confirmed" && forRuns.every((run) => againstRuns.includes(run)))
    return { ...hypothesis, status: "likely" };
  if (status === "refuted" && againstRuns.every((run) => forRuns.includes(run)))
    return { ...hypothesis, status: "open" };
  return hypothesis;
}

/** Returns all that are known after a reply, each as it is now. */
const all = ({ now, known }: JudgedHypotheses): readonly Hypothesis[] => [
  ...now,
  ...known.filter(({ id }) => !now.some((one) => one.id === id)),
];

/** Returns whether a CONFIRMED rests on nothing but a hypothesis that no run confirms. */
export const isUnproven = (judged: JudgedHypotheses): boolean =>
  judged.lowered.some(({ status }) => status === "likely") && !all(judged).some(({ status }) => status === "confirmed");

/**
 * Returns the hypotheses that a reply confirms while its first line says less, and nothing else is unsettled that this word could be
 * about.
 */
export function confirmedAgainst(word: Confidence | undefined, judged: JudgedHypotheses): readonly Hypothesis[] {
  const isUnsettled = all(judged).some(({ status }) => status === "likely" || status === "open");
  if (word === undefined || word === "CONFIRMED" || isUnsettled) return [];
  return judged.now.filter(
    ({ id, status }) => status === "confirmed" && !judged.known.some((one) => one.id === id && one.status === status),
  );
}
