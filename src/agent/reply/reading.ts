import { runsSame } from "../../base/action.ts";
import type { Hypothesis, Reading } from "../../base/agent.ts";
import { describeServers } from "../prompt.ts";
import type { Toolbox } from "../tool-calls.ts";
import type { TurnTools } from "../tools.ts";
import { executions } from "./actions.ts";
import { strike, type UnfoundedClaim } from "./claims.ts";
import { confirmedAgainst, isUnproven, type JudgedHypotheses } from "./hypotheses.ts";
import { keepBlocked, toProposal } from "./proposals.ts";
import { boldestWord, type ParsedReply } from "./protocol.ts";

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

const declined = (reply: WeakReply): boolean =>
  reply.refused ||
  (reply.actions.length === 0 && reply.prose.length <= maxRefusalCharacters && declines.test(reply.prose));

/** Returns what the model must fix; undefined if nothing (AR-15, PA-4, PA-8). */
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
const namesInVain = (
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
  const passedOver = called
    ? written.filter((one) => !own.some((other) => one.server === other.server && runsSame(one, other)))
    : [];
  const isDropped = toolbox.broken() !== undefined || (last?.lostCalls ?? 0) > 0;
  const refuses = last !== undefined && proposals.length === 0 && declined(last);
  const unreadable =
    proposals.length === 0 && (refuses || isDropped || (!called && block !== undefined && isFaulty(block)));
  return { called, block, proposals, passedOver, isDropped, refuses, unreadable };
}

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

export interface WeakReply extends ParsedReply {
  /** It called tools and has not read their results. */
  readonly called: boolean;
  /** Unreadable calls. */
  readonly lostCalls: number;
  /** It or its provider declines. */
  readonly refused: boolean;
}

const maxRefusalCharacters = 600;
const declines =
  /^\W{0,10}(?:(?:(?:I(?:['’]m| am) (?:really |very |so )?)?sorry|I apologi[sz]e|unfortunately|apologies)\b[,.;:!\s—-]{0,5}(?:but )?)?(?:as an? [\w ]{2,40}, )?I (?:can(?:['’]?t|not| not)|am (?:not able|unable) to|['’]m (?:not able|unable) to|won['’]?t|will not|must decline)\b(?: to)? (?:help|assist|comply|do (?:that|this)|provide|fulfil|continue|support|answer|engage|discuss|participate)/i;

const shellFence = /^ {0,3}(?:`{3,}|~{3,})\s*(?:ba|z|da)?(?:sh|shell|powershell|pwsh|ps1|cmd|bat)\s*$/im;
/** `run `df -h``, but not "run of 2", "the last run", "was run". */
const namedCommand =
  /(?<!\b(?:was|were|been|be|is|had|have|has|not|the|a|an|of|last|this|that|each|every|first|second|in|no)\s)\b(?:run|execute|try)\b(?!\s+(?:of\b|#?\d))[^.`\n]{0,30}`(?!\/)([^`\n]{2,200})`/gi;

/** A program and its words; not a label (`app=cart`), a name (`web-1`), a state (`OOMKilled`) or a field (`tier: web`). */
const commandLine = /^(?:[A-Z_]+=\S* +)*(?:[a-z][a-z0-9_]*|(?=\S* )[a-z~./][\w.+/-]*)(?![\w.:=/-])(?! *[:=] )/;

/** Returns whether the words name a command to run. */
export const namesCommands = (prose: string): boolean =>
  !prose.includes("/approve") &&
  (shellFence.test(prose) || [...prose.matchAll(namedCommand)].some(([, text = ""]) => commandLine.test(text)));

/** A run whose output the agent must address. */
export interface Trouble {
  readonly number: number;
  /** Such as `exit 1`. */
  readonly what: string;
  /** The lines that tell of it. */
  readonly lines?: readonly string[];
}

/** Returns whether the words name a run: `by 2`, `**2**`, `#2`; not 2 %, 2.5 or 14:02. */
const names = (prose: string, number: number): boolean =>
  new RegExp(`(?<![\\w.,:/-])${number}(?![\\w%/-]|[.,:]\\d| ?%)`).test(prose);

/** Words that tell one trouble from another: `CrashLoopBackOff`, `refused`, `cart-7d9`. */
const tellingWords = (line: string): readonly string[] =>
  [...new Set(line.toLowerCase().match(/[\p{L}_][\p{L}\d_-]{4,}/gu) ?? [])].filter(
    (word) => !/^(?:error|errors|failed|fatal|warning)$/.test(word),
  );

