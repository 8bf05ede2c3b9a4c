import * as z from "zod";
import type { PostedComment } from "../../features/verify/ledger.ts";
import type { AuditRow } from "../../store/audit/rows.ts";

/** An alteration that was seen when it happened, and what was done about it. */
export interface RepairedTampering {
  readonly at: string;
  readonly kind: "tampered" | "withdrawn" | "imitated";
  /** Whoever did it. */
  readonly login: string | undefined;
  /** `edited` or `deleted`; what was created is a look-alike. */
  readonly action: string;
  readonly numbers: readonly number[];
  readonly slot: string | undefined;
}

const schemas = {
  card_tampered: z
    .object({
      slot: z.string(),
      by: z.object({ login: z.string() }),
      action: z.string(),
    })
    .transform(({ slot, by, action }) => ({ kind: "tampered", slot, login: by.login, action, numbers: [] }) as const),
  approval_withdrawn: z.object({ number: z.number(), commentId: z.number(), reason: z.string() }).transform(
    ({ number, reason }) =>
      ({
        kind: "withdrawn",
        slot: undefined,
        login: undefined,
        action: /\b(edited|deleted)$/.exec(reason)?.[1] ?? "changed",
        numbers: [number],
      }) as const,
  ),
  card_imitated: z
    .object({ by: z.object({ login: z.string() }), action: z.string(), numbers: z.array(z.number()) })
    .transform(
      ({ by, action, numbers }) => ({ kind: "imitated", slot: undefined, login: by.login, action, numbers }) as const,
    ),
} as const;

/** What of an incident was altered, noticed and put right, by its audit, oldest first. Pure. */
export function repairedTampering(
  rows: readonly AuditRow[],
  posted: readonly PostedComment[],
): readonly RepairedTampering[] {
  return rows.flatMap(({ kind, at, body }): readonly RepairedTampering[] => {
    if (!(kind in schemas)) return [];
    const of = schemas[kind as keyof typeof schemas].safeParse(body);
    if (!of.success) return [];
    const numbers = posted.find(({ slot }) => slot === of.data.slot)?.numbers ?? of.data.numbers;
    return [{ ...of.data, at, numbers }];
  });
}
