import { isUndecided, serversIn } from "../../base/action.ts";
import type { Finding } from "../../base/risk.ts";
import type { PatchPlace } from "../../base/server.ts";
import type { Action, ActionSpec, Approval, Target } from "../../store/actions.ts";
import type { PullRequestRow } from "../../store/pull-requests.ts";
import type { Run } from "../../store/runs.ts";
import { runsWords } from "./ending.ts";
import { count, type Markdown, name } from "./ink.ts";

export interface ActionView
  extends Pick<
    Action,
    | "number"
    | "state"
    | "stateReason"
    | "supersededBy"
    | "title"
    | "description"
    | "origin"
    | "authorId"
    | "authorLogin"
    | "expiresAt"
    | "card"
  > {
  readonly findings: readonly Pick<Finding, "risk" | "text">[];
  readonly spec: Pick<ActionSpec, ShownOfSpec> & { readonly targets: readonly TargetView[] };
  /** In order. */
  readonly verdicts: readonly VerdictView[];
  readonly runs: readonly RunView[];
  /** A probe's result, or how to start one. */
  readonly probe?: string | undefined;
  /** That its patch opened. */
  readonly pullRequest?: PullRequestView | undefined;
  /** Why the lease leaves it to people. */
  readonly attended?: string | undefined;
  /** The lease runs it once what stands before it has run, so nobody is asked. */
  readonly isLeasedBehind?: boolean | undefined;
  /** Why it is not offered beside the others: what did it, or waits for it. */
  readonly already?: string | undefined;
}

export type PullRequestView = Pick<PullRequestRow, "number" | "url" | "state" | "seen">;

/** `[pull request 12](…), a draft: 3 checks passed, 1 failed · approved by @kim` */
export function pullRequestWords(
  { number, url, state, seen }: PullRequestView,
  markdown: Pick<Markdown, "link">,
): string {
  const link = markdown.link(`pull request ${number}`, url);
  if (state !== "open") return `${link}, ${state === "merged" ? "merged" : "closed without being merged"}`;
  if (seen === null) return `${link}, a draft`;
  const { passed, failed, pending } = seen.checks;
  const checks = [
    ...(passed > 0 ? [`${count(passed, "check")} passed`] : []),
    ...(failed > 0 ? [`**${count(failed, "check")} failed**`] : []),
    ...(pending > 0 ? [`${count(pending, "check")} not finished`] : []),
  ].join(", ");
  const by = (logins: readonly string[]): string => logins.map(name).join(" and ");
  return [
    `${link}${seen.isDraft ? ", a draft" : ", ready for review"}${checks === "" ? "" : `: ${checks}`}`,
    ...(seen.approved.length === 0 ? [] : [`approved there by ${by(seen.approved)}`]),
    ...(seen.changesRequested.length === 0 ? [] : [`${by(seen.changesRequested)} asked for changes there`]),
  ].join(" · ");
}

type ShownOfSpec =
  | "place"
  | "unbounded"
  | "command"
  | "set"
  | "tidied"
  | "filled"
  | "open"
  | "risk"
  | "expect"
  | "check"
  | "undo"
  | "ownCheck"
  | "onMerge"
  | "demands"
  | "guard"
  | "guards"
  | "probes"
  | "checks";

export type TargetView = Pick<Target, "server" | "hardTimeoutMs" | "user"> & {
  readonly cluster?: Pick<NonNullable<Target["cluster"]>, "namespace">;
  readonly patches?: PatchPlace;
};

export type VerdictView = Pick<Approval, "login" | "verdict" | "via">;

export type RunView = Pick<
  Run,
  | "server"
  | "step"
  | "ending"
  | "outcome"
  | "startedAt"
  | "durationMs"
  | "trouble"
  | "excerpt"
  | "seenAt"
  | "askedAt"
  | "waitUntil"
  | "cancelledBy"
>;

/** Whether it is at its soft limit and no person has let it go on since (AR-12). */
export const isAsking = ({ ending, askedAt, waitUntil }: Pick<RunView, "ending" | "askedAt" | "waitUntil">): boolean =>
  ending === null && askedAt !== null && (waitUntil === null || askedAt.getTime() >= waitUntil.getTime());

/** Who gave a lease. */
export const giverOf = ({ via, login }: { readonly via: string; readonly login: string }): string =>
  via === "opening" ? login : name(login);

/** `web-1`, or `web` with the number of its servers. */
export const renderPlace = ({ place, targets }: ActionView["spec"], { code }: Pick<Markdown, "code">): string =>
  serversIn(targets).length === 1
    ? code(targets[0]?.server ?? place)
    : `${code(place)} (${serversIn(targets).length} servers)`;

/** Under a lease, without an approval of its own. */
export const isAuto = ({ verdicts }: Pick<ActionView, "verdicts">): boolean =>
  verdicts.some(({ via }) => via !== "comment");

/** `` `@lee` and lease (`@mona`)`` */
export const approversOf = ({ verdicts }: Pick<ActionView, "verdicts">): string =>
  verdicts
    .filter(({ verdict }) => verdict === "approve")
    .map(({ login, via }) => (via === "comment" ? name(login) : `lease (${giverOf({ via, login })})`))
    .join(" and ");

const by = (logins: readonly string[]): string => (logins.length === 0 ? "" : ` by ${logins.map(name).join(" and ")}`);

/** `beside` has the change that it may be the check of. */
export function stateWords(
  action: ActionView,
  markdown: Pick<Markdown, "code" | "note">,
  beside: readonly Pick<ActionView, "number" | "state">[] = [],
): string {
  const approvers = approversOf(action);
  const approved = approvers === "" ? "approved" : `approved by ${approvers}`;
  switch (action.state) {
    case "proposed":
      if (approvers !== "") return `waits for another approver, ${approved}`;
      // Its change's approval is its own.
      return beside.some((other) => other.number === action.spec.checks && isUndecided(other))
        ? `runs after ${action.spec.checks}`
        : "waits for approval";
    case "incomplete":
      return `waits for values: ${markdown.code(fillUsage(action))}`;
    case "approved":
      return `${approved}, next in line`;
    case "dispatching":
    case "running":
      return `▶️ running, ${approved}`;
    case "done":
      return `${runsWords(action.runs, markdown)}, ${approved}`;
    case "rejected":
      return `rejected${by(action.verdicts.filter((v) => v.verdict === "reject").map((v) => v.login))}`;
    case "superseded":
      if (action.supersededBy !== null) return `superseded by ${action.supersededBy}`;
      return action.stateReason === null ? "superseded" : `superseded: ${markdown.note(action.stateReason)}`;
    case "expired":
      return "expired";
    case "void":
      return `void: ${markdown.note(action.stateReason ?? "it no longer holds")}`;
    case "blocked":
      return "⛔ blocked, never runs";
  }
}

/** `/fill 2 pod=… ns=…` */
export const fillUsage = ({
  number,
  spec,
}: Pick<ActionView, "number"> & { readonly spec: Pick<ActionView["spec"], "open"> }): string =>
  `/fill ${[number, ...(spec.open ?? []).map(({ name }) => `${name}=…`)].join(" ")}`;
