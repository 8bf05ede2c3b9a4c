import { type Person, type Role, roles } from "../base/github.ts";
import { isRecord } from "../base/json.ts";
import type { Client } from "./client.ts";
import { statusOf } from "./outcome.ts";
import { repoOf } from "./repo-place.ts";

/** What GitHub says right now of everything an approval rests on (SR-17, SR-24), from one GraphQL request. */
export interface Facts {
  readonly repository:
    | {
        readonly id: number;
        readonly name: string;
        readonly private: boolean;
        /** The newest of the default branch; null where there is none. */
        readonly commit: string | null;
      }
    | undefined;
  readonly issue:
    | {
        readonly nodeId: string;
        readonly open: boolean;
        /** When it was closed last, also if it has been opened again since. */
        readonly closedAt: Date | undefined;
      }
    | undefined;
  /** By numeric id. A person who is not in it has no rights. */
  readonly people: ReadonlyMap<number, { readonly role: Role; readonly teams: readonly string[] }>;
  /** By node id. A comment that is not in it does not exist any more, or GitHub's answer is older than the comment. */
  readonly comments: ReadonlyMap<string, CommentFact>;
  /** Whether the App is installed there, by the installation that was asked for, and not suspended. */
  readonly installed: boolean;
  /** When GitHub was asked, in ms by the clock on the wall, which goes on while a machine sleeps. */
  readonly askedAt: number;
}

export interface CommentFact extends Written {
  readonly body: string;
  readonly edited: boolean;
  readonly byEmail: boolean;
  readonly authorId: number | undefined;
  /** The issue that it stands in. */
  readonly issueNodeId: string | undefined;
  /** When somebody else than its author edited it, also where that was written over since. */
  readonly editedByOthers: readonly Date[];
}

export interface FactsQuestion {
  readonly installationId: number;
  readonly repo: string;
  readonly issue: number;
  readonly people: readonly Person[];
  /** Node ids of comments: the approvals, the card. */
  readonly comments: readonly string[];
  /** `org/slug`: the teams that matter; none are asked for where policy names none. */
  readonly teams: readonly string[];
}

/** Asks GitHub. Throws where it cannot be reached or does not answer whole; the caller then does nothing (fail closed). */
export type FetchFacts = (question: FactsQuestion) => Promise<Facts>;

export const createFetchFacts =
  (client: Client): FetchFacts =>
  async (question) => {
    const askedAt = Date.now();
    const [said, installed] = await Promise.allSettled([query(client, question), isInstalled(client, question)]);
    if (said.status === "rejected") throw said.reason;
    // Under a name that has passed on GitHub redirects the second question, and the name itself says it all.
    if (said.value.repository?.name.toLowerCase() !== question.repo.toLowerCase())
      return { ...said.value, askedAt, installed: false };
    if (installed.status === "rejected") throw installed.reason;
    return { ...said.value, askedAt, installed: installed.value };
  };

const query = (client: Client, question: FactsQuestion): Promise<FactsAnswered> =>
  client.as(question, async (octokit) => {
    const { query: text, variables } = buildFactsQuery(question);
    try {
      return readFacts(question, await octokit.graphql<FactsAnswer>(text, variables));
    } catch (error) {
      // A comment that was deleted makes nodes(ids) an error beside the data; what is null then counts as absent.
      const partial = partialAnswer(error);
      if (!partial) throw error;
      const facts = readFacts(question, partial);
      return partial.repository && !("people0" in partial.repository && partial.repository.people0)
        ? withRolesByRest(client, question, facts)
        : facts;
    }
  });

/** Asked with the App's own key: a token goes on to be taken for a while after its installation is gone. */
async function isInstalled(client: Client, question: FactsQuestion): Promise<boolean> {
  const octokit = await client.probot.auth();
  try {
    const { data } = await octokit.rest.apps.getRepoInstallation(repoOf(question));
    return data.id === question.installationId && (data.suspended_at ?? null) === null;
  } catch (error) {
    if (statusOf(error) === 404) return false;
    throw error;
  }
}

