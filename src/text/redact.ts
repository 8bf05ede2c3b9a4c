import { messageOf } from "../base/errors.ts";
import { createFindAgain } from "./redact/again.ts";
import { createFindAnswers } from "./redact/answers.ts";
import { createFindInArguments } from "./redact/arguments.ts";
import { createFindColoured } from "./redact/coloured.ts";
import { findByContext } from "./redact/context.ts";
import { findFormats } from "./redact/formats.ts";
import { createFindHeld } from "./redact/held.ts";
import { createFindPairs, findPairs } from "./redact/reader.ts";
import { createFindByRules } from "./redact/rule.ts";
import { commandRules } from "./redact/rules/commands.ts";
import { deviceRules } from "./redact/rules/devices.ts";
import { fileRules } from "./redact/rules/files.ts";
import { networkRules } from "./redact/rules/network.ts";
import { sentenceRules } from "./redact/rules/sentences.ts";
import { type Find, joinMarked, replaceSpans, type Span, splitAroundMarks } from "./redact/span.ts";
import { createFindEncoded } from "./redact/structures/encoded.ts";
import { findKubernetesSecrets } from "./redact/structures/kubernetes.ts";
import { findPrivateKeys } from "./redact/structures/pem.ts";
import { findColumns } from "./redact/tables/columns.ts";
import { showsTranslations } from "./redact/translations.ts";
import { type Window, windowsOf } from "./redact/windows.ts";

/** `count` = how many stretches became a mark. */
export type RedactionResult = { ok: true; text: string; count: number } | { ok: false; reason: string };

/** Never throws; what cannot be redacted in time or at all is not let through. */
export type Redact = ((text: string, ran?: OutputSource) => RedactionResult) & {
  /**
   * The same for a text in pieces, wherever they are cut, and given on in pieces: it is never in memory as a whole. Together
   * they are the redacted text. One that is not `ok` is the last, and says that nothing of the text may be let through.
   */
  readonly inPieces?: (pieces: Iterable<string>, ran?: OutputSource) => Iterable<RedactionResult>;
};

/** The command whose output a text is: what it was asked for stands there without a name. */
type OutputSource = { readonly command?: string };

/** Redacted text may show what was hidden by its neighbour; more rounds than this mean a text made to never end. */
const mostRounds = 6;

/** SR-48; an ordinary log takes a fifth of it or less. */
const msPerMegabyte = 1000;

/** Small texts get this: a withheld output costs a person more than these seconds. */
const leastMs = 5000;

/** The clock is read after so many places that were looked at closely; so many characters count as one. */
const placesBetween = 1024;
const charactersAPlace = 64;

const findByPlace = createFindByRules([
  ...networkRules,
  ...commandRules,
  ...fileRules,
  ...sentenceRules,
  ...deviceRules,
]);

const findInArguments = createFindInArguments(createFindByRules(commandRules));

const findEncoded = createFindEncoded((text, watch) =>
  [findPrivateKeys, findFormats, findByPlace, findPairs].flatMap((find) => find(text, watch)),
);

/** Milliseconds of the processor that this thread has had: a busy machine is no reason to withhold, an endless search is. */
function ownMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** `now`: milliseconds on a clock that never goes back. */
type Options = { readonly secrets?: readonly string[]; readonly now?: () => number };

/**
 * The one redactor of every exit (SR-45…49): values held, known formats, structure, encodings, entropy with context. Linear;
 * idempotent, since it looks again until nothing changes; the mark is always `[REDACTED]`.
 */
export function createRedactor({ secrets = [], now = ownMs }: Options = {}): Redact {
  const layers: readonly Find[] = [
    createFindHeld(secrets),
    findPrivateKeys,
    findFormats,
    findKubernetesSecrets,
    findByPlace,
    findInArguments,
    findColumns,
    findEncoded,
    findByContext,
  ];
  function* inPieces(pieces: Iterable<string>, { command }: OutputSource = {}): Generator<RedactionResult> {
    const findAnswers = createFindAnswers(command);
    const findInPairs = createFindPairs(showsTranslations(command));
    const budget = createBudget(now);
    const lookPlainly = (seen: string): readonly Span[] =>
      [...layers, findInPairs, findAnswers].flatMap((find) => {
        budget.spend(Math.ceil(seen.length / charactersAPlace));
        return find(seen, () => budget.spend(1));
      });
    const lookThroughColours = createFindColoured(lookPlainly);
    const look = (seen: string): readonly Span[] => [...lookPlainly(seen), ...lookThroughColours(seen)];
    const findAgain = createFindAgain();
    try {
      for (const window of windowsOf(budget.counted(pieces), look)) {
        const spans = [...window.spans, ...findAgain(window.text, window.spans)];
        const hidden = hideUntilStable({ text: window.text, spans }, look);
        const givenAt = now();
        yield { ok: true, ...hidden };
        budget.excuse(now() - givenAt);
      }
    } catch (thrown) {
      yield { ok: false, reason: `the redactor failed: ${messageOf(thrown)}` };
    }
  }
  return Object.assign((text: string, ran?: OutputSource) => joined(inPieces([text], ran)), { inPieces });
}

function joined(pieces: Iterable<RedactionResult>): RedactionResult {
  let text = "";
  let count = 0;
  for (const piece of pieces) {
    if (!piece.ok) return piece;
    text += piece.text;
    count += piece.count;
  }
  return { ok: true, text, count };
}

/** Time by what was taken in so far; `spend` throws when it is over. What others take between two windows does not count. */
function createBudget(now: () => number) {
  let begin = now();
  let taken = 0;
  let unchecked = 0;
  return {
    counted: function* (pieces: Iterable<string>): Generator<string> {
      for (const piece of pieces) {
        taken += piece.length;
        yield piece;
      }
    },
    excuse: (ms: number): void => {
      begin += ms;
    },
    spend: (places: number): void => {
      unchecked += places;
      if (unchecked < placesBetween) return;
      unchecked = 0;
      if (now() - begin > Math.max(leastMs, (taken / 1e6) * msPerMegabyte)) throw new Error("it took too long");
    },
  };
}

/** Hides what was found, then looks again at the lines round new marks, the only places where something can have come up. */
function hideUntilStable(
  { text, spans }: Window,
  look: (seen: string) => readonly Span[],
): { text: string; count: number } {
  let current = replaceSpans(text, spans);
  let count = current.marks.length;
  for (let round = 0; round < mostRounds; round++) {
    if (current.marks.length === 0) return { text: current.text, count };
    const parts = splitAroundMarks(current);
    current = joinMarked(
      parts.map((part) =>
        part.isNearMark ? replaceSpans(part.text, look(part.text)) : { text: part.text, marks: [] },
      ),
    );
    count += current.marks.length;
  }
  throw new Error("it found no end");
}
