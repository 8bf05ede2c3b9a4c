import { createHash } from "node:crypto";
import { setImmediate as breath } from "node:timers/promises";
import { memberOf, outputPlace } from "../../base/action.ts";
import { reached } from "../../base/crash-point.ts";
import type { Risk } from "../../base/risk.ts";
import type { Capture, Ending, Expectation, Outcome } from "../../base/run.ts";
import { exitMeaning } from "../../risk/exit-codes.ts";
import { outcomeOf } from "../../runbooks/expect.ts";
import { type Action, finishAction } from "../../store/actions.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import { lockIncident } from "../../store/incidents.ts";
import { markChanged } from "../../store/outbox/wanted.ts";
import { createDraft, type KeptOutput, storeOutput } from "../../store/outputs.ts";
import { addPullRequest } from "../../store/pull-requests.ts";
import type { Job } from "../../store/queue/queue.ts";
import { endRun, type Run } from "../../store/runs.ts";
import { leaveLine, nextInLine } from "../../store/server-line.ts";
import { bareEnding } from "../../text/bare.ts";
import { createExcerpt, presentPieces, roughSize } from "../../text/output.ts";
import { createPatternSearch } from "../../text/pattern.ts";
import { createTroubleSearch } from "../../text/trouble.ts";
import { createDrawnShare, withheldReason } from "../../text/withheld.ts";
import type { Deps } from "../context.ts";
import { onDebug } from "../payload.ts";
import { show } from "../thread/post.ts";
import { offIssue } from "../thread/views.ts";
import type { ActionRun } from "./execute.ts";
import { osOf } from "./target.ts";

export interface RunResult {
  readonly ending: Ending;
  readonly durationMs: number | null;
  readonly capture?: Capture;
  readonly hostKey?: string | undefined;
  /** Fixed scripts that ran beside the command (AR-08). */
  readonly housekeeping?: readonly string[] | undefined;
  /** What is missing, and why. */
  readonly outputNote?: string | undefined;
}

export interface RunOutcome {
  readonly ending: Ending;
  /** Null if nothing is expected and the exit code is no answer. */
  readonly outcome: Outcome | null;
}

/** `fence`: only the job's holder may record this end. */
type FinishingRun = Pick<ActionRun, "deps" | "batch" | "action"> & Partial<Pick<Job, "fence">>;

/** Records and shows a run's end with its output, cleaned and redacted. The first end stands. */
export async function finishRun(at: FinishingRun, run: Run, result: RunResult): Promise<RunOutcome> {
  const { deps, batch, action, fence } = at;
  const { capture, outputNote, durationMs } = result;
  const output = await presentOutput(deps, action, run, { capture, outputNote });
  const ending = bareEnding(deps.redact, result.ending);
  logOutput(deps, run, { capture, excerpt: output.excerpt });
  const { command, expect } = memberOf(action.spec, run);
  const outcome = expect
    ? outcomeOf(expect, { ending, durationMs, has: output.has })
    : answerOf(action.spec.risk, command, { ending, trouble: output.trouble });
  const isKept = await deps.store.transaction(async (tx) => {
    await fence?.(tx);
    const incident = await lockIncident(tx, batch.incidentId);
    const { bytes = null, sha256: outputSha256 = null } = result.capture ?? {};
    const redactedSha256 = output.sha256;
    const isKeptOff = incident.public && output.withheld === null;
    const shown = {
      // A command's question is a line of its output.
      ending:
        incident.public && ending.kind === "waiting-for-input"
          ? { ...ending, asks: "a question that is kept off this public issue" }
          : ending,
      excerpt: isKeptOff ? offIssue({ bytes, redactedSha256 }) : output.excerpt,
    };
    const ended = await endRun(tx, run.id, {
      ...shown,
      outcome: outcome ?? undefined,
      trouble: incident.public ? undefined : output.trouble,
      durationMs,
      capture: result.capture,
      redactedSha256,
      hostKey: result.hostKey,
    });
    if (!ended) return false;
    if (result.capture) await storeOutput(tx, run.id, output);
    const opened = openedBy(action, result);
    if (opened) {
      await addPullRequest(tx, { actionId: action.id, incidentId: incident.id, ...opened });
      await appendAudit(tx, {
        kind: "pull_request_changed",
        incidentId: incident.id,
        body: { ...opened, number: action.number, state: "open", checks: null, approved: [], changesRequested: [] },
      });
    }
    if (ended.isLast) {
      await finishAction(tx, action.id);
      await leaveLine(tx, action.id);
      const waiting = sharesServers(action) ? [] : await nextInLine(tx, action);
      for (const incidentId of waiting) await deps.store.queue.hasten(tx, "execute", incidentId);
    }
    await appendAudit(tx, {
      kind: result.ending.kind === "unknown" ? "command_unknown" : "command_executed",
      incidentId: incident.id,
      body: {
        number: action.number,
        digest: action.digest,
        run: run.id,
        server: run.server,
        ...(run.step === null ? {} : { step: run.step }),
        ending,
        ...(outcome ? { outcome } : {}),
        durationMs,
        hostKey: result.hostKey ?? null,
        housekeeping: result.housekeeping ?? [],
        bytes,
        outputSha256,
        redactedSha256,
      },
    });
    // The last is shown once, with its batch.
    if (ended.isLast && action.number === batch.numbers.at(-1)) await markChanged(tx, incident.id, "");
    else await show(tx, deps, incident);
    return true;
  });
  reached("CP14");
  if (!isKept) await output.text?.discard();
  capture?.release?.();
  return { ending, outcome };
}

