import type { Skill } from "../../base/github.ts";
import type { RepoFiles } from "../../github/context/read.ts";
import { originOf } from "../../github/context/source.ts";
import { blobUrl, commentUrl } from "../../github/web.ts";
import type { RowsWith } from "../../store/incident-rows.ts";
import { slots } from "../../store/outbox/thread-comments.ts";
import { absoluteAddress, writeLink } from "../../text/links.ts";
import type { Deps } from "../context.ts";

/** The comment to read, by number. */
export type Links = ReadonlyMap<number, string>;

export const noLinks: Links = new Map();

/** `[**3**](…)`, or the bare number. */
export function linked(links: Links, number: number): string {
  const url = links.get(number);
  return url === undefined ? `**${number}**` : writeLink(`**${number}**`, url);
}

/** Links an action's run card, or its card before it runs. */
export function linksOf(deps: Pick<Deps, "config">, rows: RowsWith<"actions" | "batches" | "posted">): Links {
  const posted = postedComments(deps, rows);
  const links = rows.actions.flatMap(({ number, card }): readonly (readonly [number, string])[] => {
    const batch = rows.batches.findLast(({ numbers }) => numbers.includes(number));
    const told = batch && batch.toldOn !== null ? posted.get(slots.card(batch.toldOn)) : undefined;
    const url = (batch && posted.get(slots.batch(batch.id))) ?? told ?? posted.get(card);
    return url === undefined ? [] : [[number, url]];
  });
  return new Map(links);
}

export function postedComments(
  { config }: Pick<Deps, "config">,
  { incident, posted }: RowsWith<"posted">,
): ReadonlyMap<string, string> {
  const place = { repo: incident.repo, issue: incident.number };
  return new Map(
    posted.flatMap(({ slot, githubId }) =>
      githubId === null ? [] : [[slot, commentUrl(config.github.apiUrl, place, githubId)] as const],
    ),
  );
}

interface GitHubAddress {
  readonly config: { readonly github: Pick<Deps["config"]["github"], "apiUrl"> };
}

/** The address before files' paths. */
export const filesAt = (
  { config }: GitHubAddress,
  repo: string,
  commit: string | null | undefined,
): string | undefined => (commit ? blobUrl(config.github.apiUrl, { repo, commit }) : undefined);

/** A path is at the commit that was read, a skill in its own repository (AR-20). Undefined if it has no address. */
export const createAddressIn =
  (site: GitHubAddress, { context }: { readonly context: Pick<RepoFiles, "commit" | "organization"> }, repo: string) =>
  (url: string, skill: Pick<Skill, "path" | "source"> | undefined): string | undefined => {
    const origin = skill ? originOf(context, repo, skill) : { repo, commit: context.commit };
    return absoluteAddress(url, origin && filesAt(site, origin.repo, origin.commit));
  };
