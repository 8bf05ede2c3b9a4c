/** Incident → runbook without a model (OFF-1): a text index, the vocabulary of on-call work, and exact signals. */

import MiniSearch from "minisearch";
import type { Skill } from "../types.ts";
import { alertNamesIn, cleanIncident } from "./clean.ts";
import { type Concepts, conceptsIn } from "./concepts.ts";
import { headingsOf } from "./sections.ts";
import { requestTitle } from "./vocabulary.ts";
import { termsOf, wordsOf } from "./words.ts";

export interface IncidentText {
  readonly title: string;
  readonly body: string;
}

/** `high`: name the runbook and propose its read-only commands. `possible`: list them. `none`: say that nothing fits. */
export type Band = "high" | "possible" | "none";

export interface Match {
  /** Best first. In band `none` what is left is too weak to be shown. */
  readonly ranked: readonly { readonly name: string; readonly score: number }[];
  readonly band: Band;
}

/** What can be matched: a skill, or a workflow by its name and description. */
type Candidate = Pick<Skill, "name" | "description"> & Partial<Pick<Skill, "body" | "metadata">>;

interface Profile {
  readonly name: string;
  readonly alerts: ReadonlySet<string>;
  /** Sentences quoted in the description: what a log says literally, as its words. */
  readonly quotes: readonly string[];
  readonly about: Concepts;
  /** The terms of its name, description and alerts. */
  readonly terms: ReadonlySet<string>;
}

/** How much each kind of evidence weighs next to a text score of 3 to 30. */
const weights = { alert: 40, quote: 10, situation: 12, product: 3, stranger: 1 } as const;
const boosts = { name: 3, description: 2, alerts: 2, headings: 1, body: 0.4 } as const;
/** A term that at most this share of the runbooks has says something about which one is meant. */
const strongShare = 0.15;
/** Many terms of a long log would only add noise, and time. */
const maxQueryTerms = 40;
const bounds = {
  /** Evidence (terms, phrases, situations counted together) that a sure match needs, and how far ahead it must be. */
  high: { evidence: 5, lead: 1.4 },
  possible: { evidence: 2, score: 6 },
} as const;

