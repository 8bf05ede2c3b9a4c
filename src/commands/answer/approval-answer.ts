import { expiryOf } from "../../approval/need.ts";
import type { Deps } from "../../features/context.ts";
import { pageMs } from "../../features/passkey/passkey.ts";
import { approvable } from "../../features/proposal/approvable.ts";
import { hintOf } from "../../features/thread/views.ts";
import { clock, name } from "../../github/render/ink.ts";
import type { Action, Approval } from "../../store/actions.ts";
import type { Call } from "../command.ts";
import { alone, type CommandRefusal, nothingRun, sentencesOf } from "./refusals.ts";

export type ApprovalOutcome =
  | { readonly kind: "ready"; readonly action: Action; readonly isProved?: boolean | undefined }
  /** Another person must approve too. */
  | { readonly kind: "counted"; readonly text: string }
  | { readonly kind: "asked"; readonly text: string }
  /** Complete; waits for passkeys of earlier numbers. */
  | { readonly kind: "held"; readonly text: string }
  | { readonly kind: "refused"; readonly number: number; readonly refusal: CommandRefusal };

/**
 * "Nothing was run" never stands beside a number that runs. Empty if all run, because the run card shows that. `isMoved`: not in the typed
 * order.
 */
export function approvalAnswer(
  outcomes: readonly ApprovalOutcome[],
  actions: readonly Action[],
  isMoved = false,
): string {
  const ready = outcomes.flatMap((one) => (one.kind === "ready" ? [one.action.number] : []));
  const others = outcomes.filter((one) => one.kind !== "ready");
  const [only, ...more] = others;
  const going = onTheirWay(ready, isMoved);
  const isProved = outcomes.some((one) => one.kind === "ready" && one.isProved);
  if (!only) return isMoved || isProved ? going : "";
  if (more.length === 0 && ready.length === 0)
    return only.kind === "refused" ? alone(only.refusal, actions) : only.text;
  const refused = others.flatMap((one) => (one.kind === "refused" ? [one] : []));
  const named = [...ready, ...refused.map(({ number }) => number)];
  const rest = actions.filter(({ number }) => !named.includes(number));
  return [
    ...others.flatMap((one) => ("text" in one ? [one.text] : [])),
    ...sentencesOf(
      refused.map(({ refusal }) => amongOthers(refusal)),
      rest,
    ),
    ...(ready.length > 0 ? [going] : []),
  ].join("\n\n");
}

const amongOthers = (refusal: CommandRefusal): CommandRefusal =>
  refusal.goes ? refusal : { ...refusal, what: `${refusal.what}; not run` };

const onTheirWay = (numbers: readonly number[], isMoved: boolean): string =>
  `**${numbers.join("**, **")}** ${numbers.length === 1 ? "is on its way" : "are on their way"}${isMoved ? ", in the order of their list" : ""}.`;

/** `**10**: 1 of 2 approvals (`@mona`). Needs one more of … until 11:44Z.` */
export function countedText(
  { deps, repoContext, caller }: Pick<Call, "deps" | "repoContext" | "caller">,
  action: Action,
  earlier: readonly Pick<Approval, "verdict" | "login">[],
  { have, need }: { readonly have: number; readonly need: number },
): string {
  const said = earlier.flatMap(({ verdict, login }) => (verdict === "approve" ? [login] : []));
  const who = [...new Set([...said, caller.login])].map(name).join(", ");
  const until = clock(new Date(expiryOf(approvable(action), repoContext.rules.policy)));
  const more = need - have === 1 ? "one more approver" : `${need - have} more approvers`;
  return `**${action.number}**: ${have} of ${need} approvals (${who}), not run yet. Needs ${more}, ${hintOf(deps, repoContext).who ?? ""}, until ${until}.`;
}

export const noAddress = "Passkeys have no address here (`server.public_url`): ask the operator.";

/** `**10** is not approved yet. [Confirm with your passkey](https://…) within 2 minutes.` */
export const passkeyText = ({ markdown }: Pick<Deps, "markdown">, what: string, link: string | undefined): string =>
  link === undefined
    ? nothingRun(noAddress)
    : `${what}. ${markdown.link("Confirm with your passkey", link)} within ${pageMs / 60_000} minutes.`;
