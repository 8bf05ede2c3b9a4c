import type { Skill } from "../../base/github.ts";
import {
  alertNameKey,
  alertNamesIn,
  camelCaseIn,
  causesIn,
  cleanIncident,
  deniedOf,
  leadingAlertName,
  quotedIn,
} from "./clean.ts";
import { platforms, requestTitle, resolvedTitle, taskTitle, worldsApart } from "./vocabulary.ts";
import {
  bitsIn,
  bitsOf,
  type Concepts,
  conceptsIn,
  createIsProduct,
  createSpelling,
  isUnspaced,
  spelledWords,
  termsIn,
  termsOf,
  type Words,
  weightOf,
  wordsOf,
} from "./words.ts";

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

  return (incident) => {
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

/** Words in order are rarer than each of them. */
const orderBits = 2;
const rareBits = 8;

/** Returns whether a code, a name or a message of these terms would be rare in any folder. */
const isRare = (terms: readonly string[]): boolean => bitsIn(terms) + orderBits * (terms.length - 1) >= rareBits;

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

export interface SeenIncident {
  readonly title: string;
  readonly body: string;
  readonly terms: readonly string[];
  /** What all terms tell. */
  readonly weight: number;
  readonly titleTerms: readonly string[];
  readonly about: Concepts;
  /** Alerts that it is about and a runbook lists. */
  readonly alerts: ReadonlySet<string>;
  /** Only mentioned, with their weight. */
  readonly mentioned: ReadonlyMap<string, number>;
  readonly words: readonly string[];
  /** With spaces between and around the words. */
  readonly spoken: string;
}

const mentions = { title: 20, body: 8 } as const;

/** Reads an incident; `alerts` are the keys of the runbooks' alerts. */
function readIncident(
  { title, body }: { readonly title: string; readonly body: string },
  spell: (words: Words) => Words,
  alerts: ReadonlySet<string>,
): SeenIncident {
  const words = spell(wordsOf(`${cleanIncident(title)}\n${cleanIncident(body)}`));
  const written = words.map((spellings) => spellings[0] ?? "");
  const terms = [...new Set(termsIn(words))];
  const names = alertNamesIn(title, body, alerts);
  const label = names.label.intersection(alerts);
  const weighed = (list: ReadonlySet<string>, weight: number) =>
    [...list.intersection(alerts)].map((name) => [name, weight] as const);
  return {
    title,
    body,
    terms,
    weight: weightOf(terms),
    titleTerms: [...new Set(termsIn(spell(wordsOf(cleanIncident(title)))))],
    about: conceptsIn(words),
    alerts: label.size > 0 ? label : names.line.intersection(alerts),
    mentioned: new Map([...weighed(names.body, mentions.body), ...weighed(names.title, mentions.title)]),
    words: written,
    spoken: ` ${written.join(" ")} `,
  };
}

/** `high`: name the runbook and propose its read-only commands; `possible`: list it; `none`: say that nothing fits. */
type Band = "high" | "possible" | "none";

interface ScoredRunbook {
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
  specific: 5,
} as const;
const leads = { full: 1.4, score: 1.25, text: 1.5, told: 2 } as const;
const gaps = { listed: 0.1, text: 0.05 } as const;
/** Of the incident's rare words; `name`: of the runbook's name; `otherCause`: of a cause's words. */
const shares = { high: 0.85, name: 0.5, fault: 0.7, mentioned: 0.3, otherCause: 0.75, quoted: 0.5 } as const;
/**
 * What tells a runbook from its neighbors: the weight of its codes and messages, the share of the incident's rare words (less if the
 * description itself tells the fault), that share and the title's together, the same beside a word for its fault, such words alone.
 */
const own = { exact: 1.5, body: 0.75, told: 0.6, both: 1.4, withFault: 0.9, words: 2 } as const;
/** Fewer terms agree by chance. */
const terms = { high: 5, fault: 4, told: 2 } as const;
/** `exact` of one signal in name or description. */
const exactOfItself = 2;
const maxWords = 3;
/** Of the vocabulary, on its situations. */
const leastWords = { thing: 3, fault: 2 } as const;

/** Decides how sure the first of `ranked` (best first) is; `all` has every runbook. */
function bandOf(ranked: readonly ScoredRunbook[], all: readonly ScoredRunbook[], seen: SeenIncident): Band {
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
    (about.lead >= own.words ||
      (about.lead > 0 &&
        (said >= own.withFault || isUnspaced(/\p{L}/u.exec(seen.title.replace(/[ -~]/g, ""))?.[0] ?? ""))));
  const isOwn =
    best.exact >= own.exact ||
    ((share >= (isTold ? own.told : own.body) || said >= own.both || isOwnFault) &&
      !hasOtherCode(best, seen, titleWords));
  if (
    (isOnlyAlert ||
      ((isSure || isText || isTold) && isPair && isOwn && !about.isApart && !isContradicted(best, seen))) &&
    !isDoubtful &&
    !isOtherStatus(seen.title, profile)
  )
    return "high";

  const isOfIt = isAlert || isMentioned || best.exact >= exactOfItself || about.isSame;
  const isRanked = about.isRelated || about.bits >= bits.possible || hitBits >= bits.inBody;
  return isOfIt || isRanked ? "possible" : "none";
}

/** Returns whether the runbook lists the incident's alert. */
const isAlertOf = ({ alerts }: Profile, seen: SeenIncident): boolean =>
  seen.alerts.size > 0 && alerts.some((name) => seen.alerts.has(name));

const isMentionedOf = ({ alerts }: Profile, { mentioned }: SeenIncident): boolean =>
  alerts.some((name) => mentioned.has(name));

/** A text that says so much of the fault reports one, even if it also makes a request. */
const tells = (hit: TextHit | undefined): boolean =>
  hit !== undefined && hit.share > shares.fault && hit.terms.length >= terms.fault;

const mostOf = (all: readonly ScoredRunbook[], best: ScoredRunbook, key: "full" | "plain"): number =>
  all.reduce((most, one) => (one.profile === best.profile ? most : Math.max(most, one[key])), 0);

/** Counts the description's quotes that the incident has. */
function quotesOf({ quotes }: Profile, { spoken }: SeenIncident): number {
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

/**
 * Whether the report itself says that it is about something else: it denies the runbook's fault, its title tells another fault, names another
 * product or another kind of object, or quotes a message that the runbook hardly has; it has what the runbook says it is not for, or gives a
 * cause that the runbook does not know.
 */
function isContradicted({ profile, exact, hit }: ScoredRunbook, seen: SeenIncident): boolean {
  const { situations, products } = conceptsIn(wordsOf(seen.title));
  // Of a runbook whose fault is no known one it cannot be told.
  const tellsOther =
    exact < own.exact &&
    situations.size > 0 &&
    profile.situations.size > 0 &&
    situations.keys().every((name) => !profile.situations.has(name));
  const hosts = new Set<string>(platforms);
  const isOtherProduct =
    products.size > 0 &&
    profile.products.size > 0 &&
    products.isDisjointFrom(new Set(profile.products.keys())) &&
    ![...products, ...profile.products.keys()].some((name) => hosts.has(name));
  const known = new Set((hit?.terms ?? []).map((at) => seen.terms[at] ?? "")).union(profile.own);
  const isForeignProduct =
    profile.products.size === 0 &&
    products.difference(hosts).size > 0 &&
    products.isDisjointFrom(profile.alsoNames) &&
    !profile.nameTerms.some((term) => bitsOf(term) >= bits.specific && seen.terms.includes(term));
  const kinds = kindsIn(seen.title);
  const isOtherKind =
    exact < own.exact && kinds.size > 0 && profile.kinds.size > 0 && kinds.isDisjointFrom(profile.kinds);
  const isExcluded = seen.terms.some((term) => profile.excluded.has(term));
  // A symptom's message says nothing against a runbook that has the rest.
  const hasRest = (hit?.share ?? 0) >= shares.fault;
  const saysOther = quotedIn(hasRest ? "" : seen.title).some((quote) => {
    const said = termsOf(quote).filter((term) => !/^\d+$/.test(term));
    return said.length > 1 && weightOf(said.filter((term) => known.has(term))) < shares.quoted * weightOf(said);
  });
  const hasOtherCause = causesIn(`${seen.title}\n${seen.body}`).some((cause) => {
    const terms = new Set(termsOf(cause).filter((term) => !/^\d+$/.test(term)));
    return weightOf(terms.difference(known)) > shares.otherCause * weightOf(terms);
  });
  return (
    tellsOther ||
    isOtherProduct ||
    isForeignProduct ||
    isOtherKind ||
    isExcluded ||
    saysOther ||
    hasOtherCause ||
    deniedOf(profile.text, seen.title, seen.body).size > 0
  );
}

/** Whether the title has an error's code that the runbook lacks: `ACCESS_REFUSED`. */
const hasOtherCode = ({ exact }: ScoredRunbook, { title }: SeenIncident, titleWords: readonly string[]): boolean =>
  exact === 0 &&
  (title.match(/\b[A-Z][A-Z\d]*(?:_[A-Z\d]+)+\b/g) ?? []).some((code) =>
    termsOf(code).some((term) => !titleWords.includes(term)),
  );

/** `504 from the gateway` is not the 502 that the runbook's name has. */
function isOtherStatus(title: string, { name }: Profile): boolean {
  const statuses = (text: string): readonly string[] => text.match(/(?<![\d.:-])[45]\d\d(?![\d.:-])/g) ?? [];
  const [own, said] = [statuses(name.replaceAll("-", " ")), statuses(title)];
  return own.length > 0 && said.length > 0 && said.every((one) => !own.includes(one));
}

/** `NginxHighHttp4xxErrorRate` shares nearly every word with its 5xx sibling and means something else. */
function isForeignAlert(title: string, { alerts, main }: Profile): boolean {
  const name = leadingAlertName(title);
  if (name === undefined || alerts.includes(alertNameKey(name))) return false;
  // A runbook that lists alerts means only those.
  return alerts.length > 0 || main === undefined || !conceptsIn(wordsOf(name)).situations.has(main);
}

type Candidate = Pick<Skill, "name" | "description"> & Partial<Pick<Skill, "body" | "metadata">>;

interface Profile {
  readonly name: string;
  /** Its name and what its description says it is about. */
  readonly text: string;
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
  /** Products in its body: beside its own, or behind its own words. */
  readonly alsoNames: ReadonlySet<string>;
  /** The kinds of object in its name: `namespace-stuck-terminating`. */
  readonly kinds: ReadonlySet<string>;
  /** Terms by which its text says that it is the wrong runbook. */
  readonly excluded: ReadonlySet<string>;
}

const host = "linux";

function profilesOf(candidates: readonly Candidate[]): readonly Profile[] {
  const drafts = candidates.map((candidate) => {
    const text = textOf(candidate);
    return { candidate, about: conceptsIn(wordsOf(text)), terms: new Set(termsOf(text)) };
  });
  const situations = spreadOf(drafts.map(({ about }) => about.situations.keys()));
  const products = spreadOf(drafts.map(({ about }) => about.products));
  const rarity = (spread: ReadonlyMap<string, number>, name: string) =>
    [name, 1 / Math.sqrt(spread.get(name) ?? 1)] as const;
  const isProduct = createIsProduct();
  return drafts.map(({ candidate, about, terms: own }) => {
    const ofName = conceptsIn(wordsOf(candidate.name)).situations;
    const rated = [...about.situations.keys()]
      .map((name) => rarity(situations, name))
      .sort((a, b) => Number(ofName.has(b[0])) - Number(ofName.has(a[0])) || b[1] - a[1]);
    return {
      name: candidate.name,
      text: textOf(candidate),
      nameTerms: [...new Set(termsOf(candidate.name))],
      alerts: namesIn(candidate.metadata?.alerts ?? ""),
      quotes: quotedWords(withoutExclusions(candidate.description)),
      situations: new Map(rated),
      products: new Map([...about.products].map((name) => rarity(products, name))),
      isOfProduct: [...about.products].some((name) => name !== host),
      main: rated[0]?.[0],
      own,
      alsoNames: conceptsIn(wordsOf(candidate.body ?? "")).products,
      kinds: kindsIn(candidate.name.replaceAll("-", " ")),
      excluded: exclusionsOf(candidate.body ?? "", own),
      productTerms: new Set(wordsOf(textOf(candidate)).flatMap((word) => (isProduct(word) ? termsIn([word]) : []))),
    };
  });
}

const textOf = (candidate: Candidate): string =>
  `${candidate.name}\n${withoutExclusions(candidate.description)}\n${alertsAndService(candidate)}`;

const fieldBoosts = { name: 3, description: 2, alerts: 2, headings: 1, body: 0.4 } as const;

/** Returns a runbook's terms by field. */
function fieldsOf(candidate: Candidate): Readonly<Record<keyof typeof fieldBoosts, readonly string[]>> {
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
const withoutExclusions = (description: string): string =>
  description.replace(
    /\((?:not|except)\b[^)]*\)|\b(?:do not|don't|never|not to be) used?\b[^.]*(?:\.|$)|\bnot for\b[^.,;]*/gi,
    " ",
  );

/** The kinds of object that have faults of their own in one cluster. */
const kind =
  /(?<![\p{L}\p{N}])(pod|namespace|node|deployment|daemon ?set|stateful ?set|cron ?job|ingress|pvc|persistent ?volume(?: ?claim)?|volume|secret|config ?map)s?(?![\p{L}\p{N}])/giu;
const kindsIn = (text: string): ReadonlySet<string> =>
  new Set([...text.matchAll(kind)].map(([, name = ""]) => name.toLowerCase().replace(/ /g, "")));

const wrongRunbook =
  /[^.\n]*\b(?:not (?:the|this|for this) runbook|(?:other|different|wrong|another) runbook|does(?: not|n't) apply|nicht (?:das|dieses|für dieses) runbook|pas (?:ce|le) runbook|no es (?:este|el) runbook)\b[^.\n]*/giu;
/** `If logs fill the disk, this is not the runbook`: what only such sentences of a body name. */
const exclusionsOf = (body: string, own: ReadonlySet<string>): ReadonlySet<string> =>
  new Set(
    termsOf((body.match(wrongRunbook) ?? []).join("\n"))
      .flatMap((term) => [term, term.replace(/s$/, "")])
      .filter((term) => bitsOf(term) > 0 && !term.startsWith("runbook")),
  ).difference(own);

/** A list may have commas or line breaks between names of several words, else blanks. */
const namesIn = (list: string): readonly string[] =>
  list
    .split(/[,;\n]/.test(list) ? /[,;\n]+/ : /\s+/)
    .map(alertNameKey)
    .filter((key) => key !== "");

const quotedWords = (description: string): readonly string[] =>
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

/** BM25+ over weighted fields, computed at indexing so that a search only adds numbers. */

/** `terms` are positions in the query of words that the document has as they are. */
interface TextHit {
  readonly score: number;
  readonly terms: readonly number[];
  /** How much of the query the document has, weighted by rarity. */
  readonly share: number;
}

interface Postings {
  readonly ids: number[];
  readonly weights: number[];
  rarity: number;
}

/** Saturation of repetitions, influence of a field's length, floor for long fields. */
const bm25 = { k: 1.2, b: 0.7, d: 0.5 } as const;

/** The rarest say most and cost least. */
const maxSearchedTerms = 40;
/** Weight of a word that no document has: it may be a host's name or the fault. */
const unknownShare = 0.5;

/**
 * Indexes documents given as terms by field. A search takes distinct terms; a score is the sum of the found terms' weights times their
 * number.
 */
function createTextIndex<Field extends string>(
  documents: readonly Readonly<Record<Field, readonly string[]>>[],
  boosts: Readonly<Record<Field, number>>,
): (terms: readonly string[]) => ReadonlyMap<number, TextHit> {
  const index = new Map<string, Postings>();
  const rarityOf = (having: number, term: string) =>
    Math.log(1 + (documents.length - having + 0.5) / (having + 0.5)) * tellingOf(term);
  for (const field of Object.keys(boosts) as Field[]) {
    const lengths = documents.map((document) => document[field].length);
    const average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, documents.length);
    const counts = documents.map((document) => countOf(document[field]));
    const spread = countOf(counts.flatMap((count) => [...count.keys()]));
    for (const [id, count] of counts.entries()) {
      for (const [term, frequency] of count) {
        const having = spread.get(term) ?? 0;
        const rarity = rarityOf(having, term);
        const length = 1 - bm25.b + (bm25.b * (lengths[id] ?? 0)) / Math.max(1, average);
        const weight = boosts[field] * rarity * (bm25.d + (frequency * (bm25.k + 1)) / (frequency + bm25.k * length));
        add(index, term, id, weight);
      }
    }
  }
  for (const [term, postings] of index) postings.rarity = rarityOf(new Set(postings.ids).size, term);
  const relatedTo = createRelated([...index.keys()]);

  return (terms) => {
    const known = terms.flatMap((term, position) => {
      const same = index.get(term);
      if (same) return [{ position, postings: same, part: 1 }];
      return relatedTo(term).flatMap((word) => {
        const postings = index.get(word);
        return postings ? [{ position, postings, part: relatedPart }] : [];
      });
    });
    const isKnown = new Set(known.map(({ position }) => position));
    const scores = new Float64Array(documents.length);
    const shares = new Float64Array(documents.length);
    let whole = 0;
    for (const [position, term] of terms.entries())
      if (!isKnown.has(position) && !isDrawn(term)) whole += rarityOf(0, term) * unknownShare;
    const found = new Map<number, number[]>();
    const rarest = known.sort((a, b) => b.postings.rarity - a.postings.rarity).slice(0, maxSearchedTerms);
    for (const { position, postings, part } of rarest) {
      const { rarity } = postings;
      whole += rarity;
      for (let at = 0; at < postings.ids.length; at++) {
        const id = postings.ids[at] ?? 0;
        scores[id] = (scores[id] ?? 0) + (postings.weights[at] ?? 0) * part;
        const positions = found.get(id);
        if (positions?.at(-1) === position) continue;
        shares[id] = (shares[id] ?? 0) + rarity * part;
        if (positions === undefined) found.set(id, [position]);
        else positions.push(position);
      }
    }
    const hits = new Map<number, TextHit>();
    for (const [id, positions] of found)
      hits.set(id, {
        score: (scores[id] ?? 0) * positions.length,
        terms: positions.filter((position) => index.has(terms[position] ?? "")),
        share: (shares[id] ?? 0) / whole,
      });
    return hits;
  };
}

/** The name of one pod, a process number, a count: no runbook can have it, so its lack tells nothing. */
const isDrawn = (term: string): boolean =>
  /^\d+$/.test(term) || (term.match(/(?<=[a-z])\d|(?<=\d)[a-z]/g) ?? []).length > 2;

/** `cupsd` counts so much for `cups`. */
const relatedPart = 0.5;
const leastRelated = { letters: 4, share: 0.7, tail: 0.4, long: 6 } as const;

/** Learns known words. The returned function finds the one with which an unknown word shares most of its head or its whole tail. */
function createRelated(known: readonly string[]): (term: string) => readonly string[] {
  const { letters, share } = leastRelated;
  const words = known.filter((word) => word.length >= letters && /^\p{L}+$/u.test(word) && bitsOf(word) > 1);
  const byHead = Map.groupBy(words, (word) => cognateOf(word).slice(0, letters));
  const byTail = Map.groupBy(words, (word) => cognateOf(word).slice(-letters));
  const all = new Set(known.map(cognateOf));
  return (written) => {
    const term = cognateOf(written);
    if (term.length <= letters || !/^\p{L}/u.test(term)) return [];
    const near = byHead.get(term.slice(0, letters)) ?? [];
    const heads = near.filter((word) => headOf(cognateOf(word), term) >= share * Math.max(word.length, term.length));
    // The last part of a compound names the thing, whichever of the two texts has the compound.
    const isTail = (word: string): boolean =>
      (term.endsWith(word) && word.length >= leastRelated.tail * term.length) ||
      (word.endsWith(term) && term.length >= leastRelated.tail * word.length);
    const tails = (byTail.get(term.slice(-letters)) ?? []).filter((word) => isTail(cognateOf(word)));
    const whole = [...heads, ...tails].toSorted(
      (a, b) => headOf(cognateOf(b), term) - headOf(cognateOf(a), term) || b.length - a.length,
    );
    if (whole.length > 0) return whole.slice(0, 1);
    const first = near
      .filter((word) => term.startsWith(cognateOf(word)) && isPart(term.slice(word.length), word, all))
      .toSorted((a, b) => b.length - a.length);
    return first.slice(0, 1);
  };
}

/** What is left of a compound behind its first word: a word of the folder, or much, behind a long one. */
const isPart = (rest: string, first: string, all: ReadonlySet<string>): boolean =>
  [rest, rest.replace(/^(?:e?s|e?n)/, "")].some((part) => part.length >= 3 && (all.has(part) || all.has(`${part}s`))) ||
  (first.length >= leastRelated.long && rest.length >= leastRelated.letters);

/** One letter for those that languages write for one another: `Zertifikat`, `certificat`. */
const cognateOf = (word: string): string => word.replace(/[kz]/g, "c");

function headOf(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}

/** A word's rarity in public texts, next to that in the folder. */
const tellingOf = (term: string): number => (0.5 + bitsOf(term)) / 5;

function add(index: Map<string, Postings>, term: string, id: number, weight: number): void {
  const postings = index.get(term);
  if (postings === undefined) index.set(term, { ids: [id], weights: [weight], rarity: 0 });
  else {
    postings.ids.push(id);
    postings.weights.push(weight);
  }
}

function countOf(items: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}
