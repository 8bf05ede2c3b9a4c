import { memberOf } from "../../base/action.ts";
import type { Capture } from "../../base/run.ts";
import type { Server } from "../../base/server.ts";
import { loadTemplate } from "../../base/template.ts";
import { duration } from "../../github/render/ink.ts";
import { moveAction } from "../../store/actions.ts";
import { lockIncident } from "../../store/incidents.ts";
import { slots } from "../../store/outbox/thread-comments.ts";
import { wantComments } from "../../store/outbox/wanted.ts";
import { markRuns, type Run, runsOfAction } from "../../store/runs.ts";
import { excerpt, presentCapture } from "../../text/output.ts";
import type { Deps } from "../context.ts";
import { show, threadOf } from "../thread/post.ts";
import type { ActionRun } from "./execute.ts";
import { whySecret } from "./finish-run.ts";

/** A run that ends before shows only its result. */
const firstMs = 500;
/** Every 5 s in the first minute, then every 30 s: for GitHub an edit costs as much as a comment. */
const eagerMs = 5_000;
const calmMs = 30_000;
const eagerForMs = 60_000;
/** If the store does not answer. */
const leastAskMs = 500;

export interface LiveCard {
  /** Shows a run until `stop`. `push` never throws. */
  readonly follow: (
    run: Run,
    server: Server,
  ) => { readonly push: (chunk: Uint8Array) => void; readonly stop: () => Promise<void> };
  /** Resolves after the last drawing. */
  readonly stop: () => Promise<void>;
}

interface FollowedRun {
  readonly run: Run;
  readonly softTimeoutMs: number;
  readonly said: SoFar;
  seen: SeenSoFar & { readonly bytes: number };
  /** As of its last row. */
  asksAt: Date | undefined;
}

const overdue = loadTemplate("comments/soft-limit.md");

/**
 * Shows a run's time and output so far, and asks at its soft limit (AR-12). The run's row keeps the state for the next process. A public
 * issue shows no output (SR-11).
 */
export function createLiveCard({ deps, batch, action, watched }: ActionRun): LiveCard {
  const followed = new Set<FollowedRun>();
  let drawnAt = Date.now() - eagerMs + firstMs;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let drawing: Promise<void> = Promise.resolve();

  const draw = async (): Promise<void> => {
    drawnAt = Date.now();
    const now = new Date(drawnAt);
    if (followed.size === 0) return;
    for (const one of followed) {
      const bytes = one.said.bytes();
      if (bytes === one.seen.bytes) continue;
      const ran = { command: memberOf(action.spec, one.run).command, server: one.run.server };
      one.seen = { ...presentSoFar(deps, ran, one.said), bytes };
    }
    await deps.store.transaction(async (tx) => {
      const incident = await lockIncident(tx, batch.incidentId);
      await moveAction(tx, action, { from: "dispatching", to: "running" });
      const rows = await runsOfAction(tx, action.id);
      const isFirst = rows.every(({ askedAt }) => askedAt === null);
      const late: Run[] = [];
      for (const one of followed) {
        const row = rows.find(({ id }) => id === one.run.id);
        if (!row || row.endedAt !== null) continue;
        const due = asksAt(row, one.softTimeoutMs);
        const asks = due !== undefined && due <= now;
        // Comments at the first soft limit and after each `/wait`; the action's other servers are only on the card.
        if (asks && (isFirst || row.waitUntil !== null)) late.push(row);
        one.asksAt = asks ? undefined : due;
        const excerpt = incident.public ? "" : one.seen.lines;
        const asked = asks ? { askedAt: now } : {};
        await markRuns(tx, [row], { excerpt, soFar: one.seen.soFar, seenAt: now, ...asked });
      }
      const [first] = late;
      if (first) {
        const ranMs = Math.max(...late.map(({ startedAt }) => now.getTime() - (startedAt ?? now).getTime()));
        const body = overdue({
          number: String(action.number),
          where: late.map(({ server }) => deps.markdown.code(server)).join(", "),
          elapsed: duration(ranMs),
        });
        // A comment, because GitHub sends no notification for edits.
        const slot = slots.softLimit(action.number, first.waitUntil);
        await wantComments(tx, threadOf(incident), [{ slot, body }]);
      }
      await show(tx, deps, incident);
    });
  };
  const drawNow = (): Promise<void> => {
    clearTimeout(timer);
    drawing = drawing
      .then(draw)
      .catch((error) => deps.log.warn({ module: "ssh", event: "live_card_late", number: action.number, err: error }))
      .finally(schedule);
    return drawing;
  };
  const schedule = (): void => {
    clearTimeout(timer);
    if (stopped || followed.size === 0) return;
    const asked = [...followed].map((one) => one.asksAt?.getTime() ?? Number.POSITIVE_INFINITY);
    // The oldest decides: a run found again has had its first minute.
    const since = Math.min(...[...followed].map(({ run }) => run.startedAt?.getTime() ?? Date.now()));
    const nextAt = Math.max(drawnAt + leastAskMs, Math.min(drawnAt + paceMs(Date.now() - since), ...asked));
    timer = setTimeout(() => void drawNow(), Math.max(0, nextAt - Date.now()));
  };
  watched.drawnBy(drawNow);
  return {
    follow: (run, server) => {
      const softTimeoutMs = batch.softTimeoutMs ?? server.softTimeoutMs;
      const seen = { lines: "", soFar: "", bytes: 0 };
      const one = { run, softTimeoutMs, said: createSoFar(), seen, asksAt: asksAt(run, softTimeoutMs) };
      followed.add(one);
      schedule();
      return {
        push: one.said.push,
        stop: async () => {
          followed.delete(one);
          await drawing;
        },
      };
    },
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await drawing;
    },
  };
}

