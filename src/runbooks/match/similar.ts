import { alertNamesIn, cleanIncident } from "./clean.ts";
import { createMatcher, type IncidentText } from "./matcher.ts";
import { termsOf } from "./words.ts";

/**
 * Returns up to `most` of `past` (newest first): with the same title or, if none has it, by a match in band `high`. Ignores servers' names,
 * because many incidents share a server.
 */
export function findSimilar<Past extends IncidentText>(
  incident: IncidentText,
  past: readonly Past[],
  { servers, most }: { readonly servers: readonly string[]; readonly most: number },
): readonly Past[] {
  const bare = createWithoutNames(servers);
  const titles = new Map(past.map(({ title }) => [title, titleKey(bare(title))]));
  const recurring = Map.groupBy(past, ({ title }) => titles.get(title));
  const key = titleKey(bare(incident.title));
  const before = key.includes(" ") ? recurring.get(key) : undefined;
  if (before) return before.slice(0, most);
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

/** No issue contains this word. */
const nameStart = "zqearlier";

/** Removes servers' names and a preposition before: `SpoolAlmostFull on web-1` becomes `SpoolAlmostFull`. */
export function createWithoutNames(names: readonly string[]): (text: string) => string {
  const longestFirst = names.toSorted((a, b) => b.length - a.length).map((name) => RegExp.escape(name));
  if (longestFirst.length === 0) return (text) => text;
  const named = new RegExp(
    `(?:\\b(?:on|at|of|in|from|auf|von) )?(?<![\\w-])(?:${longestFirst.join("|")})(?![\\w-])`,
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
