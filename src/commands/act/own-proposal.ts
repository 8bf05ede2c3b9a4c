import { mostInSet, mostServersOfSet, type Proposal, runsSame } from "../../base/action.ts";
import { reopen } from "../../features/incident/withdraw.ts";
import {
  type DraftResult,
  draftAction,
  draftSet,
  mayBeInSet,
  namesOf,
  type ProposalOrigin,
} from "../../features/proposal/draft.ts";
import { addProposal } from "../../features/proposal/propose.ts";
import { answer } from "../../features/thread/answer.ts";
import { show } from "../../features/thread/show.ts";
import { eachFlag, linesIn } from "../../slash/arguments.ts";
import { noteOf } from "../../slash/grammar.ts";
import { countBlocks } from "../../slash/talk.ts";
import { type Action, moveAction } from "../../store/actions.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import type { Tx } from "../../store/database/open.ts";
import type { Incident } from "../../store/incidents.ts";
import { redactText } from "../../text/bare.ts";
import { alone, closedText, nothingRun, stateRefusal } from "../answer/refusals.ts";
import type { Call } from "../command.ts";
import { sendOwn } from "./approve.ts";

/** By default the code block below the line. */
export interface OwnProposal extends Omit<Proposal, "command"> {
  readonly command?: string;
  readonly insteadOf?: Action;
}

/**
 * Makes a person's command an action (SR-18). A replaced action loses its approvals; a refusal changes nothing. Returns the batch's id if
 * it runs at once.
 */
export async function proposeOwn(
  tx: Tx,
  call: Call,
  incident: Incident,
  own: OwnProposal,
): Promise<string | undefined> {
  const { deps, repoContext, slash, caller, below, event } = call;
  const { insteadOf, ...proposal } = own;
  const mistake = async (body: string): Promise<undefined> => {
    await answer(tx, call, incident, { outcome: "mistake", body: nothingRun(body) });
  };
  const command = own.command ?? slash.block;
  if (!command?.trim()) return mistake(`Put the command in a code block:\n\n${asBlock(call, own)}`);
  if (incident.state === "closed") return mistake(closedText);
  const from = {
    origin: "person",
    author: caller,
    isAgent: !call.rights.act,
    model: null,
    promptSha256: null,
  } as const;
  const drafted = slash.flags.has(eachFlag)
    ? draftEach(call, { ...proposal, command }, from)
    : draftAction(deps, repoContext, { ...proposal, command }, from);
  if (drafted.kind === "refused") return mistake(deps.markdown.note(drafted.why.replace(/(?<![.!?])$/, ".")));
  if (insteadOf && runsSame(drafted.draft.spec, insteadOf.spec))
    return mistake(`That is already the command of **${insteadOf.number}**. Write another one into the block.`);

  const action = await addProposal(tx, incident, drafted.draft, {
    by: { id: caller.id, login: caller.login },
    commentId: event.comment.id,
    ...(insteadOf ? { insteadOf: insteadOf.number } : {}),
  });
  const isBlocked = action.state === "blocked";
  if (insteadOf && !isBlocked) {
    // The approvals were for other words, so they end even if it was about to be sent.
    const { incidentId, number, digest } = insteadOf;
    await reopen(tx, [insteadOf], `changed by ${caller.login}`);
    const was = insteadOf.state === "incomplete" ? insteadOf.state : "proposed";
    if (await moveAction(tx, insteadOf, { from: was, to: "superseded", supersededBy: action.number })) {
      await appendAudit(tx, { kind: "command_superseded", incidentId, body: { number, digest, by: action.number } });
      // A batch may wait for this action.
      await deps.store.queue.hasten(tx, "execute", incidentId);
    }
  }
  const batch = await sendOwn(tx, call, incident, [action]);
  await show(tx, deps, incident);
  if (isBlocked) {
    const stays = insteadOf ? ` **${insteadOf.number}** stays as it is.` : "";
    const body = alone(stateRefusal({ incident, action }), []) + stays;
    await answer(tx, call, incident, { outcome: "denied", body });
    return undefined;
  }
  // If another command stands below, the answer names that instead.
  const leavesBlocks = own.command === undefined && below === undefined && countBlocks(slash.rest) > 1;
  await answer(tx, call, incident, {
    // A batch marks the comment when it ends.
    outcome: batch === undefined ? "done" : "seen",
    ...(leavesBlocks ? { body: oneBlock } : {}),
  });
  return batch;
}

const oneBlock =
  "Only the first code block was read as the command. To propose another one, write it in a comment of its own.";

function asBlock({ deps, repoContext, slash }: Call, { server }: OwnProposal): string {
  const [id] = slash.ids === "all" ? [] : slash.ids;
  const isKnown = namesOf(repoContext.rules.servers).includes(server);
  const head = slash.verb === "run" ? `/run ${isKnown ? server : "<server>"}` : `/${slash.verb} ${id?.number}`;
  const typed = besideBlock(noteOf(slash, slash.verb === "run" && isKnown ? 1 : 0)).replace(/^`([^`]*)`$/, "$1");
  const command = typed === "" ? "<command>" : redactText(deps.redact, typed);
  return deps.markdown.command(`${head}\n\`\`\`sh\n${command}\n\`\`\``, "text");
}

/** Whole or not at all, because a person can rewrite it. */
function draftEach({ deps, repoContext }: Call, proposal: Proposal, from: ProposalOrigin): DraftResult {
  const lines = linesIn(proposal.command);
  if (lines.length < 2 || lines.length > mostInSet)
    return { kind: "refused", why: `with --each the block holds 2 to ${mostInSet} lines, a command each` };
  const members = lines.map((command) => ({ ...proposal, command }));
  const [first, ...others] = draftSet(deps, repoContext, members, from);
  const isWhole = first?.kind === "draft" && first.draft.spec.set?.length === lines.length;
  if (isWhole) return first;
  const odd = [first, ...others].find((one) => one?.kind === "draft" && !one.draft.spec.set && !mayBeInSet(one.draft));
  const refused = [first, ...others].find((one) => one?.kind === "refused");
  const why =
    odd?.kind === "draft"
      ? `${odd.draft.spec.command} is not a bounded low-risk read on ${mostServersOfSet} servers at most`
      : undefined;
  return refused ?? { kind: "refused", why: `${why ?? "not all of it only reads"}; propose that by itself` };
}

export const besideBlock = (note: string): string => note.replace(/(`{3,}|~{3,})[\s\S]*/, "").trim();
