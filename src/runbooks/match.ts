/** Incident → runbook without a model (OFF-1): a text index, the vocabulary of on-call work, and exact signals. */

import type { Skill } from "../types.ts";
import { alertNamesIn, cleanIncident, leadingAlertName } from "./clean.ts";
import { type Concepts, conceptsIn, spelledWords } from "./concepts.ts";
import { type Candidate, fieldBoosts, fieldsOf, type Profile, profilesOf } from "./profile.ts";
import { createSpelling } from "./spelling.ts";
import { createTextIndex, type TextHit } from "./text-index.ts";
import { requestTitle, resolvedTitle, taskTitle, worldsApart } from "./vocabulary.ts";
import { termsIn, type Words, wordsOf } from "./words.ts";

export interface IncidentText {
  readonly title: string;
  readonly body: string;
}

/** `high`: name the runbook and propose its read-only commands. `possible`: list them. `none`: say that nothing fits. */
type Band = "high" | "possible" | "none";

export interface Match {
  /** Best first, at most ten. In band `none` what is left is too weak to be shown. */
  readonly ranked: readonly { readonly name: string; readonly score: number }[];
  readonly band: Band;
}

/** How much each kind of evidence weighs next to a text score of 3 to 30. */
const weights = { alert: 40, quote: 10, situation: 12, main: 5, product: 3, stranger: 1, otherProduct: 0.7 } as const;
/** Evidence is terms, phrases, situations and products counted together; a sure match also leads by some distance. */
const bounds = { high: { evidence: 5, lead: 1.4 }, possible: { evidence: 2, score: 11 } } as const;
/** Three ways to say the same thing are as good as ten. */
const maxPhrases = 3;
const maxRanked = 10;

export type Matcher = (incident: IncidentText) => Match;

const byRunbooks = new WeakMap<
  readonly Skill[],
  { readonly workflows: readonly Candidate[]; readonly matcher: Matcher }
>();

/** The matcher of these very lists, indexed the first time: a commit's runbooks are, however many turns are taken on it. */
export function matcherOf(skills: readonly Skill[], workflows: readonly Candidate[]): Matcher {
  const before = byRunbooks.get(skills);
  if (before?.workflows === workflows) return before.matcher;
  const matcher = createMatcher(skills, workflows);
  byRunbooks.set(skills, { workflows, matcher });
  return matcher;
}

/** Indexes the runbooks once; the function it returns ranks them for an incident and says how sure it is. */
export function createMatcher(skills: readonly Skill[], workflows: readonly Candidate[] = []): Matcher {
  const candidates: readonly Candidate[] = [...skills, ...workflows];
  const profiles = profilesOf(candidates);
  const search = createTextIndex(candidates.map(fieldsOf), fieldBoosts);
  const named = candidates.flatMap(({ name, description }) => wordsOf(`${name} ${description}`).flat());
  const spell = createSpelling(new Set([...spelledWords, ...named]));

  return (incident) => {
    const seen = readIncident(incident, spell);
    const hits = search(seen.terms);
    const scored = profiles.map((profile, id) => ({
      profile,
      hit: hits.get(id),
      score: scoreOf(profile, hits.get(id), seen),
    }));
    const best = bestOf(scored);
    const ranked = best.map(({ profile, score }) => ({ name: profile.name, score }));
    return {
      ranked,
      band: bandOf(
        best.map((it) => weigh(it, seen)),
        incident.title,
        seen.about.request,
      ),
    };
  };
}

/** What an incident says, in every form that something is looked up in. */
interface Seen {
  readonly terms: readonly string[];
  readonly about: Concepts;
  readonly alerts: ReadonlySet<string>;
  /** Its words with a space between and around them. */
  readonly spoken: string;
}

function readIncident({ title, body }: IncidentText, spell: (words: Words) => Words): Seen {
  const text = `${cleanIncident(title)}\n${cleanIncident(body)}`;
  const words = spell(wordsOf(text));
  return {
    terms: [...new Set(termsIn(words))],
    about: conceptsIn(words),
    alerts: alertNamesIn(`${title}\n${body}`),
    spoken: ` ${words.map((spellings) => spellings[0]).join(" ")} `,
  };
}

