import type { Octokit } from "@octokit/rest";
import { counted } from "../../base/counted.ts";
import { messageOf, type Problem } from "../../base/errors.ts";
import { type Role, roles } from "../../base/github.ts";
import { statusOf } from "../outcome.ts";
import type { AppLook } from "./check.ts";
import type { Approvers, Door } from "./installations.ts";

/**
 * Whether those who may approve are who the operator means: teams that are there and have somebody in them, and ids that are
 * those of the logins, since only the id counts (SR-14). Of each repository, whether anybody of them has the role there.
 */
export async function lookAtApprovers(
  doors: readonly Door[],
  approvers: Approvers,
  repositories: readonly ServedRepository[],
): Promise<AppLook> {
  const { teams, users } = approvers;
  const [teamFaults, userFaults] = await Promise.all([
    Promise.all(teams.map((team, index) => teamFault(doors, team, `policy.approvers.teams.${index}`))),
    Promise.all(users.map((user, index) => userFault(doors[0], user, `policy.approvers.users.${index}`))),
  ]);
  const known = [...teamFaults, ...userFaults];
  // Somebody who is not who is meant has no role to look at.
  const roleFaults = known.some(({ problem }) => problem) ? [] : await nobodyWithRole(doors, approvers, repositories);
  const faults = [...known, ...roleFaults];
  return {
    name: "approvers",
    said: `${counted(teams.length, "team")}, ${counted(users.length, "user")}`,
    problems: faults.flatMap(({ problem }) => problem ?? []),
    warnings: faults.flatMap(({ warning }) => warning ?? []),
  };
}

/** A repository that has the App. */
interface ServedRepository {
  readonly name: string;
  readonly door: Door;
  /** Where the config names it. */
  readonly place: string;
}

interface Fault {
  readonly problem?: Problem;
  readonly warning?: Problem;
}

async function teamFault(doors: readonly Door[], team: string, place: string): Promise<Fault> {
  const [org = "", slug = ""] = team.split("/");
  const door = doors.find(({ account }) => account === org.toLowerCase());
  if (!door) {
    const message = `${org} has no installation of the App that can be used: nobody in ${team} can be seen, or approve`;
    return {
      problem: { place, message, remedy: "correct the name, or install the App there and add a repository of it" },
    };
  }
  // The missing right is told where the installation is.
  if (!door.readsMembers) return {};
  try {
    const { data } = await door.octokit.rest.teams.listMembersInOrg({ org, team_slug: slug, per_page: 1 });
    if (data.length > 0) return {};
    const remedy = "add those who are on call";
    return { problem: { place, message: `${team} has no members: nobody approves by it`, remedy } };
  } catch (error) {
    const missing = statusOf(error) === 404;
    const message = missing ? `there is no team ${team} that the App can see` : `${team}: ${messageOf(error)}`;
    const remedy = missing ? "write organization/slug as in the team's address on GitHub" : "try again";
    return { problem: { place, message, remedy } };
  }
}

/** Repositories in which nobody of the roster has the role that approving takes. Nothing is said where GitHub does not tell. */
async function nobodyWithRole(
  doors: readonly Door[],
  { teams, users, minRole = "write", proposers }: Approvers,
  repositories: readonly ServedRepository[],
): Promise<readonly Fault[]> {
  const members = await Promise.all(teams.map((team) => membersOf(doors, team)));
  const agents = new Set(proposers?.users.map(({ id }) => id));
  const people = [...users, ...members.flatMap((some) => some ?? [])].filter(({ id }) => !agents.has(id));
  if (people.length === 0 || members.includes(undefined)) return [];
  let asked = 0;
  const mayApproveIn = async ({ name, door }: ServedRepository): Promise<boolean> => {
    for (const { login } of people) {
      asked += 1;
      if (asked > mostRolesAsked || (await hasRole(door, { repo: name, login, minRole })) !== false) return true;
    }
    return false;
  };
  const faults = repositories.map(async (repository): Promise<readonly Fault[]> => {
    if (await mayApproveIn(repository)) return [];
    const message = `nobody of policy.approvers can approve in ${repository.name}: that takes the role ${minRole} there`;
    const remedy = `give one of them, or their team, the role ${minRole} on GitHub`;
    return [{ problem: { place: repository.place, message, remedy } }];
  });
  return (await Promise.all(faults)).flat();
}

/** In one look, so that it leaves the rate limit to the work; what is not asked is not blamed. */
const mostRolesAsked = 100;

/** The first hundred; undefined if they cannot be read, or if there are more. */
async function membersOf(doors: readonly Door[], team: string): Promise<Approvers["users"] | undefined> {
  const [org = "", slug = ""] = team.split("/");
  const door = doors.find(({ account, readsMembers }) => account === org.toLowerCase() && readsMembers);
  const request = { org, team_slug: slug, per_page: mostMembers };
  const answer = await door?.octokit.rest.teams.listMembersInOrg(request).catch(() => undefined);
  return answer && answer.data.length < mostMembers ? answer.data : undefined;
}

const mostMembers = 100;

/** Undefined if GitHub does not say. */
async function hasRole(
  { octokit }: Door,
  asked: { readonly repo: string; readonly login: string; readonly minRole: Role },
): Promise<boolean | undefined> {
  const [owner = "", repo = ""] = asked.repo.split("/");
  try {
    const { data } = await octokit.rest.repos.getCollaboratorPermissionLevel({ owner, repo, username: asked.login });
    // Of a role of the owner's own making GitHub tells what it is built on.
    const enough: readonly string[] = roles.slice(roles.indexOf(asked.minRole));
    return [data.role_name, data.permission].some((role) => enough.includes(role));
  } catch (error) {
    return statusOf(error) === 404 ? false : undefined;
  }
}

/** The id of a login as GitHub has it now; "nobody" if nobody is called so, undefined if GitHub does not say. Never throws. */
export async function readId(octokit: Octokit, login: string): Promise<number | "nobody" | undefined> {
  try {
    return (await octokit.rest.users.getByUsername({ username: login })).data.id;
  } catch (error) {
    return statusOf(error) === 404 ? "nobody" : undefined;
  }
}

async function userFault(door: Door | undefined, user: Approvers["users"][number], place: string): Promise<Fault> {
  if (!door) return {};
  const { login, id } = user;
  try {
    const { data } = await door.octokit.rest.users.getByUsername({ username: login });
    if (data.id === id) return {};
    const message = `${login} has the id ${data.id}, not ${id}: whoever has ${id} may approve, and ${login} may not`;
    return { problem: { place, message, remedy: `write { login: ${login}, id: ${data.id} } if ${login} is meant` } };
  } catch (error) {
    const missing = statusOf(error) === 404;
    const message = missing
      ? `nobody is called ${login} (any more): whoever has the id ${id} may approve`
      : `${login}: ${messageOf(error)}`;
    return { warning: { place, message, remedy: missing ? "correct login and id" : "try again" } };
  }
}
