/** What there is to know of a runbook for matching, worked out once when the runbooks are indexed. */

import type { Skill } from "../../base/github.ts";
import { headingsOf } from "../sections.ts";
import { conceptsIn } from "./concepts.ts";
import { termsOf, wordsOf } from "./words.ts";

/** What can be matched: a skill, or a workflow by its name and description. */
export type Candidate = Pick<Skill, "name" | "description"> & Partial<Pick<Skill, "body" | "metadata">>;

export interface Profile {
  readonly name: string;
  /** The terms of its name, each once. */
  readonly nameTerms: readonly string[];
  /** Names of alerts in lower case. */
  readonly alerts: readonly string[];
  /** What the description quotes, as its words: what a log says literally. */
  readonly quotes: readonly string[];
  /** Situations and products with their rarity: 1 where no other runbook has it, less where several do. */
  readonly situations: ReadonlyMap<string, number>;
  readonly products: ReadonlyMap<string, number>;
  /** It is about one product and no other; what is wrong with a host can befall whatever runs there. */
  readonly isOfProduct: boolean;
  /** The rarest of the situations: a full volume claim is also a full disk, but what it is about is the claim. */
  readonly main: string | undefined;
  /** Terms of its name, description and alerts that few runbooks have. */
  readonly strong: ReadonlySet<string>;
}

/** The product that every host has. */
const host = "linux";
/** A term that at most this share of the runbooks has says something about which one is meant. */
const strongShare = 0.15;

export function profilesOf(candidates: readonly Candidate[]): readonly Profile[] {
  const drafts = candidates.map((candidate) => {
    const text = `${candidate.name}\n${withoutExclusions(candidate.description)}\n${alertsAndService(candidate)}`;
    return { candidate, about: conceptsIn(wordsOf(text)), terms: new Set(termsOf(text)) };
  });
  const situations = spreadOf(drafts.map(({ about }) => about.situations.keys()));
  const products = spreadOf(drafts.map(({ about }) => about.products));
  const terms = spreadOf(drafts.map((draft) => draft.terms));
  const rarity = (spread: ReadonlyMap<string, number>, name: string) =>
    [name, 1 / Math.sqrt(spread.get(name) ?? 1)] as const;
  const most = Math.max(1, candidates.length * strongShare);
  return drafts.map(({ candidate, about, terms: own }) => {
    const rated = [...about.situations.keys()].map((name) => rarity(situations, name)).sort((a, b) => b[1] - a[1]);
    return {
      name: candidate.name,
      nameTerms: [...new Set(termsOf(candidate.name))],
      alerts: (candidate.metadata?.alerts ?? "")
        .toLowerCase()
        .split(/[\s,;]+/)
        .filter((alert) => alert !== ""),
      quotes: quotesIn(withoutExclusions(candidate.description)),
      situations: new Map(rated),
      products: new Map([...about.products].map((name) => rarity(products, name))),
      isOfProduct: [...about.products].some((name) => name !== host),
      main: rated[0]?.[0],
      strong: new Set([...own].filter((term) => (terms.get(term) ?? 0) <= most)),
    };
  });
}

/** How much a word counts by where it stands. */
export const fieldBoosts = { name: 3, description: 2, alerts: 2, headings: 1, body: 0.4 } as const;

/** A runbook as the text index takes it. */
export function fieldsOf(candidate: Candidate): Readonly<Record<keyof typeof fieldBoosts, readonly string[]>> {
  const { name, description, body = "" } = candidate;
  return {
    name: termsOf(name),
    description: termsOf(withoutExclusions(description)),
    alerts: termsOf(alertsAndService(candidate)),
    headings: termsOf(headingsOf(body)),
    body: termsOf(body),
  };
}

const alertsAndService = ({ metadata = {} }: Candidate): string => `${metadata.alerts ?? ""} ${metadata.service ?? ""}`;

/** "… (not a Kubernetes volume)" and "Do not use for …" name what a runbook is *not* about. */
export const withoutExclusions = (description: string): string =>
  description.replace(
    /\((?:not|except)\b[^)]*\)|\b(?:do not|don't|never|not to be) used?\b[^.]*(?:\.|$)|\bnot for\b[^.,;]*/gi,
    " ",
  );

/** Quotes of several words; a single one would be found by the text index just as well. */
const quotesIn = (description: string): readonly string[] =>
  [...description.matchAll(/["“`]([^"”`]{8,200})["”`]/g)]
    .map((match) =>
      wordsOf(match[1] ?? "")
        .map((spellings) => spellings[0])
        .join(" "),
    )
    .filter((quote) => quote.includes(" "));

/** In how many of the lists each item stands. */
function spreadOf(lists: readonly Iterable<string>[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const list of lists) for (const item of list) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}