interface Scored {
  readonly profile: Profile;
  readonly hit: TextHit | undefined;
  readonly score: number;
}

/** Runs for every runbook there is, so it only looks up and adds. */
function scoreOf(profile: Profile, hit: TextHit | undefined, { about, alerts, spoken }: Seen): number {
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
  score += isOtherProduct ? situations * weights.otherProduct : situations;
  if (isAlertOf(profile, alerts)) score += weights.alert;
  if (hit !== undefined && hit.terms.length > 1) score += quotesOf(profile, spoken) * weights.quote;
  return score;
}

const isAlertOf = ({ alerts: own }: Profile, alerts: ReadonlySet<string>): boolean =>
  alerts.size > 0 && own.some((name) => alerts.has(name));

function quotesOf({ quotes }: Profile, spoken: string): number {
  return quotes.filter((quote) => spoken.includes(` ${quote} `)).length;
}

/** The few best, without sorting the many. */
function bestOf(scored: readonly Scored[]): readonly Scored[] {
  const best: Scored[] = [];
  for (const one of scored) {
    const last = best.at(-1);
    if (one.score <= 0 || (best.length === maxRanked && last !== undefined && one.score <= last.score)) continue;
    const at = best.findIndex(({ score }) => score < one.score);
    best.splice(at < 0 ? best.length : at, 0, one);
    best.length = Math.min(best.length, maxRanked);
  }
  return best;
}

interface Weighed extends Scored {
  readonly isAlert: boolean;
  /** The runbook and the incident are about the same thing. */
  readonly isSameSituation: boolean;
  /** The incident is about products that the runbook does not know, and about none that it does. */
  readonly isOtherProduct: boolean;
  /** The incident is of a world that the runbook does not know. */
  readonly isApart: boolean;
  readonly evidence: number;
}

function weigh(scored: Scored, { about, alerts, spoken, terms }: Seen): Weighed {
  const { profile, hit } = scored;
  const strong = (hit?.terms ?? []).filter((position) => profile.strong.has(terms[position] ?? "")).length;
  const phrases = [...profile.situations.keys()].reduce((sum, name) => {
    const count = about.situations.get(name) ?? 0;
    return count === 0 ? sum : sum + 1 + Math.min(count, maxPhrases);
  }, 0);
  const known = [...about.products].filter((name) => profile.products.has(name)).length;
  return {
    ...scored,
    isAlert: isAlertOf(profile, alerts),
    isSameSituation: profile.main !== undefined && about.situations.has(profile.main),
    isOtherProduct: profile.products.size > 0 && known === 0 && about.products.size > 0,
    isApart:
      worldsApart.products.some((name) => about.products.has(name) && !profile.products.has(name)) ||
      worldsApart.situations.some((name) => about.situations.has(name) && !profile.situations.has(name)),
    evidence: strong + phrases + known + quotesOf(profile, spoken) * 3,
  };
}

function bandOf([best, second]: readonly Weighed[], title: string, isRequest: boolean): Band {
  if (best === undefined || isRequest || requestTitle.test(title)) return "none";
  const isOnlyAlert = best.isAlert && !second?.isAlert;
  const isAhead = best.score >= bounds.high.lead * (second?.score ?? 0);
  const isSure =
    best.isSameSituation && !best.isOtherProduct && !best.isApart && isAhead && best.evidence >= bounds.high.evidence;
  const isDoubtful = taskTitle.test(title) || resolvedTitle.test(title) || isForeignAlert(title, best.profile);
  if ((isOnlyAlert || isSure) && !isDoubtful) return "high";
  const isLikely = best.evidence >= bounds.possible.evidence && best.score >= bounds.possible.score;
  return best.isAlert || best.isSameSituation || isLikely ? "possible" : "none";
}

/**
 * A title that opens with an alert's name which this runbook does not list and which does not say what it is about.
 * `NginxHighHttp4xxErrorRate` shares nearly every word with its 5xx sibling and means something else.
 */
function isForeignAlert(title: string, { alerts, main }: Profile): boolean {
  const name = leadingAlertName(title);
  if (name === undefined || alerts.includes(name.toLowerCase())) return false;
  return main === undefined || !conceptsIn(wordsOf(name)).situations.has(main);
}
