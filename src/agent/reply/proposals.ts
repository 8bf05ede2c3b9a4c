/** What the model wrote, as the proposals that policy is asked about. */
import type { Proposal } from "../../base/action.ts";
import type { Expectation } from "../../base/run.ts";
import type { ParsedAction, Prediction } from "./actions.ts";

const expectationOf = ({ seconds, ...expect }: Prediction): Expectation =>
  seconds === undefined ? expect : { ...expect, withinMs: Math.round(seconds * 1_000) };

/** What the model wrote as the proposal that policy is asked about. */
export const toProposal = ({ title, description, risk, expect, check, params }: ParsedAction): Proposal => ({
  title,
  description,
  server: params.server ?? "",
  command: params.command ?? params.commands?.join("\n") ?? "",
  ...(params.commands && { set: params.commands.map((command) => ({ command })) }),
  ...(risk && { risk }),
  ...(expect && { expect: expectationOf(expect) }),
  ...(check !== undefined && { check }),
});
