import type { Proposal, Reading } from "../types.ts";
import type { ParsedAction } from "./actions.ts";
import type { ParsedReply } from "./protocol.ts";
import type { Toolbox } from "./tool-calls.ts";
import type { TurnTools } from "./tools.ts";

/** How a turn ended; only `answered` replaces the incident's pending proposals (PA-6). */
export type TurnOutcome = "answered" | "asked" | "unreadable";

/** What a turn has to be read from. */
export interface TurnMaterial {
  /** Every reply of the turn, oldest first; at least one. */
  readonly replies: readonly ParsedReply[];
  /** The reply that was sent back to be mended, if any. */
  readonly sentBack: ParsedReply | undefined;
  readonly toolbox: Toolbox;
  readonly tools: TurnTools;
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

const toProposal = ({ title, description, risk, params }: ParsedAction): Proposal => ({
  title,
  description,
  server: params.server ?? "",
  command: params.command ?? "",
  ...(risk && { risk }),
});

/** The reply whose block counts: the last, unless mending made it no better than the one sent back. */
function decisive(last: ParsedReply, sentBack: ParsedReply | undefined): ParsedReply {
  return sentBack && isFaulty(last) && executions(sentBack).length > executions(last).length ? sentBack : last;
}

/** Puts the replies and tool calls of a turn together. A tool call wins over a block. */
export function readTurn(material: TurnMaterial): { outcome: TurnOutcome; reading: Reading } {
  const { replies, sentBack, toolbox, tools, lost } = material;
  const last = replies.at(-1);
  const worded = replies.findLast((reply) => reply.prose !== "") ?? last;
  const called = toolbox.proposed();
  const block = last && decisive(last, sentBack);
  const proposals = called?.actions ?? (block ? executions(block) : []);
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
    ...(worded?.prose === "" && proposals.length === 0 ? ["The agent gave no answer."] : []),
  ];
  const phase = replies.findLast((reply) => reply.phase !== undefined)?.phase;
  const reading: Reading = {
    prose: worded?.prose ?? "",
    confidence: worded?.confidence,
    phase,
    proposals: proposals.map(toProposal),
    suggestions: replies.findLast((reply) => reply.suggestions.length > 0)?.suggestions ?? [],
    runbooks: replies.findLast((reply) => reply.runbooks.length > 0)?.runbooks ?? [],
    notes,
  };
  if (toolbox.question()) return { outcome: "asked", reading };
  return { outcome: unreadable ? "unreadable" : "answered", reading };
}
