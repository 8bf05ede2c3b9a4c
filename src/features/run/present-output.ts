import { createHash } from "node:crypto";
import { setImmediate as breath } from "node:timers/promises";
import { memberOf, outputPlace } from "../../base/action.ts";
import type { Capture, Expectation } from "../../base/run.ts";
import type { Action } from "../../store/actions.ts";
import { createDraft, type KeptOutput } from "../../store/outputs.ts";
import type { Run } from "../../store/runs.ts";
import { createExcerpt, presentPieces } from "../../text/output.ts";
import { createPatternSearch } from "../../text/pattern.ts";
import { roughSize } from "../../text/rough-size.ts";
import { createTroubleSearch } from "../../text/trouble.ts";
import { withheldReason } from "../../text/withheld.ts";
import type { Deps } from "../context.ts";
import { createRoom } from "./memory-room.ts";
import { osOf } from "./target.ts";

/** One output of the largest size and some small ones beside it. */
const inRoom = createRoom(20 * 1024 * 1024);

/** An output ready to be kept. */
export interface Presented extends KeptOutput {
  /** Of the text as it is kept, hex. */
  readonly sha256: string;
  /** The most telling line of all of it that reports trouble (AR-15), where one does. */
  readonly trouble: string | undefined;
  /** Whether a pattern of the action's expectation stands in it; nothing where a part that could hold it is missing. */
  readonly has: (pattern: string) => boolean | undefined;
}

export interface Raw {
  readonly capture: Capture | undefined;
  /** What of the output is missing, and why. */
  readonly outputNote: string | undefined;
}

/**
 * Cleans and redacts the whole output of a run and writes it into the store, out of sight, in pieces: memory does not grow with
 * the output nor with how many end at once, and others are served between two pieces (RR-19). What the redactor cannot vouch
 * for is withheld (SR-48, F-38). Not to be called inside of a transaction.
 */
export async function presentOutput(deps: Deps, action: Action, run: Run, raw: Raw): Promise<Presented> {
  const { capture } = raw;
  if (!capture || capture.bytes === 0) return { ...nothing, text: undefined, has: () => (capture ? false : undefined) };
  const draft = createDraft(deps.store, run.id);
  const { command, expect } = memberOf(action.spec, run);
  const ran = { command, server: run.server, expect, more: howToReadOn(action, run) };
  const shown = await presentTo(draft, deps, ran, { ...raw, capture });
  return { ...shown, text: shown.withheld === null ? draft : undefined };
}

/** Where a text goes, in pieces, as it may be kept. */
interface Sink {
  readonly push: (text: string) => Promise<void>;
  readonly discard: () => Promise<void>;
}

/** An output goes nowhere: all that is kept of it is its excerpt. */
const nowhere: Sink = { push: async () => {}, discard: async () => {} };

/** The same of an output of which no more is kept than people see of it. */
export const presentExcerpt = (deps: Deps, ran: Omit<Ran, "more">, raw: Raw): Promise<PresentedElsewhere> =>
  raw.capture && raw.capture.bytes > 0
    ? presentTo(nowhere, deps, { ...ran, more: "the rest was not kept" }, { ...raw, capture: raw.capture })
    : Promise.resolve({ ...nothing, has: () => (raw.capture ? false : undefined) });

interface Ran {
  readonly command: string;
  /** By its name. */
  readonly server: string;
  readonly expect?: Expectation | undefined;
  /** How to read on where the excerpt is cut. */
  readonly more: string;
}

type PresentedElsewhere = Omit<Presented, "text">;

async function presentTo(
  sink: Sink,
  deps: Deps,
  ran: Ran,
  raw: Raw & { readonly capture: Capture },
): Promise<PresentedElsewhere> {
  const bySecret = whySecret(deps, ran);
  if (bySecret !== undefined) return withhold(raw.capture, bySecret);
  const keptBytes = raw.capture.bytes - raw.capture.dropped;
  return inRoom(keptBytes, () => present(sink, deps, ran, raw));
}

/** Why nothing of a command's output may be shown, as its words or the policy's reading of them say; undefined where the redactor is enough. */
export function whySecret(
  { config, evaluate }: Pick<Deps, "config" | "evaluate">,
  { command, server }: Pick<Ran, "command" | "server">,
): string | undefined {
  const found = config.servers.get(server);
  const { secretAnswer } = evaluate(command, found ? { ...found, os: osOf(found) } : { os: "linux", shell: "bash" });
  return withheldReason(command) ?? (secretAnswer && `it ${secretAnswer}`);
}

async function present(
  draft: Sink,
  deps: Deps,
  { expect = { exit: 0 }, more }: Ran,
  { capture, outputNote }: Raw & { readonly capture: Capture },
): Promise<PresentedElsewhere> {
  const hash = createHash("sha256");
  const { outputCharacters: limit } = deps.config.agent;
  const excerpt = createExcerpt({ limit, more, redact: deps.redact });
  const trouble = createTroubleSearch();
  const { contains, lacks } = expect;
  const searches = new Map(
    [contains, lacks].flatMap((pattern) =>
      pattern === undefined ? [] : [[pattern, createPatternSearch(pattern)] as const],
    ),
  );
  const take = async (text: string): Promise<void> => {
    for (const search of searches.values()) search.push(text);
    hash.update(text);
    excerpt.push(text);
    trouble.push(text);
    await draft.push(text);
  };
  const giveUp = async (reason: string): Promise<PresentedElsewhere> => {
    await draft.discard();
    return withhold(capture, reason);
  };
  let endsLine = false;
  for (const piece of presentPieces(capture, deps.redact)) {
    if (!piece.ok) return giveUp(piece.reason);
    await take(piece.text);
    endsLine = piece.text === "" ? endsLine : piece.text.endsWith("\n");
    await breath();
  }
  if (outputNote !== undefined) await take(`${endsLine ? "" : "\n"}  ⋯ ${outputNote} ⋯\n`);
  const found = trouble.found();
  const shown = excerpt.finish(found);
  if ("withheld" in shown) return giveUp(shown.withheld);
  // What is cut out of a line is looked at again by the redactor, as an excerpt is (SR-46).
  const line = redactedLine(deps, found[0]?.text);
  const whole = capture.dropped === 0 && outputNote === undefined;
  const has = (pattern: string) => searches.get(pattern)?.found() || (whole ? false : undefined);
  return { withheld: null, excerpt: shown.text, sha256: hash.digest("hex"), trouble: line, has };
}

function redactedLine({ redact }: Pick<Deps, "redact">, line: string | undefined): string | undefined {
  const redacted = line === undefined ? undefined : redact(line);
  return redacted?.ok ? redacted.text : undefined;
}

const ofNothing = createHash("sha256").digest("hex");

const nothing = { withheld: null, excerpt: "", sha256: ofNothing, trouble: undefined };

/** Its excerpt may stand anywhere: the exact size and hash of what was not redacted are the audit's alone (SR-49). */
const withhold = ({ bytes }: Capture, reason: string): PresentedElsewhere => ({
  withheld: reason,
  excerpt: `output withheld: ${reason} (${roughSize(bytes)})`,
  sha256: ofNothing,
  trouble: undefined,
  has: () => undefined,
});

const howToReadOn = ({ number, spec }: Action, run: Run): string =>
  `/output ${number} ${outputPlace(spec.targets, run)}`.trimEnd();
