/** How sure a match is (OFF-1). */

import type { SeenIncident } from "../seen.ts";
import { bitsIn, bitsOf, weightOf } from "./background.ts";
import { alertNameKey, leadingAlertName } from "./clean.ts";
import { conceptsIn } from "./concepts.ts";
import type { Profile } from "./profile.ts";
import type { TextHit } from "./text-index.ts";
import { requestTitle, resolvedTitle, taskTitle, worldsApart } from "./vocabulary.ts";
import { isUnspaced, termsOf, wordsOf } from "./words.ts";

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

const leastEvidence = 4.5;
/** Bits that a word of the vocabulary's phrases tells. */
const wordBits = 4;
/** The least share of what the incident tells that the runbook must have. */
const explained = { high: 0.2, product: 0.5, told: 0.25 } as const;
/** Bits that replace the name of the runbook's product. */
const bits = {
  product: 12,
  text: 12,
  told: 12,
  telling: 3,
  possible: 2,
  inBody: 6,
  thing: 8,
  fault: 10,
  title: 2,
} as const;
const leads = { full: 1.4, score: 1.25, text: 1.5, told: 2 } as const;
const gaps = { listed: 0.1, text: 0.05 } as const;
/** Of the incident's rare words; `name`: of the runbook's name. */
const shares = { high: 0.85, name: 0.5, fault: 0.7, mentioned: 0.3 } as const;
/**
 * What tells a runbook from its neighbors: the weight of its codes and messages, the share of the incident's rare words, that share and the
 * title's together, the same beside a word for its fault, such words alone.
 */
const own = { exact: 1.5, body: 0.75, both: 1.4, withFault: 0.9, words: 2 } as const;
/** Fewer terms agree by chance. */
const terms = { high: 5, fault: 4, told: 2 } as const;
/** `exact` of one signal in name or description. */
const exactOfItself = 2;
const maxWords = 3;
/** Of the vocabulary, on its situations. */
const leastWords = { thing: 3, fault: 2 } as const;

/** Decides how sure the first of `ranked` (best first) is; `all` has every runbook. */
export function bandOf(ranked: readonly ScoredRunbook[], all: readonly ScoredRunbook[], seen: SeenIncident): Band {
  const [best, second] = ranked;
  if (best === undefined || requestTitle.test(seen.title)) return "none";
  const { profile, gap, score } = best;
  const { share = 0, terms: { length: count } = [] } = best.hit ?? {};
  const isAlert = isAlertOf(profile, seen);
  const isOrder = taskTitle.test(seen.title) || (seen.about.request && conceptsIn(wordsOf(seen.title)).request);
  const isFault = isAlert || (gap < gaps.listed && (tells(best.hit) || tells(best.titleHit)));
  if (seen.about.request && isOrder) return "none";

  const about = aboutOf(best, seen);
  const lead = score / (second?.score ?? 0);
  const isAhead = () => best.full >= leads.full * mostOf(all, best, "full") && lead >= leads.score;
  const isSure =
    about.isSame && about.isOfIts && about.explained >= explained.high && about.evidence >= leastEvidence && isAhead();
  const hitBits = bitsIn((best.hit?.terms ?? []).map((at) => seen.terms[at] ?? ""));
  const isMentioned = isMentionedOf(profile, seen);
  const isNamed =
    (isMentioned && share >= shares.mentioned && !(second && isMentionedOf(second.profile, seen))) ||
    (best.exact >= exactOfItself && !second?.exact && (about.isSame || profile.main === undefined));
  const ofName = profile.nameTerms.filter((term) => seen.terms.includes(term)).length;
  const nameShare = ofName / Math.max(1, profile.nameTerms.length);
  const isWhole = share >= shares.high && count >= terms.high && hitBits >= bits.text && nameShare >= shares.name;
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
    about.telling >= terms.told &&
    gap < gaps.text &&
    lead >= leads.told &&
    isAhead();
  const titleWords = (best.titleHit?.terms ?? []).map((at) => seen.titleTerms[at] ?? "");
  const isOfFault =
    about.namesFault || weightOf(titleWords.filter((term) => !profile.productTerms.has(term))) >= bits.title;
  const isPair = (nameShare > 0 || about.namesThing) && isOfFault;
  // Neighbors of one technology share its words. A code of the runbook's tells it apart, or its fault in the vocabulary's words, or nearly all that is said.
  const said = share + (best.titleHit?.share ?? 0);
  const isOwnFault =
    about.isSame &&
    (about.lead >= own.words || (about.lead > 0 && (said >= own.withFault || isUnspaced(firstLetter(seen.title)))));
  const isOwn =
    best.exact >= own.exact ||
    ((share >= own.body || said >= own.both || isOwnFault) && !hasOtherCode(best, seen, titleWords));
  if ((isOnlyAlert || ((isSure || isText || isTold) && isPair && isOwn && !about.isApart)) && !isDoubtful)
    return "high";

  const isOfIt = isAlert || isMentioned || best.exact >= exactOfItself || about.isSame;
  const isRanked = about.isRelated || about.bits >= bits.possible || hitBits >= bits.inBody;
  return isOfIt || isRanked ? "possible" : "none";
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
  /** Words that say its situations, less those that say others. */
  readonly lead: number;
  readonly namesThing: boolean;
  /** Its own, and not more of another one. */
  readonly namesFault: boolean;
}

