import { countsTowards } from "../../approval/authorize.ts";
import { hoursWords, type PolicyInForce, peopleOf } from "../../approval/place.ts";
import { listsOf } from "../../approval/rights.ts";
import { serversIn } from "../../base/action.ts";
import type { ApprovalHint } from "../../github/render/card.ts";
import { type Markdown, mention } from "../../github/render/ink.ts";
import type { ActionView } from "../../github/render/state.ts";
import type { Action, Approval } from "../../store/actions.ts";
import type { Tx } from "../../store/database/open.ts";
import { type IncidentRows, partsOf } from "../../store/incident-rows.ts";
import type { Run } from "../../store/runs.ts";
import { redactText } from "../../text/bare.ts";
import { brief, code, exact, fence, htmlCode, note, plain } from "../../text/fence.ts";
import { writeLink } from "../../text/links.ts";
import { memoized } from "../../text/memo.ts";
import { roughSize } from "../../text/output.ts";
import { prose, proseWords } from "../../text/prose.ts";
import type { Redact } from "../../text/redact.ts";
import type { Deps, RepoContext } from "../context.ts";
import { approversIn, policyInForce } from "../proposal/in-force.ts";

export interface DrawnAction
  extends Action,
    Pick<ActionView, "probe" | "attended" | "already" | "isLeasedBehind" | "pullRequest"> {
  readonly verdicts: readonly Approval[];
  readonly runs: readonly Run[];
}

export const viewsOf = async (tx: Tx, incidentId: string): Promise<readonly DrawnAction[]> =>
  joinViews(await partsOf(tx, incidentId, "actions", "approvals", "runs"));

export function joinViews({ actions, approvals, runs }: Pick<IncidentRows, "actions" | "approvals" | "runs">) {
  const verdicts = Map.groupBy(approvals, ({ actionId }) => actionId);
  const own = Map.groupBy(runs, ({ actionId }) => actionId);
  return actions.map(
    (action): DrawnAction => ({ ...action, verdicts: verdicts.get(action.id) ?? [], runs: own.get(action.id) ?? [] }),
  );
}

/** How to approve, by today's policy. */
export function hintOf(deps: Deps, { rules }: Pick<RepoContext, "rules">): ApprovalHint {
  const { code } = deps.markdown;
  const hintBy = ({ approvers, low, medium, high }: Pick<PolicyInForce, "approvers" | "low" | "medium" | "high">) => {
    const who = approversIn(approvers, code);
    return {
      who: who && `anyone in ${who}`,
      call: listsOf(approvers)
        .flatMap(({ teams }) => teams.map(mention))
        .join(" "),
      needed: { low: low.approvals, medium: medium.approvals, high: high.approvals },
      restate: high.restateServer === true || high.reason === "required",
    };
  };
  const { approvers } = rules.policy;
  return {
    ...hintBy(rules.policy),
    people: approvers.teams.length === 0 ? approvers.users.map(({ login }) => login) : undefined,
    on: (action) => {
      const policy = policyInForce({ rules }, action, deps.now());
      if (policy.rules.length === 0 && !action.spec.demands?.length) return undefined;
      const isTimed = policy.hours.length > 0 && action.spec.risk !== "low";
      const within = isTimed ? hoursWords(policy.hours, code) : undefined;
      const people = peopleOf(policy.approvers)?.map(({ login }) => login);
      return { ...hintBy(policy), people, listed: policy.approvers.also ? "policy.for" : undefined, within };
    },
    countsAuthor: ({ origin, authorId, spec: { risk, targets } }) =>
      authorId === null ||
      countsTowards(authorId, { risk, servers: serversIn(targets), origin, authorId }, rules.policy),
    executes: deps.config.execution.enabled,
  };
}

/** Writes untrusted text for people, without secrets (SR-45). */
export function createMarkdown(redact: Redact): Markdown {
  const write = memoized((given) => {
    const [blobUrl, text] = [given.slice(0, given.indexOf("\n")), given.slice(given.indexOf("\n") + 1)];
    const written = prose(text, { blobUrl: blobUrl || undefined });
    return { written, words: proseWords(written) };
  });
  return {
    fence: (text, info) => fence(redactText(redact, text), info),
    command: (text, info) => exact(redactText(redact, text), info),
    plain: (text) => plain(redactText(redact, text)),
    note: (text) => note(redactText(redact, text)),
    code: (text) => code(redactText(redact, text)),
    htmlCode: (text) => htmlCode(redactText(redact, text)),
    brief: (text) => brief(redactText(redact, text)),
    link: (words, url) => writeLink(plain(redactText(redact, words)), redactText(redact, url)),
    prose: (markdown, blobUrl = "") => {
      // In each call, because the known secrets may change.
      const { written, words } = write(`${blobUrl}\n${redactText(redact, markdown)}`);
      const known = redactText(redact, words);
      // Marks inside a secret hide it from the redactor but not from readers.
      return known === words ? written : prose(known.split("\n").map(plain).join("\n"));
    },
  };
}

/**
 * All that a public issue shows of an output (SR-11). The agent there reads no more, because it may repeat it. Exact size or raw hash would
 * let a reader test guesses of a short secret.
 */
export const offIssue = ({ bytes, redactedSha256 }: Pick<Run, "bytes" | "redactedSha256">): string =>
  bytes === null || bytes === 0
    ? ""
    : `${roughSize(bytes)}, kept off this public issue; SHA-256 when redacted ${redactedSha256}`;
