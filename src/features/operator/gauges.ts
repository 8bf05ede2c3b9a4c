import { queues } from "../../base/queues.ts";
import { readGauges } from "../../store/gauges.ts";
import type { GaugeValues } from "../../telemetry/metrics.ts";
import type { Deps } from "../context.ts";
import { readSwitch } from "../incident/halt.ts";
import type { Setup } from "./readiness.ts";

/** Reads the metrics' values. Throws if the store cannot be read. */
export async function gaugesOf(deps: Deps, { reasons }: Setup): Promise<GaugeValues> {
  const { db } = deps.store;
  const store = await readGauges(db);
  const state = await readSwitch(deps, db);
  const perQueue = (field: "waiting" | "oldestSeconds") =>
    queues.map((queue) => ({
      labels: { queue },
      value: store.queues.find((one) => one.queue === queue)?.[field] ?? 0,
    }));
  return {
    countersign_queue_waiting: perQueue("waiting"),
    countersign_queue_oldest_seconds: perQueue("oldestSeconds"),
    countersign_outbox_waiting: store.outboxWaiting,
    countersign_outbox_oldest_seconds: store.outboxOldestSeconds,
    countersign_outbox_parked: store.outboxParked,
    countersign_writes_refused_seconds: store.refusedSeconds,
    countersign_runs_unknown: store.runsUnknown,
    countersign_runs_open: store.runsOpen,
    countersign_incidents_open: store.incidentsOpen,
    countersign_budget_spent_tokens: store.spentTokens,
    countersign_budget_limit_tokens: deps.config.model.budget.tokensPerDay,
    countersign_budget_spent_cost: store.spentCost,
    countersign_able: reasons.length === 0 ? 1 : 0,
    countersign_halted: state.kind === "unreadable" || state.entries.some(({ halted }) => halted) ? 1 : 0,
  };
}
