import type { Action } from "../store/actions.ts";
import { lockIncident } from "../store/incidents.ts";
import { type Run, setExcerpt } from "../store/runs.ts";
import { cleanBytes } from "../text/clean.ts";
import { withheldReason } from "../text/withheld.ts";
import type { At } from "./execute.ts";
import { show } from "./show.ts";

/** Every 5 s in the first minute, then every 30 s: an edit costs as much as a comment (PRODUCT.md). */
const eagerMs = 5_000;
const calmMs = 30_000;
const eagerForMs = 60_000;
/** Redaction looks at the whole beginning, so beyond this only the size is shown until the end. */
const maxShownBytes = 256 * 1024;
const shownLines = 10;

/** Shows on the run card what a running command has said so far. `push` never throws and keeps bounded memory. */
export function createLiveCard(
  at: At,
  action: Action,
  run: Run,
): { readonly push: (chunk: Uint8Array) => void; readonly stop: () => Promise<void> } {
  const { world, batch, ground } = at;
  const secret = withheldReason(action.spec.command) !== undefined;
  const startedAt = performance.now();
  let kept: Uint8Array[] = [];
  let bytes = 0;
  let keptBytes = 0;
  let shownBytes = 0;
  let timer: NodeJS.Timeout | undefined;
  let drawing: Promise<void> = Promise.resolve();

  const text = (): string => {
    if (keptBytes < bytes) return `${bytes.toLocaleString("en-US")} bytes so far`;
    const redacted = world.redact(cleanBytes(Buffer.concat(kept)));
    // The last line may be half a secret, which has no shape to know it by: it waits for its end.
    const whole = redacted.ok ? redacted.text.split("\n").slice(0, -1) : [];
    return whole.slice(-shownLines).join("\n").trimEnd();
  };
  const draw = async (): Promise<void> => {
    if (bytes === shownBytes) return;
    shownBytes = bytes;
    const excerpt = text().slice(-world.config.agent.outputCharacters);
    await world.store.transaction(async (tx) => {
      const incident = await lockIncident(tx, batch.incidentId);
      // SR-11: on a public issue nothing of an output is shown.
      await setExcerpt(tx, run.id, incident.public ? "" : excerpt);
      await show(tx, world, ground, { incident });
    });
  };
  const schedule = (): void => {
    const elapsed = performance.now() - startedAt;
    timer = setTimeout(
      () => {
        drawing = draw()
          .catch((error) => world.log.warn({ module: "ssh", event: "live_card_late", run: run.id, err: error }))
          .finally(() => {
            if (timer !== undefined) schedule();
          });
      },
      elapsed < eagerForMs ? eagerMs : calmMs,
    );
  };
  schedule();
  return {
    push: (chunk) => {
      bytes += chunk.length;
      if (secret || bytes > maxShownBytes) {
        kept = [];
        return;
      }
      kept.push(Uint8Array.from(chunk));
      keptBytes += chunk.length;
    },
    stop: async () => {
      clearTimeout(timer);
      timer = undefined;
      await drawing;
    },
  };
}
