import type { Tx } from "../../store/database/open.ts";
import type { Incident } from "../../store/incidents.ts";
import type { Batch } from "../../store/runs.ts";
import type { Deps } from "../context.ts";

/** Enqueues a batch. An incident's batches run one after another. */
export async function enqueueBatch(
  tx: Tx,
  deps: Pick<Deps, "store">,
  { id, repoId }: Pick<Incident, "id" | "repoId">,
  batch: Pick<Batch, "id">,
  when: { readonly afterMs?: number } = {},
): Promise<void> {
  const share = String(repoId);
  await deps.store.queue.enqueue(tx, "execute", id, { batchId: batch.id }, { share, ...when });
}
