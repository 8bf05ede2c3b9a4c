import { type Proposal, runsSame } from "../../base/action.ts";
import type { Hypothesis, Reading } from "../../base/agent.ts";
import type { Toolbox } from "../tool-calls.ts";
import type { TurnTools } from "../tools.ts";
import { executions } from "./actions.ts";
import { strike, type UnfoundedClaim } from "./claims.ts";
import { confirmedAgainst, isUnproven, type JudgedHypotheses } from "./hypotheses.ts";
import { keepBlocked, toProposal } from "./proposals.ts";
import { boldestWord, type ParsedReply } from "./protocol.ts";
import { names, type Trouble, unaddressed } from "./trouble.ts";
import { isRefusal, namesCommands, type WeakReply } from "./weak.ts";

export type TurnOutcome = "answered" | "asked" | "unreadable";

export interface TurnMaterial {
  /** Oldest first; at least one. */
  readonly replies: readonly WeakReply[];
  readonly sentBack: WeakReply | undefined;
  readonly toolbox: Toolbox;
  readonly tools: TurnTools;
  readonly trouble: readonly Trouble[];
  /** Numbers of all runs so far; absent if not checked. */
  readonly ran?: readonly number[] | undefined;
  readonly lost?: string | undefined;
  readonly findUnfounded: (text: string) => readonly UnfoundedClaim[];
  readonly judge: (replies: readonly WeakReply[]) => JudgedHypotheses;
}

const isFaulty = (reply: ParsedReply): boolean =>
  reply.error !== null || reply.unmarked || reply.lost.length > 0 || reply.warnings.includes("invalid-action");

/** The model does not know of an unusable call, or has not replaced it. */
const isBroken = (reply: WeakReply, toolbox: Toolbox): boolean =>
  toolbox.broken() !== undefined && (reply.called || !toolbox.proposed()?.actions.length);

const declined = (reply: WeakReply): boolean => reply.refused || (reply.actions.length === 0 && isRefusal(reply.prose));

