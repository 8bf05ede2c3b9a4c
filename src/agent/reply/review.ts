import { describeServers } from "../prompt.ts";
import type { Toolbox } from "../tool-calls.ts";
import type { TurnTools } from "../tools.ts";
import { executions } from "./actions.ts";
import { namesInVain, replyFaultOf } from "./reading.ts";
import { type Trouble, unaddressed } from "./trouble.ts";
import type { WeakReply } from "./weak.ts";

export interface ReviewMeasure {
  readonly toolbox: Toolbox;
  readonly tools: TurnTools;
  readonly servers: readonly string[];
  readonly trouble: readonly Trouble[];
}

/** Each at most once a turn. */
export type ReviewKind = "list" | "fix" | "propose" | "address";
export interface Review {
  readonly kind: ReviewKind;
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
    return `You passed over trouble in the output of ${runs}. Send the whole reply again, your proposals included: say first what it shows, and name the number of each run that a claim rests on.`;
  },
};

/** Decides why this reply is sent back; undefined if the turn may end with it (PA-4, PA-8, AR-15). */
export function reviewReply(
  reply: WeakReply,
  given: ReviewMeasure,
  done: { readonly has: (kind: ReviewKind) => boolean },
): Review | undefined {
  for (const kind of ["list", "fix", "propose", "address"] as const) {
    const message = done.has(kind) ? undefined : reviews[kind](reply, given);
    if (message !== undefined) return { kind, message };
  }
  return undefined;
}
