import type { Skill } from "../../base/github.ts";
import { isRecord } from "../../base/json.ts";
import type { Client, Octokit } from "../client.ts";
import { statusOf } from "../outcome.ts";
import { type RepoPlace, repoOf } from "../repo-place.ts";
import { type ContextNames, componentFolders, componentPlan, organizationPlan, repositoryPlan } from "./plan.ts";
import {
  type AskedRepo,
  type BlobAnswer,
  commitSnapshot,
  type FolderAnswer,
  type RepoAnswer,
  type RepoFiles,
  readContext,
  readInstructions,
  selectionOf,
} from "./read.ts";
import { fileSelection, filesIn, listingOf, originOf, type SkillFile, type SkillFolder, textIn } from "./skill.ts";

/** What holds for the part of the repository that an incident is about (OP-2). */
export interface Component {
  readonly folders: readonly string[];
  readonly instructions: RepoFiles["instructions"];
  readonly notes: readonly string[];
}

export interface ContextSource {
  /** From the cache, or by one GraphQL request whatever the number of files. */
  readonly fetch: (installationId: number, repo: string) => Promise<RepoFiles>;
  /** The instructions of an incident's component, at the commit of its context; from the cache if they were read before. */
  readonly component: (context: RepoFiles, incident: IncidentPlace) => Promise<Component>;
  /** What lies beside a skill's SKILL.md, at the commit of its context; from the cache if it was read before. */
  readonly skillFolder: (context: RepoFiles, place: RepoPlace, skill: SkillPlace) => Promise<SkillFolder>;
  readonly skillFile: (
    context: RepoFiles,
    place: RepoPlace,
    skill: SkillPlace,
    file: SkillFile,
  ) => Promise<string | undefined>;
  /** Forgets a repository: a `push` changed it. */
  readonly drop: (repo: string) => void;
}

type SkillPlace = Pick<Skill, "path" | "source">;

interface IncidentPlace extends RepoPlace {
  readonly body: string;
  readonly labels: readonly string[];
}

/** The operator's config of what is read (docs/configuration.md: `context`, `features`, `incident`). */
export interface ContextConfig {
  readonly context: {
    readonly filenames: readonly string[];
    readonly extraSkillDirs: readonly string[];
    readonly organizationRepo?: string | undefined;
  };
  readonly features: { readonly context: boolean };
  readonly incident: { readonly componentLabel: string };
}

const nowhere: Component = { folders: [], instructions: [], notes: [] };
export const contextNames = ({ context, features }: ContextConfig): ContextNames => ({
  filenames: features.context ? context.filenames : [],
  extraSkillDirs: context.extraSkillDirs,
});

export function createContextSource(client: Client, config: ContextConfig): ContextSource {
  const names = contextNames(config);
  const shared = config.context.organizationRepo;
  const contexts = new Map<string, Promise<RepoFiles>>();
  const lastKnown = new Map<string, RepoFiles>();
  // Keyed by context, because they are of its commit and go with it when a push drops it.
  const components = new WeakMap<RepoFiles, Map<string, Promise<Component>>>();
  const folders = new WeakMap<RepoFiles, Map<string, Promise<SkillFolder>>>();

  const fetch = (installationId: number, repo: string): Promise<RepoFiles> =>
    remembered(contexts, repo.toLowerCase(), () =>
      fetchContext(client, { place: { installationId, repo }, shared, names }),
    ).then(
      (context) => {
        lastKnown.set(repo.toLowerCase(), context);
        return context;
      },
      (error) => {
        // Until GitHub answers, comments are drawn by what was last known. No command runs on it, because every run asks GitHub
        // again (SR-24).
        const known = lastKnown.get(repo.toLowerCase());
        if (known) return known;
        throw error;
      },
    );

  return {
    fetch,
    component: async (context, incident) => {
      if (names.filenames.length === 0 || context.commit === null) return nowhere;
      const folders = componentFolders(incident, config.incident.componentLabel);
      if (folders.length === 0) return nowhere;
      const known = keptFor(components, context);
      const asked = { repo: incident.repo, revision: context.commit, plan: componentPlan(folders, names) };
      return remembered(known, folders.join("\n"), async () => {
        const query = queryOf("ComponentContext", selectionOf(asked));
        const { repository } = await client.as(incident, (octokit) =>
          octokit.graphql<{ repository: RepoAnswer }>(query, repoOf(asked)),
        );
        return { folders, ...readInstructions(commitSnapshot(asked, repository)) };
      });
    },
    skillFolder: async (context, place, skill) => {
      const origin = originOf(context, place.repo, skill);
      if (!origin) return new Map();
      return remembered(keptFor(folders, context), `${skill.source}:${skill.path}`, async () => {
        const listing = listingOf(origin, skill);
        return filesIn(await fetchOfSkill<FolderAnswer>(client, { place, repo: origin.repo }, listing));
      });
    },
    skillFile: async (context, place, skill, file) => {
      const origin = originOf(context, place.repo, skill);
      if (!origin) return undefined;
      const selection = fileSelection(origin, skill, file);
      return textIn(await fetchOfSkill<BlobAnswer>(client, { place, repo: origin.repo }, selection));
    },
    drop: (repo) => {
      // The organization's repository is part of every other one's context.
      if (repo.toLowerCase() === shared?.toLowerCase()) contexts.clear();
      contexts.delete(repo.toLowerCase());
    },
  };
}

