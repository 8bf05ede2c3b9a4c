import type { Session } from "../../store/incidents.ts";
import type { Deps } from "../context.ts";

/** Logs what the session has cost so far (S14, "token usage per session"). */
export function logSession(deps: Pick<Deps, "log">, session: Session): void {
  const {
    steps: totalTurns,
    inputTokens,
    outputTokens,
    toolCalls: totalToolCalls,
    durationMs: totalDurationMs,
  } = session;
  const totalTokens = { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens };
  const totals = { totalTurns, totalTokens, totalToolCalls, totalDurationMs };
  deps.log.info({ module: "agent", event: "session_usage", ...totals });
}
