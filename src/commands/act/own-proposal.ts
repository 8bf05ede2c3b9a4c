import { mostInSet, mostServersOfSet, type Proposal, runsSame } from "../../base/action.ts";
import { reopen } from "../../features/incident/withdraw.ts";
import { addProposal } from "../../features/proposal/add-proposal.ts";
import { type Drafted, draftAction, namesOf, type Origin } from "../../features/proposal/draft.ts";
import { draftSet, mayBeInSet } from "../../features/proposal/draft-set.ts";
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
import { sendOwn } from "./send-own.ts";

/** What a person proposes; the command stands in a fenced block below the line, where nothing else is said. */
export interface OwnProposal extends Omit<Proposal, "command"> {
  /** Where it is no fenced block's. */
  readonly command?: string;
  /** The open action that it is to take the place of. */
  readonly insteadOf?: Action;
}

/**
 * Makes the fenced block of a comment into an action of its writer: classified, numbered, and approved like any other (SR-18).
 * What it takes the place of is superseded, and no approval of that counts any more. Where it is refused nothing changes. The id of
 * the batch that it sets going, where it does.
 */
export async function proposeOwn(
  tx: Tx,
  call: Call,
  incident: Incident,
  own: OwnProposal,
): Promise<string | undefined> {
  const { deps, repoContext, slash, caller } = call;
  const { insteadOf, ...proposal } = own;
  const mistake = async (body: string): Promise<undefined> => {
    await answer(tx, call, incident, { outcome: "mistake", body: nothingRun(body) });
  };
  const command = own.command ?? slash.block;
  if (!command?.trim()) return mistake(`Put the command in a code block:\n\n${asBlock(call, own)}`);
  if (incident.state === "closed") return mistake(closedText);
  const isAgent = !call.rights.act;
  const from = { origin: "person", author: caller, isAgent, model: null, promptSha256: null } as const;
  const isEach = slash.flags.has(eachFlag);
  const drafted = isEach
    ? draftEach(call, { ...proposal, command }, from)
    : draftAction(deps, repoContext, { ...proposal, command }, from);
  if (drafted.kind === "refused") return mistake(deps.markdown.note(drafted.why.replace(/(?<![.!?])$/, ".")));
  if (insteadOf && runsSame(drafted.draft.spec, insteadOf.spec))
    return mistake(`That is already the command of **${insteadOf.number}**. Write another one into the block.`);
  const action = await addProposal(tx, incident, drafted.draft, {
    by: { id: caller.id, login: caller.login },
    commentId: call.event.comment.id,
    ...(insteadOf ? { insteadOf: insteadOf.number } : {}),
  });
  const isBlocked = action.state === "blocked";
  if (insteadOf && !isBlocked) await supersede(tx, call, insteadOf, action);
  const batch = await sendOwn(tx, call, incident, [action]);
  await show(tx, deps, incident);
  if (!isBlocked) {
    // What it sets going gives it its mark when that has ended.
    const outcome = batch === undefined ? "done" : "seen";
    await answer(tx, call, incident, { outcome, ...(leavesBlocks(call, own) ? { body: oneBlock } : {}) });
    return batch;
  }
  const stays = insteadOf ? ` **${insteadOf.number}** stays as it is.` : "";
  await answer(tx, call, incident, {
    outcome: "denied",
    body: alone(stateRefusal({ incident, action }), []) + stays,
  });
  return undefined;
}

const oneBlock =
  "Only the first code block was read as the command. To propose another one, write it in a comment of its own.";

/** A command of its own above the next block is told by its name. */
const leavesBlocks = ({ slash, below }: Call, { command }: OwnProposal): boolean =>
  command === undefined && below === undefined && countBlocks(slash.rest) > 1;

/** The comment as it has to be written, its block made of what was typed beside the number or the server; ready to be copied. */
function asBlock({ deps, repoContext, slash }: Call, { server }: OwnProposal): string {
  const [id] = slash.ids === "all" ? [] : slash.ids;
  const isKnown = namesOf(repoContext.rules.servers).includes(server);
  const head = slash.verb === "run" ? `/run ${isKnown ? server : "<server>"}` : `/${slash.verb} ${id?.number}`;
  const typed = besideBlock(noteOf(slash, slash.verb === "run" && isKnown ? 1 : 0)).replace(/^`([^`]*)`$/, "$1");
  const command = typed === "" ? "<command>" : redactText(deps.redact, typed);
  return deps.markdown.command(`${head}\n\`\`\`sh\n${command}\n\`\`\``, "text");
}

/** A person's set is proposed whole or not at all: they are there to write it otherwise. */
function draftEach({ deps, repoContext }: Call, proposal: Proposal, from: Origin): Drafted {
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

/** Whoever approved the old one approved other words: that stands for nothing now, also where it waited to be sent. */
async function supersede(tx: Tx, { deps, caller }: Call, old: Action, by: Action): Promise<void> {
  const { incidentId, number, digest } = old;
  await reopen(tx, [old], `changed by ${caller.login}`);
  const from = old.state === "incomplete" ? old.state : "proposed";
  if (!(await moveAction(tx, old, { from, to: "superseded", supersededBy: by.number }))) return;
  await appendAudit(tx, { kind: "command_superseded", incidentId, body: { number, digest, by: by.number } });
  // A batch that waited for it goes on without it.
  await deps.store.queue.hasten(tx, "execute", incidentId);
}

/** What was written beside the block: between the words of the line from this one on and the fence. */
export const besideBlock = (note: string): string => note.replace(/(`{3,}|~{3,})[\s\S]*/, "").trim();
