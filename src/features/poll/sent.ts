import { isRecord, parseJson } from "../../base/json.ts";
import { parseIssueEvent } from "../../github/events.ts";
import type { Db } from "../../store/database/open.ts";
import { sentAboutIssue } from "../../store/queue/deliveries.ts";
import type { Told } from "./deliveries.ts";

/** How far GitHub's two accounts of one and the same thing may be apart. */
const apartMs = 5_000;

/** Leaves out what a webhook has told of an issue already. Of comments the inbox itself knows it (RR-02). */
export async function withoutSent(db: Db, told: readonly Told[]): Promise<readonly Told[]> {
  const kept: Told[] = [];
  for (const one of told) if (one.arrival.event !== "issues" || !(await isSent(db, one))) kept.push(one);
  return kept;
}

async function isSent(db: Db, { at, arrival }: Told): Promise<boolean> {
  const label = parseIssueEvent(parseJson(arrival.payload))?.label;
  const sent = await sentAboutIssue(db, arrival.line);
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
