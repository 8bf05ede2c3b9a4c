import type { CallEmulate } from "./emulate.ts";
import { idOffsets } from "./wire/correct.ts";
import type { Repo } from "./wire/shapes.ts";

/** The repositories as they are now, read again after each change, so that a request need not ask emulate first. */
export interface Repos {
  /** By `owner/name` in any case; a former name leads to the repository, as GitHub's redirects do. */
  readonly find: (fullName: string) => Repo | undefined;
  readonly byId: (id: number) => Repo | undefined;
  readonly all: () => readonly Repo[];
  /** Reads it again after a change and returns it. */
  readonly refresh: (id: number) => Promise<Repo>;
}

export async function loadRepos(call: CallEmulate, alias: string, fullNames: readonly string[]): Promise<Repos> {
  const former = new Map<string, number>();
  const load = async (path: string): Promise<Repo> => {
    const { status, body } = await call(alias, "GET", path);
    if (status !== 200) throw new Error(`emulate answers ${status} to ${path}`);
    return body as Repo;
  };
  const repos = await Promise.all(fullNames.map((name) => load(`/repos/${name}`)));
  const byId = (id: number) => repos.find((r) => r.id === id);

  return {
    byId,
    all: () => repos,
    find(fullName) {
      const name = fullName.toLowerCase();
      const formerId = former.get(name);
      return (
        repos.find((r) => r.full_name.toLowerCase() === name) ?? (formerId === undefined ? undefined : byId(formerId))
      );
    },
    async refresh(id) {
      const before = byId(id);
      const after = await load(`/repositories/${id - idOffsets.Repository}`);
      if (before) {
        former.set(before.full_name.toLowerCase(), id);
        repos[repos.indexOf(before)] = after;
      }
      return after;
    },
  };
}
