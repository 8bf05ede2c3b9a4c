import { type Person, type Role, roles } from "../base/github.ts";
import { isRecord } from "../base/json.ts";
import type { Client } from "./client.ts";
import { statusOf } from "./outcome.ts";
import { repoOf } from "./web.ts";

/** All that an approval rests on (SR-14, SR-17, SR-24), from one GraphQL request. */
export interface Facts {
  readonly repository:
    | {
        readonly id: number;
        readonly name: string;
        readonly private: boolean;
        /** The default branch's newest; null if there is none. */
        readonly commit: string | null;
      }
    | undefined;
  readonly issue:
    | {
        readonly nodeId: string;
        readonly open: boolean;
        /** The last time, even if it is open again. */
        readonly closedAt: Date | undefined;
      }
    | undefined;
  /** By numeric id; others have no rights. */
  readonly people: ReadonlyMap<number, { readonly role: Role; readonly teams: readonly string[] }>;
  /** By node id. A missing comment was deleted, or is newer than GitHub's answer. */
  readonly comments: ReadonlyMap<string, CommentFact>;
  /** As the question's installation, and not suspended. */
  readonly installed: boolean;
  /** In ms of the wall clock, which goes on while a machine sleeps. */
  readonly askedAt: number;
}

export interface CommentFact extends CommentPosition {
  readonly body: string;
  readonly edited: boolean;
  readonly byEmail: boolean;
  readonly authorId: number | undefined;
  readonly issueNodeId: string | undefined;
  /** Even if later edits hide them. */
  readonly editedByOthers: readonly Date[];
}

export interface FactsQuestion {
  readonly installationId: number;
  readonly repo: string;
  readonly issue: number;
  readonly people: readonly Person[];
  /** Node ids. */
  readonly comments: readonly string[];
  /** `org/slug`; empty if policy names none. */
  readonly teams: readonly string[];
  /** Instead of the bot's usual rights. */
  readonly reads?: Readonly<Record<string, string>> | undefined;
}

/** Throws without a whole answer; the caller then does nothing. */
export type FetchFacts = (question: FactsQuestion) => Promise<Facts>;

export const createFetchFacts =
  (client: Client): FetchFacts =>
  async (question) => {
    const askedAt = Date.now();
    const installedNow = async (): Promise<boolean> => {
      // By the App's key, because a token works for a while after its installation is gone.
      const octokit = await client.probot.auth();
      try {
        const { data } = await octokit.rest.apps.getRepoInstallation(repoOf(question));
        return data.id === question.installationId && (data.suspended_at ?? null) === null;
      } catch (error) {
        if (statusOf(error) === 404) return false;
        throw error;
      }
    };
    const [said, installed] = await Promise.allSettled([query(client, question), installedNow()]);
    if (said.status === "rejected") throw said.reason;
    // If the name now means another repository, GitHub redirects the second request. The name alone says no.
    if (said.value.repository?.name.toLowerCase() !== question.repo.toLowerCase())
      return { ...said.value, askedAt, installed: false };
    if (installed.status === "rejected") throw installed.reason;
    return { ...said.value, askedAt, installed: installed.value };
  };

const query = (client: Client, question: FactsQuestion): Promise<AnsweredFacts> =>
  client.as(question, async (octokit) => {
    const { query: text, variables } = buildFactsQuery(question);
    try {
      return readFacts(question, await octokit.graphql<FactsAnswer>(text, variables));
    } catch (error) {
      // A deleted comment is an error beside the data, and null in it.
      const partial = partialAnswer(error);
      if (!partial) throw error;
      const facts = readFacts(question, partial);
      if (!partial.repository || ("people0" in partial.repository && partial.repository.people0)) return facts;
      // Some installations may not list collaborators by GraphQL; REST answers for one person at a time.
      const people = new Map<number, { role: Role; teams: readonly string[] }>();
      for (const person of question.people) {
        const role = await client.as(question, async ({ rest }) => {
          try {
            const { data } = await rest.repos.getCollaboratorPermissionLevel({
              ...repoOf(question),
              username: person.login,
            });
            // The login may belong to another account now.
            return data.user?.id === person.id ? roleOf(data.role_name.toUpperCase()) : "none";
          } catch (error) {
            if (statusOf(error) === 404) return "none";
            throw error;
          }
        });
        people.set(person.id, { role, teams: facts.people.get(person.id)?.teams ?? [] });
      }
      return { ...facts, people };
    }
  });