/** The pull request that a patch opened, from the first line of its answer (`createPatches`). */
function openedBy(
  { spec }: Action,
  { ending, capture }: RunResult,
): { readonly number: number; readonly url: string } | undefined {
  const isPatch = spec.targets.some(({ patches }) => patches !== undefined);
  if (!isPatch || ending.kind !== "exited" || ending.code !== 0 || !capture) return undefined;
  const [, url, number] =
    /^(?:draft )?pull request (https?:\/\/\S+\/pull\/(\d+))/m.exec(Buffer.from(capture.head).toString()) ?? [];
  return url === undefined ? undefined : { url, number: Number(number) };
}

/** Warns if the model sees only a part. */
function logOutput(
  deps: Deps,
  run: Run,
  { capture, excerpt }: { readonly capture: Capture | undefined; readonly excerpt: string },
): void {
  const originalSize = capture?.bytes ?? 0;
  const truncatedSize = Buffer.byteLength(excerpt);
  if (truncatedSize < originalSize && originalSize > deps.config.agent.outputCharacters)
    deps.log.warn({
      module: "ssh",
      event: "tool_output_truncated",
      tool: "ssh",
      run: run.id,
      originalSize,
      truncatedSize,
      dropped: capture?.dropped,
    });
  if (capture)
    onDebug(deps, excerpt, (payload) =>
      deps.log.debug({ module: "ssh", event: "tool_result", tool: "ssh", run: run.id, ...payload }),
    );
}

/** A read's exit code is an answer if its program is known to use it so. */
function answerOf(
  risk: Risk,
  command: string,
  { ending, trouble }: { readonly ending: Ending; readonly trouble: string | undefined },
): Outcome | null {
  const says =
    risk === "low" && ending.kind === "exited" && ending.code !== 0 && ending.of === undefined
      ? exitMeaning(command, ending.code, trouble)
      : undefined;
  return says === undefined ? null : { kind: "answer", says };
}

/** Reads share a server; a change waits in line and has it alone. */
export const sharesServers = ({ spec }: Pick<Action, "spec">): boolean => spec.risk === "low";

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
async function presentOutput(deps: Deps, action: Action, run: Run, raw: RawOutput): Promise<PresentedOutput> {
  const { capture } = raw;
  if (!capture || capture.bytes === 0) return { ...nothing, text: undefined, has: () => (capture ? false : undefined) };
  const draft = createDraft(deps.store, run.id);
  const { command, expect } = memberOf(action.spec, run);
  const more = `/output ${action.number} ${outputPlace(action.spec.targets, run)}`.trimEnd();
  const ran = { command, server: run.server, expect, more };
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

/** Why policy or the command's words forbid its output; undefined if redaction is enough. */
export function whySecret(
  { config, evaluate }: Pick<Deps, "config" | "evaluate">,
  { command, server }: Pick<OutputOrigin, "command" | "server">,
): string | undefined {
  const found = config.servers.get(server);
  const { secretAnswer } = evaluate(command, found ? { ...found, os: osOf(found) } : { os: "linux", shell: "bash" });
  return withheldReason(command) ?? (secretAnswer && `it ${secretAnswer}`);
}

/** Keeps a secret's answer back, waits for room, then cleans, redacts, searches and cuts piece by piece. */
async function presentTo(
  sink: Sink,
  deps: Deps,
  { command, server, expect = { exit: 0 }, more }: OutputOrigin,
  { capture, outputNote }: RawOutput & { readonly capture: Capture },
): Promise<PresentedExcerpt> {
  const bySecret = whySecret(deps, { command, server });
  if (bySecret !== undefined) return withhold(capture, bySecret);
  const giveUp = async (reason: string): Promise<PresentedExcerpt> => {
    await sink.discard();
    return withhold(capture, reason);
  };
  return inRoom(capture.bytes - capture.dropped, async () => {
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
      await sink.push(text);
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
    const redacted = found[0] && deps.redact(found[0].text);
    const line = redacted?.ok ? redacted.text : undefined;
    const whole = capture.dropped === 0 && outputNote === undefined;
    const has = (pattern: string) => searches.get(pattern)?.found() || (whole ? false : undefined);
    return { withheld: null, excerpt: shown.text, sha256: hash.digest("hex"), trouble: line, has };
  });
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
