import { every } from "../../base/every.ts";
import { readHead } from "../../store/audit/checkpoint.ts";
import type { Deps } from "../context.ts";
import { writeCheckpoint } from "./checkpoint-file.ts";
import { voidIfRestored } from "./restored.ts";

const everyMs = 60_000;

/**
 * Keeps a checkpoint of the audit in the operator's file, outside the store: `countersign audit verify` holds the store against
 * it (SR-66). Written at the start, once a minute where something was added, and when the bot stops; before a command is sent whoever
 * sends it writes it (`sealIntent`). A file that has seen more than the store is not simply written over: an older copy of the store
 * was put back under this process (RR-24).
 */
export function keepCheckpoint(deps: Deps): { readonly stop: () => Promise<void> } {
  const { audit, roles } = deps.config;
  if (audit.checkpointFile === undefined || roles.every((role) => role === "web")) return { stop: async () => {} };
  let written = -1;
  const write = async (): Promise<void> => {
    await voidIfRestored(deps);
    const { size } = await readHead(deps.store.db);
    if (size === written) return;
    await writeCheckpoint(deps);
    written = size;
  };
  const failed = (error: unknown) => deps.log.error({ module: "audit", event: "checkpoint_failed", err: error });
  // At once, so that one that is missing later was taken away.
  const writing = every(everyMs, write, failed);
  return {
    stop: async () => {
      await writing.stop();
      await write().catch(failed);
    },
  };
}
