import { legacyPermission, type Person, permissionsOf } from "../people.ts";
import type { Call, RepoCall, World } from "../world.ts";
import { type Answer, notFound } from "./shapes.ts";

/** Who somebody is and what they may: roles, teams, membership. */

export async function getUser({ world, params }: Call): Promise<Answer> {
  const person = world.people.byLogin(params.username ?? "");
  return person ? world.call(person.alias, "GET", `/users/${encodeURIComponent(person.alias)}`) : notFound;
}

/** `permission` has GitHub's four legacy values; `role_name` is the role itself. */
export function getPermission({ world, repo, params }: RepoCall): Answer {
  const person = world.people.byLogin(params.username ?? "");
  if (!person) return notFound;
  const role = world.people.role(person, repo);
  const user = { ...world.userJson(person), permissions: permissionsOf(role), role_name: role };
  return { status: 200, body: { permission: legacyPermission(role), role_name: role, user } };
}

const isOrg = (world: World, login: string | undefined) => login?.toLowerCase() === world.org.login.toLowerCase();
const inTeam = (team: readonly Person[] | undefined, person: Person) => team?.some((p) => p.id === person.id) ?? false;

/** Members of the organization are those in any of its teams. */
export function getMembership({ world, params }: Call): Answer {
  const person = world.people.byLogin(params.username ?? "");
  const isMember = person && world.people.teams().some((slug) => inTeam(world.people.team(slug), person));
  return isOrg(world, params.org) && isMember ? { status: 204 } : notFound;
}

export function listTeamMembers({ world, params, query }: Call): Answer {
  const team = isOrg(world, params.org) ? world.people.team(params.team_slug ?? "") : undefined;
  if (!team) return notFound;
  const size = Number(query.get("per_page") ?? 30);
  const start = (Number(query.get("page") ?? 1) - 1) * size;
  return { status: 200, body: team.slice(start, start + size).map(world.userJson) };
}

export function getTeamMembership({ world, params }: Call): Answer {
  const person = world.people.byLogin(params.username ?? "");
  const slug = params.team_slug ?? "";
  if (!isOrg(world, params.org) || !person || !inTeam(world.people.team(slug), person)) return notFound;
  const url = `${world.url}/organizations/${world.org.id}/team/${slug}/memberships/${person.login}`;
  return { status: 200, body: { url, role: "member", state: "active" } };
}

/** It is never used up here; faults inject what a limit looks like. */
export const getRateLimit = ({ world }: Call): Answer => {
  const core = world.rateLimit.now();
  return { status: 200, body: { resources: { core, search: core, graphql: core }, rate: core } };
};

export const getMeta = (): Answer => ({ status: 200, body: { verifiable_password_authentication: false } });
