import { type Notes, reactionNames } from "../notes.ts";
import type { People, Person } from "../people.ts";
import { userJson } from "../user-json.ts";
import { isObject, type JsonObject, toSeconds } from "./shapes.ts";

/**
 * Ids of different things never look alike here, as on GitHub: in emulate all count from 1, so an id used in place of a
 * number would go unnoticed. Comment ids are above 2³¹ because GitHub's are, and an Int of GraphQL cannot hold them.
 */
export const idOffsets = {
  User: 500_000,
  Org: 700_000,
  Repository: 900_000_000,
  Issue: 2_000_000_000,
  IssueComment: 3_500_000_000,
  Label: 6_000_000,
} as const;
type Kind = keyof typeof idOffsets;

export interface CorrectionInput {
  readonly people: People;
  readonly notes: Notes;
  /** What `performed_via_github_app` shows for the App's own issues and comments. */
  readonly app: JsonObject;
  /** emulate's own address, which its URLs carry, and ours. */
  readonly from: string;
  readonly to: string;
}

/** Turns emulate's JSON into what GitHub would have answered. */
export type Correct = (value: unknown) => unknown;

export function createCorrect(input: CorrectionInput): Correct {
  const { people, notes } = input;
  const correct = (value: unknown): unknown => {
    if (typeof value === "string") return value.replaceAll(input.from, input.to);
    if (Array.isArray(value)) return value.map(correct);
    if (!isObject(value)) return value;
    const fields = Object.fromEntries(Object.entries(value).map(([key, v]) => [key, correctField(key, v)]));
    const kind = kindOf(value.node_id);
    if (!kind || typeof value.id !== "number") return fields;
    return fix(kind, { ...fields, id: value.id + idOffsets[kind] });
  };
  const correctField = (key: string, value: unknown): unknown =>
    key.endsWith("_at") && typeof value === "string" && value !== "" ? toSeconds(value) : correct(value);

  const fix = (kind: Kind, thing: Record<string, unknown>): unknown => {
    if (kind === "User") return fixUser(thing);
    if (kind === "Org") return fixOrganization(thing);
    if (kind === "Issue") return fixIssue(thing);
    if (kind === "IssueComment") {
      const note = notes.comments.get(String(thing.node_id));
      // emulate touches updated_at while it creates; equal times are how a reader sees "never edited"
      return { ...thing, ...authored(thing, note), updated_at: note?.edits.at(-1)?.at ?? thing.created_at };
    }
    return thing;
  };

  const fixUser = (user: Record<string, unknown>): unknown => {
    const person = people.byAlias(String(user.login));
    return person ? { ...user, ...userJson(input.to, person) } : user;
  };

  const fixIssue = (issue: Record<string, unknown>): unknown => {
    const note = notes.issues.get(String(issue.node_id));
    const to = (url: unknown, part: string) => String(url).replace("/issues/", part);
    const [url, html] = [to(issue.url, "/pulls/"), to(issue.html_url, "/pull/")];
    const pull = { url, html_url: html, diff_url: `${html}.diff`, patch_url: `${html}.patch`, merged_at: null };
    return { ...issue, ...authored(issue, note), ...(note?.isPullRequest ? { pull_request: pull } : {}) };
  };

  /** GitHub shows an owner in the shape of a user, whether it is one or not. */
  const fixOrganization = (org: Record<string, unknown>): unknown => {
    const account = { login: String(org.login), id: Number(org.id), nodeId: String(org.node_id), type: "Organization" };
    return { ...org, ...userJson(input.to, account) };
  };

  const authored = (thing: Record<string, unknown>, note: { readonly byApp: boolean } | undefined) => ({
    performed_via_github_app: note?.byApp ? input.app : null,
    reactions: countReactions(thing),
    author_association: associationOf(thing),
  });

  const countReactions = (thing: Record<string, unknown>) => {
    const all = notes.reactionsOn(String(thing.node_id));
    const counts = Object.fromEntries(
      Object.keys(reactionNames).map((c) => [c, all.filter((r) => r.content === c).length]),
    );
    return { url: `${thing.url}/reactions`, total_count: all.length, ...counts };
  };

  const associationOf = (thing: Record<string, unknown>): string => {
    const author = isObject(thing.user) ? people.byLogin(String(thing.user.login)) : undefined;
    if (!author || author.type === "Bot") return "NONE";
    if (people.teams().some((slug) => includes(people.team(slug), author))) return "MEMBER";
    return people.role(author, { id: 0, private: true }) === "none" ? "NONE" : "COLLABORATOR";
  };

  return correct;
}

const includes = (team: readonly Person[] | undefined, person: Person) =>
  team?.some((p) => p.id === person.id) ?? false;

/** emulate's node ids are base64 of `0:<kind><number>`. */
export function kindOf(nodeId: unknown): Kind | undefined {
  if (typeof nodeId !== "string") return undefined;
  const kind = /^0:([A-Za-z]+)\d+$/.exec(Buffer.from(nodeId, "base64").toString())?.[1];
  return kind !== undefined && kind in idOffsets ? (kind as Kind) : undefined;
}
