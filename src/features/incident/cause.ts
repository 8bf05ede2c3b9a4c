import { wentWell } from "../../base/run.ts";
import { saidOnce } from "../../github/render/card.ts";
import type { Action } from "../../store/actions.ts";
import type { Run } from "../../store/runs.ts";
import type { Turn } from "../../store/turns.ts";
import { proseWords } from "../../text/prose.ts";

interface Past {
  readonly actions: readonly Action[];
  readonly runs: readonly Run[];
  readonly turns: readonly Turn[];
}

/** What changed something and went well on all its servers, in the order in which it began. */
export function fixesOf({
  actions,
  runs,
}: Pick<Past, "actions" | "runs">): readonly (Action & { readonly at: number })[] {
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
  /** `CONFIRMED by 4`, or what else it thought of it. */
  readonly sure: string;
  readonly isConfirmed: boolean;
  /** Its first line, as a reader sees it. */
  readonly words: string;
}

/** What the agent took for the cause: the line that it had confirmed last before the fix, since after it all is confirmed to be well. */
export function agentsCause(past: Past): AgentsCause | undefined {
  // What a runbook says of itself is no cause.
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

/** What the agent has confirmed last; undefined where nothing. */
export function lastConfirmed(turns: readonly Turn[]): Omit<AgentsCause, "isConfirmed"> | undefined {
  const turn = turns.findLast(isConfirmed);
  if (!turn) return undefined;
  const { sure, prose } = saidOnce({ ...turn, prose: proseWords(turn.prose) });
  return { sure: sure || "CONFIRMED", words: prose.split("\n", 1)[0] ?? "" };
}

const isConfirmed = ({ confidence, offline }: Turn): boolean => confidence === "CONFIRMED" && !offline;
