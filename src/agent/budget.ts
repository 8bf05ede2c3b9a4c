/** What was spent, or may be: tokens, and money in the currency of the endpoints' prices. */
interface Spent {
  readonly tokens: number;
  readonly cost: number;
}

/** Every budget there can be (SR-58): whose spending it limits, in what, and the operator's key for it. */
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

/** The operator's figures; what is absent has no limit. */
export type BudgetLimits = Readonly<Partial<Record<Budget["key"], number | undefined>>>;

export type BudgetVerdict =
  | { readonly kind: "within" }
  | {
      readonly kind: "over";
      readonly budget: Budget;
      readonly spent: number;
      readonly limit: number;
      /** When it frees up; nothing where it never does by itself. */
      readonly until: Date | undefined;
    };

const dayMs = 86_400_000;

/** When the day of `now` began; budgets of a day end with it, in UTC. */
export const dayOf = (now: Date): Date => new Date(Math.floor(now.getTime() / dayMs) * dayMs);

/** Whether an ask that may cost `more` is within every budget (SR-58). Of several that are spent the narrowest is told. */
export function judgeBudget(given: {
  readonly limits: BudgetLimits;
  readonly spent: Readonly<Record<Budget["of"], Spent>>;
  readonly more: Spent;
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

/** SR-60: when a person whose turns began at these times, oldest first, may start the next; nothing where now. */
export function nextTurnAt(began: readonly Date[], perHour: number): Date | undefined {
  const decisive = began.at(-perHour);
  return began.length < perHour || !decisive ? undefined : new Date(decisive.getTime() + 3_600_000);
}
