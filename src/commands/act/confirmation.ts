import type { Decision } from "../../approval/authorize.ts";
import { isUndecided } from "../../base/action.ts";
import { renderCommand } from "../../github/render/ink.ts";
import { fillUsage } from "../../github/render/state.ts";
import { type Action, moveAction } from "../../store/actions.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import { appendDenial } from "../../store/audit/denials.ts";
import { auditOf } from "../../store/audit/look.ts";
import type { Tx } from "../../store/database/open.ts";
import type { Incident } from "../../store/incidents.ts";
import { approvedBy } from "../../store/open-actions.ts";
import { slots } from "../../store/outbox/slots.ts";
import { stoodBefore } from "../../store/outbox/thread-comments.ts";
import { type CommandRefusal, stateRefusal } from "../answer/refusals.ts";
import type { Call } from "../command.ts";

/** What shows whether an approval of high risk was given in haste (SR-57). */
export interface Haste {
  /** For how long the card could be read before the approval was written: GitHub's whole seconds, where it tells both. */
  readonly readForMs: number;
  /** High-risk approvals of this person within the last hour, in all repositories. */
  readonly recentHigh: number;
  /** Whether this comment was written after we asked its author to confirm this very action. */
  readonly confirmed: boolean;
}

const hourMs = 3_600_000;

export async function hasteOf(tx: Tx, call: Call, action: Action, shownAt: Date | undefined): Promise<Haste> {
  const now = call.deps.now().getTime();
  const readForMs = shownAt
    ? call.event.comment.createdAt.getTime() - shownAt.getTime()
    : now - action.createdAt.getTime();
  if (action.spec.risk !== "high") return { readForMs, recentHigh: 0, confirmed: false };
  const recent = await approvedBy(tx, call.caller.id, new Date(now - hourMs));
  const recentHigh = recent.filter(({ spec }) => spec.risk === "high").length;
  return { readForMs, recentHigh, confirmed: await isConfirmed(tx, call, action) };
}

type Refused = Extract<Decision, { kind: "refuse" }>;

/** True where a request to confirm stood on the issue before this comment was written: two sent at once confirm nothing. */
async function isConfirmed(tx: Tx, call: Call, action: Action): Promise<boolean> {
  const refusals = await auditOf(tx, action.incidentId, "approval_refused");
  const asked = refusals.flatMap(({ kind, body }) => {
    if (kind !== "approval_refused" || body.code !== "confirm" || body.digest !== action.digest) return [];
    return body.by.id === call.caller.id ? [slots.reply(body.commentId)] : [];
  });
  if (asked.length === 0) return false;
  return stoodBefore(tx, action.incidentId, asked, call.event.comment.createdAt);
}

/** What did not count is in the audit too (SR-67); it is also how a later approval is known to confirm. */
export async function recordRefusal(tx: Tx, call: Call, action: Action, refusal: Refused): Promise<void> {
  const { caller, event } = call;
  const { number, digest, incidentId } = action;
  const { id, login, role } = caller;
  const body = { number, digest, code: refusal.code, by: { id, login }, role, commentId: event.comment.id };
  // What was asked to be confirmed is never left out: a later approval is held against it.
  if (refusal.code === "confirm") await appendAudit(tx, { kind: "approval_refused", incidentId, body });
  else await appendDenial(tx, { kind: "approval_refused", incidentId, body }, call.deps.now());
  if (refusal.code !== "expired" || !(await moveAction(tx, action, { from: "proposed", to: "expired" }))) return;
  await appendAudit(tx, { kind: "command_expired", incidentId, body: { number, digest } });
}

/** Why an approval did not count, and the whole of what to type where something in it was missing. */
export function refusalOf(
  call: Call,
  incident: Pick<Incident, "state">,
  action: Action,
  { code, text }: Refused,
): CommandRefusal {
  const it = `**${action.number}**`;
  switch (code) {
    case "confirm":
      return { what: `${it} is not approved yet: ${text}`, next: confirmationOf(call, action) };
    case "server-missing":
      return { what: `${it} needs the server's name`, next: `Comment ${inFull(call, action)}` };
    case "reason-missing":
      return { what: `${it} needs a reason after the server's name`, next: `Comment ${inFull(call, action)}` };
    case "no-passkey":
      return {
        what: `${it} is not approved: it takes a passkey, and you have none in force`,
        next: "Comment `/key add`",
      };
    case "expired":
      return stateRefusal({ incident, action: { ...action, state: "expired" } });
    default:
      return { what: `${it} is not approved: ${text}` };
  }
}

/** A high risk is approved by a comment of its own, which names the server again and says why (SR-18). */
export const leftOutOf = (call: Call, action: Action): CommandRefusal => ({
  what: `**${action.number}** is high risk and needs a comment of its own`,
  next: `Comment ${inFull(call, action)}`,
});

/** What stands behind a change that nobody has decided on, in its list or in the comment, waits for that one (DC-4). */
export function waitingOf(
  call: Call,
  { number }: Action,
  { waitsFor, named }: { readonly waitsFor: readonly Action[]; readonly named: readonly { readonly number: number }[] },
): CommandRefusal {
  const numbers = waitsFor.map((one) => `**${one.number}**`).join(" and ");
  const isOver = !waitsFor.some(isUndecided);
  const isOrAre = waitsFor.length === 1 ? "is" : "are";
  const what = `**${number}** waits for ${numbers}, which ${isOrAre} ${isOver ? "void or expired" : "not approved yet"}`;
  // Of those that were named too each says by itself what it needs.
  const first = waitsFor.find((one) => !named.some((id) => id.number === one.number));
  if (!first) return isOver ? { what, next: `Comment \`/approve ${number}\` to run it alone.` } : { what };
  const form = waitsFor.find(({ state }) => state === "incomplete");
  if (form) return { what, next: `Comment ${call.deps.markdown.code(fillUsage(form))}.` };
  const numbered = [...waitsFor.map((one) => one.number), number].join(" ");
  const isPlain = waitsFor.every(({ spec }) => spec.risk !== "high");
  return { what, next: `Comment ${isPlain ? `\`/approve ${numbered}\`` : inFull(call, first)}.` };
}

/** What a comment has approved once it approves no second time. */
export const takenBack = ({ number }: Action): CommandRefusal => ({
  what: `**${number}** is not approved: its approval was taken back`,
  next: `Comment \`/approve ${number}\`.`,
});

/** What its comment would have stopped at. */
export const failedBefore = (call: Call, action: Action, failed: number): CommandRefusal => ({
  what: `**${action.number}** is not approved: **${failed}**, which stands before it, failed after you wrote this`,
  next: `Comment ${action.spec.risk === "high" ? inFull(call, action) : `\`/approve ${action.number}\``}.`,
});

const inFull = ({ deps }: Call, { number, spec }: Action): string =>
  deps.markdown.code(`/approve ${number} ${spec.place} <why>`);

/** Shows the action again and asks its approver to say it once more. */
function confirmationOf(call: Call, action: Action): string {
  const { place, command } = action.spec;
  const { markdown } = call.deps;
  return [
    `On ${markdown.code(place)} it would run:`,
    renderCommand(command, markdown),
    `To confirm, comment ${inFull(call, action)} once more.`,
  ].join("\n\n");
}
