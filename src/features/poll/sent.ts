import { isRecord, parseJson } from "../../base/json.ts";
import { parseIssueEvent } from "../../github/events.ts";
import type { Db } from "../../store/database/open.ts";
import { sentAboutIssue } from "../../store/queue/deliveries.ts";
import type { Told } from "./deliveries.ts";

/** How far GitHub's two accounts of one and the same thing may be apart. */
const apartMs = 5_000;

/** Leaves out what a webhook has told already. That a comment was written or deleted the inbox itself knows (RR-02). */
export async function withoutSent(db: Db, told: readonly Told[]): Promise<readonly Told[]> {
  const kept: Told[] = [];
  for (const one of told) {
    const { event, action } = one.arrival;
    const isSent = event === "issues" ? isIssueSent : action === "edited" ? isEditSent : undefined;
    if (!(await isSent?.(db, one))) kept.push(one);
  }
  return kept;
}

async function isEditSent(db: Db, { arrival }: Told): Promise<boolean> {
  const commentOf = (payload: unknown): unknown => (isRecord(payload) ? payload.comment : undefined);
  const own = commentOf(parseJson(arrival.payload));
  const sent = await sentAboutIssue(db, arrival.line, "issue_comment");
  return sent.some(({ action, payload }) => {
    const other = commentOf(parseJson(payload));
    return (
      action === "edited" &&
      isRecord(own) &&
      isRecord(other) &&
      other.id === own.id &&
      other.updated_at === own.updated_at
    );
  });
}

async function isIssueSent(db: Db, { at, arrival }: Told): Promise<boolean> {
  const label = parseIssueEvent(parseJson(arrival.payload))?.label;
  const sent = await sentAboutIssue(db, arrival.line, "issues");
  return sent.some(({ action, payload }) => {
    if (action !== arrival.action) return false;
    if (action === "opened") return true;
    const told = parseJson(payload);
    return parseIssueEvent(told)?.label === label && Math.abs(updatedAt(told) - at.getTime()) <= apartMs;
  });
}

function updatedAt(payload: unknown): number {
  const issue = isRecord(payload) ? payload.issue : undefined;
  return isRecord(issue) ? Date.parse(String(issue.updated_at)) : Number.NaN;
}
