import { commentUrl } from "../../github/web.ts";
import type { RowsWith } from "../../store/incident-rows.ts";
import { slots } from "../../store/outbox/slots.ts";
import { writeLink } from "../../text/links.ts";
import type { Deps } from "../context.ts";

/** Where to read on about the numbers of an incident: an address by number, absent where nothing of it is posted yet. */
export type Links = ReadonlyMap<number, string>;

export const noLinks: Links = new Map();

/** `[**3**](…)`, or the number alone where there is nothing to link. */
export function linked(links: Links, number: number): string {
  const url = links.get(number);
  return url === undefined ? `**${number}**` : writeLink(`**${number}**`, url);
}

/** For each action the comment that tells most of it: its run, else its card. */
export function linksOf(deps: Pick<Deps, "config">, rows: RowsWith<"actions" | "batches" | "posted">): Links {
  const posted = postedComments(deps, rows);
  const links = rows.actions.flatMap(({ number, card }): readonly (readonly [number, string])[] => {
    const batch = rows.batches.findLast(({ numbers }) => numbers.includes(number));
    const url = (batch && posted.get(slots.batch(batch.id))) ?? posted.get(card);
    return url === undefined ? [] : [[number, url]];
  });
  return new Map(links);
}

/** The addresses of our comments on an incident by their slots. */
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
