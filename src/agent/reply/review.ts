import { describeServers } from "../prompt.ts";
import type { Toolbox } from "../tool-calls.ts";
import type { TurnTools } from "../tools.ts";
import { executions } from "./actions.ts";
import type { UnfoundedClaim } from "./claims.ts";
import { confirmedAgainst, type JudgedHypotheses } from "./hypotheses.ts";
import { boldestWord } from "./protocol.ts";
import { namesInVain, replyFaultOf } from "./reading.ts";
import { type Trouble, unaddressed } from "./trouble.ts";
import type { WeakReply } from "./weak.ts";

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
export interface Review {
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

/** Decides why this reply is sent back, all reasons at once; undefined if the turn may end with it (PA-4, PA-8, AR-15). */
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