interface Collaborators {
  readonly edges: readonly ({ permission: string; node: { databaseId: number } } | null)[] | null;
}
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

/** GitHub matches parts of names, and gives no more at once. Others have no rights. */
const mostNamesakes = 100;

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

type AnsweredFacts = Omit<Facts, "installed" | "askedAt">;

/** What is absent means no. */
function readFacts(question: FactsQuestion, answer: FactsAnswer): AnsweredFacts {
  const { repository } = answer;
  const issue = repository?.issue;
  const [closed] = issue?.timelineItems.nodes ?? [];
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
    (answer.nodes ?? []).flatMap((node) => {
      if (node?.id === undefined) return [];
      const authorId = node.author?.databaseId;
      const fact: CommentFact = {
        id: Number(node.fullDatabaseId),
        body: node.body,
        edited: node.lastEditedAt !== null,
        byEmail: node.createdViaEmail,
        createdAt: new Date(node.createdAt),
        authorId,
        issueNodeId: node.issue?.id,
        editedByOthers: (node.userContentEdits?.nodes ?? []).flatMap((edit) =>
          edit && edit.editor?.databaseId !== authorId ? [new Date(edit.editedAt)] : [],
        ),
      };
      return [[node.id, fact] as const];
    }),
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
    issue: issue
      ? { nodeId: issue.id, open: issue.state === "OPEN", closedAt: closed ? new Date(closed.createdAt) : undefined }
      : undefined,
    people,
    comments,
  };
}

/** Undefined if the request itself failed. */
function partialAnswer(error: unknown): FactsAnswer | undefined {
  if (!isRecord(error) || !Array.isArray(error.errors) || !error.errors.every(isHarmless)) return undefined;
  const { data } = error;
  if (typeof data !== "object" || data === null || !("repository" in data) || !("nodes" in data)) return undefined;
  // The query's own shape, with null for what GitHub could not read.
  return data as FactsAnswer;
}

/** Something is gone, or hidden from this installation. Any other error means no answer. */
function isHarmless(error: unknown): boolean {
  if (!isRecord(error)) return false;
  const [first, second] = Array.isArray(error.path) ? error.path.map(String) : [];
  if (first === "nodes") return error.type === "NOT_FOUND";
  // An unseen team has no members. A person who may approve without it still may.
  if (first?.startsWith("team")) return error.type === "NOT_FOUND" || error.type === "FORBIDDEN";
  if (first !== "repository") return false;
  // A deleted or transferred issue voids what was approved in it.
  return second === "issue"
    ? error.type === "NOT_FOUND"
    : second?.startsWith("people") === true && error.type === "FORBIDDEN";
}

/** `none` for an unknown word. For a custom role GraphQL gives its base role; REST gives its own name. */
function roleOf(permission: string | undefined): Role {
  const word = permission?.toLowerCase();
  return roles.find((role) => role === word) ?? "none";
}

export interface CommentPosition {
  /** GitHub's database id; ids only grow. */
  readonly id: number;
  /** By GitHub's clock, in whole seconds. */
  readonly createdAt: Date;
}

/** Whether its author can have read the other one. GitHub's times are in seconds, so the ids count too. */
export const isWrittenAfter = (comment: CommentPosition, other: CommentPosition): boolean =>
  comment.id > other.id && comment.createdAt.getTime() >= other.createdAt.getTime();
