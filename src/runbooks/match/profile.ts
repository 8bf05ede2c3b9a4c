import type { Skill } from "../../base/github.ts";
import { alertNameKey, quotedIn } from "./clean.ts";
import { conceptsIn } from "./concepts.ts";
import { termsIn, termsOf, wordsOf } from "./words.ts";

export type Candidate = Pick<Skill, "name" | "description"> & Partial<Pick<Skill, "body" | "metadata">>;

export interface Profile {
  readonly name: string;
  readonly nameTerms: readonly string[];
  /** As keys. */
  readonly alerts: readonly string[];
  /** Quoted in the description, as in a log. */
  readonly quotes: readonly string[];
  /** With rarity: 1 if no other runbook has it, else less. */
  readonly situations: ReadonlyMap<string, number>;
  readonly products: ReadonlyMap<string, number>;
  /** About a product, not only the host, whose faults can hit any product. */
  readonly isOfProduct: boolean;
  /** The rarest situation: a full volume claim is also a full disk. */
  readonly main: string | undefined;
  /** Terms of its name, description and alerts. */
  readonly own: ReadonlySet<string>;
  /** Those of them that name a product, not its fault. */
  readonly productTerms: ReadonlySet<string>;
}

const host = "linux";

export function profilesOf(candidates: readonly Candidate[]): readonly Profile[] {
  const drafts = candidates.map((candidate) => {
    const text = textOf(candidate);
    return { candidate, about: conceptsIn(wordsOf(text)), terms: new Set(termsOf(text)) };
  });
  const situations = spreadOf(drafts.map(({ about }) => about.situations.keys()));
  const products = spreadOf(drafts.map(({ about }) => about.products));
  const rarity = (spread: ReadonlyMap<string, number>, name: string) =>
    [name, 1 / Math.sqrt(spread.get(name) ?? 1)] as const;
  const known = new Map<string, boolean>();
  const isProduct = (word: readonly string[]): boolean => {
    const [spelling = ""] = word;
    const is = known.get(spelling) ?? conceptsIn([word]).products.size > 0;
    known.set(spelling, is);
    return is;
  };
  return drafts.map(({ candidate, about, terms: own }) => {
    const ofName = conceptsIn(wordsOf(candidate.name)).situations;
    const rated = [...about.situations.keys()]
      .map((name) => rarity(situations, name))
      .sort((a, b) => Number(ofName.has(b[0])) - Number(ofName.has(a[0])) || b[1] - a[1]);
    return {
      name: candidate.name,
      nameTerms: [...new Set(termsOf(candidate.name))],
      alerts: namesIn(candidate.metadata?.alerts ?? ""),
      quotes: quotesIn(withoutExclusions(candidate.description)),
      situations: new Map(rated),
      products: new Map([...about.products].map((name) => rarity(products, name))),
      isOfProduct: [...about.products].some((name) => name !== host),
      main: rated[0]?.[0],
      own,
      productTerms: new Set(wordsOf(textOf(candidate)).flatMap((word) => (isProduct(word) ? termsIn([word]) : []))),
    };
  });
}

const textOf = (candidate: Candidate): string =>
  `${candidate.name}\n${withoutExclusions(candidate.description)}\n${alertsAndService(candidate)}`;

export const fieldBoosts = { name: 3, description: 2, alerts: 2, headings: 1, body: 0.4 } as const;

/** Returns a runbook's terms by field. */
export function fieldsOf(candidate: Candidate): Readonly<Record<keyof typeof fieldBoosts, readonly string[]>> {
  const { name, description, body = "" } = candidate;
  return {
    name: termsOf(name),
    description: termsOf(withoutExclusions(description)),
    alerts: termsOf(alertsAndService(candidate)),
    headings: termsOf([...body.matchAll(/^#{1,6}\s+(.*)$/gm)].map((match) => match[1]).join("\n")),
    body: termsOf(body),
  };
}

const alertsAndService = ({ metadata = {} }: Candidate): string => `${metadata.alerts ?? ""} ${metadata.service ?? ""}`;

/** Removes what a runbook is not about: "(not a Kubernetes volume)", "Do not use for …". */
export const withoutExclusions = (description: string): string =>
  description.replace(
    /\((?:not|except)\b[^)]*\)|\b(?:do not|don't|never|not to be) used?\b[^.]*(?:\.|$)|\bnot for\b[^.,;]*/gi,
    " ",
  );

/** A list may have commas or line breaks between names of several words, else blanks. */
const namesIn = (list: string): readonly string[] =>
  list
    .split(/[,;\n]/.test(list) ? /[,;\n]+/ : /\s+/)
    .map(alertNameKey)
    .filter((key) => key !== "");

const quotesIn = (description: string): readonly string[] =>
  quotedIn(description)
    .map((quote) =>
      wordsOf(quote)
        .map((spellings) => spellings[0])
        .join(" "),
    )
    .filter((quote) => quote.includes(" ") && quote.length >= 8);

function spreadOf(lists: readonly Iterable<string>[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const list of lists) for (const item of list) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}
