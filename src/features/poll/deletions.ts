import type { Actor } from "../../github/events.ts";
import type { Polled, PolledComment, PolledEvent } from "../../github/poll.ts";
import type { RepoPlace } from "../../github/repo-place.ts";
import { partsOf } from "../../store/incident-rows.ts";
import type { Incident } from "../../store/incidents.ts";
import { broughtComments, broughtKeys } from "../../store/queue/deliveries.ts";
import { deleted, ghost, issueGone, type Origin, type Told } from "./deliveries.ts";
import type { Polling } from "./polling.ts";

/** What is remembered of an incident's comments between two looks. */
export interface KnownComments {
  /** Those that stood there, page by page, with what GitHub gave to ask again. */
  readonly pages: readonly {
    readonly etag: string | undefined;
    readonly ids: readonly number[];
    /** Apps' comments as they read then: one of ours whose making GitHub has not answered is known by its mark alone. */
    readonly apps: readonly PolledComment[];
    readonly more: boolean;
  }[];
  /** All that ever stood there and are not known to be deleted. */
  readonly ids: ReadonlySet<number>;
}

/** What Apps' comments read when they were looked at last, by their ids. */
export const lastRead = (known: KnownComments | undefined): ReadonlyMap<number, PolledComment> =>
  new Map((known?.pages ?? []).flatMap(({ apps }) => apps.map((comment) => [comment.id, comment] as const)));

export interface Deletions {
  readonly told: readonly Told[];
  readonly known: KnownComments | undefined;
}

/** More pages than that are not looked through for what is missing. */
const mostPages = 20;

/**
 * Compares an open incident's comments with those that are known: no list tells of a deletion. What is missing is asked for once more
 * by itself, since a list may be late. An issue that is gone is told of as such.
 */
export async function readDeletions(
  { deps, source }: Pick<Polling, "deps" | "source">,
  from: Origin & { readonly place: RepoPlace },
  incident: Incident,
  before: { readonly known: KnownComments | undefined; readonly readAt: Date | null },
): Promise<Deletions> {
  const now = deps.now();
  const place = { ...from.place, issue: incident.number };
  const read = await readPages((asked) => source.commentsOn(place, asked), before.known?.pages ?? []);
  if (read === "unchanged" && before.known) return { told: [], known: before.known };
  if (typeof read === "number") {
    if (read === 404) return { told: [], known: undefined };
    return { told: [issueGone(from, incident, read === 301 ? "transferred" : "deleted", now)], known: undefined };
  }
  const pages = read === "unchanged" ? (before.known?.pages ?? []) : read;
  const here = new Set(pages.flatMap(({ ids }) => ids));
  const known = before.known?.ids ?? (await everKnown(deps, incident));
  // Of what stands on pages that were not looked at nothing is missing.
  if (pages.at(-1)?.more) return { told: [], known: { pages, ids: known } };
  const gone: number[] = [];
  const still = new Set(here);
  for (const id of known) {
    if (here.has(id)) continue;
    const found = await source.comment(from.place, id);
    if (found.kind === "gone") gone.push(id);
    else still.add(id);
  }
  if (gone.length === 0) return { told: [], known: { pages, ids: still } };
  const events = await source.events(from.place, {});
  const by = deleterOf(incident, events.kind === "read" ? events.items : [], {
    count: gone.length,
    after: before.readAt,
  });
  const said = lastRead(before.known);
  const told = gone.map((id) => deleted(from, incident, said.get(id) ?? { id }, { at: now, by }));
  return { told, known: { pages, ids: still } };
}

/** Every page, each asked for only where it may have changed; a status where the issue is gone. */
async function readPages(
  ask: (asked: { readonly etag?: string | undefined; readonly page: number }) => Promise<Polled<PolledComment>>,
  before: KnownComments["pages"],
): Promise<KnownComments["pages"] | "unchanged" | 301 | 404 | 410> {
  const pages: KnownComments["pages"][number][] = [];
  let isChanged = before.length === 0;
  for (let page = 1; page <= mostPages; page++) {
    const known = before[page - 1];
    const answer = await ask({ etag: known?.etag, page });
    if (answer.kind === "gone") return answer.status;
    if (answer.kind === "read") isChanged = true;
    const now = answer.kind === "read" ? pageOf(answer) : known;
    if (!now) break;
    pages.push(now);
    // A page that is full stays as it is when the next one begins, and does not tell of it.
    if (!now.more && now.ids.length < 100) break;
  }
  return isChanged ? pages : "unchanged";
}

const pageOf = ({ etag, items, more }: Extract<Polled<PolledComment>, { kind: "read" }>) => ({
  etag,
  ids: items.map(({ id }) => id),
  apps: items.filter(({ performed_via_github_app: app }) => app),
  more,
});

/** What the store knows: what deliveries have brought, and what we wrote; without those of whose deletion it knows. */
async function everKnown({ store }: Polling["deps"], incident: Incident): Promise<ReadonlySet<number>> {
  const { repoId, number } = incident;
  const brought = await broughtComments(store.db, [`issue:${repoId}:${number}`, `stop:${repoId}:${number}`]);
  const gone = brought.length === 0 ? new Set() : await broughtKeys(store.db, brought.map(deletedKey));
  const { posted } = await partsOf(store.db, incident.id, "posted");
  const ours = posted.flatMap(({ githubId }) => githubId ?? []);
  return new Set([...brought.filter((id) => !gone.has(deletedKey(id))), ...ours]);
}

const deletedKey = (id: number): string => `issue_comment:deleted:${id}`;

/**
 * Which comment an event was about GitHub does not say: there must be as many as are gone since the last look, and all of one person.
 * For all that cannot be told so there is GitHub's ghost.
 */
function deleterOf(
  { number }: Incident,
  events: readonly PolledEvent[],
  { count, after }: { readonly count: number; readonly after: Date | null },
): Actor {
  // GitHub's times have no fraction of a second.
  const from = Math.floor((after?.getTime() ?? Number.POSITIVE_INFINITY) / 1_000) * 1_000;
  const own = events.filter(
    ({ event, issue, created_at: at }) =>
      event === "comment_deleted" && issue?.number === number && Date.parse(at) >= from,
  );
  const [first] = own;
  const isOnes = own.length === count && own.every(({ actor }) => actor?.id === first?.actor?.id);
  return isOnes && first?.actor ? { id: first.actor.id, login: first.actor.login, type: first.actor.type } : ghost;
}
