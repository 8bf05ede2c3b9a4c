/** How sure a match is (OFF-1). */

import type { SeenIncident } from "../seen.ts";
import { bitsIn, bitsOf, weightOf } from "./background.ts";
import { alertNameKey, leadingAlertName } from "./clean.ts";
import { conceptsIn } from "./concepts.ts";
import type { Profile } from "./profile.ts";
import type { TextHit } from "./text-index.ts";
import { requestTitle, resolvedTitle, taskTitle, worldsApart } from "./vocabulary.ts";
import { wordsOf } from "./words.ts";

/** `high`: name the runbook and propose its read-only commands; `possible`: list it; `none`: say that nothing fits. */
export type Band = "high" | "possible" | "none";

export interface ScoredRunbook {
  readonly profile: Profile;
  readonly hit: TextHit | undefined;
  readonly titleHit: TextHit | undefined;
  readonly score: number;
  /** `score` without mentioned alerts and exact signals. */
  readonly plain: number;
  /** Score of text, situations and products, not reduced by `gap`. */
  readonly full: number;
  /** How far it is behind in the incident's rare words, 0 to 1; 0 if no runbook has many. */
  readonly gap: number;
  /** Weight of codes and quotes that only this runbook has. */
  readonly exact: number;
}

const evidence = { high: 4.5, possible: 2 } as const;
/** Bits that a phrase of the vocabulary, or a quote, tells. */
const phraseBits = 4;
/** The least share of what the incident tells that the runbook must have. */
const explained = { high: 0.2, product: 0.5, told: 0.25 } as const;
/** Bits that replace the name of the runbook's product. */
const bits = { product: 12, text: 12, told: 12, telling: 3, possible: 2, inBody: 6 } as const;
/** The least score of a runbook that may fit. */
const minScore = 11;
const leads = { full: 1.4, score: 1.25, text: 1.5, told: 2 } as const;
const gaps = { listed: 0.1, text: 0.05 } as const;
/** Of the incident's rare words; `name`: of the runbook's name. */
const shares = { high: 0.85, name: 0.5, fault: 0.7, listed: 0.6, whole: 0.9, mentioned: 0.3, title: 0.1 } as const;
/** Fewer terms agree by chance. */
const terms = { high: 5, fault: 4, listed: 3, whole: 2, told: 2 } as const;
/** `exact` of one signal in name or description. */
const exactOfItself = 2;
const maxPhrases = 3;

/** Decides how sure the first of `ranked` (best first) is; `all` has every runbook. */
export function bandOf(ranked: readonly ScoredRunbook[], all: readonly ScoredRunbook[], seen: SeenIncident): Band {
  const [best, second] = ranked;
  if (best === undefined || requestTitle.test(seen.title)) return "none";
  const { profile, gap, score } = best;
  const {
    share,
    terms: { length: count },
  } = best.hit ?? { share: 0, terms: [] };
  const isAlert = isAlertOf(profile, seen);
  const isOrder = taskTitle.test(seen.title) || (seen.about.request && conceptsIn(wordsOf(seen.title)).request);
  const isFault = isAlert || (gap < gaps.listed && (tells(best.hit) || tells(best.titleHit)));
  if (seen.about.request && isOrder) return "none";

  const about = aboutOf(best, seen);
  const lead = score / (second?.score ?? 0);
  const isAhead = () => best.full >= leads.full * mostOf(all, best, "full") && lead >= leads.score;
  const isSure =
    about.isSame && about.isOfIts && about.explained >= explained.high && about.evidence >= evidence.high && isAhead();
  const hitBits = bitsIn((best.hit?.terms ?? []).map((at) => seen.terms[at] ?? ""));
  const ofName = profile.nameTerms.filter((term) => seen.terms.includes(term)).length;
  const nameShare = ofName / Math.max(1, profile.nameTerms.length);
  const isWhole = share >= shares.high && count >= terms.high && hitBits >= bits.text && nameShare >= shares.name;
  const isMentioned = isMentionedOf(profile, seen);
  const isNamed =
    (isMentioned && share >= shares.mentioned && !(second && isMentionedOf(second.profile, seen))) ||
    (best.exact >= exactOfItself && !second?.exact && (about.isSame || profile.main === undefined));
  // A name confirms the rest of the text and never overrules it.
  const isText =
    gap < gaps.text && lead >= leads.text && (isWhole || (isNamed && best.plain >= mostOf(all, best, "plain")));
  const isAsking = isOrder || (seen.about.request && !isAlert && !tells(best.hit));
  const isDoubtful =
    isAsking ||
    (seen.about.request && !isFault) ||
    resolvedTitle.test(seen.title) ||
    isForeignAlert(seen.title, profile);
  const isOnlyAlert = isAlert && !(second && isAlertOf(second.profile, seen));
  const isTold =
    about.isOfIts &&
    about.ofFault >= bits.told &&
    about.explained >= explained.told &&
    (about.telling > terms.told || about.isRelated || nameShare > 0) &&
    about.telling >= terms.told &&
    gap < gaps.text &&
    lead >= leads.told &&
    isAhead();
  const isOfThing = nameShare > 0 || about.namesThing;
  const isOfFault = about.namesFault || (best.titleHit?.share ?? 0) > shares.title;
  if ((isOnlyAlert || ((isSure || isText || isTold) && isOfThing && isOfFault && !about.isApart)) && !isDoubtful)
    return "high";

  const isLikely = about.evidence >= evidence.possible && best.plain >= minScore;
  const isShared =
    gap < gaps.listed &&
    ((share > shares.listed && count >= terms.listed) || (share >= shares.whole && count >= terms.whole));
  const isOfIt = isAlert || isMentioned || best.exact >= exactOfItself || about.isSame;
  const isRanked = about.isRelated || about.bits >= bits.possible || hitBits >= bits.inBody;
  return isOfIt || isLikely || isShared || isRanked ? "possible" : "none";
}

