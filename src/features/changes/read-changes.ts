import * as z from "zod";
import { changesAsText, renderChanges } from "../../github/render/changes.ts";
import type { Tx } from "../../store/database/open.ts";
import type { RowsWith } from "../../store/incident-rows.ts";
import {
  type Incident,
  type IncidentChanges,
  incidentOf,
  keepChanges,
  lockIncident,
  valuesOf,
} from "../../store/incidents.ts";
import { slots } from "../../store/outbox/slots.ts";
import { wantComments } from "../../store/outbox/wanted.ts";
import type { Job } from "../../store/queue/queue.ts";
import { redactText } from "../../text/bare.ts";
import { delimit } from "../../text/read/visible.ts";
import type { Deps } from "../context.ts";
import { threadOf, wakePoster } from "../thread/show.ts";

export const defaultSpanMs = 2 * 3_600_000;
/** At most this many repositories are read, because each costs two requests. */
const mostRepositories = 5;

const jobSchema = z.object({ changesOf: z.string() });

/** Whether a job of the queue of turns reads changes. */
export const isChangesLook = ({ data }: Pick<Job, "data">): boolean => jobSchema.safeParse(data).success;

/** Enqueues reading the changes, beside the agent's turn, which does not wait for it. */
export async function enqueueChangesLook(
  tx: Tx,
  { store, config }: Pick<Deps, "store" | "config">,
  { id, repoId }: Incident,
): Promise<void> {
  if (Object.keys(config.context.services).length === 0) return;
  await store.queue.enqueue(tx, "turn", `changes ${id}`, { changesOf: id }, { share: String(repoId) });
}

/** Reads the changes, stores them for the agent's next turn, and posts the table if there are any. */
export async function lookAtChanges(deps: Deps, job: Job): Promise<void> {
  const incident = await incidentOf(deps.store.db, jobSchema.parse(job.data).changesOf);
  const seen = incident.state === "open" ? await fetchIncidentChanges(deps, incident, defaultSpanMs) : undefined;
  await deps.store.transaction(async (tx) => {
    await job.settle(tx);
    const locked = await lockIncident(tx, incident.id);
    if (!seen || seen.services.length === 0 || locked.state === "closed") return;
    await keepChanges(tx, incident.id, seen);
    if (seen.changes.length === 0) return;
    await wantComments(tx, threadOf(locked), [{ slot: slots.changes, body: renderChanges(seen, deps.markdown) }]);
    await wakePoster(tx, deps, locked);
  });
}

/**
 * Finds the services that an incident names, and what changed in their repositories before it began. Throws if GitHub does not
 * answer.
 */
export async function fetchIncidentChanges(
  deps: Deps,
  incident: Incident,
  spanMs: number,
  named?: readonly string[],
): Promise<IncidentChanges> {
  const { config, store, redact } = deps;
  const values = named ? [] : await valuesOf(store.db, incident.id);
  const alert = values.filter(({ source }) => source !== "person").map(({ value }) => value);
  const services =
    named ??
    chooseServices(config.context.services, {
      texts: [incident.title, incident.body],
      labels: [...incident.labels, ...alert],
    });
  const until = incident.createdAt;
  const since = new Date(until.getTime() - spanMs);
  const all = [...new Set(services.flatMap((service) => config.context.services[service] ?? []))];
  const repos = all.slice(0, mostRepositories);
  const { installationId } = incident;
  const asked = { since, until, publicOnly: incident.public };
  const each = await Promise.all(repos.map((repo) => deps.changes({ installationId, repo }, asked)));
  const changes = each
    .flatMap((one) => one.changes)
    .toSorted((a, b) => b.at.localeCompare(a.at))
    .map((change) => ({ ...change, title: redactText(redact, change.title).replace(/\s+/g, " ").slice(0, 120) }));
  const unseen = [
    ...each.flatMap((one) => one.unseen),
    ...all.slice(mostRepositories).map((repo) => `${repo} (at most ${mostRepositories} are asked)`),
  ];
  return { since, until, services, changes, unseen };
}

/** The same for the model, between delimiters because others wrote it (SR-39). */
export const changesForModel = (seen: IncidentChanges | undefined, nonce: string): readonly string[] =>
  seen === undefined
    ? []
    : [
        `What GitHub tells of the services ${seen.services.join(", ")} before this began, newest first. That something changed need not be the cause: look first.`,
        delimit(changesAsText(seen), "changes on GitHub", nonce),
      ];

/** The stored changes of an incident if the agent has not read them yet. */
export const untoldChanges = ({ repoChanges }: RowsWith<"repoChanges">): IncidentChanges | undefined =>
  repoChanges?.toldAt === null ? repoChanges : undefined;

/** The services whose names are in an incident's text or labels, in the operator's order. Pure. */
export function chooseServices(
  services: Readonly<Record<string, readonly string[]>>,
  { texts, labels }: { readonly texts: readonly string[]; readonly labels: readonly string[] },
): readonly string[] {
  const words = texts.join("\n").toLowerCase();
  const tags = new Set(labels.map((label) => label.toLowerCase()));
  return Object.keys(services).filter((service) => {
    const name = service.toLowerCase();
    return (
      tags.has(name) ||
      [...tags].some((tag) => tag.endsWith(`:${name}`) || tag.endsWith(`/${name}`)) ||
      isWordIn(words, name)
    );
  });
}

/** Whether a text has the word as a whole: `cart` is in `cart-7f9` and `the cart`, not in `cartel`. */
function isWordIn(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (!/[a-z0-9]/.test(text[at - 1] ?? "") && !/[a-z0-9]/.test(text[at + word.length] ?? "")) return true;
  return false;
}
