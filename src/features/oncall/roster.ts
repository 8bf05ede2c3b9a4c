import { teamsOf } from "../../approval/place.ts";
import { type PersonStanding, rightsOf } from "../../approval/rights.ts";
import type { RunbookDemand } from "../../base/action.ts";
import type { Person } from "../../base/github.ts";
import { parseRepoOnCall } from "../../config/oncall.ts";
import { name, utcMinute } from "../../github/render/ink.ts";
import { shiftsOf } from "../../pager/calendar.ts";
import { type OnCallRoster, rosterAt, rotationShifts } from "../../pager/roster.ts";
import type { Incident } from "../../store/incidents.ts";
import type { Escalation } from "../../store/outbox/escalations.ts";
import type { Deps, RepoContext } from "../context.ts";

export type OnCallNow =
  | { readonly kind: "unset" }
  | { readonly kind: "unreadable"; readonly why: string }
  | {
      readonly kind: "known";
      readonly roster: OnCallRoster;
      readonly source: "rotation" | "calendar";
      readonly readAt?: Date;
      /** Events of the calendar that cannot be read and do not matter now. */
      readonly leftOut?: readonly string[];
    };

/** Reads the repository's rotation, or the operator's calendar. Never throws. */
export async function onCallNow(
  { calendar, config, now }: Pick<Deps, "calendar" | "config" | "now">,
  { context: { oncall } }: { readonly context: Pick<RepoContext["context"], "oncall"> },
): Promise<OnCallNow> {
  const at = now();
  const parsed = oncall && parseRepoOnCall(oncall.text, oncall.path);
  if (parsed && !parsed.ok) {
    const why = parsed.problems.map(({ place, message }) => `${place}: ${message}`).join("; ");
    return { kind: "unreadable", why: why.slice(0, 300) };
  }
  const own = parsed?.value;
  if (own && own.people.length > 0 && own.from !== undefined) {
    const overrides = own.overrides.map(({ from, until, who }) => ({ fromWall: from, untilWall: until, login: who }));
    const rotation = { ...own, timeZone: own.time_zone, fromWall: own.from, everyMs: own.every, overrides };
    return { kind: "known", roster: rosterAt(rotationShifts(rotation, at), at), source: "rotation" };
  }
  if (!calendar) return { kind: "unset" };
  const read = await calendar(at);
  if (read.kind === "unreadable") return { kind: "unreadable", why: `the calendar cannot be read: ${read.why}` };
  const shifts = shiftsOf(read.occurrences, { ...config.oncall.calendar?.names, ...own?.names });
  return {
    kind: "known",
    roster: rosterAt(shifts, at),
    source: "calendar",
    readAt: read.readAt,
    leftOut: read.leftOut,
  };
}

/** On call now or next. */
export interface Callee extends Person {
  readonly isNow: boolean;
  /** Undefined if GitHub knows nobody of that login. */
  readonly standing?: PersonStanding;
  /** Why they may not approve; empty if they may. */
  readonly missing: string;
}

const mostAsked = 6;

/** Asks GitHub which people on call may approve now, in their order. Throws if GitHub does not answer. */
export async function calleesOf(
  deps: Deps,
  incident: Incident,
  { rules }: Pick<RepoContext, "rules">,
  { now, next }: OnCallRoster,
  demands: readonly RunbookDemand[] = [],
): Promise<readonly Callee[]> {
  const named = [...now, ...next].slice(0, mostAsked);
  const accounts = await Promise.all(named.map(({ login }) => deps.issues.accountOf(incident, login)));
  const { approvers } = rules.policy;
  const { installationId, repo, number: issue } = incident;
  const people = accounts.flatMap((account) => account ?? []);
  const asked = { installationId, repo, issue, people, comments: [], teams: teamsOf(rules.policy, demands) };
  const facts = people.length === 0 ? undefined : await deps.facts(asked);
  return named.map(({ login }, index): Callee => {
    const isNow = index < now.length;
    const account = accounts[index];
    if (!account) return { id: 0, login, isNow, missing: "nobody on GitHub has this login" };
    const known = facts?.people.get(account.id) ?? { role: "none" as const, teams: [] };
    const standing = { person: account, type: account.type, viaApp: false, ...known };
    return { ...account, isNow, standing, missing: rightsOf(approvers, standing).missing };
  });
}

export const hookNames = {
  slack: "Slack",
  teams: "Microsoft Teams",
  ntfy: "ntfy",
  pagerduty: "PagerDuty",
  webhook: "the webhook",
} as const;

const hookName = (kind: string): string => new Map<string, string>(Object.entries(hookNames)).get(kind) ?? "the hook";

/** `the webhook could not be called (HTTP 500)` */
export function calledWords({ kind, who, state, fault }: Escalation): string {
  if (kind === "team") return "everybody who may approve";
  const because = fault === null ? "" : ` (${fault})`;
  if (kind === "person") return `${name(who)}${state === "failed" ? `, not assigned${because}` : ""}`;
  const words = {
    open: `${hookName(who)} is being called${because}`,
    sending: `${hookName(who)} is being called`,
    done: `${hookName(who)} was called`,
    failed: `${hookName(who)} could not be called${because}`,
    unsure: `${hookName(who)} may not have been called${because}`,
  } as const;
  return words[state];
}

/** `on call: @lee until 2026-11-30 09:00Z; next: @mona from then` */
export function onCallLine(onCall: OnCallNow): string {
  if (onCall.kind === "unset") return "nobody has said who is on call";
  if (onCall.kind === "unreadable") return onCall.why;
  const { now, next, unknown } = onCall.roster;
  const people = now.map(({ login, at }) => `${name(login)} until ${utcMinute(at)}`);
  const strangers = unknown.map((one) => `\`${one.replaceAll("`", "").slice(0, 60)}\`, who is nobody's name here`);
  const first = next[0] ? `; next: ${name(next[0].login)} from ${utcMinute(next[0].at)}` : "";
  return `on call: ${[...people, ...strangers].join(", ") || "nobody now"}${first}`;
}