/** Returns whether the runbook lists the incident's alert. */
export const isAlertOf = ({ alerts }: Profile, seen: SeenIncident): boolean =>
  seen.alerts.size > 0 && alerts.some((name) => seen.alerts.has(name));

const isMentionedOf = ({ alerts }: Profile, { mentioned }: SeenIncident): boolean =>
  alerts.some((name) => mentioned.has(name));

/** A text that says so much of the fault reports one, even if it also makes a request. */
const tells = (hit: TextHit | undefined): boolean =>
  hit !== undefined && hit.share > shares.fault && hit.terms.length >= terms.fault;

const mostOf = (all: readonly ScoredRunbook[], best: ScoredRunbook, key: "full" | "plain"): number =>
  all.reduce((most, one) => (one.profile === best.profile ? most : Math.max(most, one[key])), 0);

/** Counts the description's quotes that the incident has. */
export function quotesOf({ quotes }: Profile, { spoken }: SeenIncident): number {
  return quotes.filter((quote) => spoken.includes(` ${quote} `)).length;
}

interface SubjectMatch {
  readonly isSame: boolean;
  /** The incident names its product, or tells enough besides. */
  readonly isOfIts: boolean;
  readonly isApart: boolean;
  readonly isRelated: boolean;
  readonly evidence: number;
  /** What the shared words tell anywhere. */
  readonly bits: number;
  readonly explained: number;
  /** What the shared words tell without the names of products. */
  readonly ofFault: number;
  /** How many of those words tell something. */
  readonly telling: number;
  readonly namesThing: boolean;
  /** Its own, and not more of another one. */
  readonly namesFault: boolean;
}

function aboutOf({ profile }: ScoredRunbook, seen: SeenIncident): SubjectMatch {
  const { about, terms } = seen;
  const own = terms.filter((term) => profile.own.has(term));
  const shared = weightOf(own);
  const ofFault = own.filter((term) => !profile.productTerms.has(term));
  const phrases = [...profile.situations.keys()].reduce((sum, name) => sum + (about.situations.get(name) ?? 0), 0);
  const situations = [...profile.situations.keys()].filter((name) => about.situations.has(name)).length;
  const known = [...about.products].filter((name) => profile.products.has(name)).length;
  const quotes = quotesOf(profile, seen);
  const ofFaultWeight = weightOf(ofFault);
  const others = [...about.situations].reduce(
    (sum, [name, words]) => (profile.situations.has(name) ? sum : sum + words),
    0,
  );
  const telling = ofFault.filter((term) => bitsOf(term) >= bits.telling).length;
  const explainedShare =
    (shared + phraseBits * (Math.min(phrases, maxPhrases) + quotes * 3)) / Math.max(1, seen.weight);
  return {
    isSame: profile.main !== undefined && about.situations.has(profile.main),
    isOfIts:
      known > 0 ||
      profile.products.size === 0 ||
      (about.products.size === 0 &&
        (!profile.isOfProduct || quotes > 0 || (explainedShare >= explained.product && telling > 1))) ||
      shared >= bits.product,
    isApart:
      worldsApart.products.some((name) => about.products.has(name) && !profile.products.has(name)) ||
      worldsApart.situations.some((name) => about.situations.has(name) && !profile.situations.has(name)),
    isRelated: situations > 0 || known > 0,
    evidence: shared / phraseBits + situations + Math.min(phrases, maxPhrases) + known + quotes * 3,
    bits: shared,
    explained: explainedShare,
    ofFault: ofFaultWeight,
    telling,
    namesThing: known > 0 || phrases >= 3 || ofFaultWeight >= 8,
    namesFault: phrases - others >= 2 || ofFaultWeight >= 10,
  };
}

/** `NginxHighHttp4xxErrorRate` shares nearly every word with its 5xx sibling and means something else. */
function isForeignAlert(title: string, { alerts, main }: Profile): boolean {
  const name = leadingAlertName(title);
  if (name === undefined || alerts.includes(alertNameKey(name))) return false;
  // A runbook that lists alerts means only those.
  return alerts.length > 0 || main === undefined || !conceptsIn(wordsOf(name)).situations.has(main);
}
