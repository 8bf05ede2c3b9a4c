import { hasLabel } from "../../base/github.ts";
import type { IssueEvent } from "../../github/events.ts";
import type { Deps, RepoContext } from "../context.ts";

/** The issue's type is as good as the label: a form can set it for whoever fills it in. */
export const isTyped = ({ config }: Deps, { type }: Pick<IssueEvent, "type">): boolean =>
  type !== undefined && type.toLowerCase() === config.incident.type.toLowerCase();

/**
 * Whether the issue is open now and has what makes it an incident, or was taken in by hand: an event may come after its opposite.
 * Returns undefined where GitHub does not say, or has the issue no more; then the event counts.
 */
export async function isIncidentNow(
  deps: Deps,
  { rules }: RepoContext,
  { issue }: IssueEvent,
  byHand = false,
): Promise<boolean | undefined> {
  const { installationId, repo, number } = issue;
  try {
    const now = await deps.issues.read({ installationId, repo, issue: number });
    return now?.open && (byHand || hasLabel(now.labels, rules.incidentLabel) || isTyped(deps, now));
  } catch (error) {
    deps.log.warn({ module: "github", event: "issue_not_read", err: error, repo, issue: number });
    return undefined;
  }
}
