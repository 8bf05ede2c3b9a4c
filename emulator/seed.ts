import { type Emulate, spareAliases } from "./emulate.ts";
import type { Seed } from "./interface.ts";
import { createPeople, type People, type Person } from "./people.ts";
import { idOffsets } from "./wire/correct.ts";
import { objectOf, type User } from "./wire/shapes.ts";

/** The people of the seed with the ids that emulate gave them. */
export async function loadPeople(emulate: Emulate, seed: Seed, bots: readonly [string, ...string[]]): Promise<People> {
  const person = async (alias: string, type: "User" | "Bot"): Promise<Person> => {
    const { status, body } = await emulate.call(bots[0], "GET", `/users/${encodeURIComponent(alias)}`);
    if (status !== 200) throw new Error(`emulate has no account ${alias}`);
    const { id, node_id } = body as User;
    return { id: id + idOffsets.User, login: alias, nodeId: node_id, alias, type };
  };
  const people = await Promise.all([
    ...bots.map(async (bot) => ({ ...(await person(bot, "Bot")), role: "none" as const })),
    ...seed.people.map(async (p) => ({ ...(await person(p.login, p.type ?? "User")), role: p.role })),
  ]);
  const spares = await Promise.all(spareAliases.map((alias) => person(alias, "User")));
  const loaded = createPeople(people, spares);
  for (const [slug, logins] of Object.entries(seed.teams ?? {})) loaded.setTeam(slug, logins);
  return loaded;
}

/** Puts the seed's files on the default branch of each repository, as one commit. */
export async function writeFiles(emulate: Emulate, seed: Seed, bot: string): Promise<void> {
  await Promise.all(
    seed.repos.map(async ({ name, files }) => {
      const git = `/repos/${seed.owner}/${name}/git`;
      const make = async (method: string, path: string, body?: unknown): Promise<string> => {
        const answer = await emulate.call(bot, method, git + path, body);
        const made = objectOf(answer.body);
        if (answer.status >= 300) throw new Error(`emulate answers ${answer.status} to ${method} ${git}${path}`);
        return String(made.sha ?? objectOf(made.object).sha);
      };
      const entries = Object.entries(files).map(([path, content]) => ({ path, mode: "100644", type: "blob", content }));
      if (entries.length === 0) return;
      const tree = await make("POST", "/trees", { tree: entries });
      const parent = await make("GET", "/ref/heads/main");
      const commit = await make("POST", "/commits", { message: "Seed", tree, parents: [parent] });
      await make("PATCH", "/refs/heads/main", { sha: commit });
    }),
  );
}
