import type { Person } from "../people.ts";
import { toSeconds } from "../wire/shapes.ts";
import type { World } from "../world.ts";
import { demand, type GraphqlCaller } from "./caller.ts";
import { connection, type PageArguments } from "./connection.ts";

/** People, the organization and its teams, as GraphQL shows them. */
export function createAccounts(world: World, caller: GraphqlCaller) {
  const { people, org } = world;

  const user = (person: Person) => ({
    __typename: person.type,
    id: person.nodeId,
    databaseId: person.id,
    // a bot's login has no `[bot]` here, other than in REST
    login: person.login.replace(/\[bot\]$/, ""),
    name: null,
    url: `${world.url}/${person.login}`,
  });

  const team = (slug: string, members: readonly Person[]) => ({
    __typename: "Team",
    id: Buffer.from(`0:Team/${slug}`).toString("base64"),
    slug,
    name: slug,
    combinedSlug: `${org.login}/${slug}`,
    organization,
    members: (args: PageArguments & { query?: string }) => {
      const wanted = members.filter((p) => fits(p, args));
      return connection(wanted, args, { name: "members", node: user, edge: () => ({ role: "MEMBER" }) });
    },
  });

  const organization = () => ({
    __typename: "Organization",
    id: org.node_id,
    databaseId: org.id,
    login: org.login,
    url: `${world.url}/${org.login}`,
    createdAt: toSeconds(new Date(0)),
    team: ({ slug }: { slug: string }) => {
      demand(caller, "members", "read");
      const members = people.team(slug);
      return members ? team(slug, members) : null;
    },
    teams: (args: PageArguments & { userLogins?: readonly string[]; query?: string }) => {
      demand(caller, "members", "read");
      const all = people.teams().map((slug) => ({ slug, members: people.team(slug) ?? [] }));
      const has = (members: readonly Person[], login: string) =>
        members.some((p) => p.id === people.byLogin(login)?.id);
      const wanted = all.filter((t) => args.userLogins?.every((login) => has(t.members, login)) ?? true);
      return connection(wanted, args, { name: "teams", node: (t) => team(t.slug, t.members) });
    },
  });

  return { user, organization };
}

/** GitHub's `query` finds parts of a login; `login` the whole. */
export const fits = (person: Person, { query, login }: { readonly query?: string; readonly login?: string }): boolean =>
  person.login.toLowerCase().includes((query ?? "").toLowerCase()) &&
  (!login || person.login.toLowerCase() === login.toLowerCase());
