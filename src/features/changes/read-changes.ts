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
/** Each costs two requests. */
const mostRepositories = 5;

const jobSchema = z.object({ changesOf: z.string() });

/** Whether a job of the turn queue reads changes. */
export const isChangesLook = ({ data }: Pick<Job, "data">): boolean => jobSchema.safeParse(data).success;

/** Enqueues reading changes beside the agent's turn, which does not wait. */
export async function enqueueChangesLook(
  tx: Tx,
  { store, config }: Pick<Deps, "store" | "config">,
  { id, repoId }: Incident,
): Promise<void> {
  if (Object.keys(config.context.services).length === 0) return;
  await store.queue.enqueue(tx, "turn", `changes ${id}`, { changesOf: id }, { share: String(repoId) });
}

/** Stores the changes for the agent's next turn, and posts them if there are any. */
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

/** What changed in the services' repositories before the incident. Throws if GitHub does not answer. */
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

/** Delimited, because others wrote it (SR-39). */
export const changesForModel = (seen: IncidentChanges | undefined, nonce: string): readonly string[] =>
  seen === undefined
    ? []
    : [
        `What GitHub tells of the services ${seen.services.join(", ")} before this began, newest first. That something changed need not be the cause: look first.`,
        delimit(changesAsText(seen), "changes on GitHub", nonce),
      ];

/** The changes that the agent has not read. */
export const untoldChanges = ({ repoChanges }: RowsWith<"repoChanges">): IncidentChanges | undefined =>
  repoChanges?.toldAt === null ? repoChanges : undefined;

/** The services named in text or labels, in the operator's order. */
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

/** Whole words: `cart` is in `cart-7f9` and `the cart`, not in `cartel`. */
function isWordIn(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (!/[a-z0-9]/.test(text[at - 1] ?? "") && !/[a-z0-9]/.test(text[at + word.length] ?? "")) return true;
  return false;
}
