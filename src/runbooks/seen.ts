/** An incident's text in all the forms that the matcher compares. */

import { alertNamesIn, cleanIncident } from "./match/clean.ts";
import { type Concepts, conceptsIn } from "./match/concepts.ts";
import { termsIn, type Words, wordsOf } from "./match/words.ts";

export interface SeenIncident {
  readonly title: string;
  readonly terms: readonly string[];
  readonly titleTerms: readonly string[];
  readonly about: Concepts;
  /** The alerts that it is about, if a runbook lists them. */
  readonly alerts: ReadonlySet<string>;
  /** The alerts that it only names in a sentence, with their weight. */
  readonly mentioned: ReadonlyMap<string, number>;
  readonly words: readonly string[];
  /** The words with a space between and around them. */
  readonly spoken: string;
}

/** A name in the title says more about the incident than one in the body. */
const mentions = { title: 20, body: 8 } as const;

/** Reads an incident; `alerts` are the names that the runbooks list, in lowercase. */
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
