import type { Octokit } from "@octokit/rest";
import type { Problem } from "../../base/errors.ts";
import { patchRights } from "../../base/github.ts";
import type { PatchPlace } from "../../base/server.ts";
import { statusOf } from "../outcome.ts";
import { repoOf } from "../web.ts";
import {
  type AppKey,
  answerWords,
  asApp,
  createQuietOctokit,
  excessIn,
  isPublic,
  missingRights,
  refusalProblem,
} from "./access.ts";

/** The second App, for patches: what it may, and where it is installed. */

interface PatchesAppAccess {
  /** Undefined if GitHub did not take the key or did not answer. */
  readonly slug: string | undefined;
  readonly problems: readonly Problem[];
  /** Rights that it may not have. */
  readonly excess: readonly Problem[];
}

const place = "the permissions of the App for patches";
const needed = Object.entries(patchRights).map(([name, level]) => `${name}: ${level}`);

/** Compares the App's rights with those that patches use. Never throws. */
export async function checkPatchesAccess(app: AppKey): Promise<PatchesAppAccess> {
  try {
    const { data } = await asApp(app, 10_000).rest.apps.getAuthenticated();
    const has = { ...data?.permissions };
    const missing = missingRights(has, patchRights).map((right) => ({
      place,
      message: `${right} is missing`,
      remedy: `grant it on the App's settings page: it takes ${needed.join(", ")}`,
    }));
    const excess = excessIn(has, patchRights, place);
    return { slug: data?.slug ?? data?.name ?? "", problems: [...missing, ...excess], excess };
  } catch (error) {
    const problem = refusalProblem(app.apiUrl, error);
    const isKey = problem.place === "github.app_id";
    const problems = [isKey ? { ...problem, place: "github.patches_app" } : problem];
    return { slug: undefined, problems, excess: [] };
  }
}

/** An entry of `patches`, by its name. */
export type NamedPlace = readonly [name: string, place: PatchPlace];

interface PlaceLook {
  readonly name: string;
  readonly said: string;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/** Looks at each repository and its base branch, and where else the App is installed. Never throws. */
export async function checkPatchPlaces(
  app: AppKey & { readonly slug: string },
  places: readonly NamedPlace[],
): Promise<readonly PlaceLook[]> {
  const octokit = asApp(app, 60_000);
  const isOpen = await isPublic(app.apiUrl, app.slug);
  const all = await Promise.all(places.map((one) => lookAtPlace(octokit, app.apiUrl, one)));
  const installations = new Map(all.flatMap(({ door }) => (door ? [[door.id, door] as const] : [])));
  const listed = places.map(([, { repository }]) => repository.toLowerCase());
  const others = await Promise.all(
    [...installations.values()].map(async ({ octokit: own }) => {
      // Of the first hundred.
      const answer = await own.rest.apps.listReposAccessibleToInstallation({ per_page: 100 }).catch(() => undefined);
      return answer?.data.repositories.map(({ full_name: name }) => name) ?? [];
    }),
  );
  const beside = [...new Set(others.flat())].filter((name) => !listed.includes(name.toLowerCase()));
  const warnings = [
    ...(isOpen ? [openToAll] : []),
    ...(beside.length === 0
      ? []
      : [
          {
            place: "the installation of the App for patches",
            message: `it may write to repositories that \`patches\` does not name: ${beside.slice(0, mostNamed).join(", ")}${beside.length > mostNamed ? ", …" : ""}`,
            remedy: "take them out on the App's installation page: whoever steals the key can write there too",
          },
        ]),
  ];
  return [
    ...all.map(({ door: _, ...look }) => look),
    ...(warnings.length === 0 ? [] : [{ name: "patches", said: "the App for patches", problems: [], warnings }]),
  ];
}

const mostNamed = 5;

const openToAll: Problem = {
  place: "the visibility of the App for patches",
  message: "the App is public: anybody may install it",
  remedy: "make it private on the App's settings page, under Advanced",
};

interface PatchDoor {
  readonly id: number;
  readonly octokit: Octokit;
}

async function lookAtPlace(
  app: Octokit,
  apiUrl: string,
  [name, { repository, base, paths }]: NamedPlace,
): Promise<PlaceLook & { readonly door?: PatchDoor }> {
  const at = `patches.${name}`;
  const fault = (message: string, remedy: string, where = at): PlaceLook => ({
    name,
    said: message,
    problems: [{ place: where, message, remedy }],
    warnings: [],
  });
  try {
    const { data: installation } = await app.rest.apps.getRepoInstallation(repoOf({ repo: repository }));
    const { id, permissions, suspended_at: suspended, html_url: page } = installation;
    if (suspended) return fault(`the App for patches is suspended on ${repository}`, `unsuspend it: ${page}`);
    const missing = missingRights({ ...permissions }, patchRights);
    if (missing.length > 0)
      return fault(
        `${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} not granted on ${repository}`,
        `its owner accepts the App's permissions: ${page}`,
      );
    const { data: minted } = await app.rest.apps.createInstallationAccessToken({
      installation_id: id,
      permissions: { metadata: "read", contents: "read" },
    });
    const octokit = createQuietOctokit({ apiUrl, auth: minted.token, timeoutMs: 60_000 });
    const door = { id, octokit };
    const { data: repo } = await octokit.rest.repos.get(repoOf({ repo: repository }));
    if (repo.archived)
      return { ...fault(`${repository} is archived: nothing can be written there`, "unarchive it"), door };
    const head = await octokit.rest.git
      .getRef({ ...repoOf({ repo: repository }), ref: `heads/${base}` })
      .catch((error: unknown) => {
        if (statusOf(error) === 404) return undefined;
        throw error;
      });
    if (!head) {
      const remedy = `write one of its branches; its default branch is ${repo.default_branch}`;
      return { ...fault(`${repository} has no branch ${base}`, remedy, `${at}.base`), door };
    }
    const said = `${repository}, ${base} at ${head.data.object.sha.slice(0, 7)}, files ${paths.join(", ")}`;
    return { name, said, problems: [], warnings: [], door };
  } catch (error) {
    return statusOf(error) === 404
      ? fault(
          `the App for patches is not installed on ${repository}, or there is no such repository`,
          "install it on the App's page, on that repository alone, or correct the name",
        )
      : fault(`${repository} cannot be looked at: ${answerWords(error)}`, "try again");
  }
}
