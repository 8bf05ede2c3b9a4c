import type { Skill } from "../../base/github.ts";
import { readIncident, type SeenIncident } from "../seen.ts";
import { isRare } from "./background.ts";
import { type Band, bandOf, isAlertOf, quotesOf, type ScoredRunbook } from "./band.ts";
import { camelCaseIn, quotedIn, withoutCalm } from "./clean.ts";
import { conceptsIn, spelledWords } from "./concepts.ts";
import { type Candidate, fieldBoosts, fieldsOf, type Profile, profilesOf, withoutExclusions } from "./profile.ts";
import { createSpelling } from "./spelling.ts";
import { createTextIndex, type TextHit } from "./text-index.ts";
import { worldsApart } from "./vocabulary.ts";
import { termsOf, wordsOf } from "./words.ts";

/** Matches incidents with runbooks without a model (OFF-1). */

export interface IncidentText {
  readonly title: string;
  readonly body: string;
}

interface Match {
  /** Best first, at most ten; in band `none`, too weak to be shown. */
  readonly ranked: readonly { readonly name: string; readonly score: number }[];
  readonly band: Band;
  /** Those that list the incident's alert. */
  readonly listing: readonly string[];
}

/** Weights next to a text score of 3 to 30. */
const weights = {
  alert: 40,
  quote: 10,
  situation: 12,
  main: 5,
  product: 3,
  stranger: 1,
  otherProduct: 0.7,
  apart: 0.3,
} as const;
/** Weight of exact signals, and the most that counts. */
const exactly = { weight: 3, most: 4 } as const;
/** If a runbook has this `share` of an incident's rare words, in so many terms, others fall behind. */
const telling = { share: 0.35, terms: 3, ramp: 0.05, title: 0.3 } as const;
const maxRanked = 10;

export type Matcher = (incident: IncidentText) => Match;

const byRunbooks = new WeakMap<
  readonly Skill[],
  { readonly workflows: readonly Candidate[]; readonly matcher: Matcher }
>();

/** Returns the matcher of these lists, without skills that are chosen only by name; they are indexed once. */
export function skillMatcher(skills: readonly Skill[], workflows: readonly Candidate[]): Matcher {
  const before = byRunbooks.get(skills);
  if (before?.workflows === workflows) return before.matcher;
  const matcher = createMatcher(
    skills.filter(({ onlyByName }) => !onlyByName),
    workflows,
  );
  byRunbooks.set(skills, { workflows, matcher });
  return matcher;
}

/** Indexes the runbooks; the returned function ranks them for an incident. */
export function createMatcher(skills: readonly Skill[], workflows: readonly Candidate[] = []): Matcher {
  const candidates: readonly Candidate[] = [...skills, ...workflows];
  const profiles = profilesOf(candidates);
  const alerts = new Set(profiles.flatMap((profile) => profile.alerts));
  const exactIn = createExact(candidates);
  const search = createTextIndex(candidates.map(fieldsOf), fieldBoosts);
  const named = candidates.flatMap(({ name, description }) => wordsOf(`${name} ${description}`).flat());
  const spell = createSpelling(spelledWords, new Set(named));

  const rank = (incident: IncidentText): Match => {
    const seen = readIncident(incident, spell, alerts);
    const exact = exactIn(`${incident.title}\n${incident.body}`, seen.words);
    const hits = search(seen.terms);
    const gapOf = gapsOf(hits);
    const titleHits = search(seen.titleTerms);
    const titleGapOf = gapsOf(titleHits);
    const scored = profiles.map((profile, id): ScoredRunbook => {
      const hit = hits.get(id);
      const titleHit = titleHits.get(id);
      const gap = Math.min(1, gapOf(hit) + telling.title * titleGapOf(titleHit));
      const full = scoreOf(profile, hit, seen);
      const quotes = hit !== undefined && hit.terms.length > 1 ? quotesOf(profile, seen) : 0;
      const certain = (isAlertOf(profile, seen) ? weights.alert : 0) + quotes * weights.quote;
      const plain = full * (1 - gap) + certain;
      const own = exact.get(id) ?? 0;
      const mention = profile.alerts.reduce((most, name) => Math.max(most, seen.mentioned.get(name) ?? 0), 0);
      const score = plain + mention + Math.min(own, exactly.most) * exactly.weight;
      return { profile, hit, titleHit, score, plain, full, gap, exact: own };
    });
    const best = bestOf(scored);
    return {
      ranked: best.map(({ profile, score }) => ({ name: profile.name, score })),
      band: bandOf(best, scored, seen),
      listing: best.flatMap(({ profile }) => (isAlertOf(profile, seen) ? [profile.name] : [])),
    };
  };
  return (incident) => {
    const match = rank(incident);
    const [first] = match.ranked;
    if (match.band !== "high" || first === undefined || match.listing.includes(first.name)) return match;
    // `The consumer group is stable with lag 0` has every word of its runbook.
    const rest = withoutCalm(incident.body);
    const again = rest === incident.body ? match : rank({ title: incident.title, body: rest });
    return again.band === "high" && again.ranked[0]?.name === first.name ? match : { ...match, band: "possible" };
  };
}