/** Some installations may not list collaborators by GraphQL; the permission API answers for one person at a time. */
async function withRolesByRest(client: Client, question: FactsQuestion, facts: FactsAnswered): Promise<FactsAnswered> {
  const people = new Map<number, { role: Role; teams: readonly string[] }>();
  for (const person of question.people) {
    const role = await client.as(question, async (octokit) => {
      try {
        const { data } = await octokit.rest.repos.getCollaboratorPermissionLevel({
          ...repoOf(question),
          username: person.login,
        });
        // The login may have passed to somebody else (SR-14).
        if (data.user?.id !== person.id) return "none";
        return roleOf(data.role_name.toUpperCase());
      } catch (error) {
        if (statusOf(error) === 404) return "none";
        throw error;
      }
    });
    people.set(person.id, { role, teams: facts.people.get(person.id)?.teams ?? [] });
  }
  return { ...facts, people };
}

interface Collaborators {
  readonly edges: readonly ({ permission: string; node: { databaseId: number } } | null)[] | null;
}
/** What GitHub answers, with the fields that were asked for. */
interface FactsAnswer {
  readonly repository:
    | ({
        databaseId: number;
        nameWithOwner: string;
        isPrivate: boolean;
        defaultBranchRef: { target: { oid: string } } | null;
        issue: {
          id: string;
          state: string;
          timelineItems: { readonly nodes: readonly ({ readonly createdAt: string } | null)[] | null };
        } | null;
      } & {
        readonly [people: `people${number}`]: Collaborators | null;
      })
    | null;
  readonly nodes: readonly (CommentNode | null)[];
  readonly [team: `team${number}`]: { readonly team: Readonly<Record<string, TeamMembers>> | null } | null;
}
interface CommentNode {
  readonly id: string;
  readonly fullDatabaseId: string;
  readonly body: string;
  readonly lastEditedAt: string | null;
  readonly createdViaEmail: boolean;
  readonly createdAt: string;
  readonly author: { readonly databaseId?: number } | null;
  readonly issue: { readonly id: string } | null;
  readonly userContentEdits: {
    readonly nodes:
      | readonly ({ readonly editedAt: string; readonly editor: { readonly databaseId?: number } | null } | null)[]
      | null;
  } | null;
}
interface TeamMembers {
  readonly nodes: readonly ({ databaseId: number } | null)[] | null;
}

/** GitHub looks for parts of names, and gives no more at once: who is not among these has no rights. */
const mostNamesakes = 100;

/** The one query for all of it. */
export function buildFactsQuery(question: FactsQuestion): { query: string; variables: Record<string, unknown> } {
  const variables: Record<string, unknown> = {
    ...repoOf(question),
    issue: question.issue,
    comments: question.comments,
  };
  const declared = ["$owner: String!", "$repo: String!", "$issue: Int!", "$comments: [ID!]!"];
  const people = question.people.map((person, i) => {
    variables[`login${i}`] = person.login;
    declared.push(`$login${i}: String!`);
    return `people${i}: collaborators(query: $login${i}, first: ${mostNamesakes}) { edges { permission node { databaseId } } }`;
  });
  const teams = question.teams.map((team, t) => {
    const [org, slug] = team.split("/");
    variables[`org${t}`] = org;
    variables[`slug${t}`] = slug;
    declared.push(`$org${t}: String!`, `$slug${t}: String!`);
    const members = question.people.map(
      (_, i) => `member${i}: members(query: $login${i}, first: ${mostNamesakes}) { nodes { databaseId } }`,
    );
    return `team${t}: organization(login: $org${t}) { team(slug: $slug${t}) { ${members.join(" ")} } }`;
  });
  const query = `query Facts(${declared.join(", ")}) {
  repository(owner: $owner, name: $repo) {
    databaseId nameWithOwner isPrivate defaultBranchRef { target { oid } }
    issue(number: $issue) {
      id state timelineItems(itemTypes: [CLOSED_EVENT], last: 1) { nodes { ... on ClosedEvent { createdAt } } }
    }
    ${people.join("\n    ")}
  }
  nodes(ids: $comments) {
    ... on IssueComment {
      id fullDatabaseId body lastEditedAt createdViaEmail createdAt issue { id } author { ... on User { databaseId } ... on Bot { databaseId } }
      userContentEdits(first: 100) { nodes { editedAt editor { ... on User { databaseId } ... on Bot { databaseId } } } }
    }
  }
  ${teams.join("\n  ")}
}`;
  return { query, variables };
}

/** What the query tells. */
type FactsAnswered = Omit<Facts, "installed" | "askedAt">;