/** A line is named by one name that only programs write, or by two words of it. */
function namesTrouble(prose: string, lines: readonly string[]): boolean {
  const said = new Set(tellingWords(prose));
  return lines.some((line) => {
    const common = tellingWords(line).filter((word) => said.has(word));
    const coined = new Set(line.match(/\b(?:[A-Z][a-z]+){2,}\b|\bE[A-Z]{4,}\b/g)?.map((word) => word.toLowerCase()));
    return common.length >= 2 || common.some((word) => coined.has(word));
  });
}

/** Returns troubled runs that the words name neither by number nor by what is wrong. */
export const unaddressed = (prose: string, trouble: readonly Trouble[]): readonly Trouble[] =>
  trouble.filter(({ number, lines = [] }) => !names(prose, number) && !namesTrouble(prose, lines));

export interface ReviewMeasure {
  readonly toolbox: Toolbox;
  readonly tools: TurnTools;
  readonly servers: readonly string[];
  readonly trouble: readonly Trouble[];
  readonly findUnfounded: (reply: WeakReply) => readonly UnfoundedClaim[];
  readonly judge: (reply: WeakReply) => JudgedHypotheses;
}

/** Each at most once a turn. */
const kinds = ["list", "fix", "propose", "address", "claims"] as const;
export type ReviewKind = (typeof kinds)[number];
interface Review {
  readonly kinds: readonly ReviewKind[];
  /** For the model. */
  readonly message: string;
}

const reviews: Readonly<Record<ReviewKind, (reply: WeakReply, given: ReviewMeasure) => string | undefined>> = {
  list: (reply, { tools }) =>
    reply.actions.length > 0 && executions(reply).length === 0
      ? `ssh.list_servers:\n${describeServers(tools.listServers?.() ?? [])}`
      : undefined,
  fix: (reply, { toolbox, servers }) => {
    const fault = replyFaultOf(reply, toolbox);
    return fault && `${fault} The servers and groups are: ${servers.join(", ") || "none"}.`;
  },
  propose: (reply, { toolbox, tools }) =>
    namesInVain(reply, { toolbox, tools })
      ? "You name a command in your words and propose none, so nobody can approve it. If it should run, send your whole reply again and propose it; if not, send your reply again and say so."
      : undefined,
  address: (reply, { trouble }) => {
    const missed = reply.prose === "" ? [] : unaddressed(reply.prose, trouble);
    if (missed.length === 0) return undefined;
    const runs = missed.map(({ number, what }) => `${number} (${what})`).join(", ");
    return `You passed over trouble in the output of ${runs}. Say first what it shows, and name the number of each run that a claim rests on.`;
  },
  claims: (reply, { findUnfounded, judge }) => {
    const claims = findUnfounded(reply)
      .filter(({ stays }) => !stays)
      .map(({ from, to, said = reply.prose.slice(from, to), why }) => `- "${said.slice(0, 120).trim()}": ${why}.`);
    const judged = judge(reply);
    const lines = [...claims, ...judged.faults.map((fault) => `- hypothesis ${fault}.`)].slice(0, maxClaims);
    const word = boldestWord(reply);
    const [against] = confirmedAgainst(word, judged);
    if (lines.length === 0 && !against) return undefined;
    return [
      ...(lines.length > 0
        ? [
            `The record does not hold what these words claim:\n${lines.join("\n")}\nSay what an output has and cite it, (run 3: \`its words\`), or what a text you were given has, or leave it out; what is to come, say as a plan.`,
          ]
        : []),
      ...(against ? [`Your first line says ${word}, and "${against.id}" is confirmed: let them agree.`] : []),
    ].join(" ");
  },
};

const maxClaims = 5;

/** How to answer, once for all reasons. A call that proposed stands; some reasons say what becomes of the proposals. */
function again(reply: WeakReply, { toolbox }: ReviewMeasure, found: readonly ReviewKind[]): readonly string[] {
  if (!found.includes("address") && !found.includes("claims")) return [];
  if (found.some((kind) => kind !== "address" && kind !== "claims")) return ["Write all your words again."];
  if (toolbox.proposed()?.actions.length)
    return ["Write all your words again; what you proposed by a tool stands, so call it again only to change it."];
  return [
    executions(reply).length > 0
      ? "Send the whole reply again, your proposals included."
      : "Write all your words again.",
  ];
}

/** Decides why this reply is sent back, all reasons at once; undefined if the turn may end with it. */
export function reviewReply(
  reply: WeakReply,
  given: ReviewMeasure,
  done: { readonly has: (kind: ReviewKind) => boolean },
): Review | undefined {
  const found = kinds.flatMap((kind) => {
    const message = done.has(kind) ? undefined : reviews[kind](reply, given);
    return message === undefined ? [] : [{ kind, message }];
  });
  if (found.length === 0) return undefined;
  const reasons = found.map(({ kind }) => kind);
  const said = [...found.map(({ message }) => message), ...again(reply, given, reasons)];
  return { kinds: reasons, message: said.join("\n\n") };
}
