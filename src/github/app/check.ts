import type { Octokit } from "@octokit/rest";
import { messageOf, type Problem } from "../../base/errors.ts";
import { type Role, roles } from "../../base/github.ts";
import { counted } from "../../base/words.ts";
import { statusOf } from "../outcome.ts";
import {
  type AppKey,
  answerWords,
  asApp,
  createQuietOctokit,
  type ListeningMode,
  missingEvents,
  missingRights,
  rightsFor,
} from "./access.ts";

interface AppCheck {
  readonly app: AppKey;
  readonly mode?: ListeningMode;
  /** Requests an hour. */
  readonly mostPolled?: number;
  readonly repositories: readonly Repository[];
  readonly approvers: Approvers;
  /** Webhook calls that failed later are missed ones. */
  readonly since: Date;
  readonly now: () => Date;
}

interface AppLook {
  readonly name: "webhook" | "deliveries" | "polling" | "installed" | "repositories" | "approvers" | "clock";
  readonly said: string;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

const hookPaths = ["/", "/api/github/webhooks"];
const mostSecondsOff = 60;

/** Checks webhooks, installations, repositories, approvers and clocks. Throws if GitHub does not answer at all. */
export async function checkApp({ app, since, now, ...named }: AppCheck): Promise<readonly AppLook[]> {
  const octokit = asApp(app, 60_000);
  const { headers } = await octokit.rest.apps.getAuthenticated();
  const offBy = headers.date ? Math.round((now().getTime() - Date.parse(headers.date)) / 1000) : 0;
  const message = `this machine's clock is ${Math.abs(offBy)} s ${offBy > 0 ? "ahead of" : "behind"} GitHub's`;
  const remedy = "switch time synchronization on (timedatectl set-ntp true)";
  return [
    ...(named.mode === "poll" ? [] : await lookAtWebhook(octokit, since)),
    ...(await lookAtInstallations(octokit, { apiUrl: app.apiUrl, ...named })),
    {
      name: "clock",
      said: `${Math.abs(offBy)} s from GitHub's`,
      problems: Math.abs(offBy) > mostSecondsOff ? [{ place: "the clock", message, remedy }] : [],
      warnings: [],
    },
  ];
}

async function lookAtWebhook(octokit: Octokit, since: Date): Promise<readonly AppLook[]> {
  const { data: hook } = await octokit.rest.apps.getWebhookConfigForApp();
  const { data: deliveries } = await octokit.rest.apps.listWebhookDeliveries({ per_page: 100, status: "failure" });
  const failed = deliveries.filter(({ delivered_at: at }) => new Date(at) >= since);
  const said = `${failed.length} failed in the last three days`;
  // The first calls of a new App fail, because the bot does not run yet.
  const warnings = failed.slice(0, 1).map(({ delivered_at: at, status }) => ({
    place: "the App's deliveries",
    message: `${counted(failed.length, "webhook call")} failed in the last three days, the newest at ${at}: ${status}`,
    remedy:
      "nothing to do before the first start, which asks for them again; later, check that the bot is up, its address reachable, and the webhook secret the same at GitHub",
  }));
  return [
    { name: "webhook", said: hook.url ?? "no address", problems: hookProblems(hook), warnings: [] },
    { name: "deliveries", said, problems: [], warnings },
  ];
}

function hookProblems({
  url,
  content_type: type,
  insecure_ssl: insecure,
}: {
  url?: string;
  content_type?: string;
  insecure_ssl?: string | number;
}): readonly Problem[] {
  const place = "the App's webhook";
  const remedy = "correct it on the App's settings page, under Webhook";
  if (!url || !URL.canParse(url)) return [{ place, message: "has no address: nothing is ever delivered", remedy }];
  const { protocol, hostname, pathname } = new URL(url);
  const local = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
  return [
    ...(protocol === "https:" || local
      ? []
      : [{ place, message: `${url} is not https: anybody on the way reads it`, remedy }]),
    ...(hookPaths.includes(pathname)
      ? []
      : [{ place, message: `${url} is answered with 404: webhooks are taken at ${hookPaths.join(" and ")}`, remedy }]),
    ...(type === "json"
      ? []
      : [{ place, message: `the content type is ${type ?? "form"}; the bot reads json`, remedy }]),
    ...(String(insecure ?? "0") === "0" ? [] : [{ place, message: "the certificate is not verified", remedy }]),
  ];
}

interface Repository {
  readonly name: string;
  readonly allowPublic: boolean;
}

/** Teams as `organization/team`. */
interface ApproverNames {
  readonly teams: readonly string[];
  readonly users: readonly { readonly login: string; readonly id: number }[];
}

interface Approvers extends ApproverNames {
  /** Of the rules for places, each with its key in the file. */
  readonly placed?: readonly (ApproverNames & { readonly place: string })[] | undefined;
  /** Write if absent. */
  readonly minRole?: Role;
  /** Agents approve nothing. */
  readonly proposers?: { readonly users: readonly { readonly id: number }[] } | undefined;
}

interface InstallationQuestion {
  readonly mode?: ListeningMode;
  readonly mostPolled?: number;
  readonly apiUrl: string;
  readonly repositories: readonly Repository[];
  readonly approvers: Approvers;
}

type Installation = Awaited<ReturnType<Octokit["rest"]["apps"]["getRepoInstallation"]>>["data"];

/** A client for one account. */
interface Door {
  readonly id: number;
  /** In lower case. */
  readonly account: string;
  readonly octokit: Octokit;
  readonly readsMembers: boolean;
}

/** A silent GitHub costs a wait for each. */
const mostTried = 3;

/**
 * Looks up logins: as an installation if one gives a token, else without one. Returns "nobody" for a login that does not exist, and omits a
 * login if GitHub does not answer.
 */
export async function readIds(
  to: { readonly github: AppKey; readonly repositories: readonly Repository[] },
  logins: readonly string[],
): Promise<ReadonlyMap<string, number | "nobody">> {
  const { apiUrl } = to.github;
  const app = asApp(to.github, 10_000);
  let octokit: Octokit | undefined;
  for (const [index, repository] of to.repositories.slice(0, mostTried).entries()) {
    const found = await installationOf(app, repository, index);
    const opened = "data" in found && !found.data.suspended_at ? await open(app, found.data, apiUrl) : undefined;
    if (!opened || !("octokit" in opened)) continue;
    octokit = opened.octokit;
    break;
  }
  const { users } = (octokit ?? createQuietOctokit({ apiUrl, timeoutMs: 10_000 })).rest;
  const ids = new Map<string, number | "nobody">();
  await Promise.all(
    logins.map(async (username) => {
      try {
        ids.set(username, (await users.getByUsername({ username })).data.id);
      } catch (error) {
        if (statusOf(error) === 404) ids.set(username, "nobody");
      }
    }),
  );
  return ids;
}

async function lookAtInstallations(app: Octokit, named: InstallationQuestion): Promise<readonly AppLook[]> {
  const { repositories, approvers } = named;
  const found = await Promise.all(repositories.map((repository, index) => installationOf(app, repository, index)));
  const missing = found.flatMap((one) => ("problem" in one ? [one.problem] : []));
  const each = [...new Map(found.flatMap((one) => ("data" in one ? [[one.data.id, one.data] as const] : []))).values()];
  const { data: asked } = await app.rest.apps.getAuthenticated();
  const wanted = rightsFor({
    usesTeams: [approvers, ...(approvers.placed ?? [])].some(({ teams }) => teams.length > 0),
  });
  const opened = await Promise.all(each.filter((one) => !one.suspended_at).map((one) => open(app, one, named.apiUrl)));
  const doors = new Map(opened.flatMap((one) => ("octokit" in one ? [[one.id, one] as const] : [])));
  const closed = opened.flatMap((one) => ("octokit" in one ? [] : [one]));
  const seen = await Promise.all(
    found.map(async (one, index) => {
      const door = "data" in one ? doors.get(one.data.id) : undefined;
      return door ? faultsOf(door, repositories[index], index) : [];
    }),
  );
  const served = found.flatMap((one, index) => {
    const door = "data" in one ? doors.get(one.data.id) : undefined;
    const name = repositories[index]?.name;
    return door && name !== undefined ? [{ name, door, place: `github.repositories.${index}` }] : [];
  });
  const have = repositories.length - missing.length;
  const said = `${have} of ${counted(repositories.length, "repository has", "repositories have")} the App`;
  const ungranted = each.flatMap((one) => notGranted(one, { ...asked }, { wanted, isTold: named.mode !== "poll" }));
  return [
    { name: "installed", said, problems: [...missing, ...ungranted, ...closed], warnings: [] },
    { name: "repositories", said: `${have} looked at`, problems: seen.flat(), warnings: [] },
    ...(named.mostPolled === undefined ? [] : await lookAtLimits([...doors.values()], named.mostPolled)),
    await lookAtApprovers([...doors.values()], approvers, served),
  ];
}

async function lookAtLimits(doors: readonly Door[], mostPolled: number): Promise<readonly AppLook[]> {
  const each = await Promise.all(
    doors.map(async ({ octokit, account }) => {
      const { limit, remaining } = (await octokit.rest.rateLimit.get()).data.resources.core;
      return `${figure(remaining)} of ${figure(limit)} left for ${account}`;
    }),
  );
  const said = `at most ${figure(mostPolled)} requests an hour count: ${each.join(", ") || "no installation"}`;
  return [{ name: "polling", said, problems: [], warnings: [] }];
}

const figure = (count: number): string => count.toLocaleString("en");

type FoundInstallation = { readonly data: Installation } | { readonly problem: Problem };

async function installationOf(app: Octokit, { name }: Repository, index: number): Promise<FoundInstallation> {
  const [owner = "", repo = ""] = name.split("/");
  try {
    return { data: (await app.rest.apps.getRepoInstallation({ owner, repo })).data };
  } catch (error) {
    const missing = statusOf(error) === 404;
    const message = missing
      ? `the App is not installed on ${name}, or there is no such repository`
      : answerWords(error);
    const remedy = missing ? "install it on the App's page, or correct the name" : "try again";
    return { problem: { place: `github.repositories.${index}`, message, remedy } };
  }
}

const accountOf = ({ account }: Installation): string =>
  (account && "login" in account ? account.login : (account?.slug ?? "")).toLowerCase();

/** What an owner has not accepted, or has taken back; the App's own page does not show it. */
function notGranted(
  installation: Installation,
  asked: { readonly permissions?: object; readonly events?: readonly string[] },
  { wanted, isTold }: { readonly wanted: Readonly<Record<string, string>>; readonly isTold: boolean },
): readonly Problem[] {
  const account = accountOf(installation);
  const place = `the installation on ${account}`;
  const { suspended_at: suspended, html_url: page } = installation;
  if (suspended)
    return [
      { place, message: `is suspended since ${suspended}: the bot can do nothing`, remedy: `unsuspend it: ${page}` },
    ];
  const unasked = missingRights({ ...asked.permissions }, wanted);
  const rights = missingRights({ ...installation.permissions }, wanted).filter((right) => !unasked.includes(right));
  const unsubscribed = missingEvents(asked.events ?? []);
  const events = isTold ? missingEvents(installation.events).filter((event) => !unsubscribed.includes(event)) : [];
  const remedy = `an owner of ${account} accepts the App's new permissions: ${page}`;
  return [
    ...rights.map((right) => ({ place, message: `${right} is asked for and not granted`, remedy })),
    ...events.map((event) => ({ place, message: `${event} is not sent from there`, remedy })),
  ];
}

/** With rights only to read. */
async function open(app: Octokit, installation: Installation, apiUrl: string): Promise<Door | Problem> {
  const { id, permissions } = installation;
  const account = accountOf(installation);
  const readsMembers = permissions.members !== undefined;
  try {
    const { data } = await app.rest.apps.createInstallationAccessToken({
      installation_id: id,
      permissions: { metadata: "read", ...(readsMembers ? { members: "read" } : {}) },
    });
    return { id, account, octokit: createQuietOctokit({ apiUrl, auth: data.token, timeoutMs: 60_000 }), readsMembers };
  } catch (error) {
    const message = `gives no token: ${answerWords(error)}`;
    return { place: `the installation on ${account}`, message, remedy: "try again" };
  }
}

async function faultsOf(
  { octokit }: Door,
  repository: Repository | undefined,
  index: number,
): Promise<readonly Problem[]> {
  if (!repository) return [];
  const { name, allowPublic } = repository;
  const place = `github.repositories.${index}`;
  const [owner = "", repo = ""] = name.split("/");
  try {
    const { data } = await octokit.rest.repos.get({ owner, repo });
    const faults = [
      !data.private &&
        !allowPublic && {
          place: `${place}.allow_public`,
          message: `${name} is public and not allowed to be: the bot answers nobody there`,
          remedy: "make it private, or write `allow_public: true`: everybody reads its incidents then",
        },
      data.full_name.toLowerCase() !== name.toLowerCase() && {
        place: `${place}.name`,
        message: `${name} is called ${data.full_name} now: the bot answers nobody there`,
        remedy: `write ${data.full_name}`,
      },
      data.archived && { place, message: `${name} is archived: nothing can be written there`, remedy: "unarchive it" },
      !data.has_issues && { place, message: `${name} has no issues`, remedy: "switch them on in its settings" },
    ];
    return faults.filter((fault) => fault !== false);
  } catch (error) {
    return [{ place, message: `${name} cannot be read: ${answerWords(error)}`, remedy: "try again" }];
  }
}

/**
 * Checks that teams have members, that ids are those of the logins (only the id counts, SR-14), and that each repository has an approver
 * with the role.
 */
async function lookAtApprovers(
  doors: readonly Door[],
  approvers: Approvers,
  repositories: readonly ServedRepository[],
): Promise<AppLook> {
  const { teams, users, placed = [] } = approvers;
  const named = [{ teams, users, place: "policy.approvers" }, ...placed];
  const [teamFaults, userFaults] = await Promise.all([
    Promise.all(
      named
        .flatMap(({ teams: some, place }) => some.map((one, index) => ({ one, place: `${place}.teams.${index}` })))
        .map(async ({ one: team, place }): Promise<Fault> => {
          const [org = "", slug = ""] = team.split("/");
          const door = doors.find(({ account }) => account === org.toLowerCase());
          if (!door) {
            const message = `${org} has no installation of the App that can be used: nobody in ${team} can be seen, or approve`;
            return {
              problem: {
                place,
                message,
                remedy: "correct the name, or install the App there and add a repository of it",
              },
            };
          }
          // Another check reports the missing right.
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
        }),
    ),
    Promise.all(
      named
        .flatMap(({ users: some, place }) => some.map((one, index) => ({ one, place: `${place}.users.${index}` })))
        .map(async ({ one: user, place }): Promise<Fault> => {
          const door = doors[0];
          if (!door) return {};
          const { login, id } = user;
          try {
            const { data } = await door.octokit.rest.users.getByUsername({ username: login });
            if (data.id === id) return {};
            const message = `${login} has the id ${data.id}, not ${id}: whoever has ${id} may approve, and ${login} may not`;
            return {
              problem: { place, message, remedy: `write { login: ${login}, id: ${data.id} } if ${login} is meant` },
            };
          } catch (error) {
            const missing = statusOf(error) === 404;
            const message = missing
              ? `nobody is called ${login} (any more): whoever has the id ${id} may approve`
              : `${login}: ${messageOf(error)}`;
            return { warning: { place, message, remedy: missing ? "correct login and id" : "try again" } };
          }
        }),
    ),
  ]);
  const known = [...teamFaults, ...userFaults];
  const roleFaults = known.some(({ problem }) => problem) ? [] : await nobodyWithRole(doors, approvers, repositories);
  const faults = [...known, ...roleFaults];
  return {
    name: "approvers",
    said: `${counted(teams.length, "team")}, ${counted(users.length, "user")}`,
    problems: faults.flatMap(({ problem }) => problem ?? []),
    warnings: faults.flatMap(({ warning }) => warning ?? []),
  };
}

interface ServedRepository {
  readonly name: string;
  readonly door: Door;
  readonly place: string;
}

interface Fault {
  readonly problem?: Problem;
  readonly warning?: Problem;
}

/** Reports nothing if GitHub does not say. */
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

/** To spare the rate limit. A role that is not checked counts as right. */
const mostRolesAsked = 100;

/** Undefined if unreadable, or if there are more. */
async function membersOf(doors: readonly Door[], team: string): Promise<Approvers["users"] | undefined> {
  const [org = "", slug = ""] = team.split("/");
  const door = doors.find(({ account, readsMembers }) => account === org.toLowerCase() && readsMembers);
  const request = { org, team_slug: slug, per_page: mostMembers };
  const answer = await door?.octokit.rest.teams.listMembersInOrg(request).catch(() => undefined);
  return answer && answer.data.length < mostMembers ? answer.data : undefined;
}

const mostMembers = 100;

async function hasRole(
  { octokit }: Door,
  asked: { readonly repo: string; readonly login: string; readonly minRole: Role },
): Promise<boolean | undefined> {
  const [owner = "", repo = ""] = asked.repo.split("/");
  try {
    const { data } = await octokit.rest.repos.getCollaboratorPermissionLevel({ owner, repo, username: asked.login });
    // For a custom role GitHub also names its base role.
    const enough: readonly string[] = roles.slice(roles.indexOf(asked.minRole));
    return [data.role_name, data.permission].some((role) => enough.includes(role));
  } catch (error) {
    return statusOf(error) === 404 ? false : undefined;
  }
}
