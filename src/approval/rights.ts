/** Who may see, act and approve (SR-14 to SR-17). Pure. */
import { type Person, type Role, roles } from "../base/github.ts";

export interface ApproverList {
  /** `org/slug`. */
  readonly teams: readonly string[];
  readonly users: readonly Person[];
}

/** The operator's approvers; if empty, nobody. */
export interface Roster extends ApproverList {
  readonly minRole: Role;
  /** Further lists; people must be in each too. */
  readonly also?: readonly ApproverList[] | undefined;
  /** Agents only propose and ask, even if listed as approvers too. */
  readonly proposers?: { readonly apps: readonly number[]; readonly users: readonly Person[] } | undefined;
}

/** As GitHub says now. */
export interface PersonStanding {
  readonly person: Person;
  /** GitHub's account type: `User`, `Bot`, `Mannequin`, `Organization`. */
  readonly type: string;
  readonly role: Role;
  readonly teams: readonly string[];
  /** Through an app that the operator does not list (SR-16). */
  readonly viaApp: boolean;
  /** By itself or for a person. */
  readonly appId?: number | undefined;
}

export interface Rights {
  readonly see: boolean;
  readonly propose: boolean;
  readonly act: boolean;
  readonly approve: boolean;
  /** Why they may not approve; empty if they may. */
  readonly missing: string;
}

/** An unknown role gives no right and is never enough. */
const isAtLeast = (role: Role, needed: Role): boolean =>
  roles.includes(needed) && roles.indexOf(role) >= roles.indexOf(needed);

/** A deleted account has none. */
export const isPersonId = (id: number): boolean => Number.isSafeInteger(id) && id > 0;

/**
 * Read access sees, write access acts, roster *and* live role approve. Logins decide nothing. A listed agent proposes: an App by itself, an
 * account that can read, a person through a listed App who may act.
 */
export function rightsOf(roster: Roster, standing: PersonStanding): Rights {
  const isHuman = standing.type === "User" && isPersonId(standing.person.id);
  const see = isHuman && isAtLeast(standing.role, "read");
  const act = isHuman && isAtLeast(standing.role, "write");
  const { apps = [], users = [] } = roster.proposers ?? {};
  const isApp = standing.appId !== undefined && apps.includes(standing.appId);
  if (isApp || users.some(({ id }) => id === standing.person.id)) {
    const propose = isApp && standing.type === "Bot" ? true : isApp ? act : see;
    return { see: false, propose, act: false, approve: false, missing: "policy.proposers lists you as an agent" };
  }
  const missing = missingFor(roster, standing, isHuman);
  return { see, propose: act, act, approve: missing === "", missing };
}

const isIn = ({ teams, users }: ApproverList, { person, teams: own }: Pick<PersonStanding, "person" | "teams">) =>
  users.some((user) => user.id === person.id) || teams.some((team) => own.includes(team));

/** Returns the lists that a person must be on. A list that contains a whole other one is left out, because it adds nothing. */
export function listsOf(roster: Roster): readonly ApproverList[] {
  const all = [roster, ...(roster.also ?? [])];
  const holds = (wide: ApproverList, narrow: ApproverList): boolean =>
    narrow.teams.every((team) => wide.teams.includes(team)) &&
    narrow.users.every(({ id }) => wide.users.some((user) => user.id === id));
  // Of two equal ones the first stays.
  return all.filter(
    (one, at) => !all.some((other, place) => place !== at && holds(one, other) && (!holds(other, one) || place < at)),
  );
}

function missingFor(roster: Roster, standing: PersonStanding, isHuman: boolean): string {
  if (roster.users.length === 0 && roster.teams.length === 0) return "nobody may approve: policy.approvers is empty";
  if (!isHuman) return `only people approve; this account is a ${standing.type || "deleted account"}`;
  if (standing.viaApp) return "an approval must be typed by the person, not sent through an app";
  const needs = listsOf(roster)
    .filter((list) => !isIn(list, standing))
    .map(
      ({ teams, users }) => `only ${[...teams, ...users.map((user) => `@${user.login}`)].join(" or ") || "nobody"} may`,
    );
  const minRole: Role = roster.minRole === "none" ? "read" : roster.minRole;
  if (!isAtLeast(standing.role, minRole)) needs.push(`needs ${minRole} access; you have ${standing.role}`);
  return needs.join("; ");
}
