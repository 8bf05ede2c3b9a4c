import type { RepoFile } from "../types.ts";
import type { Client } from "./client.ts";
import { repoOf } from "./comments.ts";

/** What a repository tells the bot, from its default branch at one commit (DC-2). */
export interface RepoContext {
  readonly commit: string | null;
  /** AGENTS.md and configured names, general first. */
  readonly instructions: readonly RepoFile[];
  readonly rules: RepoFile | undefined;
  /** `.github/countersign.yml`, which may only narrow. */
  readonly config: RepoFile | undefined;
  readonly skills: readonly RepoFile[];
  readonly workflows: readonly RepoFile[];
}

export interface ContextSource {
  /** From the cache, or by one GraphQL request whatever the number of files. */
  readonly fetch: (installationId: number, repo: string) => Promise<RepoContext>;
  /** Forgets a repository: a `push` changed it. */
  readonly drop: (repo: string) => void;
}

/** Larger files are left out: nobody reads them, and the prompt has a budget. */
const maxFileBytes = 256 * 1024;

const skillFolders = [".agents/skills", ".github/skills"] as const;
const workflowFolder = ".github/countersign/workflows";
const rulesPath = ".github/countersign/rules.md";
const configPath = ".github/countersign.yml";

export function createContextSource(client: Client, filenames: readonly string[]): ContextSource {
  const paths = filenames.flatMap((name) => [name, `.agents/${name}`, `.github/${name}`]);
  const query = buildContextQuery(paths);
  const cache = new Map<string, Promise<RepoContext>>();
  const lastKnown = new Map<string, RepoContext>();
  const read = (installationId: number, repo: string): Promise<RepoContext> =>
    client.as(installationId, async (octokit) =>
      readContext(repo, paths, await octokit.graphql<ContextAnswer>(query, repoOf({ repo }))),
    );
  return {
    fetch: (installationId, repo) => {
      const known = cache.get(repo);
      if (known !== undefined) return known;
      const fetched = read(installationId, repo);
      cache.set(repo, fetched);
      return fetched.then(
        (context) => {
          lastKnown.set(repo, context);
          return context;
        },
        (error) => {
          // A failure is not remembered: the next one who needs it asks again. Until GitHub answers, what was last known
          // serves to draw comments; nothing is run on it, since every run asks GitHub again (SR-24).
          if (cache.get(repo) === fetched) cache.delete(repo);
          const known = lastKnown.get(repo);
          if (known) return known;
          throw error;
        },
      );
    },
    drop: (repo) => cache.delete(repo),
  };
}

interface Blob {
  readonly text?: string | null;
  readonly byteSize?: number;
  readonly isBinary?: boolean | null;
}
interface Tree {
  readonly entries?: readonly Entry[];
}
interface Entry {
  readonly name: string;
  readonly type: string;
  /** 0o120000 is a symbolic link, which is never followed (SR-38). */
  readonly mode: number;
  readonly object: (Blob & Tree) | null;
}
interface ContextAnswer {
  readonly repository:
    | ({
        readonly defaultBranchRef: { readonly target: { readonly oid: string } } | null;
        readonly rules: Blob | null;
        readonly config: Blob | null;
        readonly workflows: Tree | null;
      } & { readonly [file: `file${number}`]: Blob | null } & { readonly [skills: `skills${number}`]: Tree | null })
    | null;
}

const blob = "... on Blob { text byteSize isBinary }";
const at = (alias: string, path: string, fields: string) =>
  `${alias}: object(expression: ${JSON.stringify(`HEAD:${path}`)}) { ${fields} }`;

function buildContextQuery(paths: readonly string[]): string {
  const files = paths.map((path, i) => at(`file${i}`, path, blob));
  const folders = skillFolders.map((path, i) =>
    at(
      `skills${i}`,
      path,
      `... on Tree { entries { name type mode object { ... on Tree { entries { name type mode object { ${blob} } } } } } }`,
    ),
  );
  return `query RepoContext($owner: String!, $repo: String!) {
  repository(owner: $owner, name: $repo) {
    defaultBranchRef { target { oid } }
    ${[
      ...files,
      ...folders,
      at("rules", rulesPath, blob),
      at("config", configPath, blob),
      at("workflows", workflowFolder, `... on Tree { entries { name type mode object { ${blob} } } }`),
    ].join("\n    ")}
  }
}`;
}

const isFile = (entry: Entry): boolean => entry.type === "blob" && (entry.mode & 0o170000) === 0o100000;

function readContext(repo: string, paths: readonly string[], answer: ContextAnswer): RepoContext {
  const found = answer.repository;
  const commit = found?.defaultBranchRef?.target.oid ?? null;
  const source = `${repo}@${commit?.slice(0, 7) ?? "empty"}`;
  const file = (path: string, object: Blob | null | undefined): RepoFile[] =>
    object?.text && !object.isBinary && (object.byteSize ?? 0) <= maxFileBytes
      ? [{ path, text: object.text, source }]
      : [];
  const skills = skillFolders.flatMap((folder, i) =>
    (found?.[`skills${i}`]?.entries ?? []).flatMap((skill) =>
      (skill.object?.entries ?? [])
        .filter((entry) => entry.name === "SKILL.md" && isFile(entry))
        .flatMap((entry) => file(`${folder}/${skill.name}/SKILL.md`, entry.object)),
    ),
  );
  const workflows = (found?.workflows?.entries ?? [])
    .filter((entry) => /\.ya?ml$/.test(entry.name) && isFile(entry))
    .flatMap((entry) => file(`${workflowFolder}/${entry.name}`, entry.object));
  return {
    commit,
    instructions: paths.flatMap((path, i) => file(path, found?.[`file${i}`])),
    rules: file(rulesPath, found?.rules)[0],
    config: file(configPath, found?.config)[0],
    skills,
    workflows,
  };
}
