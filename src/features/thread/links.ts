import { commentUrl } from "../../github/web.ts";
import type { Action } from "../../store/actions.ts";
import type { Db, Tx } from "../../store/database/open.ts";
import type { Incident } from "../../store/incidents.ts";
import { slots } from "../../store/outbox/slots.ts";
import { postedIds } from "../../store/outbox/thread-comments.ts";
import { type Batch, batchesOf } from "../../store/runs.ts";
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
export async function linksOf(
  tx: Tx,
  { config }: Pick<Deps, "config">,
  incident: Incident,
  { actions, batches }: { readonly actions: readonly Action[]; readonly batches?: readonly Batch[] },
): Promise<Links> {
  const posted = await postedComments(tx, config.github.apiUrl, incident);
  const runs = batches ?? (await batchesOf(tx, incident.id));
  const links = actions.flatMap(({ number, card }): readonly (readonly [number, string])[] => {
    const batch = runs.findLast(({ numbers }) => numbers.includes(number));
    const url = (batch && posted.get(slots.batch(batch.id))) ?? posted.get(card);
    return url === undefined ? [] : [[number, url]];
  });
  return new Map(links);
}

/** The addresses of our comments on an incident by their slots. */
export async function postedComments(
  tx: Db | Tx,
  apiUrl: string,
  incident: Incident,
): Promise<ReadonlyMap<string, string>> {
  const { repo, number: issue } = incident;
  const posted = await postedIds(tx, incident);
  return new Map([...posted].map(([slot, id]) => [slot, commentUrl(apiUrl, { repo, issue }, id)]));
}