/** Reads the answer; what it does not tell is absent, and absent means no. */
function readFacts(question: FactsQuestion, answer: FactsAnswer): FactsAnswered {
  const { repository } = answer;
  const people = new Map(
    question.people.map((person, i) => {
      const edges = repository?.[`people${i}`]?.edges ?? [];
      const edge = edges.find((candidate) => candidate?.node.databaseId === person.id);
      const teams = question.teams.filter((_, t) =>
        (answer[`team${t}`]?.team?.[`member${i}`]?.nodes ?? []).some((member) => member?.databaseId === person.id),
      );
      return [person.id, { role: roleOf(edge?.permission), teams }] as const;
    }),
  );
  const comments = new Map(
    (answer.nodes ?? []).flatMap((node) =>
      node?.id === undefined
        ? []
        : [
            [
              node.id,
              {
                id: Number(node.fullDatabaseId),
                body: node.body,
                edited: node.lastEditedAt !== null,
                byEmail: node.createdViaEmail,
                createdAt: new Date(node.createdAt),
                authorId: node.author?.databaseId,
                issueNodeId: node.issue?.id,
                editedByOthers: (node.userContentEdits?.nodes ?? []).flatMap((edit) =>
                  edit && edit.editor?.databaseId !== node.author?.databaseId ? [new Date(edit.editedAt)] : [],
                ),
              },
            ] as const,
          ],
    ),
  );
  return {
    repository: repository
      ? {
          id: repository.databaseId,
          name: repository.nameWithOwner,
          private: repository.isPrivate,
          commit: repository.defaultBranchRef?.target.oid ?? null,
        }
      : undefined,
    issue: repository?.issue ? issueOf(repository.issue) : undefined,
    people,
    comments,
  };
}

function issueOf({ id, state, timelineItems }: NonNullable<NonNullable<FactsAnswer["repository"]>["issue"]>) {
  const [closed] = timelineItems.nodes ?? [];
  return { nodeId: id, open: state === "OPEN", closedAt: closed ? new Date(closed.createdAt) : undefined };
}

/** The data of a GraphQL answer that came with errors, or nothing where the request itself failed. */
function partialAnswer(error: unknown): FactsAnswer | undefined {
  if (!isRecord(error) || !Array.isArray(error.errors) || !error.errors.every(isHarmless)) return undefined;
  const { data } = error;
  if (typeof data !== "object" || data === null || !("repository" in data) || !("nodes" in data)) return undefined;
  // The shape is the query's own: GitHub answers with the fields asked for, null where it could not.
  return data as FactsAnswer;
}

/** A comment, an issue or a team that is gone, or a list this installation may not see; whatever else GitHub could not answer is no answer. */
function isHarmless(error: unknown): boolean {
  if (!isRecord(error)) return false;
  const [first, second] = Array.isArray(error.path) ? error.path.map(String) : [];
  if (first === "nodes") return error.type === "NOT_FOUND";
  // Nobody is in a team that cannot be seen; who may approve without it still may.
  if (first?.startsWith("team")) return error.type === "NOT_FOUND" || error.type === "FORBIDDEN";
  if (first !== "repository") return false;
  // An issue that was deleted or transferred is gone from here, and what was approved in it is void.
  return second === "issue"
    ? error.type === "NOT_FOUND"
    : second?.startsWith("people") === true && error.type === "FORBIDDEN";
}

/**
 * GitHub's word for a role, or `none` for every word we do not know (SR-17). GraphQL's is of a closed list: of a custom role it is
 * the one that this is built on; REST gives its name, which is none.
 */
function roleOf(permission: string | undefined): Role {
  const word = permission?.toLowerCase();
  return roles.find((role) => role === word) ?? "none";
}

/** Where a comment stands among those of its issue. */
export interface Written {
  /** Of GitHub's database, as a webhook tells it: ids only grow. */
  readonly id: number;
  /** By GitHub's clock, in whole seconds. */
  readonly createdAt: Date;
}

/**
 * Whether whoever wrote a comment can have read the other one. Within a second GitHub's times do not tell, so the ids have to say it
 * too.
 */
export const isWrittenAfter = (comment: Written, other: Written): boolean =>
  comment.id > other.id && comment.createdAt.getTime() >= other.createdAt.getTime();
