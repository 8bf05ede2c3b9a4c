import type { Action, Approval } from "../store/actions.ts";
import type { Ending, Outcome } from "../types.ts";
import { type Before, type ListRows, standBefore } from "./list-order.ts";

/** What became of one entry of a list, as data: whoever tells the model or people of it finds the words. */
export type Fate = { readonly number: number } & (
  | { readonly kind: "ran"; readonly runs: readonly { readonly ending: Ending; readonly outcome: Outcome | null }[] }
  | { readonly kind: "going" }
  /** Open; `have` approvals count already, `behind` stands before it, `why` it was opened again (`it stopped at 1`). */
  | {
      readonly kind: "open";
      readonly have: number;
      readonly behind: readonly Before[];
      readonly why: string | undefined;
    }
  | { readonly kind: "rejected"; readonly by: readonly string[]; readonly reason: string }
  /** It never ran and never will. */
  | { readonly kind: "blocked" | "void" | "expired"; readonly why: string | undefined }
  | { readonly kind: "superseded"; readonly by: number | undefined; readonly why: string | undefined }
);

/** Returns what became of these actions, in the order of their numbers; `approvals` are those that stand, rejections with them. Pure. */
export const fatesOf = (
  numbers: readonly number[],
  rows: ListRows,
  approvals: readonly Pick<Approval, "actionId" | "verdict" | "login" | "reason">[],
): readonly Fate[] =>
  rows.actions.filter(({ number }) => numbers.includes(number)).map((action) => fateOf(action, rows, approvals));

function fateOf(action: Action, rows: ListRows, approvals: Parameters<typeof fatesOf>[2]): Fate {
  const { number, state, stateReason } = action;
  const why = stateReason ?? undefined;
  const said = (verdict: Approval["verdict"]) =>
    approvals.filter((one) => one.actionId === action.id && one.verdict === verdict);
  switch (state) {
    case "proposed":
      if (!rows.isUnderWay(action)) return { number, kind: "expired", why };
      return { number, kind: "open", have: said("approve").length, behind: standBefore(action, rows), why };
    case "approved":
    case "dispatching":
    case "running":
      return { number, kind: "going" };
    case "done": {
      const own = rows.runs.filter(({ actionId }) => actionId === action.id);
      const runs = own.flatMap(({ ending, outcome }) => (ending ? [{ ending, outcome }] : []));
      return { number, kind: "ran", runs };
    }
    case "rejected": {
      const by = said("reject");
      return { number, kind: "rejected", by: by.map(({ login }) => login), reason: by.at(-1)?.reason ?? why ?? "" };
    }
    case "superseded":
      return { number, kind: "superseded", by: action.supersededBy ?? undefined, why };
    case "blocked":
      return { number, kind: "blocked", why: action.findings[0]?.text ?? why };
    case "void":
    case "expired":
      return { number, kind: state, why };
  }
}
