import type { Octokit } from "@octokit/rest";
import { counted } from "../../base/counted.ts";
import type { Problem } from "../../base/errors.ts";
import type { Role } from "../../base/github.ts";
import { statusOf } from "../outcome.ts";
import { createQuietOctokit } from "../quiet-octokit.ts";
import { type AppKey, asApp, type Listening, missingEvents, missingRights, rightsFor } from "./access.ts";
import { lookAtApprovers } from "./approvers.ts";
import type { AppLook } from "./check.ts";
import { answerWords } from "./unreached.ts";

export interface Repository {
  readonly name: string;
  readonly allowPublic: boolean;
}

/** Teams as `organization/team`. */
export interface Approvers {
  readonly teams: readonly string[];
  readonly users: readonly { readonly login: string; readonly id: number }[];
  /** What an approver needs in the repository; write unless said otherwise. */
  readonly minRole?: Role;
  /** Agents, which approve nothing. */
  readonly proposers?: { readonly users: readonly { readonly id: number }[] } | undefined;
}

interface Named {
  readonly mode?: Listening;
  readonly mostPolled?: number;
  readonly apiUrl: string;
  readonly repositories: readonly Repository[];
  readonly approvers: Approvers;
}

type Installation = Awaited<ReturnType<Octokit["rest"]["apps"]["getRepoInstallation"]>>["data"];

/** A door to the repositories and people of one account, and what the App was granted there. */
export interface Door {
  readonly id: number;
  /** An organization's or a person's login, in small letters. */
  readonly account: string;
  readonly octokit: Octokit;
  readonly readsMembers: boolean;
}

/** A GitHub that does not answer is not waited for once for each of many repositories. */
const mostTried = 3;

/** A way to ask who has a login: as an installation of the App if one gives a token, else as a stranger. */
export async function openAnyDoor(to: {
  readonly github: AppKey;
  readonly repositories: readonly Repository[];
}): Promise<Octokit> {
  const { apiUrl } = to.github;
  const app = asApp(to.github, 10_000);
  for (const [index, repository] of to.repositories.slice(0, mostTried).entries()) {
    const found = await installationOf(app, repository, index);
    const opened = "data" in found && !found.data.suspended_at ? await open(app, found.data, apiUrl) : undefined;
    if (opened && "octokit" in opened) return opened.octokit;
  }
  return createQuietOctokit({ apiUrl, timeoutMs: 10_000 });
}

/**
 * What the App has where it is installed: whether it is there at all, holds what it asks for and is not suspended; then, through
 * each installation, what its repositories and the approvers are.
 */
export async function lookAtInstallations(app: Octokit, named: Named): Promise<readonly AppLook[]> {
  const { repositories, approvers } = named;
  const found = await Promise.all(repositories.map((repository, index) => installationOf(app, repository, index)));
  const missing = found.flatMap((one) => ("problem" in one ? [one.problem] : []));
  const each = [...new Map(found.flatMap((one) => ("data" in one ? [[one.data.id, one.data] as const] : []))).values()];
  const { data: asked } = await app.rest.apps.getAuthenticated();
  const wanted = rightsFor({ usesTeams: approvers.teams.length > 0 });
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

/** What each installation has left of its rate limit, and how much of it polling may take. */
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

type Found = { readonly data: Installation } | { readonly problem: Problem };

async function installationOf(app: Octokit, { name }: Repository, index: number): Promise<Found> {
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

/** What the App asks for and an owner has not accepted, or took back: the App's own page shows none of it. */
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

/** Signs in as the installation, to read what there is and who: nothing more is asked for. */
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

/** Why a repository that has the App is not served all the same. */
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
