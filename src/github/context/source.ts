import type { Skill } from "../../base/github.ts";
import { isRecord } from "../../base/json.ts";
import type { Client, Octokit } from "../client.ts";
import { statusOf } from "../outcome.ts";
import { type RepoPlace, repoOf } from "../web.ts";
import { type ContextNames, componentFolders, componentPlan, organizationPlan, repositoryPlan } from "./plan.ts";
import {
  type AskedRepo,
  type BlobAnswer,
  commitSnapshot,
  type FolderAnswer,
  fileFaultOf,
  type RepoAnswer,
  type RepoFiles,
  rawFileOf,
  readContext,
  readInstructions,
  type SourceRef,
  selectionOf,
  sourceOf,
} from "./read.ts";

/** For an incident's part of the repository (OP-2). */
export interface Component {
  readonly folders: readonly string[];
  readonly instructions: RepoFiles["instructions"];
  readonly notes: readonly string[];
}

export interface ContextSource {
  /** Cached, or one GraphQL request for all files. */
  readonly fetch: (installationId: number, repo: string) => Promise<RepoFiles>;
  /** At the context's commit; cached. */
  readonly component: (context: RepoFiles, incident: IncidentPlace) => Promise<Component>;
  /** At the context's commit; cached. */
  readonly skillFolder: (context: RepoFiles, place: RepoPlace, skill: SkillPlace) => Promise<SkillFolder>;
  readonly skillFile: (
    context: RepoFiles,
    place: RepoPlace,
    skill: SkillPlace,
    file: SkillFile,
  ) => Promise<string | undefined>;
  /** After a `push`. */
  readonly drop: (repo: string) => void;
}

type SkillPlace = Pick<Skill, "path" | "source">;

interface IncidentPlace extends RepoPlace {
  readonly body: string;
  readonly labels: readonly string[];
}

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
  // They go with their context after a push.
  const components = new WeakMap<RepoFiles, Map<string, Promise<Component>>>();
  const folders = new WeakMap<RepoFiles, Map<string, Promise<SkillFolder>>>();

  /** Asks for all files at once. */
  const fetchContext = (place: RepoPlace): Promise<RepoFiles> => {
    const { repo } = place;
    const own: AskedRepo = { repo, revision: "HEAD", plan: repositoryPlan(names) };
    const general: AskedRepo | undefined =
      shared === undefined || isSame(shared, repo)
        ? undefined
        : { repo: shared, revision: "HEAD", plan: organizationPlan(names) };
    const [owner, name] = general?.repo.split("/") ?? [];
    const organization =
      general &&
      `\n  organization: repository(owner: ${JSON.stringify(owner)}, name: ${JSON.stringify(name)}) {\n    ${selectionOf(general)}\n  }`;
    const query = queryOf("RepoContext", selectionOf(own), organization);
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
  };
  const fetch = (installationId: number, repo: string): Promise<RepoFiles> =>
    remembered(contexts, repo.toLowerCase(), () => fetchContext({ installationId, repo })).then(
      (context) => {
        lastKnown.set(repo.toLowerCase(), context);
        return context;
      },
      (error) => {
        // Comments may be drawn by it. No command runs on it, because every run asks GitHub again (SR-24).
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
      // Git knows no path with `..`, and follows no link.
      const selection = objectAt(origin, `${folderOf(skill)}/${file.path}`, "... on Blob { text byteSize isBinary }");
      return textIn(await fetchOfSkill<BlobAnswer>(client, { place, repo: origin.repo }, selection));
    },
    drop: (repo) => {
      // The organization's repository is part of every context.
      if (repo.toLowerCase() === shared?.toLowerCase()) contexts.clear();
      contexts.delete(repo.toLowerCase());
    },
  };
}

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

/** Without a token for both, public files can still be read. */
async function readingBoth<T>(
  client: Client,
  { place, shared }: { readonly place: RepoPlace; readonly shared: string | undefined },
  call: (octokit: Octokit) => Promise<T>,
): Promise<T> {
  // A token's repositories all belong to one account.
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

/** If only the organization's repository failed, the work goes on without it. */
function withoutOrganization(error: unknown): ContextAnswer | undefined {
  if (!isRecord(error) || !isRecord(error.data) || !error.data.repository) return undefined;
  const ofShared = (one: { readonly path?: readonly unknown[] }): boolean => one.path?.[0] === "organization";
  if (!Array.isArray(error.errors) || !error.errors.every(ofShared)) return undefined;
  // The query's own shape.
  return { repository: error.data.repository as RepoAnswer, organization: null };
}

function keptFor<T>(kept: WeakMap<RepoFiles, Map<string, T>>, context: RepoFiles): Map<string, T> {
  const known = kept.get(context) ?? new Map<string, T>();
  kept.set(context, known);
  return known;
}

/** A failure is not remembered. */
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

/** Inside the skill's folder. */
export interface SkillFile {
  readonly path: string;
  readonly bytes: number;
}

type SkillFolder = ReadonlyMap<string, SkillFile>;

const maxDepth = 3;

/** Undefined if the context has none of its source. */
export function originOf(
  context: Pick<RepoFiles, "commit" | "organization">,
  repo: string,
  { source }: Pick<Skill, "source">,
): SourceRef | undefined {
  const refs = [context.commit === null ? undefined : { repo, commit: context.commit }, context.organization];
  return refs.find((ref) => ref !== undefined && sourceOf(ref) === source);
}

const folderOf = ({ path }: Pick<Skill, "path">): string => path.split("/").slice(0, -1).join("/");
const objectAt = ({ commit }: SourceRef, path: string, fields: string): string =>
  `skill: object(expression: ${JSON.stringify(`${commit}:${path}`)}) { ${fields} }`;

function listingOf(origin: SourceRef, skill: Pick<Skill, "path">): string {
  const level = (depth: number): string =>
    depth === 0
      ? ""
      : `... on Tree { entries { name type mode object { ... on Blob { byteSize isBinary } ${level(depth - 1)} } } }`;
  return objectAt(origin, folderOf(skill), level(maxDepth));
}

/**
 * Only these files are ever read, so no path that the model invents leads out. Skips links, submodules, and binary or too large files
 * (SR-38).
 */
function filesIn(answer: FolderAnswer | null | undefined): SkillFolder {
  const files = walk(answer ?? {}, "").filter(({ path }) => path !== "SKILL.md");
  return new Map(files.map((file) => [file.path, file]));
}

function walk({ entries = [] }: FolderAnswer, above: string): readonly SkillFile[] {
  return entries.flatMap(({ name, type, mode, object }) => {
    const path = `${above}${name}`;
    if (type === "tree") return walk(object ?? {}, `${path}/`);
    const bytes = object?.byteSize ?? 0;
    return fileFaultOf(rawFileOf({ ...object, text: "" }, mode)) === undefined ? [{ path, bytes }] : [];
  });
}

/** Undefined if GitHub does not show it. */
const textIn = (answer: BlobAnswer | null | undefined): string | undefined =>
  fileFaultOf(rawFileOf(answer, plainMode)) === undefined ? (answer?.text ?? undefined) : undefined;

const plainMode = 0o100644;
