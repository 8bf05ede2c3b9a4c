import { renderReminder } from "../../github/render/card.ts";
import { incidentOf, lockIncident } from "../../store/incidents.ts";
import { slots } from "../../store/outbox/slots.ts";
import { wantComments } from "../../store/outbox/wanted.ts";
import { type Deps, loadRepoContext } from "../context.ts";
import { hintOf, threadOf, viewsOf, wakePoster } from "../thread/show.ts";
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
  const open = await deps.store.db
    .selectFrom("action")
    .innerJoin("incident", "incident.id", "action.incidentId")
    .select(["action.incidentId", "action.expiresAt", "action.createdAt", "action.spec"])
    .where("action.state", "=", "proposed")
    .where("incident.state", "=", "open")
    .where("action.expiresAt", ">", now)
    .where("action.expiresAt", "<=", new Date(now.getTime() + aheadMs))
    .execute();
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
    const said = await tx
      .selectFrom("comment")
      .select("id")
      .where("repo", "=", incident.repo)
      .where("issue", "=", incident.number)
      .where("slot", "=", slot)
      .executeTakeFirst();
    if (said) return;
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