function gapsOf(hits: ReadonlyMap<number, TextHit>): (hit: TextHit | undefined) => number {
  let most = 0;
  for (const { share, terms } of hits.values())
    most = Math.max(most, share * Math.min(1, terms.length / telling.terms));
  const trust = Math.min(1, Math.max(0, (most - telling.share) / telling.ramp));
  return (hit) => trust * Math.max(0, most - (hit?.share ?? 0));
}

/** Runs for every runbook, so it only looks up and adds. */
function scoreOf(profile: Profile, hit: TextHit | undefined, { about }: SeenIncident): number {
  // The index's score grows with the square of the matching terms.
  let score = hit === undefined ? 0 : Math.sqrt(hit.score);
  let shared = 0;
  let situations = 0;
  for (const [name, rarity] of profile.situations) {
    if (!about.situations.has(name)) continue;
    shared++;
    situations += rarity * weights.situation;
  }
  if (shared > 0) situations = (situations * shared) / profile.situations.size;
  if (profile.main !== undefined && about.situations.has(profile.main)) situations += weights.main;
  let known = 0;
  for (const name of about.products) {
    const rarity = profile.products.get(name);
    if (rarity !== undefined) known++;
    score += rarity === undefined ? -weights.stranger : rarity * weights.product;
  }
  const isOtherProduct = profile.isOfProduct && known === 0 && about.products.size > 0;
  const isApart = worldsApart.products.some((name) => about.products.has(name) && !profile.products.has(name));
  if (isApart) return score + situations * weights.apart;
  return score + (isOtherProduct ? situations * weights.otherProduct : situations);
}

function bestOf(scored: readonly ScoredRunbook[]): readonly ScoredRunbook[] {
  const best: ScoredRunbook[] = [];
  for (const one of scored) {
    const last = best.at(-1);
    if (one.score <= 0 || (best.length === maxRanked && last !== undefined && one.score <= last.score)) continue;
    const at = best.findIndex(({ score }) => score < one.score);
    best.splice(at < 0 ? best.length : at, 0, one);
    best.length = Math.min(best.length, maxRanked);
  }
  return best;
}

const signWeights = { description: 2, body: 1 } as const;
const maxQuoteWords = 30;

/**
 * Indexes codes and messages that only one runbook has. The returned function gives, by runbook index, the weight of what only it has of a
 * text.
 */
