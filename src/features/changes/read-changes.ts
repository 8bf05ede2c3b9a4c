import * as z from "zod";
import { changesAsText } from "../../github/render/changes.ts";
import { alertOf } from "../../store/alerts.ts";
import type { RowsWith } from "../../store/incident-rows.ts";
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
import { show } from "../thread/post.ts";

export const defaultSpanMs = 2 * 3_600_000;
/** Each costs two requests. */
const mostRepositories = 8;

const jobSchema = z.object({ changesOf: z.string() });

/** Whether a job of the turn queue reads changes. */
export const isChangesLook = ({ data }: Pick<Job, "data">): boolean => jobSchema.safeParse(data).success;

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

/** When something began, as its text says. */
interface IncidentBeginning {
  readonly at: Date;
  /** Within this time of it. */
  readonly withinMs: number;
}

const minuteMs = 60_000;

const hourMs = 60 * minuteMs;

const dayMs = 24 * hourMs;

const longestMs = 14 * dayMs;

const aboutMs = 30 * minuteMs;

/** Words before a time at which something began. */
const since =
  /(?:since|starting|start(?:ed|s)?(?:ing)?(?: at| around| on)?|began(?: at| around| on)?|begins? at|beginning at|from|seit|ab|depuis|(?:a|à) partir de|desde|dal(?:le|la)?|da|sinds|vanaf|начиная с)/
    .source;

const about =
  /(?:about|around|approximately|approx\.?|circa|ca\.?|roughly|~|etwa|ungefähr|gegen|rund|kurz (?:nach|vor)|environ|vers|sobre|hacia|alrededor de(?: las)?|las|les?|circa le|le|ongeveer|rond)/
    .source;

const days: Readonly<Record<string, number>> = {
  ...{ today: 0, "this morning": 0, heute: 0, "heute früh": 0, "aujourd'hui": 0, hoy: 0, oggi: 0, vandaag: 0 },
  ...{
    yesterday: 1,
    "last night": 1,
    "yesterday evening": 1,
    gestern: 1,
    "gestern abend": 1,
    hier: 1,
    ayer: 1,
    ieri: 1,
    gisteren: 1,
  },
};

const named: Readonly<Record<string, number>> = {
  ...{ noon: 12, midday: 12, mittag: 12, mittags: 12, midi: 12, mediodía: 12, mezzogiorno: 12 },
  ...{ midnight: 0, mitternacht: 0, minuit: 0, medianoche: 0, mezzanotte: 0 },
};

/** Hours ahead of UTC. */
const zones: Readonly<Record<string, number>> = {
  ...{ z: 0, utc: 0, gmt: 0, wet: 0, bst: 1, cet: 1, mez: 1, west: 1, cest: 2, mesz: 2, eet: 2, eest: 3, msk: 3 },
  ...{
    est: -5,
    edt: -4,
    cst: -6,
    cdt: -5,
    mst: -7,
    mdt: -6,
    pst: -8,
    pdt: -7,
    jst: 9,
    kst: 9,
    sgt: 8,
    aest: 10,
    aedt: 11,
  },
};

const anyOf = (words: Readonly<Record<string, unknown>>): string =>
  Object.keys(words)
    .toSorted((a, b) => b.length - a.length)
    .join("|");

const day = `(?<day>${anyOf(days)})`;

const clock = `(?:(?<hour>\\d{1,2})(?:(?:[:.h])(?<minute>\\d{2})(?::\\d{2})?)?(?<unit>\\s?(?:am|pm)|\\s?(?:uhr|h|o'clock))?|(?<named>${anyOf(named)}))`;

const zone = `(?:\\s?(?<zone>${anyOf(zones)})(?![a-z])|\\s?(?:utc|gmt)?(?<offset>[+-]\\d{2}:?\\d{2}))?`;

const lead = `(?<![\\p{L}\\d])${since}[\\s:,]{1,3}(?:(?<about>${about})\\s{0,2})?(?:(?:at|um|à|a)\\s{1,2})?`;

const exact = new RegExp(
  `${lead}(?<date>\\d{4}-\\d\\d-\\d\\d)[ T]{1,2}(?<hour>\\d\\d):(?<minute>\\d\\d)(?::\\d\\d(?:\\.\\d{1,9})?)?${zone}`,
  "iu",
);

