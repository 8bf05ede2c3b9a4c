import { rename, writeFile } from "node:fs/promises";
import { reached } from "../crash-point.ts";
import { readHead, textOf } from "../store/checkpoint.ts";
import type { World } from "./world.ts";

const everyMs = 60_000;

/**
 * Keeps a checkpoint of the audit in the operator's file, outside the store: `countersign audit verify` holds the store against
 * it (SR-66). Written once a minute where something was added, and when the bot stops; replaced by a rename, so never half.
 */
export function keepCheckpoint(world: World): { readonly stop: () => Promise<void> } {
  const { checkpointFile } = world.config.audit;
  // Whoever only takes webhooks has no key to sign with.
  if (checkpointFile === undefined || world.config.roles.every((role) => role === "web"))
    return { stop: async () => {} };
  let written = -1;
  const write = async (): Promise<void> => {
    const checkpoint = await readHead(world.store.db);
    if (checkpoint.size === written) return;
    const text = world.notary?.sign(checkpoint) ?? textOf(checkpoint);
    await writeFile(`${checkpointFile}.new`, text, { mode: 0o600 });
    reached("CP17");
    await rename(`${checkpointFile}.new`, checkpointFile);
    written = checkpoint.size;
  };
  const writeOrSay = (): Promise<void> =>
    write().catch((error) => world.log.error({ module: "audit", event: "checkpoint_failed", err: error }));
  const timer = setInterval(writeOrSay, everyMs).unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await writeOrSay();
    },
  };
}
