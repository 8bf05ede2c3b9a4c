import { isRecord } from "../base/json.ts";
import type { Facts, FactsQuestion } from "./facts.ts";
import { repoOf } from "./repo-place.ts";
import { roleOf } from "./role.ts";

interface Collaborators {
  readonly edges: readonly ({ permission: string; node: { databaseId: number } } | null)[] | null;
}
/** What GitHub answers, with the fields that were asked for. */
export interface FactsAnswer {
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
export type FactsAnswered = Omit<Facts, "installed" | "askedAt">;

/** Reads the answer; what it does not tell is absent, and absent means no. */
export function readFacts(question: FactsQuestion, answer: FactsAnswer): FactsAnswered {
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
export function partialAnswer(error: unknown): FactsAnswer | undefined {
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
