import { alertNamesIn, cleanIncident } from "./clean.ts";
import { createMatcher, type IncidentText } from "./matcher.ts";
import { termsOf } from "./words.ts";

interface SimilarSearch {
  readonly servers: readonly string[];
  readonly most: number;
  /** The runbook that surely fits a text, if one does. */
  readonly runbookOf?: ((incident: IncidentText) => string | undefined) | undefined;
  /** What programs said, as a text quotes it. */
  readonly errorsIn?: ((incident: IncidentText) => readonly string[]) | undefined;
}

/**
 * Returns up to `most` of `past` (newest first): with the same title; if none has it, with the same signs; if none has, by a match in band
 * `high`. Words ignore servers' names, because many incidents share a server.
 */
export function findSimilar<Past extends IncidentText>(
  incident: IncidentText,
  past: readonly Past[],
  search: SimilarSearch,
): readonly Past[] {
  const { servers, most } = search;
  const bare = createWithoutNames(servers);
  const titles = new Map(past.map(({ title }) => [title, titleKey(bare(title))]));
  const recurring = Map.groupBy(past, ({ title }) => titles.get(title));
  const key = titleKey(bare(incident.title));
  const before = key.includes(" ") ? recurring.get(key) : undefined;
  if (before) return before.slice(0, most);
  const alike = bySigns(incident, past, search);
  if (alike.length > 0) return alike.slice(0, most);
  const kinds = [...recurring.values()];
  // Recurrences would compete with each other.
  const candidates = kinds.flatMap(([newest], index) => {
    if (!newest) return [];
    const [title, body] = [bare(newest.title), bare(newest.body)];
    const names = alertNamesIn(title, "");
    const metadata = { alerts: [...names.label, ...names.title].join(" ") };
    return [{ name: `${nameStart}${index}`, description: cleanIncident(title), body, metadata }];
  });
  const { ranked, band } = createMatcher([], candidates)({ title: bare(incident.title), body: bare(incident.body) });
  const best = kinds[Number(ranked[0]?.name.slice(nameStart.length))];
  return band === "high" && best ? best.slice(0, most) : [];
}

/**
 * Two of three signs make incidents alike, in any two languages: the same server, the same runbook, the same error. Those with
 * more come first.
 */
function bySigns<Past extends IncidentText>(
  incident: IncidentText,
  past: readonly Past[],
  { servers, runbookOf = () => undefined, errorsIn = () => [] }: SimilarSearch,
): readonly Past[] {
  const bare = createWithoutNames(servers);
  const named = new RegExp(`(?<![\\w-])(?:${alternativesOf(servers)})(?![\\w-])`, "gi");
  const serversIn = ({ title, body }: IncidentText): readonly string[] =>
    servers.length === 0 ? [] : (`${title}\n${body}`.match(named) ?? []).map((name) => name.toLowerCase());
  const formsIn = (text: IncidentText): readonly string[] =>
    errorsIn(text).flatMap((line) => errorForm(bare(line)) ?? []);
  const [here, errors] = [serversIn(incident), formsIn(incident)];
  if (here.length + errors.length === 0) return [];
  const runbook = runbookOf(incident);
  const signsOf = (one: Past): number => {
    const isThere = serversIn(one).some((name) => here.includes(name));
    const isSaid = errors.length > 0 && formsIn(one).some((form) => errors.includes(form));
    // The runbook alone decides nothing, so it is looked for last.
    const isOneRunbook = (isThere || isSaid) && runbook !== undefined && runbookOf(one) === runbook;
    return [isThere, isSaid, isOneRunbook].filter(Boolean).length;
  };
  return past
    .map((one) => ({ one, signs: signsOf(one) }))
    .filter(({ signs }) => signs > 1)
    .toSorted((a, b) => b.signs - a.signs)
    .map(({ one }) => one);
}

/** Longest first. */
const alternativesOf = (names: readonly string[]): string =>
  names
    .toSorted((a, b) => b.length - a.length)
    .map((name) => RegExp.escape(name))
    .join("|");

const leastErrorWords = 3;

/** An error without what differs each time: numbers, addresses, times. Undefined if too little is left to tell it from others. */
function errorForm(line: string): string | undefined {
  const words =
    line
      .toLowerCase()
      .replace(/\S*\d\S*/g, " ")
      .match(/\p{L}{2,}/gu) ?? [];
  return words.length >= leastErrorWords ? words.join(" ") : undefined;
}

/** No issue contains this word. */
const nameStart = "zqearlier";

/** Removes servers' names and a preposition before: `SpoolAlmostFull on web-1` becomes `SpoolAlmostFull`. */
export function createWithoutNames(names: readonly string[]): (text: string) => string {
  if (names.length === 0) return (text) => text;
  const named = new RegExp(
    `(?:\\b(?:on|at|of|in|from|auf|von) )?(?<![\\w-])(?:${alternativesOf(names)})(?![\\w-])`,
    "gi",
  );
  return (text) =>
    text
      .replace(named, " ")
      .replace(/[ \t]{2,}/g, " ")
      .trim();
}

const titleKey = (title: string): string =>
  termsOf(cleanIncident(title))
    .filter((term) => !/^\d+$/.test(term))
    .join(" ");