function createExact(
  candidates: readonly Candidate[],
): (text: string, words: readonly string[]) => ReadonlyMap<number, number> {
  const owners = new Map<string, { readonly id: number; readonly weight: number } | undefined>();
  const quotes = new Map<string, string[]>();
  for (const [id, { name, description, body = "", metadata = {} }] of candidates.entries()) {
    const own = `${name}\n${withoutExclusions(description)}\n${metadata.service ?? ""}`;
    for (const [text, weight] of [
      [own, signWeights.description],
      [body, signWeights.body],
    ] as const) {
      // Of a body, the units that its commands name.
      const services =
        text === own
          ? servicesIn(metadata.service ?? "")
          : [...body.matchAll(unit)].flatMap(([, name = ""]) => servicesIn(name));
      const names = text === own ? [plainWords(name).join(" ")] : [];
      for (const sign of [...codesIn(text), ...quotesIn(text), ...names, ...services]) {
        if (!/^\d+(?:\.\d+)+$/.test(sign) && !isRare(termsOf(sign))) continue;
        const before = owners.get(sign);
        if (!owners.has(sign)) {
          // A service has many faults.
          owners.set(sign, { id, weight: services.includes(sign) ? weight / 2 : weight });
          const [first, second] = sign.split(" ");
          const start = `${first} ${second}`;
          if (second !== undefined) quotes.set(start, [...(quotes.get(start) ?? []), sign]);
        } else if (before?.id !== id) owners.set(sign, undefined);
      }
    }
  }

  return (text, words) => {
    const found = new Map<number, number>();
    const said = words.flatMap((word, at) => {
      const near = quotes.get(`${word} ${words[at + 1]}`);
      const rest = near === undefined ? "" : `${words.slice(at, at + maxQuoteWords).join(" ")} `;
      return near?.filter((quote) => rest.startsWith(`${quote} `)) ?? [];
    });
    for (const sign of new Set([...codesIn(text), ...said, ...words])) {
      const owner = owners.get(sign);
      if (owner !== undefined && conceptsIn(wordsOf(sign)).products.size === 0)
        found.set(owner.id, (found.get(owner.id) ?? 0) + (isName(sign) ? owner.weight / 2 : owner.weight));
    }
    return found;
  };
}

/** `ERR_CERT_DATE_INVALID`, `ORA-00257`, `EMFILE`, `FailedScheduling`, `datfrozenxid_age`, the range of an address. */
function codesIn(text: string): readonly string[] {
  const codes =
    text.match(
      /\b(?:[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[A-Z]{1,6}-?\d{3,8}|E[A-Z]{4,14}|0x[\da-fA-F]{4,16}|[a-z][a-z0-9]+(?:_[a-z0-9]+)+)\b/g,
    ) ?? [];
  const ranges = [
    ...text.matchAll(/(?<![\d.])(\d{1,3})\.(\d{1,3})(?:\.(\d{1,3}|[x*]))?(?:\.(?:\d{1,3}|[x*]))?(?![\d.]*\d)/g),
  ];
  return [
    ...[...codes, ...camelCaseIn(text)].filter((code) => termsOf(code).length > 0),
    ...ranges.flatMap(([, a = "", b = "", c]) =>
      /^(?:169|100|198|203)$/.test(a) && c !== undefined ? [`${a}.${b}`] : [],
    ),
  ];
}

/** `GitHub` may be a product. */
const isName = (sign: string): boolean => /^[A-Z]?[a-z0-9]+[A-Z]+[a-z0-9]*$/.test(sign);

const quotesIn = (text: string): readonly string[] =>
  quotedIn(text)
    .map(plainWords)
    .filter((words) => words.length > 2 && words.length <= maxQuoteWords)
    .map((words) => words.join(" "));

const unit = /\b(?:systemctl\s+(?:--?\S+\s+)*[a-z-]+|journalctl\s(?:.*\s)?(?:-u|--unit))[ =]+([a-z][\w@.-]+)/g;

const servicesIn = (list: string): readonly string[] =>
  list.split(/[\s,;]+/).map((name) => plainWords(name.replace(/\.(?:service|timer|socket)$/, "")).join(" "));

const plainWords = (text: string): readonly string[] => wordsOf(text).map((spellings) => spellings[0] ?? "");