/** What GitHub has of a skill, in the repository of the incident or in the one that its organization shares. */
async function fetchOfSkill<T>(
  client: Client,
  { place, repo }: { readonly place: RepoPlace; readonly repo: string },
  selection: string,
): Promise<T | null | undefined> {
  const { repository } = await readingBoth(client, { place, shared: repo }, (octokit) =>
    octokit.graphql<{ repository: { skill: T | null } | null }>(queryOf("SkillContext", selection), repoOf({ repo })),
  );
  return repository?.skill;
}

/**
 * Reads in a repository and in the one that its organization shares. If GitHub gives no token for both, what is public there can
 * be read all the same.
 */
async function readingBoth<T>(
  client: Client,
  { place, shared }: { readonly place: RepoPlace; readonly shared: string | undefined },
  call: (octokit: Octokit) => Promise<T>,
): Promise<T> {
  // A token's repositories all belong to the account of its installation.
  const isOurs = shared !== undefined && isSame(repoOf({ repo: shared }).owner, repoOf(place).owner);
  if (!isOurs || isSame(shared, place.repo)) return client.as(place, call);
  try {
    return await client.as({ ...place, beside: shared }, call);
  } catch (error) {
    if (statusOf(error) !== 422) throw error;
    return client.as(place, call);
  }
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

const queryOf = (
  name: string,
  selection: string,
  besides = "",
): string => `query ${name}($owner: String!, $repo: String!) {
  repository(owner: $owner, name: $repo) {
    ${selection}
  }${besides}
}`;

interface ContextAnswer {
  readonly repository: RepoAnswer;
  readonly organization?: RepoAnswer;
}

function fetchContext(
  client: Client,
  given: { place: RepoPlace; shared: string | undefined; names: ContextNames },
): Promise<RepoFiles> {
  const { place, shared, names } = given;
  const { repo } = place;
  const own: AskedRepo = { repo, revision: "HEAD", plan: repositoryPlan(names) };
  const general: AskedRepo | undefined =
    shared === undefined || isSame(shared, repo)
      ? undefined
      : { repo: shared, revision: "HEAD", plan: organizationPlan(names) };
  const query = queryOf("RepoContext", selectionOf(own), general && aliasOf(general));
  return readingBoth(client, { place, shared }, async (octokit) => {
    const answer = await octokit.graphql<ContextAnswer>(query, repoOf({ repo })).catch((error: unknown) => {
      const partial = withoutOrganization(error);
      if (!partial) throw error;
      return partial;
    });
    const context = readContext(
      {
        repository: commitSnapshot(own, answer.repository),
        organization: general && answer.organization ? commitSnapshot(general, answer.organization) : undefined,
      },
      names,
    );
    if (!general || answer.organization) return context;
    const note = `${general.repo} cannot be read: is the App installed there too? (context.organization_repo)`;
    return { ...context, notes: [note, ...context.notes] };
  });
}

function aliasOf(asked: AskedRepo): string {
  const [owner, name] = asked.repo.split("/");
  const at = `owner: ${JSON.stringify(owner)}, name: ${JSON.stringify(name)}`;
  return `\n  organization: repository(${at}) {\n    ${selectionOf(asked)}\n  }`;
}

/** The answer of a request in which only the organization's repository failed; the work goes on without it. */
function withoutOrganization(error: unknown): ContextAnswer | undefined {
  if (!isRecord(error) || !isRecord(error.data) || !error.data.repository) return undefined;
  const ofShared = (one: { readonly path?: readonly unknown[] }): boolean => one.path?.[0] === "organization";
  if (!Array.isArray(error.errors) || !error.errors.every(ofShared)) return undefined;
  // The shape is the query's own. An organization's repository that failed in part is not read at all.
  return { repository: error.data.repository as RepoAnswer, organization: null };
}

/** The entries that are kept with a context. */
function keptFor<T>(kept: WeakMap<RepoFiles, Map<string, T>>, context: RepoFiles): Map<string, T> {
  const known = kept.get(context) ?? new Map<string, T>();
  kept.set(context, known);
  return known;
}

/** Returns what is known under a key, or what `make` brings. A failure is not remembered: the next one who needs it asks again. */
function remembered<T>(known: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const before = known.get(key);
  if (before !== undefined) return before;
  const made = make();
  known.set(key, made);
  made.catch(() => {
    if (known.get(key) === made) known.delete(key);
  });
  return made;
}
