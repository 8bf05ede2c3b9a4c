import type { Spending } from "../store/usage.ts";

/** Each budget: whose spending, in what unit, by what key of the operator (SR-58, SR-60). */
export const budgets = [
  { key: "tokensPerIncident", of: "incident", in: "tokens", name: "of this incident" },
  { key: "costPerIncident", of: "incident", in: "cost", name: "of this incident" },
  { key: "tokensPerPersonPerDay", of: "person", in: "tokens", name: "of whoever set this going, for today" },
  { key: "tokensPerRepositoryPerDay", of: "repository", in: "tokens", name: "of this repository for today" },
  { key: "tokensPerInstallationPerDay", of: "installation", in: "tokens", name: "of this organization for today" },
  { key: "tokensPerDay", of: "everything", in: "tokens", name: "for today" },
  { key: "costPerDay", of: "everything", in: "cost", name: "for today" },
] as const;

export type Budget = (typeof budgets)[number];

/** Absent means no limit. */
export type BudgetLimits = Readonly<Partial<Record<Budget["key"], number | undefined>>>;

export type BudgetVerdict =
  | { readonly kind: "within" }
  | {
      readonly kind: "over";
      readonly budget: Budget;
      readonly spent: number;
      readonly limit: number;
      /** Undefined if it never frees up by itself. */
      readonly until: Date | undefined;
    };

const dayMs = 86_400_000;

/** Returns the start of the day in UTC; a day's budgets end with it. */
export const dayOf = (now: Date): Date => new Date(Math.floor(now.getTime() / dayMs) * dayMs);

/** Decides whether a request of up to `more` fits every budget; else names the narrowest. */
export function judgeBudget(given: {
  readonly limits: BudgetLimits;
  readonly spent: Readonly<Record<Budget["of"], Spending>>;
  readonly more: Spending;
  readonly now: Date;
}): BudgetVerdict {
  const { limits, spent, more, now } = given;
  for (const budget of budgets) {
    const limit = limits[budget.key];
    const soFar = spent[budget.of][budget.in];
    if (limit === undefined || soFar + more[budget.in] <= limit) continue;
    const until = budget.of === "incident" ? undefined : new Date(dayOf(now).getTime() + dayMs);
    return { kind: "over", budget, spent: soFar, limit, until };
  }
  return { kind: "within" };
}

/** Returns when a person whose turns began then (oldest first) may start the next; undefined if now. */
export function nextTurnAt(began: readonly Date[], perHour: number): Date | undefined {
  const decisive = began.at(-perHour);
  return began.length < perHour || !decisive ? undefined : new Date(decisive.getTime() + 3_600_000);
}
