import { wentWell } from "../../base/run.ts";
import { saidOnce } from "../../github/render/card.ts";
import type { Action } from "../../store/actions.ts";
import type { Run } from "../../store/runs.ts";
import type { Turn } from "../../store/turns.ts";
import { proseWords } from "../../text/prose.ts";

interface IncidentHistory {
  readonly actions: readonly Action[];
  readonly runs: readonly Run[];
  readonly turns: readonly Turn[];
}

/** Returns the actions above low risk that succeeded on all servers, by start. */
export function fixesOf({
  actions,
  runs,
}: Pick<IncidentHistory, "actions" | "runs">): readonly (Action & { readonly at: number })[] {
  return actions
    .flatMap((action) => {
      const own = runs.filter(({ actionId }) => actionId === action.id);
      const at = Math.min(
        ...own.map(({ startedAt, endedAt }) => (startedAt ?? endedAt)?.getTime() ?? Number.POSITIVE_INFINITY),
      );
      return action.spec.risk !== "low" && own.length > 0 && own.every(wentWell) ? [{ ...action, at }] : [];
    })
    .sort((a, b) => a.at - b.at);
}

export interface AgentsCause {
  readonly sure: string;
  readonly isConfirmed: boolean;
  readonly words: string;
}

/** Returns the agent's last confirmed turn before the last fix, because after a fix the agent confirms that all is well. */
export function agentsCause(past: IncidentHistory): AgentsCause | undefined {
  // An offline turn quotes a runbook, which names no cause.
  const heard = past.turns.filter(({ offline }) => !offline);
  const fixedAt = fixesOf(past).at(-1)?.at ?? Number.POSITIVE_INFINITY;
  const before = heard.filter(({ createdAt }) => createdAt.getTime() < fixedAt);
  const turn = before.findLast(isConfirmed) ?? before.at(-1) ?? heard.at(-1);
  if (!turn) return undefined;
  const { sure, prose } = saidOnce({ ...turn, prose: proseWords(turn.prose) });
  return {
    sure: sure || (turn.confidence ?? "INCONCLUSIVE"),
    isConfirmed: isConfirmed(turn),
    words: prose.split("\n", 1)[0] ?? "",
  };
}

/** Returns the last confirmed turn. */
export function lastConfirmed(turns: readonly Turn[]): Omit<AgentsCause, "isConfirmed"> | undefined {
  const turn = turns.findLast(isConfirmed);
  if (!turn) return undefined;
  const { sure, prose } = saidOnce({ ...turn, prose: proseWords(turn.prose) });
  return { sure: sure || "CONFIRMED", words: prose.split("\n", 1)[0] ?? "" };
}

const isConfirmed = ({ confidence, offline }: Turn): boolean => confidence === "CONFIRMED" && !offline;
