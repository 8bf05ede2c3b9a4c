/** How sure a match is: whether its runbook is named, listed, or not shown at all (OFF-1). */

import type { SeenIncident } from "../seen.ts";
import { leadingAlertName } from "./clean.ts";
import { conceptsIn } from "./concepts.ts";
import type { Profile } from "./profile.ts";
import type { TextHit } from "./text-index.ts";
import { requestTitle, resolvedTitle, taskTitle, worldsApart } from "./vocabulary.ts";
import { wordsOf } from "./words.ts";

/** `high`: name the runbook and propose its read-only commands. `possible`: list them. `none`: say that nothing fits. */
export type Band = "high" | "possible" | "none";

/** A runbook as an incident finds it. */
export interface ScoredRunbook {
  readonly profile: Profile;
  readonly hit: TextHit | undefined;
  /** The same of the incident's title alone. */
  readonly titleHit: TextHit | undefined;
  /** What everything counts for together. */
  readonly score: number;
  /** The same without what an incident only mentions. */
  readonly plain: number;
  /** The same, whatever share of the text it has. */
  readonly full: number;
  /** How much less of the incident's rare words it has than the one that has most of them; 0 where none has many. */
  readonly gap: number;
  /** What only this runbook has of what the incident says, and how much of it: an error code, a quoted message. */
  readonly exact: number;
}

/** How many different things are evidence: terms, phrases, situations and products counted together. */
const evidence = { high: 5, possible: 2 } as const;
/** What a runbook that may fit scores at least. */
export const minScore = 11;
/** By how much the best leads: by all that it has, and by what the incident's rare words leave of it; by text alone it takes more. */
const leads = { full: 1.4, score: 1.25, text: 1.5 } as const;
/** How far behind in the incident's rare words a runbook may be that is still the one meant, by the kind of evidence. */
const gaps = { listed: 0.1, text: 0.05 } as const;
/** The share of the incident's rare words that speaks for a runbook by itself, and of its name's. */
const shares = { high: 0.85, name: 0.5, fault: 0.7, listed: 0.6, whole: 0.9, mentioned: 0.3 } as const;
/** Fewer terms than this agree by chance. */
const terms = { high: 5, fault: 4, listed: 3, whole: 2 } as const;
/** An exact signal of what a runbook says of itself. */
const exactOfItself = 2;
/** Three ways to say the same thing are as good as ten. */
const maxPhrases = 3;

/** Says how sure the first of `ranked` is, which are the best, best first; `all` has every runbook. */
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
  if (seen.about.request && (isOrder || !isFault)) return "none";

  const about = aboutOf(best, seen);
  const lead = score / (second?.score ?? 0);
  const isAhead = () => best.full >= leads.full * mostOf(all, best, "full") && lead >= leads.score;
  const isSure = about.isSame && !about.isOtherProduct && about.evidence >= evidence.high && isAhead();
  const isWhole = share >= shares.high && count >= terms.high && nameShareOf(best, seen) >= shares.name;
  const isMentioned = isMentionedOf(profile, seen);
  const isNamed =
    (isMentioned && share >= shares.mentioned && !(second && isMentionedOf(second.profile, seen))) ||
    (best.exact >= exactOfItself && !second?.exact);
  // What is only named confirms what the rest of the text says, and never overrules it.
  const isText =
    gap < gaps.text && lead >= leads.text && (isWhole || (isNamed && best.plain >= mostOf(all, best, "plain")));
  const isAsking = isOrder || (seen.about.request && !isAlert && !tells(best.hit));
  const isDoubtful = isAsking || resolvedTitle.test(seen.title) || isForeignAlert(seen.title, profile);
  const isOnlyAlert = isAlert && !(second && isAlertOf(second.profile, seen));
  if ((isOnlyAlert || ((isSure || isText) && !about.isApart)) && !isDoubtful) return "high";

  const isLikely = about.evidence >= evidence.possible && best.plain >= minScore;
  const isShared =
    gap < gaps.listed &&
    ((share > shares.listed && count >= terms.listed) || (share >= shares.whole && count >= terms.whole));
  const isOfIt = isAlert || isMentioned || best.exact >= exactOfItself || about.isSame;
  return isOfIt || isLikely || isShared ? "possible" : "none";
}

/** Whether the incident is about an alert that the runbook lists. */
export const isAlertOf = ({ alerts }: Profile, seen: SeenIncident): boolean =>
  seen.alerts.size > 0 && alerts.some((name) => seen.alerts.has(name));

const isMentionedOf = ({ alerts }: Profile, { mentioned }: SeenIncident): boolean =>
  alerts.some((name) => mentioned.has(name));

/** Whether a text says so much of what a runbook does that it tells of its fault, though it may ask for something too. */
const tells = (hit: TextHit | undefined): boolean =>
  hit !== undefined && hit.share > shares.fault && hit.terms.length >= terms.fault;

/** The most that another runbook than `best` has. */
const mostOf = (all: readonly ScoredRunbook[], best: ScoredRunbook, key: "full" | "plain"): number =>
  all.reduce((most, one) => (one.profile === best.profile ? most : Math.max(most, one[key])), 0);

const nameShareOf = ({ profile: { nameTerms } }: ScoredRunbook, seen: SeenIncident): number =>
  nameTerms.filter((term) => seen.terms.includes(term)).length / Math.max(1, nameTerms.length);

/** How many of the quotes in the runbook's description the incident has. */
export function quotesOf({ quotes }: Profile, { spoken }: SeenIncident): number {
  return quotes.filter((quote) => spoken.includes(` ${quote} `)).length;
}

interface SubjectMatch {
  /** The runbook and the incident are about the same thing. */
  readonly isSame: boolean;
  /** The incident is about products that the runbook does not know, and about none that it does. */
  readonly isOtherProduct: boolean;
  /** The incident is of a world that the runbook does not know. */
  readonly isApart: boolean;
  readonly evidence: number;
}

function aboutOf({ profile, hit }: ScoredRunbook, seen: SeenIncident): SubjectMatch {
  const { about, terms } = seen;
  const strong = (hit?.terms ?? []).filter((position) => profile.strong.has(terms[position] ?? "")).length;
  const phrases = [...profile.situations.keys()].reduce((sum, name) => {
    const count = about.situations.get(name) ?? 0;
    return count === 0 ? sum : sum + 1 + Math.min(count, maxPhrases);
  }, 0);
  const known = [...about.products].filter((name) => profile.products.has(name)).length;
  return {
    isSame: profile.main !== undefined && about.situations.has(profile.main),
    isOtherProduct: profile.products.size > 0 && known === 0 && about.products.size > 0,
    isApart:
      worldsApart.products.some((name) => about.products.has(name) && !profile.products.has(name)) ||
      worldsApart.situations.some((name) => about.situations.has(name) && !profile.situations.has(name)),
    evidence: strong + phrases + known + quotesOf(profile, seen) * 3,
  };
}

/**
 * A title that opens with an alert's name which this runbook does not list and which does not say what it is about.
 * `NginxHighHttp4xxErrorRate` shares nearly every word with its 5xx sibling and means something else.
 */
function isForeignAlert(title: string, { alerts, main }: Profile): boolean {
  const name = leadingAlertName(title);
  if (name === undefined || alerts.includes(name.toLowerCase())) return false;
  // One that lists its alerts means those.
  return alerts.length > 0 || main === undefined || !conceptsIn(wordsOf(name)).situations.has(main);
}