const byClock = new RegExp(
  `${lead}(?:${day},?\\s{1,2}(?:(?:at|um|à|a|morning|evening)\\s{1,2})?(?:${about}\\s{0,2})?)?${clock}${zone}(?<later>\\s{1,2}(?:${anyOf(days)}))?(?![\\d:.%]\\d|\\s?%|\\p{L})`,
  "iu",
);

const units: readonly (readonly [pattern: string, ms: number])[] = [
  ["(?:minutes?|mins?|minuten|minutos?|minuti|minuut)", minuteMs],
  ["(?:hours?|hrs?|h|stunden?|std\\.?|heures?|horas?|ore|uren?)", hourMs],
  ["(?:days?|tage?n?|jours?|d[ií]as?|giorni|dagen)", dayMs],
];

const ones = "(?:an?|one|eine[rm]?|une?|una|een)";

/** That something was a while ago may be said of its cause: only a beginning counts. */
const spans = units.map(([unit, ms]) => ({
  ms,
  pattern: new RegExp(
    `(?<![\\p{L}\\d])(?:${since}|for the (?:last|past)|il y a|hace)\\s{1,2}(?:${about}\\s{0,2})?(?<count>\\d{1,3}|${ones})\\s?${unit}(?!\\p{L})`,
    "iu",
  ),
}));

/**
 * Reads when something began from "since 11:20Z", "seit gestern 23:40 CET", "since about noon" or "started 20 minutes ago"; undefined if the
 * text says none before `now`. A clock without a zone is UTC, unless that is still to come: then it is the nearest zone's where it is not. Pure.
 */
export function beganIn(text: string, now: Date): IncidentBeginning | undefined {
  const plain = text.replace(/[*_`]/g, "").slice(0, 20_000);
  const isPast = (at: number): boolean => at <= now.getTime() + minuteMs && at >= now.getTime() - longestMs;
  const dated = exact.exec(plain)?.groups;
  if (dated) {
    const at = Date.parse(`${dated.date}T${dated.hour}:${dated.minute}:00Z`) - (offsetOf(dated) ?? 0);
    if (isPast(at)) return { at: new Date(at), withinMs: minuteMs };
  }
  const told = byClock.exec(plain)?.groups;
  const at = told && timeOf(told, now);
  if (told && at !== undefined && isPast(at))
    return { at: new Date(at), withinMs: told.about === undefined && told.named === undefined ? minuteMs : aboutMs };
  for (const { pattern, ms } of spans) {
    const count = pattern.exec(plain)?.groups?.count;
    if (count === undefined) continue;
    const began = now.getTime() - (/^\d/.test(count) ? Number(count) : 1) * ms;
    if (isPast(began)) return { at: new Date(began), withinMs: Math.max(minuteMs, ms / 4) };
  }
  return undefined;
}

type Groups = Readonly<Record<string, string | undefined>>;

/** In ms ahead of UTC; undefined if none is said. */
function offsetOf({ zone: name, offset }: Groups): number | undefined {
  if (name !== undefined) return (zones[name.toLowerCase()] ?? 0) * hourMs;
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(offset ?? "") ?? [];
  return hours === undefined
    ? undefined
    : (sign === "-" ? -1 : 1) * (Number(hours) * hourMs + Number(minutes) * minuteMs);
}

function timeOf(told: Groups, now: Date): number | undefined {
  const { hour, minute, unit = "", named: name, day: before, later } = told;
  // "from 5 to 7", "since 14 orders": a number alone is no time.
  if (name === undefined && minute === undefined && unit === "" && told.zone === undefined) return undefined;
  const half = /pm/i.test(unit) ? 12 : 0;
  const base = name === undefined ? Number(hour) : (named[name.toLowerCase()] ?? 0);
  const hours = /[ap]m/i.test(unit) ? (base % 12) + half : base;
  if (hours > 23 || Number(minute ?? 0) > 59) return undefined;
  const back = days[(before ?? later ?? "").trim().toLowerCase()];
  const said = hours * hourMs + Number(minute ?? 0) * minuteMs;
  const offset = offsetOf(told);
  const today = Math.floor((now.getTime() + (offset ?? 0)) / dayMs) * dayMs;
  const at = today - (back ?? 0) * dayMs + said - (offset ?? 0);
  const ahead = at - now.getTime();
  if (back !== undefined || ahead <= minuteMs) return at;
  // A writer's zone may be up to 14 hours ahead.
  if (offset === undefined && ahead <= 14 * hourMs) return at - Math.ceil((ahead - minuteMs) / hourMs) * hourMs;
  return at - dayMs;
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