/** Indexes the runbooks once; the function it returns ranks them for an incident and says how sure it is. */
export function createMatcher(
  skills: readonly Skill[],
  workflows: readonly Candidate[] = [],
): (incident: IncidentText) => Match {
  const candidates: readonly Candidate[] = [...skills, ...workflows];
  const profiles = candidates.map(profileOf);
  const search = createTextIndex(candidates);
  const rarity = rarityOf(profiles);

  return (incident) => {
    const text = `${cleanIncident(incident.title)}\n${cleanIncident(incident.body)}`;
    const words = wordsOf(text);
    const about = conceptsIn(words);
    const alerts = alertNamesIn(`${incident.title}\n${incident.body}`);
    const spoken = ` ${words.map((spellings) => spellings[0]).join(" ")} `;
    const hits = search([...new Set(termsOf(text))].slice(0, maxQueryTerms));

    const ranked = profiles
      .map((profile, id) => weigh({ profile, hit: hits.get(id), about, alerts, spoken, rarity }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score);
    const isRequest = about.request || requestTitle.test(incident.title);
    return { ranked, band: bandOf(ranked, isRequest) };
  };
}

interface Weighed {
  readonly name: string;
  readonly score: number;
  readonly isAlert: boolean;
  /** The runbook and the incident are about the same thing. */
  readonly sharesSituation: boolean;
  readonly evidence: number;
}

function weigh(seen: {
  readonly profile: Profile;
  readonly hit: TextHit | undefined;
  readonly about: Concepts;
  readonly alerts: ReadonlySet<string>;
  readonly spoken: string;
  readonly rarity: Rarity;
}): Weighed {
  const { profile, hit, about, alerts, spoken, rarity } = seen;
  const own = profile.about;
  const shared = [...own.situations].filter((it) => about.situations.has(it));
  const coverage = own.situations.size === 0 ? 0 : shared.length / own.situations.size;
  // A full volume claim is also a full disk; what it is about is the rarer of the two.
  const main = [...own.situations].sort((a, b) => rarity.ofSituation(b) - rarity.ofSituation(a))[0];
  const known = [...about.products].filter((it) => own.products.has(it));
  const strangers = about.products.size - known.length;
  const quotes = profile.quotes.filter((quote) => spoken.includes(` ${quote} `)).length;
  const strongTerms = (hit?.terms ?? []).filter((term) => profile.terms.has(term) && rarity.isStrong(term));
  const isAlert = [...profile.alerts].some((name) => alerts.has(name));
  const score =
    // The index's score grows with the square of the matching terms.
    Math.sqrt(hit?.score ?? 0) +
    (isAlert ? weights.alert : 0) +
    quotes * weights.quote +
    sum(shared.map((it) => weights.situation * rarity.ofSituation(it))) * coverage +
    sum(known.map((it) => weights.product * rarity.ofProduct(it))) -
    strangers * weights.stranger;
  return {
    name: profile.name,
    score,
    isAlert,
    sharesSituation: main !== undefined && about.situations.has(main),
    evidence: strongTerms.length + shared.length * 2 + quotes * 3 + known.length,
  };
}

function bandOf([best, second]: readonly Weighed[], isRequest: boolean): Band {
  if (best === undefined || isRequest) return "none";
  if (best.isAlert && !second?.isAlert) return "high";
  const isAhead = best.score >= bounds.high.lead * (second?.score ?? 0);
  if (best.sharesSituation && isAhead && best.evidence >= bounds.high.evidence) return "high";
  const isPlausible =
    best.sharesSituation || (best.evidence >= bounds.possible.evidence && best.score >= bounds.possible.score);
  return isPlausible ? "possible" : "none";
}

interface TextHit {
  readonly score: number;
  readonly terms: readonly string[];
}

/** The plain text index: terms in, for each candidate (by its place in the list) its score and the terms it has. */
function createTextIndex(candidates: readonly Candidate[]): (terms: readonly string[]) => ReadonlyMap<number, TextHit> {
  const index = new MiniSearch<{ id: number } & Record<keyof typeof boosts, string>>({
    fields: Object.keys(boosts),
    tokenize: (text) => [...termsOf(text)],
    processTerm: (term) => term,
    searchOptions: { boost: boosts, combineWith: "OR", tokenize: (query) => query.split(" ") },
  });
  index.addAll(
    candidates.map(({ name, description, body = "", metadata = {} }, id) => ({
      id,
      name,
      description: withoutExclusions(description),
      alerts: `${metadata.alerts ?? ""} ${metadata.service ?? ""}`,
      headings: headingsOf(body),
      body,
    })),
  );
  return (terms) =>
    new Map(index.search(terms.join(" ")).map(({ id, score, terms: found }) => [Number(id), { score, terms: found }]));
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** "… (not a Kubernetes volume)", "Do not use for …" name what a runbook is *not* about. */
const withoutExclusions = (description: string): string =>
  description.replace(
    /\((?:not|except)\b[^)]*\)|\b(?:do not|don't|never|not to be) use[d]?\b[^.]*(?:\.|$)|\bnot for\b[^.,;]*/gi,
    " ",
  );

function profileOf({ name, description, metadata = {} }: Candidate): Profile {
  const said = withoutExclusions(description);
  const alerts = (metadata.alerts ?? "").split(/[\s,;]+/).filter((alert) => alert !== "");
  const quotes = [...said.matchAll(/["“`]([^"”`]{8,200})["”`]/g)].map((match) =>
    wordsOf(match[1] ?? "")
      .map((spellings) => spellings[0])
      .join(" "),
  );
  const primary = `${name}\n${said}\n${alerts.join(" ")}\n${metadata.service ?? ""}`;
  return {
    name,
    alerts: new Set(alerts.map((alert) => alert.toLowerCase())),
    quotes: quotes.filter((quote) => quote.includes(" ")),
    about: conceptsIn(wordsOf(primary)),
    terms: new Set(termsOf(primary)),
  };
}

interface Rarity {
  /** 1 where one runbook is about it, less where several are. */
  readonly ofSituation: (name: string) => number;
  readonly ofProduct: (name: string) => number;
  readonly isStrong: (term: string) => boolean;
}

function rarityOf(profiles: readonly Profile[]): Rarity {
  const count = (lists: readonly ReadonlySet<string>[]) => {
    const counts = new Map<string, number>();
    for (const list of lists) for (const item of list) counts.set(item, (counts.get(item) ?? 0) + 1);
    return counts;
  };
  const situations = count(profiles.map(({ about }) => about.situations));
  const products = count(profiles.map(({ about }) => about.products));
  const terms = count(profiles.map((profile) => profile.terms));
  const rare = (seen: number | undefined) => 1 / Math.sqrt(seen ?? 1);
  return {
    ofSituation: (name: string) => rare(situations.get(name)),
    ofProduct: (name: string) => rare(products.get(name)),
    isStrong: (term: string) => (terms.get(term) ?? 0) <= Math.max(1, profiles.length * strongShare),
  };
}
