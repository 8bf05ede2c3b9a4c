/** An incident's text in every form that something is looked up in. */

import { alertNamesIn, cleanIncident } from "./match/clean.ts";
import { type Concepts, conceptsIn } from "./match/concepts.ts";
import { termsIn, type Words, wordsOf } from "./match/words.ts";

export interface SeenIncident {
  readonly title: string;
  readonly terms: readonly string[];
  /** Those of its title. */
  readonly titleTerms: readonly string[];
  readonly about: Concepts;
  /** The alerts that it is about, of those that the runbooks list. */
  readonly alerts: ReadonlySet<string>;
  /** Those that it only names, in a sentence, by what that weighs. */
  readonly mentioned: ReadonlyMap<string, number>;
  /** Its words as they are written. */
  readonly words: readonly string[];
  /** The same with a space between and around them. */
  readonly spoken: string;
}

/** A title's sentence is nearer to what the incident is about than one of its body. */
const mentions = { title: 20, body: 8 } as const;

/** Reads an incident; `alerts` are the names that the runbooks list, in lower case. */
export function readIncident(
  { title, body }: { readonly title: string; readonly body: string },
  spell: (words: Words) => Words,
  alerts: ReadonlySet<string>,
): SeenIncident {
  const words = spell(wordsOf(`${cleanIncident(title)}\n${cleanIncident(body)}`));
  const written = words.map((spellings) => spellings[0] ?? "");
  const names = alertNamesIn(title, body);
  const label = names.label.intersection(alerts);
  const weighed = (list: ReadonlySet<string>, weight: number) =>
    [...list.intersection(alerts)].map((name) => [name, weight] as const);
  return {
    title,
    terms: [...new Set(termsIn(words))],
    titleTerms: [...new Set(termsIn(spell(wordsOf(cleanIncident(title)))))],
    about: conceptsIn(words),
    alerts: label.size > 0 ? label : names.line.intersection(alerts),
    mentioned: new Map([...weighed(names.body, mentions.body), ...weighed(names.title, mentions.title)]),
    words: written,
    spoken: ` ${written.join(" ")} `,
  };
}
