import type { PostedComment } from "../../features/verify/ledger.ts";
import { readEvent } from "../../store/audit/events.ts";
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

/** What of an incident was altered, noticed and put right, by its audit, oldest first. Pure. */
export function repairedTampering(
  rows: readonly AuditRow[],
  posted: readonly PostedComment[],
): readonly RepairedTampering[] {
  return rows.flatMap((row): readonly RepairedTampering[] => {
    const { kind, body } = readEvent(row);
    const { at } = row;
    switch (kind) {
      case "card_tampered": {
        const { slot, by, action } = body;
        const numbers = posted.find((comment) => comment.slot === slot)?.numbers ?? [];
        return [{ at, kind: "tampered", login: by.login, action, numbers, slot }];
      }
      case "card_imitated": {
        const { by, action, numbers } = body;
        return [{ at, kind: "imitated", login: by.login, action, numbers, slot: undefined }];
      }
      case "approval_withdrawn": {
        const { number, commentId, how } = body;
        if (commentId === undefined) return [];
        return [
          { at, kind: "withdrawn", login: undefined, action: how ?? "changed", numbers: [number], slot: undefined },
        ];
      }
      default:
        return [];
    }
  });
}
