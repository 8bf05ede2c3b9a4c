import type { Proposal } from "../../base/action.ts";
import type { Expectation } from "../../base/run.ts";
import type { TurnTools } from "../tools.ts";
import type { ParsedAction, Prediction } from "./actions.ts";

const expectationOf = ({ seconds, ...expect }: Prediction): Expectation =>
  seconds === undefined ? expect : { ...expect, withinMs: Math.round(seconds * 1_000) };

/** Converts the model's action into a proposal for policy. */
export const toProposal = ({ title, description, risk, expect, check, when, params }: ParsedAction): Proposal => ({
  title,
  description,
  server: params.server ?? "",
  command: params.command ?? params.commands?.join("\n") ?? params.patch ?? "",
  ...(params.commands && { set: params.commands.map((command) => ({ command })) }),
  ...(risk && { risk }),
  ...(expect && { expect: expectationOf(expect) }),
  ...(check !== undefined && { check }),
  ...(params.checkOn !== undefined && { checkOn: params.checkOn }),
  ...(when && { when }),
});

const maxKept = 10;

/** Returns `list`, with blocked proposals of `before`: people see everything that the model wanted to run. */
export function keepBlocked(
  before: readonly Proposal[],
  list: readonly Proposal[],
  { blockedIn = () => [] }: Pick<TurnTools, "blockedIn">,
): readonly Proposal[] {
  const result = [...list];
  const seen = list.flatMap(blockedIn).map(({ proposal }) => proposal);
  let kept = 0;
  for (const [at, earlier] of before.entries())
    for (const { proposal } of blockedIn(earlier)) {
      const isSeen = seen.some(({ server, command }) => server === proposal.server && command === proposal.command);
      if (isSeen || kept === maxKept) continue;
      result.splice(Math.min(at, result.length), 0, proposal);
      seen.push(proposal);
      kept += 1;
    }
  return result;
}
