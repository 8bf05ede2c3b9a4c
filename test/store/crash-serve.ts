import { appendAudit } from "../../src/store/audit/chain.ts";
import type { Store } from "../../src/store/database/open.ts";

/** Serves deliveries the way the worker does: the effect (an audit row) and the end of the job are one commit. */
export async function serveDeliveries(store: Store): Promise<void> {
  await store.queue.serve("delivery", { slots: 4, onPoison: async () => {} }, async (job) => {
    const { guid } = job.data as { readonly guid: string };
    await store.transaction(async (tx) => {
      const done = await tx
        .updateTable("delivery")
        .set({ state: "done" })
        .where("guid", "=", guid)
        .where("state", "=", "stored")
        .executeTakeFirst();
      if (done.numUpdatedRows === 1n)
        await appendAudit(tx, { kind: "job_set_aside", body: { queue: "delivery", key: guid, reason: "done" } });
      await job.settle(tx);
    });
  });
}
