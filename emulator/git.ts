import type { GitObject, TreeEntry } from "./git-object.ts";
import { isObject, type Repo } from "./wire/shapes.ts";
import type { World } from "./world.ts";

/** Reads a repository's objects from emulate. */
export interface Git {
  readonly head: (branch: string) => Promise<string | undefined>;
  /** What an expression names: `HEAD`, `main:`, `HEAD:docs/a.md`, or an object id. */
  readonly resolve: (expression: string) => Promise<GitObject | undefined>;
  readonly object: (type: TreeEntry["type"], sha: string) => Promise<GitObject | undefined>;
}

export function createGit(world: World, repo: Repo): Git {
  const get = async (path: string): Promise<Readonly<Record<string, unknown>> | undefined> => {
    const { status, body } = await world.call(world.bot.alias, "GET", `/repos/${repo.full_name}/git/${path}`);
    return status === 200 && isObject(body) ? body : undefined;
  };
  const head = async (branch: string) => {
    const ref = await get(`ref/heads/${branch}`);
    return isObject(ref?.object) ? String(ref.object.sha) : undefined;
  };
  const tree = async (sha: string): Promise<GitObject | undefined> => {
    const found = await get(`trees/${sha}`);
    return found && { type: "tree", sha: String(found.sha), entries: found.tree as readonly TreeEntry[] };
  };
  const blob = async (sha: string): Promise<GitObject | undefined> => {
    const found = await get(`blobs/${sha}`);
    return found && { type: "blob", sha, bytes: Buffer.from(String(found.content), "base64") };
  };
  const commit = async (sha: string): Promise<GitObject | undefined> => {
    const found = await get(`commits/${sha}`);
    return isObject(found?.tree) ? { type: "commit", sha, tree: String(found.tree.sha) } : undefined;
  };
  const read = { commit, tree, blob };
  const object: Git["object"] = async (type, sha) => {
    const key = `${repo.id}/${sha}`;
    const found = world.gitObjects.get(key) ?? (await read[type](sha));
    if (found) world.gitObjects.set(key, found);
    return found;
  };

  const walk = async (from: GitObject | undefined, path: string): Promise<GitObject | undefined> => {
    if (path === "" || !from) return from;
    if (from.type !== "tree") return undefined;
    const [first, ...rest] = path.split("/");
    const entry = from.entries.find((e) => e.path === first);
    return entry ? walk(await object(entry.type, entry.sha), rest.join("/")) : undefined;
  };

  return {
    head,
    object,
    async resolve(expression) {
      const [revision = "", path] = expression.split(/:(.*)/s);
      const branch = revision === "HEAD" ? repo.default_branch : revision.replace(/^refs\/heads\//, "");
      const sha = (await head(branch)) ?? (/^[0-9a-f]{40}$/.test(revision) ? revision : undefined);
      if (!sha) return undefined;
      const start = (await object("commit", sha)) ?? (await object("tree", sha)) ?? (await object("blob", sha));
      if (path === undefined) return start;
      return walk(start?.type === "commit" ? await object("tree", start.tree) : start, path.replace(/\/$/, ""));
    },
  };
}
