import type { Person, Role } from "../base/github.ts";
import type { Client } from "./client.ts";
import type { Written } from "./comment-order.ts";
import { buildFactsQuery, type FactsAnswer, type FactsAnswered, partialAnswer, readFacts } from "./facts-query.ts";
import { statusOf } from "./outcome.ts";
import { repoOf } from "./repo-place.ts";
import { roleOf } from "./role.ts";

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