/** Bounded, because each drawing redacts it all for every server. */
const keptBytes = 32 * 1024;

/** Head and tail in bounded memory. `push` never throws. */
interface SoFar {
  readonly push: (chunk: Uint8Array) => void;
  readonly bytes: () => number;
  readonly capture: () => Pick<Capture, "head" | "tail" | "bytes" | "dropped">;
}

export function createSoFar(maxBytes = keptBytes): SoFar {
  const half = Math.floor(maxBytes / 2);
  const head: Uint8Array[] = [];
  /** Twice the tail's size; when full, the tail moves to its beginning. */
  let last: Buffer | undefined;
  let bytes = 0;
  let headBytes = 0;
  let lastBytes = 0;
  return {
    push: (chunk) => {
      bytes += chunk.length;
      const first = new Uint8Array(chunk.subarray(0, half - headBytes));
      if (first.length > 0) head.push(first);
      headBytes += first.length;
      const rest = chunk.subarray(first.length).subarray(-half);
      if (rest.length === 0) return;
      last ??= Buffer.allocUnsafeSlow(2 * half);
      if (lastBytes + rest.length > last.length) {
        last.copyWithin(0, lastBytes + rest.length - half, lastBytes);
        lastBytes = half - rest.length;
      }
      last.set(rest, lastBytes);
      lastBytes += rest.length;
    },
    bytes: () => bytes,
    capture: () => {
      const tail = Buffer.from(last?.subarray(Math.max(0, lastBytes - half), lastBytes) ?? []);
      const first = Buffer.concat(head);
      const dropped = bytes - first.length - tail.length;
      return dropped > 0
        ? { head: first, tail, bytes, dropped }
        : { head: Buffer.concat([first, tail]), tail: new Uint8Array(), bytes, dropped };
    },
  };
}

const shownLines = 10;

/** The last lines for people, and the model's share. */
interface SeenSoFar {
  readonly lines: string;
  readonly soFar: string;
}

/** Cleans and redacts the output so far. */
function presentSoFar(
  deps: Pick<Deps, "config" | "evaluate" | "redact">,
  ran: { readonly command: string; readonly server: string },
  said: SoFar,
): SeenSoFar {
  const withhold = (reason: string): SeenSoFar => ({ lines: "", soFar: `output withheld: ${reason}` });
  if (said.bytes() === 0) return { lines: "", soFar: "" };
  const bySecret = whySecret(deps, ran);
  if (bySecret !== undefined) return withhold(bySecret);
  const presented = presentCapture({ ...said.capture(), sha256: "" }, deps.redact, ran.command);
  if (!presented.ok) return withhold(presented.reason);
  // The last line may be half a secret, unknown to the redactor.
  const whole = presented.text.slice(0, presented.text.lastIndexOf("\n") + 1);
  const limit = deps.config.agent.outputCharacters;
  const cut = excerpt(whole, { limit, more: "the rest when it has ended", redact: deps.redact });
  if ("withheld" in cut) return withhold(cut.withheld);
  const lines = whole.trimEnd().split("\n").slice(-shownLines).join("\n").slice(-limit);
  return { lines, soFar: cut.text };
}

/** The pause after an edit, in ms. */
export const paceMs = (ranMs: number): number => (ranMs < eagerForMs ? eagerMs : calmMs);

/** When a run next asks: at its soft limit, or after `/wait`. Undefined if it has asked or not begun. */
export function asksAt(
  { startedAt, askedAt, waitUntil }: Pick<Run, "startedAt" | "askedAt" | "waitUntil">,
  softTimeoutMs: number,
): Date | undefined {
  if (startedAt === null) return undefined;
  const at = waitUntil ?? new Date(startedAt.getTime() + softTimeoutMs);
  return askedAt !== null && askedAt.getTime() >= at.getTime() ? undefined : at;
}
