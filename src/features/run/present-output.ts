import { createHash } from "node:crypto";
import { setImmediate as breath } from "node:timers/promises";
import { memberOf, outputPlace } from "../../base/action.ts";
import type { Capture, Expectation } from "../../base/run.ts";
import type { Action } from "../../store/actions.ts";
import { createDraft, type KeptOutput } from "../../store/outputs.ts";
import type { Run } from "../../store/runs.ts";
import { createExcerpt, presentPieces, roughSize } from "../../text/output.ts";
import { createPatternSearch } from "../../text/pattern.ts";
import { createTroubleSearch } from "../../text/trouble.ts";
import { createDrawnShare, withheldReason } from "../../text/withheld.ts";
import type { Deps } from "../context.ts";
import { osOf } from "./target.ts";

interface PresentedOutput extends KeptOutput {
  /** Hex, of the stored text. */
  readonly sha256: string;
  /** The clearest line (AR-15). */
  readonly trouble: string | undefined;
  /** Undefined if the part that could contain it is missing. */
  readonly has: (pattern: string) => boolean | undefined;
}

interface RawOutput {
  readonly capture: Capture | undefined;
  readonly outputNote: string | undefined;
}

/**
 * Cleans, redacts and stores a run's whole output, hidden, in pieces: memory stays bounded, and other work gets turns (RR-19). Withholds
 * what the redactor cannot judge (SR-46, SR-48, F-38). Not inside a transaction.
 */
export async function presentOutput(deps: Deps, action: Action, run: Run, raw: RawOutput): Promise<PresentedOutput> {
  const { capture } = raw;
  if (!capture || capture.bytes === 0) return { ...nothing, text: undefined, has: () => (capture ? false : undefined) };
  const draft = createDraft(deps.store, run.id);
  const { command, expect } = memberOf(action.spec, run);
  const ran = { command, server: run.server, expect, more: howToReadOn(action, run) };
  const shown = await presentTo(draft, deps, ran, { ...raw, capture });
  return { ...shown, text: shown.withheld === null ? draft : undefined };
}

/** Takes cleaned, redacted pieces. */
interface Sink {
  readonly push: (text: string) => Promise<void>;
  readonly discard: () => Promise<void>;
}

const nowhere: Sink = { push: async () => {}, discard: async () => {} };

/** For an output stored only as far as people may see it. */
export const presentExcerpt = (
  deps: Deps,
  ran: Omit<OutputOrigin, "more">,
  raw: RawOutput,
): Promise<PresentedExcerpt> =>
  raw.capture && raw.capture.bytes > 0
    ? presentTo(nowhere, deps, { ...ran, more: "the rest was not kept" }, { ...raw, capture: raw.capture })
    : Promise.resolve({ ...nothing, has: () => (raw.capture ? false : undefined) });

interface OutputOrigin {
  readonly command: string;
  readonly server: string;
  readonly expect?: Expectation | undefined;
  readonly more: string;
}

type PresentedExcerpt = Omit<PresentedOutput, "text">;

async function presentTo(
  sink: Sink,
  deps: Deps,
  ran: OutputOrigin,
  raw: RawOutput & { readonly capture: Capture },
): Promise<PresentedExcerpt> {
  const bySecret = whySecret(deps, ran);
  if (bySecret !== undefined) return withhold(raw.capture, bySecret);
  const keptBytes = raw.capture.bytes - raw.capture.dropped;
  return inRoom(keptBytes, () => present(sink, deps, ran, raw));
}

/** Why policy or the command's words forbid its output; undefined if redaction is enough. */
export function whySecret(
  { config, evaluate }: Pick<Deps, "config" | "evaluate">,
  { command, server }: Pick<OutputOrigin, "command" | "server">,
): string | undefined {
  const found = config.servers.get(server);
  const { secretAnswer } = evaluate(command, found ? { ...found, os: osOf(found) } : { os: "linux", shell: "bash" });
  return withheldReason(command) ?? (secretAnswer && `it ${secretAnswer}`);
}

async function present(
  draft: Sink,
  deps: Deps,
  { command, expect = { exit: 0 }, more }: OutputOrigin,
  { capture, outputNote }: RawOutput & { readonly capture: Capture },
): Promise<PresentedExcerpt> {
  const hash = createHash("sha256");
  const { outputCharacters: limit } = deps.config.agent;
  const cut = createExcerpt({ limit, more, redact: deps.redact });
  const trouble = createTroubleSearch();
  const drawn = createDrawnShare();
  const { contains, lacks } = expect;
  const searches = new Map(
    [contains, lacks].flatMap((pattern) =>
      pattern === undefined ? [] : [[pattern, createPatternSearch(pattern)] as const],
    ),
  );
  const take = async (text: string): Promise<void> => {
    for (const search of searches.values()) search.push(text);
    hash.update(text);
    cut.push(text);
    trouble.push(text);
    drawn.push(text);
    await draft.push(text);
  };
  const giveUp = async (reason: string): Promise<PresentedExcerpt> => {
    await draft.discard();
    return withhold(capture, reason);
  };
  let endsLine = false;
  for (const piece of presentPieces(capture, deps.redact, command)) {
    if (!piece.ok) return giveUp(piece.reason);
    await take(piece.text);
    endsLine = piece.text === "" ? endsLine : piece.text.endsWith("\n");
    await breath();
  }
  if (drawn.isMost()) return giveUp("most of it looks like keys drawn at random");
  if (outputNote !== undefined) await take(`${endsLine ? "" : "\n"}  ⋯ ${outputNote} ⋯\n`);
  const found = trouble.found();
  const shown = cut.finish();
  if ("withheld" in shown) return giveUp(shown.withheld);
  // A part of a line is redacted again, as excerpts are.
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

/** May be shown anywhere; only the audit has the exact size and hash of unredacted output (SR-49). */
const withhold = ({ bytes }: Capture, reason: string): PresentedExcerpt => ({
  withheld: reason,
  excerpt: `output withheld: ${reason} (${roughSize(bytes)}). The audit has its exact size and SHA-256. To read it, run the command on the server yourself.`,
  sha256: ofNothing,
  trouble: undefined,
  has: () => undefined,
});

const howToReadOn = ({ number, spec }: Action, run: Run): string =>
  `/output ${number} ${outputPlace(spec.targets, run)}`.trimEnd();

type InRoom = <T>(bytes: number, work: () => Promise<T>) => Promise<T>;

/** Runs work once its bytes fit. Small work does not wait for large; larger work than the room runs alone. */
export function createRoom(totalBytes: number): InRoom {
  let taken = 0;
  let waiting: (() => void)[] = [];
  return async (bytes, work) => {
    const asked = Math.min(bytes, totalBytes);
    while (taken + asked > totalBytes) await new Promise<void>((again) => waiting.push(again));
    taken += asked;
    try {
      return await work();
    } finally {
      taken -= asked;
      const woken = waiting;
      waiting = [];
      for (const again of woken) again();
    }
  };
}

/** The largest output and some small ones. */
const inRoom = createRoom(20 * 1024 * 1024);

/**
 * All that a public issue shows of an output (SR-11). The agent there reads no more, because it may repeat it. Exact size or raw hash would
 * let a reader test guesses of a short secret.
 */
export const offIssue = ({ bytes, redactedSha256 }: Pick<Run, "bytes" | "redactedSha256">): string =>
  bytes === null || bytes === 0
    ? ""
    : `${roughSize(bytes)}, kept off this public issue; SHA-256 when redacted ${redactedSha256}`;
