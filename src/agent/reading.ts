import type { Expectation, Proposal, Reading } from "../types.ts";
import type { ParsedAction, Prediction } from "./actions.ts";
import type { ParsedReply } from "./protocol.ts";
import type { Toolbox } from "./tool-calls.ts";
import type { TurnTools } from "./tools.ts";
import { names, type Trouble, unaddressed } from "./trouble.ts";

/** How a turn ended. */
export type TurnOutcome = "answered" | "asked" | "unreadable";

/** What a turn has to be read from. */
export interface TurnMaterial {
  /** Every reply of the turn, oldest first; at least one. */
  readonly replies: readonly ParsedReply[];
  /** The reply that was sent back to be mended, if any. */
  readonly sentBack: ParsedReply | undefined;
  readonly toolbox: Toolbox;
  readonly tools: TurnTools;
  readonly trouble: readonly Trouble[];
  /** The numbers of what has run so far; nothing where nobody looks. */
  readonly ran?: readonly number[] | undefined;
  /** Why the model could not finish, where it could not. */
  readonly lost?: string | undefined;
}

export const executions = (reply: ParsedReply): readonly ParsedAction[] =>
  reply.actions.filter((action) => action.api === "ssh.execute");

const isFaulty = (reply: ParsedReply): boolean =>
  reply.error !== null || reply.unmarked || reply.warnings.includes("invalid-action");

/** What to tell the model of a reply that cannot be used as it is; undefined where it can (PA-4). */
export function faultOf(reply: ParsedReply, toolbox: Toolbox): string | undefined {
  if (toolbox.proposed()) return undefined;
  if (isFaulty(reply)) {
    return [
      "Your last reply cannot be used as it is.",
      ...reply.notes,
      "Send the whole reply again, shorter if it was cut, with the block exactly as the protocol says, or without a block if you propose nothing.",
    ].join(" ");
  }
  const empty = reply.prose === "" && reply.actions.length === 0;
  return empty ? "Your last reply was empty. Answer in words, with your proposals if you have any." : undefined;
}

const expectationOf = ({ seconds, ...expect }: Prediction): Expectation =>
  seconds === undefined ? expect : { ...expect, withinMs: Math.round(seconds * 1_000) };

const toProposal = ({ title, description, risk, expect, check, params }: ParsedAction): Proposal => ({
  title,
  description,
  server: params.server ?? "",
  command: params.command ?? "",
  ...(risk && { risk }),
  ...(expect && { expect: expectationOf(expect) }),
  ...(check !== undefined && { check }),
});

/** The reply whose block counts: the last, unless mending made it no better than the one sent back. */
function decisive(last: ParsedReply, sentBack: ParsedReply | undefined): ParsedReply {
  return sentBack && isFaulty(last) && executions(sentBack).length > executions(last).length ? sentBack : last;
}

/** Puts the replies and tool calls of a turn together. A tool call wins over a block. */
export function readTurn(material: TurnMaterial): { outcome: TurnOutcome; reading: Reading } {
  const { replies, sentBack, toolbox, tools, lost, trouble } = material;
  const last = replies.at(-1);
  const worded = replies.findLast((reply) => reply.prose !== "") ?? last;
  const prose = worded?.prose ?? "";
  const sure = sureness(worded, material.ran);
  const question = toolbox.question();
  const called = toolbox.proposed();
  const block = last && decisive(last, sentBack);
  const written = called?.actions ?? (block ? executions(block) : []);
  const proposals = [...toolbox.steps(), ...written.map(toProposal)];
  const unreadable = !called && block !== undefined && isFaulty(block) && proposals.length === 0;
  const lists = !called && block !== undefined && block.actions.length > executions(block).length && tools.listServers;
  const notes = [
    ...(called ? called.notes : (block?.notes ?? [])),
    ...(unreadable && sentBack ? ["The agent was asked once to mend its reply, and it did not help."] : []),
    ...(lists
      ? [
          `Servers: ${
            lists()
              .map(({ name, os }) => `${name} (${os})`)
              .join(", ") || "none"
          }.`,
        ]
      : []),
    ...(lost === undefined ? [] : [`The agent could not finish: ${lost}.`]),
    ...(prose === "" && proposals.length === 0 && !question ? ["The agent gave no answer."] : []),
    ...sure.notes,
    ...unaddressed(prose, trouble).map(
      ({ number, what }) => `The agent does not say what ${number} shows (${what}): read it, /output ${number}.`,
    ),
  ];
  const earlier = called ?? block;
  const phase = replies.findLast((reply) => reply.phase !== undefined)?.phase;
  const reading: Reading = {
    prose,
    confidence: sure.confidence,
    phase,
    proposals,
    ...(earlier && earlier.replaces.length > 0 && { replaces: earlier.replaces }),
    ...(earlier && earlier.withdraw.length > 0 && { withdraws: earlier.withdraw }),
    suggestions: replies.findLast((reply) => reply.suggestions.length > 0)?.suggestions ?? [],
    runbooks: replies.findLast((reply) => reply.runbooks.length > 0)?.runbooks ?? [],
    notes,
  };
  if (question) return { outcome: "asked", reading };
  return { outcome: unreadable ? "unreadable" : "answered", reading };
}

/** CONFIRMED rests on a run that the words name; without one it is no more than likely, and said to be so. */
function sureness(
  reply: ParsedReply | undefined,
  ran: readonly number[] | undefined,
): { readonly confidence: Reading["confidence"]; readonly notes: readonly string[] } {
  const said = reply?.confidence;
  const rests = !ran || ran.some((number) => names(reply?.prose ?? "", number));
  if (said !== "CONFIRMED" || rests) return { confidence: said, notes: [] };
  return {
    confidence: "LIKELY",
    notes: ["The agent says CONFIRMED and names no run that shows it; take it as LIKELY."],
  };
}
