import { weightOf } from "./match/background.ts";
import { alertNamesIn, cleanIncident } from "./match/clean.ts";
import { type Concepts, conceptsIn } from "./match/concepts.ts";
import { termsIn, type Words, wordsOf } from "./match/words.ts";

export interface SeenIncident {
  readonly title: string;
  readonly terms: readonly string[];
  /** What all terms tell. */
  readonly weight: number;
  readonly titleTerms: readonly string[];
  readonly about: Concepts;
  /** Alerts that it is about and a runbook lists. */
  readonly alerts: ReadonlySet<string>;
  /** Only mentioned, with their weight. */
  readonly mentioned: ReadonlyMap<string, number>;
  readonly words: readonly string[];
  /** With spaces between and around the words. */
  readonly spoken: string;
}

const mentions = { title: 20, body: 8 } as const;

/** Reads an incident; `alerts` are the keys of the runbooks' alerts. */
export function readIncident(
  { title, body }: { readonly title: string; readonly body: string },
  spell: (words: Words) => Words,
  alerts: ReadonlySet<string>,
): SeenIncident {
  const words = spell(wordsOf(`${cleanIncident(title)}\n${cleanIncident(body)}`));
  const written = words.map((spellings) => spellings[0] ?? "");
  const terms = [...new Set(termsIn(words))];
  const names = alertNamesIn(title, body, alerts);
  const label = names.label.intersection(alerts);
  const weighed = (list: ReadonlySet<string>, weight: number) =>
    [...list.intersection(alerts)].map((name) => [name, weight] as const);
  return {
    title,
    terms,
    weight: weightOf(terms),
    titleTerms: [...new Set(termsIn(spell(wordsOf(cleanIncident(title)))))],
    about: conceptsIn(words),
    alerts: label.size > 0 ? label : names.line.intersection(alerts),
    mentioned: new Map([...weighed(names.body, mentions.body), ...weighed(names.title, mentions.title)]),
    words: written,
    spoken: ` ${written.join(" ")} `,
  };
}
