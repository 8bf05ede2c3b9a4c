import { setTimeout } from "node:timers/promises";
import * as z from "zod";
import { changesAsText } from "../../github/render/changes.ts";
import { alertOf } from "../../store/alerts.ts";
import type { Tx } from "../../store/database/open.ts";
import { partsOf, type RowsWith } from "../../store/incident-rows.ts";
import {
  type Incident,
  type IncidentChanges,
  incidentOf,
  keepChanges,
  lockIncident,
  valuesOf,
} from "../../store/incidents.ts";
import type { Job } from "../../store/queue/queue.ts";
import { redactText } from "../../text/bare.ts";
import { delimit } from "../../text/read/visible.ts";
import type { Deps } from "../context.ts";
import { show } from "../thread/show.ts";
import { beganIn } from "./began.ts";

export const defaultSpanMs = 2 * 3_600_000;
/** Each costs two requests. */
const mostRepositories = 8;

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

/** Stores the changes for the agent's next turn, and shows them on the board if there are any. */
export async function lookAtChanges(deps: Deps, job: Job): Promise<void> {
  const incident = await incidentOf(deps.store.db, jobSchema.parse(job.data).changesOf);
  const seen = incident.state === "open" ? await fetchIncidentChanges(deps, incident, defaultSpanMs) : undefined;
  await deps.store.transaction(async (tx) => {
    await job.settle(tx);
    const locked = await lockIncident(tx, incident.id);
    if (!seen || seen.services.length === 0 || locked.state === "closed") return;
    await keepChanges(tx, incident.id, seen);
    if (seen.changes.length > 0) await show(tx, deps, locked, locked.doing);
  });
}

/** How long the first turn waits for what changed. */
const firstLookMs = 3_000;
const everyMs = 100;

/** Waits until the changes are read, if the incident names a service; for seconds at most, so that no card is kept back. */
export async function waitForChanges(deps: Deps, incident: Incident, signal: AbortSignal): Promise<void> {
  const { store, config } = deps;
  const values = await valuesOf(store.db, incident.id);
  const named = chooseServices(config.context.services, {
    texts: [incident.title, incident.body],
    labels: [...incident.labels, ...values.filter(({ source }) => source !== "person").map(({ value }) => value)],
  });
  if (named.length === 0) return;
  for (let waited = 0; waited < firstLookMs && !signal.aborted; waited += everyMs) {
    if ((await partsOf(store.db, incident.id, "repoChanges")).repoChanges) return;
    await setTimeout(everyMs);
  }
}

/** When it began: as its alert or its text says, else when it was opened. */
async function beginningOf({ store }: Pick<Deps, "store">, incident: Incident): Promise<Date> {
  const { id, title, body, createdAt } = incident;
  const alert = await alertOf(store.db, id);
  if (alert?.startedAt && alert.startedAt < createdAt) return alert.startedAt;
  const began = beganIn(title, createdAt) ?? beganIn(body, createdAt);
  return began ? new Date(Math.min(createdAt.getTime(), began.at.getTime() + began.withinMs)) : createdAt;
}

/** What changed in the services' repositories before the incident. Throws if GitHub does not answer. */
export async function fetchIncidentChanges(
  deps: Deps,
  incident: Incident,
  spanMs: number,
  { named, until: end }: { readonly named?: readonly string[] | undefined; readonly until?: Date } = {},
): Promise<IncidentChanges> {
  const until = end ?? (await beginningOf(deps, incident));
  const { config, store, redact } = deps;
  const values = named ? [] : await valuesOf(store.db, incident.id);
  const alert = values.filter(({ source }) => source !== "person").map(({ value }) => value);
  const { services: known, infrastructure } = config.context;
  const meant =
    named ?? chooseServices(known, { texts: [incident.title, incident.body], labels: [...incident.labels, ...alert] });
  // The services first, then what they depend on, nearest first; a set also visits what is added on the way.
  const all = new Set(meant);
  for (const one of all)
    for (const other of known[one]?.dependsOn ?? []) if (Object.hasOwn(known, other)) all.add(other);
  const services = [...all];
  const since = new Date(Math.min(until.getTime(), incident.createdAt.getTime()) - spanMs);
  const listed = [
    ...new Set([
      ...services.flatMap((service) => known[service]?.repositories ?? []),
      ...(services.length > 0 ? infrastructure : []),
    ]),
  ];
  const repos = listed.slice(0, mostRepositories);
  const { installationId } = incident;
  const asked = { since, until, publicOnly: incident.public };
  const each = await Promise.all(repos.map((repo) => deps.changes({ installationId, repo }, asked)));
  const changes = each
    .flatMap((one) => one.changes)
    .toSorted((a, b) => b.at.localeCompare(a.at))
    .map((change) => ({ ...change, title: redactText(redact, change.title).replace(/\s+/g, " ").slice(0, 120) }));
  const unseen = [
    ...each.flatMap((one) => one.unseen),
    ...listed.slice(mostRepositories).map((repo) => `${repo} (at most ${mostRepositories} are asked)`),
  ];
  return { since, until, services, changes, unseen };
}

const minuteOf = (at: Date): string => `${at.toISOString().slice(0, 16)}Z`;

/** Joins the unread changes with those read since, so that neither is lost. */
export const joinChanges = (before: IncidentChanges | undefined, seen: IncidentChanges): IncidentChanges =>
  before === undefined
    ? seen
    : {
        since: new Date(Math.min(before.since.getTime(), seen.since.getTime())),
        until: new Date(Math.max(before.until.getTime(), seen.until.getTime())),
        services: [...new Set([...seen.services, ...before.services])],
        changes: [
          ...new Map(
            [...before.changes, ...seen.changes].map((one) => [
              JSON.stringify([one.at, one.repo, one.url, one.title]),
              one,
            ]),
          ).values(),
        ].toSorted((a, b) => b.at.localeCompare(a.at)),
        unseen: [...new Set([...before.unseen, ...seen.unseen])],
      };

/** Delimited, because others wrote it (SR-39). */
export const changesForModel = (seen: IncidentChanges | undefined, nonce: string): readonly string[] =>
  seen === undefined
    ? []
    : [
        `What GitHub tells of the services ${seen.services.join(", ")} and what they depend on, from ${minuteOf(seen.since)} to ${minuteOf(seen.until)}, newest first. That something changed need not be the cause: look first. For an earlier or later time: \`read_changes\`.`,
        delimit(changesAsText(seen), "changes on GitHub", nonce),
      ];

/** The changes that the agent has not read. */
export const untoldChanges = ({ repoChanges }: RowsWith<"repoChanges">): IncidentChanges | undefined =>
  repoChanges?.toldAt === null ? repoChanges : undefined;

/** The services named in text or labels, in the operator's order. */
export function chooseServices(
  services: Readonly<Record<string, unknown>>,
  { texts, labels }: { readonly texts: readonly string[]; readonly labels: readonly string[] },
): readonly string[] {
  const words = texts.join("\n").toLowerCase();
  const tags = new Set(labels.map((label) => label.toLowerCase()));
  return Object.keys(services).filter((service) => {
    const name = service.toLowerCase();
    return (
      tags.has(name) ||
      [...tags].some((tag) => tag.endsWith(`:${name}`) || tag.endsWith(`/${name}`)) ||
      // Whole words: `cart` is in `cart-7f9` and `the cart`, not in `cartel`.
      new RegExp(`(?<![a-z0-9])${RegExp.escape(name)}(?![a-z0-9])`).test(words)
    );
  });
}