function aboutOf({ profile }: ScoredRunbook, seen: SeenIncident): SubjectMatch {
  const { about, terms } = seen;
  const own = terms.filter((term) => profile.own.has(term));
  const shared = weightOf(own);
  const ofFault = own.filter((term) => !profile.productTerms.has(term));
  const words = [...profile.situations.keys()].reduce((sum, name) => sum + (about.situations.get(name) ?? 0), 0);
  const situations = [...profile.situations.keys()].filter((name) => about.situations.has(name)).length;
  const known = [...about.products].filter((name) => profile.products.has(name)).length;
  const quotes = quotesOf(profile, seen);
  const faultBits = weightOf(ofFault);
  const others = [...about.situations].reduce(
    (sum, [name, words]) => (profile.situations.has(name) ? sum : sum + words),
    0,
  );
  const telling = ofFault.filter((term) => bitsOf(term) >= bits.telling).length;
  const explainedShare = (shared + wordBits * (Math.min(words, maxWords) + quotes * 3)) / Math.max(1, seen.weight);
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
    evidence: shared / wordBits + situations + Math.min(words, maxWords) + known + quotes * 3,
    bits: shared,
    explained: explainedShare,
    ofFault: faultBits,
    telling,
    namesThing: known > 0 || words >= leastWords.thing || faultBits >= bits.thing,
    lead: words - others,
    namesFault: words - others >= leastWords.fault || faultBits >= bits.fault,
  };
}

/** Whether the title has an error's code that the runbook lacks: `ACCESS_REFUSED`. */
const hasOtherCode = ({ exact }: ScoredRunbook, { title }: SeenIncident, titleWords: readonly string[]): boolean =>
  exact === 0 &&
  (title.match(/\b[A-Z][A-Z\d]*(?:_[A-Z\d]+)+\b/g) ?? []).some((code) =>
    termsOf(code).some((term) => !titleWords.includes(term)),
  );

const firstLetter = (title: string): string => /\p{L}/u.exec(title.replace(/[ -~]/g, ""))?.[0] ?? "";

/** `NginxHighHttp4xxErrorRate` shares nearly every word with its 5xx sibling and means something else. */
function isForeignAlert(title: string, { alerts, main }: Profile): boolean {
  const name = leadingAlertName(title);
  if (name === undefined || alerts.includes(alertNameKey(name))) return false;
  // A runbook that lists alerts means only those.
  return alerts.length > 0 || main === undefined || !conceptsIn(wordsOf(name)).situations.has(main);
}
