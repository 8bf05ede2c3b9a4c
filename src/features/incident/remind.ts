import { renderReminder } from "../../github/render/card.ts";
import { expiringActions } from "../../store/actions.ts";
import { incidentOf, lockIncident } from "../../store/incidents.ts";
import { slots } from "../../store/outbox/slots.ts";
import { commentIn } from "../../store/outbox/thread-comments.ts";
import { wantComments } from "../../store/outbox/wanted.ts";
import { type Deps, loadRepoContext } from "../context.ts";
import { threadOf, wakePoster } from "../thread/show.ts";
import { hintOf, viewsOf } from "../thread/views.ts";
import { mayRun } from "./hold.ts";

/** How long before the end of its time an action is called to mind. */
const aheadMs = 10 * 60_000;

/**
 * Calls the team to actions of medium or high risk that expire soon and that nobody has decided on: one comment for those of an
 * incident that expire together, once (PRODUCT). What had no more time than that from the beginning is not called to mind.
 */
export async function remindOfExpiry(deps: Deps): Promise<void> {
  if (!deps.config.execution.enabled) return;
  const now = deps.now();
  const until = new Date(now.getTime() + aheadMs);
  const open = await expiringActions(deps.store.db, { after: now, until });
  const urgent = open.filter(
    ({ spec, createdAt, expiresAt }) => spec.risk !== "low" && expiresAt.getTime() - createdAt.getTime() > aheadMs,
  );
  const together = Map.groupBy(urgent, ({ incidentId, expiresAt }) => `${incidentId} ${expiresAt.getTime()}`);
  for (const [{ incidentId, expiresAt }] of together.values() as Iterable<[(typeof urgent)[number]]>) {
    await remind(deps, incidentId, expiresAt).catch((error) =>
      deps.log.warn({ module: "store", event: "reminder_late", incidentId, err: error }),
    );
  }
}

async function remind(deps: Deps, incidentId: string, expiresAt: Date): Promise<void> {
  const slot = slots.reminder(expiresAt);
  const repoContext = await loadRepoContext(deps, await incidentOf(deps.store.db, incidentId));
  await deps.store.transaction(async (tx) => {
    const incident = await lockIncident(tx, incidentId);
    // Nobody can approve while it is held.
    if (incident.state !== "open" || (await mayRun(deps, tx, incident)).kind !== "yes") return;
    if (await commentIn(tx, incidentId, slot)) return;
    const due = (await viewsOf(tx, incidentId)).filter(
      (view) =>
        view.state === "proposed" && view.spec.risk !== "low" && view.expiresAt.getTime() === expiresAt.getTime(),
    );
    if (due.length === 0) return;
    const body = renderReminder(due, expiresAt, hintOf(deps, repoContext), deps.markdown);
    await wantComments(tx, threadOf(incident), [{ slot, body }]);
    await wakePoster(tx, deps, incident);
  });
}