/** Returns what the model must fix; undefined if nothing (PA-4). */
export function replyFaultOf(reply: WeakReply, toolbox: Toolbox): string | undefined {
  if (reply.lostCalls > 0) return "A tool call of your last reply could not be taken: make it again.";
  if (isBroken(reply, toolbox))
    return `Your call could not be taken as it is. ${toolbox.broken()} Make it again with all that you propose, or say in words that you propose nothing.`;
  if (toolbox.proposed() || reply.refused) return undefined;
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

/** Returns whether the words tell people to run what is not proposed. */
export const namesInVain = (
  reply: WeakReply,
  { toolbox, tools }: { readonly toolbox: Toolbox; readonly tools: TurnTools },
): boolean =>
  tools.mayPropose &&
  !toolbox.proposed()?.actions.length &&
  toolbox.steps().length === 0 &&
  executions(reply).length === 0 &&
  namesCommands(reply.prose);

/**
 * Returns the reply that counts: the last one; the one sent back, if its repair failed and lost commands; an earlier one, if the last has
 * no block and nothing had to be repaired.
 */
function decisive(replies: readonly WeakReply[], sentBack: WeakReply | undefined): WeakReply | undefined {
  const last = replies.at(-1);
  if (!last) return undefined;
  if (sentBack) return isFaulty(last) && executions(sentBack).length > executions(last).length ? sentBack : last;
  if (last.actions.length > 0 || isFaulty(last) || declined(last)) return last;
  return replies.findLast((reply) => executions(reply).length > 0) ?? last;
}

/** More than anyone reads on a phone at night. */
const maxProseCharacters = 10_000;

const refusalNote = "The model declined to answer. Ask in other words with `/ask`, or propose a command with `/run`.";
const inVainNote =
  "The agent names a command and does not propose it, so it cannot be approved. To propose it: `/run SERVER` with a code block.";

const brief = (said: string): string => (said.length > 80 ? `${said.slice(0, 80)}…` : said);

/** Combines replies and tool calls; a tool call wins over a block. */
export function readTurn(material: TurnMaterial): { outcome: TurnOutcome; reading: Reading } {
  const { replies, toolbox } = material;
  const worded = replies.findLast((reply) => reply.prose !== "") ?? replies.at(-1);
  const whole = worded?.prose ?? "";
  const claims = material.findUnfounded(whole);
  const struck = strike(whole, claims);
  const judged = material.judge(replies);
  const sure = sureness(worded?.confidence, struck, { ran: material.ran, judged });
  const prose = sure.prose.slice(0, maxProseCharacters);
  const taken = takeProposals(material);
  const described = taken.proposals.map((proposal) => {
    const unfounded = material.findUnfounded(proposal.description);
    return {
      claims: unfounded,
      proposal: { ...proposal, description: strike(proposal.description, unfounded) || proposal.title },
    };
  });
  const left = [...claims, ...described.flatMap((one) => one.claims)].filter(({ stays }) => !stays);
  const unseen = claims.filter(({ stays }) => stays).map(({ from, to, said = whole.slice(from, to).trim() }) => said);
  const earlier = taken.called ?? taken.block;
  const phase = replies.findLast((reply) => reply.phase !== undefined)?.phase;
  const reading: Reading = {
    prose,
    confidence: sure.confidence,
    phase,
    proposals: described.map(({ proposal }) => proposal),
    ...(earlier && earlier.replaces.length > 0 && { replaces: earlier.replaces }),
    ...(earlier && earlier.withdraw.length > 0 && { withdraws: earlier.withdraw }),
    ...(sure.hypotheses.length > 0 && { hypotheses: sure.hypotheses }),
    suggestions: replies.findLast((reply) => reply.suggestions.length > 0)?.suggestions ?? [],
    runbooks: replies.findLast((reply) => reply.runbooks.length > 0)?.runbooks ?? [],
    notes: [
      ...notesOnProposals(material, taken),
      ...notesOnWords(material, taken, prose),
      ...(left.length > 0
        ? [
            `Left out ${left.length === 1 ? "a sentence" : `${left.length} sentences`} of the agent's that no record holds: ${[...new Set(left.map(({ why }) => why))].join("; ")}.`,
          ]
        : []),
      ...(unseen.length > 0 ? [`No output shows this: ${unseen.map((said) => `“${brief(said)}”`).join(" ")}`] : []),
      ...(sure.prose.length > prose.length
        ? [
            `Left out the last ${(sure.prose.length - prose.length).toLocaleString("en-US")} characters of what the agent wrote.`,
          ]
        : []),
      ...sure.notes,
      ...(judged.faults.length > 0
        ? [`Left out what no run shows of the agent's hypotheses: ${judged.faults.slice(0, maxFaults).join("; ")}.`]
        : []),
      ...unaddressed(prose, material.trouble).map(
        ({ number, what }) => `The agent does not say what ${number} shows (${what}): read it, /output ${number}.`,
      ),
    ],
  };
  if (toolbox.question()) return { outcome: "asked", reading };
  return { outcome: taken.unreadable ? "unreadable" : "answered", reading };
}

const maxFaults = 5;

type TakenProposals = ReturnType<typeof takeProposals>;

function takeProposals({ replies, sentBack, toolbox, tools }: TurnMaterial) {
  const last = replies.at(-1);
  const called = toolbox.proposed();
  const block = decisive(replies, sentBack);
  const written = (block ? executions(block) : []).map(toProposal);
  const own = called ? toolbox.standing() : keepBlocked(toolbox.standing(), written, tools);
  const proposals = [...toolbox.steps(), ...own];
  const passedOver = called ? written.filter((one) => !own.some((other) => isSameCommand(one, other))) : [];
  const isDropped = toolbox.broken() !== undefined || (last?.lostCalls ?? 0) > 0;
  const refuses = last !== undefined && proposals.length === 0 && declined(last);
  const unreadable =
    proposals.length === 0 && (refuses || isDropped || (!called && block !== undefined && isFaulty(block)));
  return { called, block, proposals, passedOver, isDropped, refuses, unreadable };
}

const isSameCommand = (one: Proposal, other: Proposal): boolean => one.server === other.server && runsSame(one, other);

function notesOnProposals(
  { replies, sentBack, toolbox, tools }: TurnMaterial,
  taken: TakenProposals,
): readonly string[] {
  const { called, block, passedOver, isDropped, refuses, unreadable } = taken;
  const lists = !called && block !== undefined && block.actions.length > executions(block).length && tools.listServers;
  return [
    ...(called ? [...called.notes, ...(replies.at(-1)?.lost ?? [])] : (block?.notes ?? [])),
    ...(passedOver.length > 0
      ? [
          `The agent proposed by a tool call, so its text does not count. Left out: ${passedOver.map(({ title, server }) => `"${title}" on ${server}`).join(", ")}.`,
        ]
      : []),
    ...(isDropped && !called?.notes.length
      ? [`What the agent proposed could not be read. ${toolbox.broken() ?? ""}`.trim()]
      : []),
    ...(refuses ? [refusalNote] : []),
    ...(unreadable && sentBack ? ["The agent was asked once to fix its reply; that did not help."] : []),
    ...(lists
      ? [
          `Servers: ${
            lists()
              .map(({ name, os }) => `${name} (${os})`)
              .join(", ") || "none"
          }.`,
        ]
      : []),
  ];
}

function notesOnWords(
  material: TurnMaterial,
  { proposals, refuses }: TakenProposals,
  prose: string,
): readonly string[] {
  const { replies, lost, toolbox } = material;
  const last = replies.at(-1);
  const isOpen = !refuses && !toolbox.question();
  return [
    ...(lost === undefined ? [] : [`The agent could not finish: ${lost}.`]),
    ...(prose === "" && proposals.length === 0 && isOpen ? ["The agent gave no answer."] : []),
    ...(last && isOpen && namesInVain(last, material) ? [inVainNote] : []),
  ];
}

interface Sureness {
  readonly confidence: Reading["confidence"];
  readonly prose: string;
  readonly hypotheses: readonly Hypothesis[];
  readonly notes: readonly string[];
}

/**
 * Has the words and the hypotheses agree, the weaker of both: CONFIRMED stands by a run that the words name or a hypothesis that they
 * confirm, and is LIKELY otherwise, wherever it stands.
 */
function sureness(
  said: Reading["confidence"],
  prose: string,
  { ran, judged }: { readonly ran: readonly number[] | undefined; readonly judged: JudgedHypotheses },
): Sureness {
  // What made it sure has been struck.
  const confidence = said !== undefined && !prose.includes(said) ? "INCONCLUSIVE" : said;
  const word = boldestWord({ prose, confidence });
  const weaker = confirmedAgainst(word, judged);
  const hypotheses = judged.now.map((one) => (weaker.includes(one) ? { ...one, status: "likely" as const } : one));
  const rests =
    !ran || ran.some((number) => names(prose, number)) || judged.now.some(({ status }) => status === "confirmed");
  const why = !rests ? "names no run that shows it" : isUnproven(judged) && "no run confirms its hypothesis";
  if (word !== "CONFIRMED" || !why) {
    const notes = weaker.length > 0 ? [`The agent says ${word} and confirms a hypothesis; take that as likely.`] : [];
    return { confidence, prose, hypotheses, notes };
  }
  return {
    confidence: confidence === "CONFIRMED" ? "LIKELY" : confidence,
    prose: prose.replace(/(?<![\w`])CONFIRMED(?![\w`])/g, "LIKELY"),
    hypotheses,
    notes: [`The agent says CONFIRMED and ${why}; take it as LIKELY.`],
  };
}
