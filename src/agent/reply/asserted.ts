import * as z from "zod";
import { lazy } from "../../base/lazy.ts";
import words from "./asserted.json" with { type: "json" };
import type { RecordedRun } from "./claims.ts";
import conceptTable from "./concepts.json" with { type: "json" };
import { createFindContradicted, holdsName } from "./facts.ts";
import {
  bearsFigure,
  figuresIn,
  holdsNear,
  inDigits,
  inIsoTimes,
  isFew,
  isSpan,
  isUnit,
  momentsIn,
  numberOf,
  numerals,
  type ReckonedNumbers,
  reckon,
} from "./figures.ts";
import { type NamedRow, readNamedRows, switchOf } from "./rows.ts";

/** What a sentence may rest on. */
interface ClaimGrounds {
  readonly runs: readonly RecordedRun[];
  /** All that the model was given: outputs, issue, alert, comments, runbooks, files. */
  readonly shown: string;
  /** Commands that this reply proposes. */
  readonly own: readonly string[];
}

/**
 * Nothing was found that bears a sentence, and nothing that speaks against it: it may be said in other words than an output has. Of honest
 * replies of strangers one in seven had such a sentence.
 */
const unseen = {
  subject: "no run speaks of it",
  state: "no run shows that",
  trouble: "no run has looked for that",
  sentence: "no run and no text speaks of it",
} as const;
export const isUnseen = (why: string): boolean => Object.values<string>(unseen).includes(why);

/** Returns why nothing bears what a sentence asserts; its quotations are masked, it names these runs, and cites these words. */
export type FindUnborne = (sentence: string, named: readonly number[], cited: readonly string[]) => string | undefined;

/** A script that sets no blanks; in what it calls a figure rough is not known. */
const noBlanks = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}]/u;

/** `*` stands for any letters, between blanks for a word. */
const oneOf = (lists: Readonly<Record<string, string>>): RegExp => {
  const alternatives = (listed: readonly string[]): string =>
    listed
      .toSorted((a, b) => b.length - a.length)
      .map((one) =>
        one.replaceAll("'", "['’]").replaceAll(" * ", String.raw` \S+ `).replaceAll("*", String.raw`\p{L}*`),
      )
      .join("|");
  const all = Object.values(lists).flatMap((list) => list.split(", "));
  const spaced = alternatives(all.filter((one) => !noBlanks.test(one)));
  const unspaced = all.filter((one) => noBlanks.test(one));
  return new RegExp(
    String.raw`(?<![\p{L}\p{N}_]|\p{L}-)(?:${spaced})(?![\p{L}\p{N}_])${unspaced.length > 0 ? `|${alternatives(unspaced)}` : ""}`,
    "iu",
  );
};
const saysFailed =
  /\b(?:fail\p{L}*|error|exit|tried|attempt\p{L}*|did not|didn['’]t|but|in vain|without success|unsuccessful\p{L}*)\b/iu;
/** What an act is called, and how the command or the output of its run reads; of another kind any change bears it. */
const kindsOfAct: readonly { readonly said: RegExp; readonly did: RegExp; readonly isPrinted?: true }[] = [
  {
    said: /restart|reboot|start|redémarr|relanc|reinici|riavvi/iu,
    did: /restart|reboot|start|kill|\bHUP\b|rollout|\bup\b|recycle|recover/i,
  },
  {
    said: /roll|revert|zurück|annul/iu,
    did: /undo|roll(?:ed)?[ -]?back|revert|checkout|reset|downgrade|set image|switch/i,
  },
  {
    said: /delet|remov|clear|clean|purg|prun|empti|freed|flush|truncat|vacuum|gelöscht|entfernt|geleert|bereinigt|supprim|effac|vid[ée]|nettoy|libér|borr|elimin|vaci|limpi|liber|cancell|rimoss|svuot|apag/iu,
    did: /\brm\b|delete|\bdel\b|prune|purge|clean|clear|drop|trunc|vacuum|flush|remove|reset|unlink|rotate|>\s|expire/i,
  },
  { said: /deploy|ausgerollt|despleg/iu, did: /deploy|rollout|apply|upgrade|install|set image|sync/i },
  {
    said: /scal|increas|rais|lower|resiz|enlarg|extend|erhöht|vergrößert|augment|agrandi|aument|ampli/iu,
    did: /scale|replicas|resiz|extend|set|patch|sysctl|alter|edit|sed|limit|max|config|grow|=\d/i,
  },
  {
    said: /kill|termina[td]|terminé|ended|beendet|\btué|matad/iu,
    did: /\bkill|oom-?kill|terminat|\bTERM\b|cancel|\bstop|\bend\b/i,
    isPrinted: true,
  },
  { said: /reload|neu geladen|recharg|recarg/iu, did: /reload|\bHUP\b|restart|apply/i },
  {
    said: /renew|reissu|rotat|erneuert|renouvel|renov|rinnov/iu,
    did: /renew|issue|certbot|rotat|acme|delete|apply|create/i,
  },
];
/** A command that policy does not know as a read may be one all the same. */
const looksOnly =
  /\b(?:select|show|status|list\w*|describe|get|info|stats?|check|ping|tree|history|test|members|tracking|sources|plan)\b|(?:^|\s)-[sl]\b|^(?:curl|openssl|ldapsearch|dig|nc|ssh) /i;
const changesToo =
  /\b(?:delete|drop|update|insert|alter|set|restart|start|stop|kill|terminate\w*|apply|patch|scale|rm|undo|reload|truncate|PUT|POST|unlock|mount|prune|purge|upgrade|install|switch|failover|renew|vacuum|flush\w*)\b/i;
const isStanding = /^(?:ist|sind|está|están|estão|est|sont|è|sono)(?!\p{L})/iu;
/** `has been restarted 611 times`: a counter says so. */
const oftenDone = /\d\s?(?:times|mal|fois|veces|vezes|volte|keer|раз)(?!\p{L})/iu;
const isSwitch = /enabled|disabled|aktiviert|activ[ée]|activad|habilitad|attivat|ativad/iu;
const switched = /\b(?:en|dis)abled\b|\binactive\b/i;
const small = Object.fromEntries(
  Object.entries(words.small).map(([language, list]) => [language, new Set(list.split(", "))]),
);
const anything = new Set(Object.values(words.anything).flatMap((list) => list.split(", ")));
const ours = new Set(words.ours.English.split(", "));

/** What the output of a program is about, in words that it does not print. */
const topicsOf = Object.entries(words.topics).map(
  ([programs, about]) => [new RegExp(String.raw`\b(?:${programs})\b`, "i"), about.split(", ")] as const,
);

interface ClaimedState {
  readonly said: RegExp;
  /** As programs print it, and its opposite. */
  readonly shown: RegExp;
  readonly against: RegExp;
  /** How a run ended shows it, too. */
  readonly ends?: boolean;
  readonly isConcept?: boolean;
  readonly isGood?: boolean;
  /** Any change may have brought it about. */
  readonly isAct?: boolean;
  /** A date says whether it is so. */
  readonly isDated?: boolean;
  readonly isAnswer?: boolean;
  /** So does a number that nearly is the one beside it. */
  readonly nearly?: boolean;
}
const bad =
  /\b(?:fail\w*|inactive|dead|down|stopped|exited|crash\w*|\w*backoff|pending|error\w*|err|unhealthy|offline|unreachable|refused|timed out|timeout|terminated|denied|fatal|critical|degraded|red|yellow|lost|suspended|not (?:running|ready|found|active|synchroni[sz]ed)|notready|unknown|invalid|expired|HEALTH_(?:WARN|ERR)|[1-5]xx|50\d|40[0-9]|0\/[1-9]\d*)\b|100% packet loss|^\s*(?:no|false|f)\s*$/i;
const good =
  /^\s*\d+(?:\.\d+){3}\s*$|\b(?:ok|healthy|normal|success\w*|succeed\w*|pass(?:ed)?|running|active|ready|up|online|alive|started|green|synced|in sync|complete\w*|valid|20[0-9]|true|yes|clean|HEALTH_OK|optimal|available|deployed|reachable|listen(?:ing)?|established|open|accept\w*|connected|exit 0|no errors?)\b|^\{[^}]*\}\s1$|\b(\d+)\/\1\b|(?<![\d.])0% packet loss|^\s*(?:0|t)\s*$/i;
/** What is in trouble or ready, and the things that a sentence may be about: words in our languages, and how evidence has them. */
const concepts = z
  .object({
    states: z.record(
      z.string(),
      z.object({
        said: z.string(),
        shown: z.string(),
        against: z.string(),
        how: z.enum(["nearly", "act", "dated", "good"]).optional(),
      }),
    ),
    things: z.record(z.string(), z.object({ said: z.string(), shown: z.string() })),
  })
  .parse(conceptTable);
const hostWords = new Set(["host", "machine", "command", "commands", "still", "ssh", "login"]);

/** A sentence without a subject orders, or says what a proposal does. */
const orders =
  /^(?:[\s>*•(-]|\d+[.)]\s)*(?:(?:then|first|next|now|also|please|finally|so)[\s,]+)?(?:(?!(?:all|both|some|none|most|half|only|even|in|on|at|of|for|from|with|since|as|after|before|by|is|was|are|this|that|these|those|here|there|now|not|but|and|or|so|yes|no|what|which|who|why|how|the|it|its|has|had|nearly|almost|about|over|under|just|still|already|today|currently|again)\b)\p{Lu}?\p{Ll}+s?\s+(?:the|a|an|all|each|every|which|whether|how|what|who|if|its|their|any|again)\b|(?:check|look|restart|run(?!\s+\d)|approve|stop|start|see|wait|watch|compare|replace|free|clear|delete|remove|add|set|raise|lower|reduce|increase|use|try|keep|make|confirm|verify|consider|note|do|find|read|show|list|print|send|move|scale|roll|drain|reload|renew|rotate|kill|measure|count|inspect|review|fix|give|get|go|tell|say|reply|follow|take|put|test|ping|query|propose|continue|resume|limit|undo|revert|update|upgrade|install|enable|disable|repeat|prüfe?n?|starte?n?|vérifi\p{L}*|redémarr(?:er|ez)|revis[ae]r?|reiniciar?|comprob\p{L}*)(?!\p{L}|s\b)|(?:sends|restarts|reloads|shows|lists|prints|reads|checks|sets|raises|lowers|deletes|removes|clears|frees|stops|starts|kills|finds|counts|measures|renews|rolls|scales|compares|tests|tells|takes|moves|puts|gives|writes|runs|looks|undoes|reverts|keeps|drains|limits|creates|adds|copies|truncates|vacuums|flushes|rotates|cancels|ends)\s)/iu;
const reasons =
  /^\W*(?:since|because|as|given that|weil|da|denn|car|puisque|parce que|ya que|porque|poiché|pois)(?!\p{L})/iu;
/** The cause, not a trouble. */
const isTheProblem = /(?<!\p{L})(?:the|das|le|el|o|il)\s+(?:problem|problème|problema|fault|cause)(?!\p{L})/iu;
const nothing = /^\W*(?:no|not|nothing|nobody|none|neither)(?!\p{L})/iu;
const asks = /[?？]["”*_)\s]*$/u;
const clauseEnds =
  /[、，；：]|[;:,]\s|\s[—–-]\s|\s\(|\)\s|\ssince\s(?!\d)|\s(?:and|but|because|so|which|while|whereas|although|und|aber|weil|während|et|mais|car|tandis que|y|pero|porque|mientras|e|ma|mas)\s(?!\d+(?:[.,]\d+)?\s?(?:%|min|s[eé][cgk]|h|stund|days?\b|[KMGT]i?B))/giu;

const foldedWords = /[\p{L}\p{N}]+/gu;
const unspaced = new RegExp(
  String.raw`(?<=${noBlanks.source})(?=[\p{sc=Latin}\d])|(?<=[\p{sc=Latin}\d])(?=${noBlanks.source})`,
  "gu",
);

/** `cache-2`, `ntp1`, `mail.out`, `NO_PROPOSAL_CHOSEN`, `/var/log`. */
const name =
  /(?<![\p{L}\p{N}_\uE000./@:-])(?:\/(?:[\w.-]+\/?)+|(?=[\p{Script=Latin}_.-]{0,60}[\d_]|[\p{Script=Latin}-]{2,40}\.\p{Ll}{2,})\p{Script=Latin}[\p{Script=Latin}\p{N}_]*(?:[.-][\p{Script=Latin}\p{N}_]+)*|\p{Lu}{6,}|\p{Lu}\p{Ll}+(?:\p{Lu}\p{Ll}+){2,})(?![\p{L}\p{N}_\uE000])/gu;
const common =
  /^(?:\d+(?:st|nd|rd|th)|ipv[46]|utf-?8|sha-?\d+|http\/?\d*|k8s|x86\w*|arm64|tls[\d.]*|s3|ec2|\d+xx|e\.g|i\.e|z\.b|[qv]\d|confirmed|likely|refuted|unknown|warning|critical|step-?\d+|action-?\d+|run-?\d+|phase-?\d+)$/iu;
const someone = /(?<!\p{L})(?:by|from|von|par|por|da)\s+(?<who>\p{Lu}\p{Ll}[\p{L}]+)(?!\p{L}|\s+[a-z]+ing)/gu;
/** `belongs to root`, `sent by noreply@example.org`. */
const owned =
  /(?<!\p{L})(?:belongs? to|owned by|gehör(?:t|en)|appart(?:ient|iennent) à|pertenecen? a|pertencem? a)\s(?<who>\p{Ll}[\p{L}\d_-]{2,})(?=[.,;]?$)|(?<![\p{L}\d.])(?<who>[\p{L}\d][\w.+-]*@[\w-]+(?:\.[\w-]+)+)/giu;
const isDate =
  /^(?:jan|feb|f[ée]v|mär|mar|apr|avr|abr|ma[iy]|jun|juin|jul|juil|aug|août|ago|sep|set|o[ck]t|out|nov|d[eé][czi]|mon|tue|wed|thu|fri|sat|sun|yesterday|today)/iu;
const dayBeside =
  /(?:(?<word>\p{L}{3,})\.?\s\d{1,2}(?![\w:]|[.,]\d)|(?<![\w.,:-])\d{1,2}\.?\s(?:de\s)?(?<name>\p{L}{3,}))/gu;
/** `14:02`, `2025-02-18`, `18 February`, `5 minutes ago`, not `to 12 GB`. */
const hasMoment = (clause: string): boolean =>
  /\d:\d\d|\d{4}-\d/u.test(clause) ||
  figuresIn(clause).some(isSpan) ||
  [...clause.matchAll(dayBeside)].some(({ groups }) => isDate.test(groups?.word ?? groups?.name ?? ""));
const userNamed =
  /(?<!\p{L})(?:user|benutzer(?:in)?|nutzer(?:in)?|utilisat(?:eur|rice)|usuari[oa]|usuári[oa]|utente)\s+(?!(?:mode|space|time|id|name|data|accounts?|process\p{L}*|sessions?|interface|agents?|groups?|requests?)(?!\p{L}))(?<who>\p{Ll}[\p{L}\d_.-]+[\p{L}\d_])(?!\p{L})/giu;
const aboutUs = /(?<!\p{L})(?:I|we|you|ich|wir|je|j['’]ai|nous|yo|io|eu)(?!\p{L})/u;

const sixes = new Map([..."six sechs seis sei".split(" ")].map((word) => [word, 6]));
/** The tables as patterns. A start does not wait for them: they take tens of milliseconds. */
const patternsOf = lazy(() => {
  const done = oneOf(words.done).source;
  const soon = String.raw`(?:\s+(?:just|also|already|now|then|successfully|since|therefore|have|has|first|both))*`;
  const firstPerson = String.raw`\b(?:I|we)(?:['’]ve|\s+have|\s+had)?${soon}\s+`;
  /** In the first person each verb is an act, except what needs no run. */
  const withoutRun =
    "proposed|suggested|recommended|asked|answered|said|noted|noticed|saw|seen|read|looked|checked|verified|inspected|examined|monitored|watched|expected|assumed|believed|thought|considered|concluded|suspected|guessed|hoped|wanted|needed|tried|planned|decided|compared|counted|used|kept|listed|named|included|mentioned|described|explained|summarized|marked|called|rated|left|withdrew|withdrawn|replaced|agreed|waited|found|learned|understood|ruled|confirmed|based|followed|limited|preferred|skipped|stopped|missed|misread|been|had|got|given|received|ran|executed|re-?ran|tested|queried|pinged|curled|logged|connected|ssh|measured|probed|rated|refuted|retracted|corrected-myself|updated|worked|searched";
  const states: readonly ClaimedState[] = [
    ...Object.values(concepts.states).map(({ said, shown, against, how }) => ({
      said: oneOf({ any: said }),
      shown: new RegExp(shown, "i"),
      against: new RegExp(against, "i"),
      isConcept: true,
      ...(how === "nearly" && { nearly: true }),
      ...(how === "act" && { isAct: true }),
      ...(how === "dated" && { isDated: true }),
      ...(how === "good" && { isGood: true }),
    })),
    { said: oneOf(words.states.up), shown: good, against: bad },
    { said: oneOf(words.states.well), shown: good, against: bad },
    {
      said: oneOf(words.states.done),
      shown:
        /\b(?:success\w*|succeed\w*|complet\w*|finish\w*|done|pass(?:ed)?|ok|exit 0|rolled (?:out|back)|created|configured|valid|deleted|deployed|ready|exited \(0\)|bound)\b|\[U+\]/i,
      ends: true,
      against: /\b(?:fail\w*|error\w*|denied|incomplete|abort\w*|pending|running|exit [1-9]\d*)\b/i,
    },
    {
      said: oneOf(words.states.reached),
      isAnswer: true,
      shown:
        /\bonline\b|^\s*\d+(?:\.\d+){3}\s*$|\b(?:succeeded|open|bytes from|received|HTTP\/\d|(?<!\d[.,])[1-5]\d\d(?![.,]\d)|connected\b(?!\s*:?\s*0)|LISTEN\w*|ok|alive|pong|time=|up|yes|true|answer|ready|running|healthy|exit 0)\b/i,
      against:
        /\b(?:timed out|timeout|refused|unreachable|not respond\w*|no response|no route|could not|failed|no servers|down|exit [1-9]\d*)\b|100% packet loss/i,
    },
    {
      said: oneOf(words.states.level),
      shown:
        /\b(?:in sync|synced|synchron\w*|yes|streaming|up[- ]?to[- ]?date|uptodate|caught up|completed?|empty|100|0|running|normal)\b/i,
      against:
        /\b(?:not synchron\w*|out of sync|outofsync|lagging|behind\w*["']?\s*[:=]\s*[1-9]\d*|no|down|failed|lost)\b/i,
    },
  ];
  return {
    plans: oneOf(words.plan),
    guesses: oneOf(words.guess),
    whenever: oneOf(words.whenever),
    denies: oneOf(words.no),
    reckons: oneOf(words.reckoned),
    rough: oneOf(words.rough),
    nearly: oneOf(words["near a time"]),
    told: oneOf(words.told),
    every: new RegExp(
      String.raw`${oneOf(words.every).source}|(?<!\p{L})(?<!(?<!\p{L})(?:of|der|des|de|dos|di|von|entre|between|zwischen)\s)(?:the|die|les|los|las|os|as|i|gli|le)\s+(?:${[...numerals.keys()].join("|")}|six|sechs|seis|sei|[2-9])(?!\p{L}|\d)`,
      "iu",
    ),
    everyOne: oneOf(words.every),
    none: oneOf(words.none),
    /** `both`; `all six`, `les deux`, `neither of the two`. */
    everyCount: new RegExp(
      String.raw`(?<!\p{L})(?:both|beide|beiden|ambos|ambas|ambedue|entrambi|entrambe|両方|neither|keiner der beiden)(?!\p{L})(?!\s+(?:of|the|of the)\s+(?:${[...numerals.keys()].join("|")}))|(?<!\p{L})(?<!(?<!\p{L})(?:of|der|des|de|dos|di|von|entre|between|zwischen)\s)(?:all|all the|the|alle|die|tous les|toutes les|les|todos los|todas las|los|las|os|as|todos os|todas as|tutti e|tutte e|i|le|gli|neither of the|neither of its|none of the|keiner der|keine der|aucun des|ninguno de los|nenhum dos)\s+(?<count>${[...numerals.keys(), ...sixes.keys()].join("|")}|[2-9])(?!\p{L}|\d)`,
      "iu",
    ),
    again: oneOf(words.again),
    /** `four of six`: the figures say it. */
    partOf: new RegExp(
      String.raw`(?<!\p{L})(?:\d+|${[...numerals.keys()].join("|")}|one)\s(?:of|von|sur|de|di|dos|des|der)\s(?:the\s|los\s|les\s|den\s)?(?:\d+|${[...numerals.keys()].join("|")}|six)(?!\p{L})`,
      "iu",
    ),
    /** It worked before. */
    noMore: oneOf(words["no more"]),
    /** How often, not that it runs now. */
    often: oneOf(words.often),
    trouble: oneOf(words.trouble),
    acts: [
      new RegExp(
        String.raw`${firstPerson}(?:\w+\s+and\s+)?(?<act>(?!(?:${withoutRun})\b)(?:(?!(?:need|feed|proceed|succeed|exceed|speed)\b)\p{L}+ed|set|put|made|brought|cut|shut|reset|swapped|bounced|split|sent|wrote|took|rolled back)\b|${done})(?!\s+(?:that|from|your?|the (?:runbook|issue|alert|plan)|(?:an?|the|another|two|three) (?:\p{L}+ )?(?:checks?|steps?|notes?|commands?|proposals?|reads?|questions?|hypothes[ei]s))\b)`,
        "iu",
      ),
      new RegExp(String.raw`\b(?<act>${done})\b[^.;!?]{0,60}\bby me\b`, "iu"),
      /\bj['’]ai\s+(?:aussi\s+)?(?!lu|vu|v[ée]rifi|regard|consult|propos|not[ée]|constat|remarqu|trouv|compar)(?<act>\p{L}+(?:é|i|u|is|it))(?!\p{L})/iu,
      /\bich habe\b(?!(?:[^.;]|\.(?=\S)){0,160}\b(?:gesehen|gelesen|geprüft|gefunden|vorgeschlagen|bemerkt|erkannt|vermutet|verstanden|erwähnt|betrachtet|erwartet|überprüft|angenommen|verglichen|angesehen|geschaut)\b)(?:[^.;]|\.(?=\S)){0,160}\b(?<act>\p{L}{0,30}(?:ge|be|er|ver|ent|zer)\p{Ll}{1,30}(?:t|en)|\p{L}{1,30}iert|\p{L}{4,30}en)\b/iu,
      /^\W*(?!Encontré|Miré|Revisé|Propuse|Noté|Verifiqué|Comprobé|Vi)(?<act>\p{Lu}\p{Ll}+é)\s/u,
      /^\W*(?!Encontrei|Vi|Verifiquei|Notei|Li|Propus)(?<act>\p{Lu}\p{Ll}+ei)\s/u,
      /(?<!\p{L})я\s+(?!вид|прочит|провер|посмотр|предлож|наш|замет|сравн)(?<act>\p{L}+ла?)(?!\p{L})/iu,
      /\bhe\s+(?!visto|leído|revisado|comprobado|verificado|propuesto|encontrado|notado)(?<act>\p{L}+(?:ado|ido|cho|sto))(?!\p{L})/iu,
      /\bho\s+(?!visto|letto|verificato|controllato|proposto|trovato|notato)(?<act>\p{L}+(?:ato|ito|uto|sso|tto))(?!\p{L})/iu,
      /我(?:已经|已|刚刚|刚)(?!看|读|检查|发现|建议|注意)(?<act>\p{L})/u,
    ],
    /** The same without a person: other people may have done it. */
    passives: [
      new RegExp(String.raw`${oneOf(words["by whom"]).source}\s+(?<act>${done})`, "iu"),
      new RegExp(String.raw`(?<act>${oneOf({ German: words.done.German }).source})\s+(?:worden|habe)`, "iu"),
      new RegExp(
        String.raw`^[\s>*•-]*(?:(?:then|also|just|successfully)\s+)?(?<act>${done})(?!\s+(?:by|at|on|in|since|pods|containers)\b)(?:\s+\S+){1,5}$`,
        "iu",
      ),
    ],
    things: Object.values(concepts.things).map(({ said, shown }) => ({
      said: oneOf({ any: said }),
      shown: new RegExp(String.raw`(?<!\p{L})(?:${shown})`, "iu"),
    })),
    states,
  };
});

interface EvidenceLine {
  readonly text: string;
  readonly lower: string;
  /** The line that this one, indented, goes on from. */
  readonly under: string;
}

/** Creates the reader of what a turn's sentences assert (AR-15, PA-4): each term needs something that bears it. */
export function createFindUnborne(grounds: ClaimGrounds): FindUnborne {
  const {
    plans,
    guesses,
    whenever,
    denies,
    reckons,
    rough,
    nearly,
    told,
    every,
    everyOne,
    none,
    everyCount,
    again,
    partOf,
    noMore,
    often,
    trouble,
    acts,
    passives,
    things,
    states,
  } = patternsOf();
  const runs = grounds.runs.map((run) => ({ ...run, output: inIsoTimes(run.output) }));
  const shown = inIsoTimes(grounds.shown);
  const { own } = grounds;
  const endings = runs.map(({ isWell, ending }) =>
    ending?.kind === "exited" ? `exit ${ending.code} ${isWell ? "succeeded" : "failed"}` : (ending?.kind ?? ""),
  );
  const linesOf = (text: string): readonly EvidenceLine[] => {
    let head = "";
    return text
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map((line) => {
        const lower = line.toLowerCase();
        if (/^\S/.test(line)) head = lower;
        return { text: line, lower, under: /^\s/.test(line) ? head : "" };
      });
  };
  const namedRows: readonly (readonly NamedRow[])[] = runs.map(({ command, output }) => readNamedRows(command, output));
  const outputs = runs.map(({ output }, at) => {
    const lines = linesOf(output);
    const rows = namedRows[at] ?? [];
    // `active` for the unit that the command asked for: its line says both.
    return lines.length === rows.length && rows.every(({ isCalled }) => isCalled)
      ? rows.flatMap(({ text }) => linesOf(text))
      : lines;
  });
  /** The same command has looked again since, on the same servers. */
  const outdated = new Set(
    runs.flatMap(({ command, servers }, at) =>
      runs
        .slice(at + 1)
        .some((later) => later.command === command && servers.every((server) => later.servers.includes(server)))
        ? (outputs[at] ?? [])
        : [],
    ),
  );
  const heads = runs.map(({ command, servers }) => [...servers, command].join(" ").toLowerCase());
  const topics = runs.map(
    ({ command }) => new Set(topicsOf.flatMap(([program, about]) => (program.test(command) ? about : []))),
  );
  const all = [
    shown,
    grounds.shown,
    ...own,
    ...runs.flatMap(({ output }, at) => [heads[at] ?? "", output, endings[at] ?? ""]),
  ]
    .join("\n")
    .toLowerCase();
  const printed = new Set(runs.flatMap(({ output }) => output.split("\n").map((line) => line.trim())));
  /** What was given beside the outputs: they have units and rows. */
  const beside = shown
    .split("\n")
    .filter((line) => !printed.has(line.trim()))
    .join("\n");
  const given = linesOf(beside);
  const known = new Set(all.match(foldedWords));
  for (const about of topics) for (const word of about) known.add(word);
  const stems = new Set([...known].map(stemOf));
  /** Numbers of commands and endings, and of what was given beside. */
  const givenNumbers = createMemo((scope: "run" | "all") =>
    [...own, ...heads, ...endings, ...(scope === "all" ? [beside] : [])]
      .flatMap((text) => [
        ...[...text.matchAll(/\d+(?:[.,]\d+)*/g)].flatMap(([one]) => [numberOf(one), Number.parseFloat(one)]),
        ...[...text.toLowerCase().matchAll(foldedWords)].flatMap(([word]) => numerals.get(word) ?? []),
      ])
      .filter((one) => !Number.isNaN(one))
      .toSorted((a, b) => a - b),
  );
  const changes = runs.filter(
    ({ reads, ending, command }) =>
      !reads && ending?.kind !== "unreachable" && (!looksOnly.test(command) || changesToo.test(command)),
  );

  const isKnownWord = (word: string): boolean =>
    known.has(word) || stems.has(stemOf(word)) || (word.length > 6 && stems.has(word.slice(0, 5)));

  const moments = [...runs.map(({ output }) => output), shown].flatMap(momentsIn).slice(0, 150);
  const reckonings = new Map<string, ReckonedNumbers>();
  const reckonOf = (from: readonly RecordedRun[], stem: string): ReckonedNumbers => {
    const key = `${from.map(({ number }) => number).join()} ${stem}`;
    const before = reckonings.get(key);
    if (before) return before;
    const parts = from.map(({ output }) =>
      output.split("\n").filter((line) => /[\p{L}\p{N}]/u.test(line) && line.toLowerCase().includes(stem)),
    );
    const result = reckon(parts, moments);
    reckonings.set(key, result);
    return result;
  };

  /** Four digits agree with another figure by chance once in thousands. */
  const standsWhole = (figure: string): boolean =>
    figure.replace(/\D/g, "").length > 3 && new RegExp(`(?<![\\d.,])${RegExp.escape(figure)}(?!\\d|[.,]\\d)`).test(all);

  const figureFault = (clause: string, named: readonly number[]): string | undefined => {
    // 12 月 24 日, as an output writes it.
    for (const [day, month = "", date = ""] of clause.matchAll(/(\d{1,2})\s?月\s?(\d{1,2})\s?日/g))
      if (isDay(Number(month), Number(date))) return figureFault(clause.replace(day, " "), named);
    // `no rule for port 123`: what is not there stands nowhere.
    const denied = absent.test(clause) ? 0 : (denies.exec(clause)?.index ?? Infinity);
    const figures = figuresIn(clause).filter(
      ({ at, value, text }) => at < denied || (isLabelled(clause.slice(0, at)) ? holdsName(all, text) : value > 0),
    );
    const ofNamed = runs.filter(({ number }) => named.includes(number));
    const from = ofNamed.length > 0 ? ofNamed : runs;
    const whole = reckonOf(from, "");
    // What is said of a run stands in it, not in the issue.
    const given = givenNumbers(ofNamed.length > 0 ? "run" : "all");
    const isRough = rough.test(clause) || /[≈~<>≥≤]/u.test(clause) || noBlanks.test(clause);
    /** `48.211` of 48211, not in English. */
    const isGrouped = (said: string): boolean =>
      /^\d{1,3}(?:\.\d{3})+$/.test(said) &&
      languageOf(clause) !== "English" &&
      holdsNear(reckoned.plain, Number(said.replaceAll(".", "")), 0);
    // What is reckoned is reckoned of the lines about the subject; totals of all.
    const stem = rarestRow(contentOf(clause));
    const about = stem === undefined || ofNamed.length > 1 || denies.test(clause) ? whole : reckonOf(from, stem);
    const reckoned = {
      ...whole,
      derived: reckons.test(clause) ? [...about.derived, ...about.between].toSorted((a, b) => a - b) : about.derived,
      shares: about.shares,
    };
    // A clock or a version stands as it is.
    for (const [said] of clause.matchAll(
      /(?<![\w.:/@-])(?:\d{1,2}:\d\d(?::\d\d)?|\d{4}-\d\d-\d\d|\d{1,4}(?:\.\d{1,4}){2,3})(?![\w/:-]|\.\d)/g,
    ))
      if (
        !(/^\d+\.\d+\.\d+\.\d+$/.test(said)
          ? holdsName(all, said)
          : all.includes(said.replace(/(?<=:\d\d):00$/, ""))) &&
        !isIsoDay(said) &&
        !(denied < Infinity && /^\d+(?:\.\d+){3}$/.test(said)) &&
        !isMoment(said) &&
        !isGrouped(said) &&
        !isNearClock(clause, said)
      )
        return `no output has ${said}`;
    const calendar =
      (denied === 0 ? undefined : calendarFault(clause)) ?? (denied < Infinity ? undefined : labelFault(clause));
    if (calendar !== undefined) return calendar;
    for (const figure of figures) {
      const before = clause.slice(0, figure.at);
      const after = clause.slice(figure.at + figure.text.length);
      const isLabel = /^\s*$/.test(before)
        ? /^[).]\s/.test(after)
        : /(?:#|step|phase|action|exit|code)\s?$/iu.test(before) ||
          (/[(,]\s?$/.test(before) && runs.some(({ number }) => number === figure.value));
      if (
        (figure.value < 2 && !isSpan(figure) && Number.isInteger(figure.value)) ||
        isOurs(after) ||
        isLabel ||
        named.includes(figure.value)
      )
        continue;
      // Of `201 of 214 errors` the second counts them all.
      const isPart = /^\s*(?:of|von|de|sur|di)\s(?:the\s|den\s|las?\s|los\s|les\s)?\d/iu.test(after);
      const counted = isPart || standsWhole(figure.text) ? undefined : countsOf(after, from, clause);
      if (counted !== undefined && !counted.includes(figure.value) && !isRough) {
        const total = counted.reduce((sum, one) => sum + one, 0);
        if (
          total !== figure.value &&
          !counted.some((one) => counted.some((other) => Math.abs(one - other) === figure.value))
        )
          return `no output has ${figure.text}`;
      }
      const isGiven = isSpan(figure)
        ? new RegExp(String.raw`(?<!\d)${figure.value}\s?${RegExp.escape(figure.unit.slice(0, 1))}`, "iu").test(
            [beside, ...heads].join("\n"),
          )
        : holdsNear(given, figure.value, isRough ? Math.max(figure.half, figure.value * 0.03) : 0);
      const isCounted = isFew(figure) && figure.value < whole.rows;
      const bound = isUpper.test(before) ? "under" : isLower.test(before) ? "over" : undefined;
      const isBorne =
        bearsFigure(figure, isRough, reckoned, bound) ||
        // By chance no two numbers have a share with a decimal.
        (!Number.isInteger(figure.value) && figure.unit === "%" && bearsFigure(figure, false, whole));
      if (!isGiven && !isCounted && !isBorne && !isGrouped(figure.text)) return `no output has ${figure.text}`;
    }
    return undefined;
  };
  /** Rows of what the outputs list, by output: each has as many cells as its neighbors. */
  const tables = [
    ...outputs.map((lines) => {
      const rows = lines.map((line) => ({ line, cells: cellsOf(line.lower) }));
      return rows.filter(
        ({ cells, line }, at) =>
          cells.length > 1 &&
          // A head names columns.
          (/\d/.test(line.text) || !/\d/.test(rows[at + 1]?.line.text ?? "")) &&
          [rows[at - 1], rows[at + 1]].some(
            (next) => next !== undefined && Math.abs(next.cells.length - cells.length) < 2,
          ),
      );
    }),
    ...namedRows.map((rows) =>
      rows.every(({ isJson }) => isJson)
        ? rows.map(({ text, cells }) => ({
            line: { text, lower: text.toLowerCase(), under: "" },
            cells: cells.map(({ value }) => value.toLowerCase()),
          }))
        : [],
    ),
  ];
  /** What `both`, `all six` or `neither of the two` may count: rows of a list, lines of an output, runs of one command. */
  const groupsOf = (count: number, subject: readonly string[]): readonly (readonly EvidenceLine[])[] => {
    const listed = tables.flatMap((rows) => {
      const body = rows.filter(({ line }, at) => at > 0 || /\d/.test(line.text)).map(({ line }) => line);
      const own = rows
        .filter(({ cells }) =>
          cells.some((cell, place) => subject.some((word) => (place === 0 || isProper(word)) && isNameOf(word, cell))),
        )
        .map(({ line }) => line);
      return [body, own];
    });
    // `chronyc tracking` and `chronyc sources` look at two things, `dig @a` and `dig @b` at one.
    const topic = subject.filter((word) => !isProper(word)).map(stemOf);
    const speaksOf = ({ command, output }: RecordedRun, stem: string): boolean =>
      `${command}\n${output}`.toLowerCase().includes(stem);
    const alike = [...Map.groupBy(runs, ({ command }) => command.split(" ")[0]).values()]
      .flatMap((program) => {
        const groups = [
          ...Map.groupBy(program, ({ command }) => /^\S+(?:\s[a-z][a-z-]*(?=\s|$))?/.exec(command)?.[0]).values(),
        ];
        return groups.filter((group) =>
          topic.every(
            (stem) => group.some((run) => speaksOf(run, stem)) || !program.some((run) => speaksOf(run, stem)),
          ),
        );
      })
      .map((group) =>
        group.map(({ number, output }) => {
          const text = `${output.replaceAll("\n", " ")} ${endings[runs.findIndex((run) => run.number === number)]}`;
          return { text, lower: text.toLowerCase(), under: "" };
        }),
      );
    return [...listed, ...outputs, ...alike].filter((group) => group.length === count);
  };
  const wordsOfCells = new Map<NamedRow, Set<string>>();
  /** Whether a row speaks of one of these. */
  const isRowOf = (row: NamedRow, subject: readonly string[]): boolean => {
    const words =
      wordsOfCells.get(row) ?? new Set(row.cells.map(({ value }) => value.toLowerCase().replace(/^["']|["']$/g, "")));
    wordsOfCells.set(row, words);
    return subject.some(
      (word) =>
        isProper(word) &&
        [...words].some(
          (cell) => cell.includes(word) && new RegExp(`(?<![\\w.-])${RegExp.escape(word)}(?![\\w-]|\\.\\d)`).test(cell),
        ),
    );
  };
  /** What a row answers by yes or no to the very word that a clause says. */
  const switchFault = (clause: string): string | undefined => {
    const subject = contentOf(clause);
    const called = subject.filter((word) => isProper(word) && heads.some((head) => namesWord(head, word)));
    for (const [at, rows] of namedRows.entries()) {
      // `mysql -h rep-4` says nothing of rep-3.
      const isElsewhere =
        called.length > 0 &&
        !called.some((word) => namesWord(`${heads[at]} ${runs[at]?.servers.join(" ")} ${runs[at]?.output}`, word));
      if (isElsewhere) continue;
      // `All Linux agents` are the rows that have the word.
      const isEvery = everyOne.test(clause) && (rows.length === 2 || !/\bboth\b/iu.test(clause));
      const own = rows.filter(
        (row) =>
          isRowOf(row, subject) ||
          (isEvery &&
            subject.some(
              (word) => word.length > 3 && row.cells.some(({ value }) => value.toLowerCase().includes(stemOf(word))),
            )),
      );
      if (own.length === 0 && rows.length > 1 && !isEvery && rows.some(({ cells }) => cells.length > 1)) continue;
      const said = new Set(clause.toLowerCase().match(foldedWords));
      const answers = (own.length > 0 ? own : rows).flatMap(({ cells }) =>
        cells.flatMap((cell) => {
          const is = switchOf(cell);
          const keys = cell.key.toLowerCase().match(/\p{L}{2,}/gu) ?? [];
          const asked = keys.findLast((key) => key.length > 3);
          if (is === undefined || asked === undefined) return [];
          const isAsked = subject.some((word) => !isProper(word) && stemOf(word) === stemOf(asked));
          return isAsked ? { is, isNear: keys.some((key) => key !== asked && said.has(key)) } : [];
        }),
      );
      // `Replica_IO_Running` of the IO thread, not of both.
      const nearest = answers.some(({ isNear }) => isNear) ? answers.filter(({ isNear }) => isNear) : answers;
      if (nearest.some(({ is }) => denies.test(clause) === is)) return "an output shows the opposite";
    }
    return undefined;
  };
  /** `no space left` where a column of what is free has some. */
  const leftFault = (clause: string): string | undefined => {
    if (!exhausted.test(clause) || rough.test(clause) || barely.test(clause)) return undefined;
    const subject = contentOf(clause);
    const free = namedRows.flatMap((rows) => {
      const own = rows.filter((row) => isRowOf(row, subject));
      return (own.length > 0 ? own : rows.length === 1 ? rows : []).flatMap(({ cells }) =>
        cells.filter(({ key }) => /free|avail/i.test(key)),
      );
    });
    const isPlenty = cellsOfUse(namedRows.flat()).every((share) => share < 90);
    return free.length > 0 && isPlenty && free.every(({ value }) => Number.parseFloat(value) > 0)
      ? "an output shows the opposite"
      : undefined;
  };
  /** How many of them a clause speaks of. */
  const countIn = (clause: string): number | undefined => {
    const counted = everyCount.exec(clause)?.groups;
    if (!counted) return undefined;
    const number = (counted.count ?? "").toLowerCase();
    return number === "" ? 2 : (numerals.get(number) ?? sixes.get(number) ?? (Number(number) || undefined));
  };

  /** A figure that stands in the row, or in the outputs of the server, of another name than the clause has; and no greatest one. */
  const rowFault = (clause: string): string | undefined => {
    // `Partition 6`, `thread 91277`: a number that stands first in a row.
    const labels = [...clause.matchAll(/\p{L}{3,}\s#?(\d{1,9})(?![\p{L}\p{N}:%-]|[.,]\d)/gu)].flatMap(([, one = ""]) =>
      tables.some((rows) => rows.length > 1 && rows.some(({ cells }) => cells[0]?.replace(/^\W+/, "") === one))
        ? one
        : [],
    );
    const subject = [...contentOf(clause).filter((word) => !monthWords.some((month) => month.test(word))), ...labels];
    const isRough = rough.test(clause);
    const servers = [...new Set(runs.flatMap((run) => run.servers))].filter((server) =>
      subject.includes(server.toLowerCase()),
    );
    const groups = [
      ...tables.map((rows) => {
        const own = rows.filter(({ cells }) =>
          cells.some((cell, place) => subject.some((word) => (place === 0 || isProper(word)) && isNameOf(word, cell))),
        );
        return {
          own: own.map(({ line }) => line),
          other: rows.filter((row) => !own.includes(row)).map(({ line }) => line),
        };
      }),
      ...(servers.length === 1
        ? [
            {
              own: runs.flatMap((run, at) => (run.servers.includes(servers[0] ?? "") ? (outputs[at] ?? []) : [])),
              other: runs.flatMap((run, at) =>
                !run.servers.includes(servers[0] ?? "") &&
                runs.some(
                  (one) =>
                    one.servers.includes(servers[0] ?? "") && one.command.split(" ")[0] === run.command.split(" ")[0],
                )
                  ? (outputs[at] ?? [])
                  : [],
              ),
            },
          ]
        : []),
    ].filter(({ own, other }) => own.length > 0 && other.length > 0);
    for (const { own, other } of groups) {
      if (greatest.test(clause) && own.length === 1) {
        const [mine = [], ...others] = [...own, ...other].map(({ text }) => amountsIn(text));
        const isFirst = mine.some((value, at) => others.every((row) => (row[at] ?? 0) <= value));
        if (mine.length > 0 && others.some((row) => row.length === mine.length) && !isFirst)
          return "an output shows the opposite";
      }
      for (const figure of figuresIn(clause)) {
        if (figure.value < 2 || isSpan(figure) || isFew(figure) || subject.length === 0) continue;
        if (labels.includes(figure.text)) continue;
        const bears = (lines: readonly EvidenceLine[]): boolean =>
          bearsFigure(figure, isRough, reckon([lines.map(({ text }) => text)], []));
        const isIn = other.some(
          ({ text }) =>
            // `size=500G` is a line about the name above it.
            !new RegExp(`\\w=["']?${RegExp.escape(figure.text)}(?!\\d)`).test(text) &&
            amountsIn(text).some((one) => Math.abs(one - figure.value) <= figure.half * (isRough ? 1 : 0.2)),
        );
        if (!isIn || bears(own)) continue;
        // Its own run says it, under a name that only the command has.
        const isCalled = runs.some(
          (_, at) =>
            subject.some((word) => (isProper(word) || word.length < 5 ? namesWord(heads[at] ?? "", word) : false)) &&
            bears(outputs[at] ?? []),
        );
        if (isCalled) continue;
        const rest = new Set(other.map(({ text }) => text));
        const isBeside = [...outputs.flat(), ...given].some(
          ({ text }) => !rest.has(text) && amountsIn(text).includes(figure.value),
        );
        if (!isBeside) return `no output has ${figure.text}`;
      }
    }
    return undefined;
  };

  /** `3 packets`, as the outputs count what stands behind a figure; not what a unit or a row is. */
  const countedIn = createMemo((output: string) =>
    // Not `5 Reallocated_Sector_Ct`, nor `0 r UNASSIGNED`.
    [
      ...output
        .toLowerCase()
        .matchAll(/(?<![\w.:-])(\d+) (\p{L}{2,})(?![\p{L}_]|\s{2}|\t)(?: (\p{L}{2,})(?![\p{L}_]))?/gu),
    ].flatMap(([, digits, first = "", second]) => [
      { noun: first, beside: "", count: Number(digits) },
      ...(second === undefined ? [] : [{ noun: second, beside: first, count: Number(digits) }]),
    ]),
  );
  /** `0 backup servers` counts those only. */
  const countsOf = (after: string, from: readonly RecordedRun[], clause: string): readonly number[] | undefined => {
    const noun = /^\s*(?:(?:of|von|de|sur)\s+(?:the\s+|den\s+)?\d*\p{L}*\s+)?(?<noun>\p{L}{4,})/u.exec(after)?.groups
      ?.noun;
    if (noun === undefined || isUnit(noun) || monthWords.some((month) => month.test(noun.toLowerCase())))
      return undefined;
    const stem = stemOf(noun);
    const found = from.flatMap(({ output }) =>
      countedIn(output).flatMap(({ noun: word, beside, count }) =>
        word.startsWith(stem) && clause.toLowerCase().includes(stemOf(beside)) ? count : [],
      ),
    );
    return found.length > 0 ? found : undefined;
  };
  /** A day or a year that nothing has. */
  const calendarFault = (clause: string): string | undefined => {
    for (const { 0: said, groups } of clause.matchAll(dayOfMonth)) {
      const word = (groups?.before ?? groups?.after ?? "").toLowerCase();
      const month = monthWords.findIndex((pattern) => pattern.test(word)) + 1;
      const day = Number(groups?.day ?? groups?.first);
      if (month > 0 && day > 0 && day < 32 && !isDay(month, day)) return `no output has ${said.trim()}`;
    }
    for (const [, day, date] of clause.matchAll(/(\d{1,2})\s?月\s?(\d{1,2})\s?日/g))
      if (!isDay(Number(day), Number(date))) return `no output has ${day}月${date}日`;
    const year = untilYear.exec(clause)?.[1];
    return year !== undefined && !all.includes(year) ? `no output has ${year}` : undefined;
  };
  /** `RAID 5` of a text with `raid6`, `version 1.30` of one with `v1.29.6`: a number that belongs to a name. */
  const labelFault = (clause: string): string | undefined => {
    for (const { groups, 0: said } of clause.matchAll(labelled)) {
      const [word, number] = [(groups?.word ?? "").toLowerCase(), groups?.number ?? ""];
      if (
        isDate.test(word) ||
        isFunctionWord(word) ||
        number === "1" ||
        own.some((command) => command.includes(number))
      )
        continue;
      const isVersion = versionWords.test(word);
      if (isVersion && !new RegExp(`(?<![\\d.])${RegExp.escape(number)}(?!\\d)`).test(all))
        return `no output has ${said}`;
      if (isVersion || word.length < 3) continue;
      const beside = [
        ...all.matchAll(new RegExp(`(?<!\\p{L})${RegExp.escape(word)}[ :#_.=/-]{0,2}(\\d+(?:\\.\\d+)*)`, "gu")),
      ].map(([, one = ""]) => one);
      const isIn = new RegExp(`(?<![\\d:-]|\\d\\.)${RegExp.escape(number)}(?![\\d:]|-\\d)`).test(all);
      if (
        beside.length > 0 &&
        /^\p{Lu}{2}/u.test(said) &&
        !beside.some((one) => one === number || one.startsWith(`${number}.`) || number.startsWith(`${one}.`))
      )
        return `no output has ${said}`;
      if (!isIn) return `no output has ${said}`;
    }
    return undefined;
  };
  const isIsoDay = (said: string): boolean => {
    const [year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(said)?.slice(1) ?? [];
    return (
      year !== undefined &&
      isDay(Number(month), Number(day)) &&
      (all.includes(year) || !/(?<!\d)20\d\d(?!\d)/.test(all))
    );
  };
  const isDay = (month: number, day: number): boolean =>
    new RegExp(
      `-0?${month}-0?${day}(?!\\d)|\\b${monthNames[month - 1] ?? "?"}\\p{L}* +0?${day}(?!\\d)|(?<!\\d)0?${day}[ ./]+(?:${monthNames[month - 1] ?? "?"}|0?${month}(?!\\d))`,
      "iu",
    ).test(all) ||
    [...all.matchAll(/(?<![\d.])1[4-9]\d{8}(?![\d.])/g)].some(([stamp]) => {
      const date = new Date(Number(stamp) * 1000);
      return date.getUTCMonth() + 1 === month && date.getUTCDate() === day;
    });
  /** `shortly before 14:00`, and the hour alone where an output has minutes. */
  const isNearClock = (clause: string, said: string): boolean => {
    const [hours = "", minutes = ""] = /^(\d{1,2}):(\d\d)$/.exec(said)?.slice(1) ?? [];
    if (hours === "" || Number(minutes) % 5 !== 0) return false;
    const place = clause.indexOf(said);
    const words = clause.slice(Math.max(0, place - 24), place);
    if (!rough.test(words) && !nearly.test(words)) return false;
    const at = Number(hours) * 3600 + Number(minutes) * 60;
    const within = Number(minutes) % 30 === 0 ? 900 : 300;
    return moments.some((one) => {
      const away = Math.abs((one % 86_400) - at);
      return Math.min(away, 86_400 - away) <= within;
    });
  };
  const isMoment = (said: string): boolean => {
    if (!/^\d?\d:\d\d/.test(said)) return false;
    const [, minutes = ""] = said.split(":");
    return (
      all.includes(said.replace(/^0/, "")) ||
      (new RegExp(String.raw`\d\d?:${minutes}(?!\d)`).test(all) &&
        /(?:UTC|GMT|CES?T|Z\b|local|a\.?m|p\.?m)/iu.test(said))
    );
  };

  const nameFault = (clause: string): string | undefined => {
    const isDenied = denies.test(clause);
    for (const [said] of clause.matchAll(name)) {
      const lower = said.toLowerCase().replace(/[.-]+$/, "");
      if (common.test(lower) || all.includes(lower)) continue;
      // `H.264` of `h264`.
      const joined = lower.replace(/[._-]/g, "");
      if (joined.length > 3 && holdsName(all, joined)) continue;
      // `worker-3 is not listed`: what is not there stands nowhere.
      if (isDenied && !said.includes("/")) continue;
      const parts = lower.match(/\p{L}{2,}|\d+/gu) ?? [];
      // `gpu03` of `gpu[03-05]`.
      if (parts.length === 2 && all.includes(`${parts[0]}[`) && all.includes(parts[1] ?? "")) continue;
      return `nothing that ran or was given names ${said}`;
    }
    for (const { groups } of clause.matchAll(userNamed)) {
      const who = groups?.who?.toLowerCase() ?? "";
      // `the upload user can read it`
      if (isFunctionWord(who)) continue;
      if (!known.has(who) && !isKnownWord(who) && !all.includes(who))
        return `nothing that ran or was given names ${groups?.who}`;
    }
    if (/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]/u.test(clause))
      for (const [word] of clause.matchAll(/(?<![\w./-])[a-z]{4,}(?![\w./-])/g))
        if (!isKnownWord(word)) return unseen.subject;
    for (const { groups } of clause.matchAll(owned)) {
      const who = groups?.who?.toLowerCase() ?? "";
      if (!isDenied && !all.includes(who)) return `nothing that ran or was given names ${groups?.who}`;
    }
    for (const { groups } of clause.matchAll(someone)) {
      const who = groups?.who?.toLowerCase() ?? "";
      if (who !== "" && !known.has(who) && !isDate.test(who))
        return `nothing that ran or was given names ${groups?.who}`;
    }
    return undefined;
  };

  const actFault = (clause: string, sentence: string, cited: readonly string[]): string | undefined => {
    const mine = acts.map((pattern) => pattern.exec(clause)).find((match) => match !== null);
    const act = mine ?? passives.map((pattern) => pattern.exec(clause)).find((match) => match !== null);
    if (
      !act ||
      denies.test(mine ? clause.slice(Math.max(0, act.index - 12), act.index + act[0].length + 10) : clause) ||
      plans.test(clause.slice(0, act.index))
    )
      return undefined;
    const said = (act.groups?.act ?? "").toLowerCase();
    // `está detenido`, `ist deaktiviert`: it is so.
    if (!mine && isStanding.test(act[0]) && states.some((state) => state.isConcept && state.said.test(act[0])))
      return undefined;
    // Somebody else did it at a time that stands in an output or a text, or it ended so.
    if (
      !mine &&
      (hasMoment(clause) || /(?:code|exit|status)\s?\d/iu.test(clause) || oftenDone.test(clause)) &&
      figureFault(clause, []) === undefined
    )
      return undefined;
    const kind = kindsOfAct.find((one) => one.said.test(said));
    // What is switched on or off may have been so for long.
    if (!mine && isSwitch.test(said) && runs.some(({ output }) => switched.test(output))) return undefined;
    // An output tells of it in the words that are cited.
    if (!mine && cited.some((quote) => kind?.did.test(quote) ?? true)) return undefined;
    if (!mine && kind?.isPrinted && runs.some(({ command, output }) => kind.did.test(`${command}\n${output}`)))
      return undefined;
    // Someone did it, and an output shows that it is so.
    if (
      !mine &&
      states.some(
        (state) =>
          state.isAct &&
          state.said.test(clause) &&
          linesAbout(contentOf(clause), state).lines.some(({ text }) => state.shown.test(text)),
      )
    )
      return undefined;
    const borne = changes.filter(({ command, output }) => kind?.did.test(`${command}\n${output}`) ?? true);
    if (borne.length === 0) {
      if (!mine && isKnownWord(said.split(" ")[0] ?? "")) return undefined;
      return changes.length === 0 ? "nothing has run that changes anything" : "no run did that";
    }
    const failed = borne.find(({ ending, isWell }) => ending !== null && !isWell);
    return failed && borne.every(({ isWell }) => !isWell) && !saysFailed.test(sentence)
      ? `${failed.number} did not end well`
      : undefined;
  };

  interface WordSight {
    readonly stem: string;
    /** Lines of outputs and of what was given that hold it. */
    readonly rows: readonly EvidenceLine[];
    readonly printed: number;
    readonly byRun: readonly (readonly EvidenceLine[])[];
    /** Numbers of the outputs with such lines, and of those whose command names it. */
    readonly round: readonly number[];
    readonly whole: readonly number[];
    readonly called: readonly number[];
  }
  const sightOf = createMemo((word: string): WordSight => {
    const stem = stemOf(word);
    // A short one stands in too many others.
    const stands = (lower: string): boolean =>
      lower.includes(stem) &&
      (stem.length > 3 || (isProper(stem) ? holdsName(lower, stem) : new Set(lower.match(foldedWords)).has(stem)));
    const has = ({ lower, under }: EvidenceLine): boolean => stands(lower) || (isProper(word) && stands(under));
    const printed = outputs.map((lines) => lines.filter(has));
    return {
      stem,
      rows: [...printed.flat(), ...given.filter(has)],
      printed: printed.flat().length,
      byRun: printed,
      round: printed.flatMap((lines, at) => (lines.length > 0 ? at : [])),
      whole: heads.flatMap((head, at) =>
        head.includes(stem) || topics[at]?.has(word) || topics[at]?.has(stem) ? at : [],
      ),
      called: heads.flatMap((head, at) => (head.includes(stem) ? at : [])),
    };
  });
  /** The word that the fewest lines of outputs have. */
  const rarestRow = (subject: readonly string[]): string | undefined =>
    subject
      .map(sightOf)
      // A table's head has no figures.
      .filter(({ byRun }) => byRun.some((lines) => lines.some(({ text }) => /\d/.test(text))))
      .toSorted((a, b) => a.printed - b.printed)[0]?.stem;

  /** The lines that speak of a subject: its rows, else the outputs that it stands in or that a command names it for. */
  const linesAbout = (
    subject: readonly string[],
    { shown: sign, against, ends }: ClaimedState,
  ): { readonly lines: readonly EvidenceLine[]; readonly isNamed: boolean } => {
    const rank = ({ rows, whole }: WordSight): number => rows.length || 1e6 + whole.length;
    const isSigned = ({ rows }: WordSight): boolean => rows.some(({ text }) => sign.test(text) || against.test(text));
    const isHere = runs.map(({ servers }) => servers.some((server) => subject.includes(server.toLowerCase())));
    const [rarest] = subject
      .map(sightOf)
      // What is said of a server is what was seen there, if it was.
      .map((sight) => {
        const rows = sight.byRun.filter((_, at) => isHere[at]).flat();
        return rows.length > 0 ? { ...sight, rows } : sight;
      })
      .map((sight) => (ends ? sight : { ...sight, whole: sight.whole.filter((at) => outputs[at]?.length) }))
      .filter(({ rows, whole }) => rows.length + whole.length > 0)
      .toSorted((a, b) => rank(a) - rank(b) || Number(isSigned(b)) - Number(isSigned(a)));
    if (!rarest) return { lines: outputs.flat(), isNamed: false };
    if (isSigned(rarest)) return { lines: rarest.rows, isNamed: true };
    // An output in which a name stands among others speaks of it in its own rows alone.
    const isAmong = isProper(rarest.stem) && rarest.printed > 0;
    const from = isAmong
      ? [...rarest.whole, ...rarest.round.filter((at) => isAtHead(outputs[at] ?? [], rarest.stem))]
      : rarest.rows.length > 0
        ? rarest.round.length > 0
          ? rarest.round
          : rarest.called
        : rarest.whole;
    const isEnded = rarest.rows.length === 0 && ends;
    return {
      lines: [
        ...(isAmong ? rarest.rows : []),
        ...from.flatMap((at) => [...(outputs[at] ?? []), ...(isEnded ? linesOf(endings[at] ?? "") : [])]),
      ],
      isNamed: true,
    };
  };

  /** Of the sentence that is judged. */
  let language = "";

  /** `borne` if an output shows the states that a clause names. */
  const stateFault = (clause: string, named: readonly number[]): string | undefined => {
    const meant = states.flatMap((state) => {
      const said = state.said.exec(clause);
      // `1,800 answers` are counted.
      return said && !/(?<![\p{L}\d._-])\d[\d.,]*\s*$/u.test(clause.slice(0, said.index)) ? [{ state, said }] : [];
    });
    // `läuft in ein Timeout` says how it fails, not that it runs.
    const claimed = meant.filter(({ state }) =>
      partOf.test(clause)
        ? state.isConcept && !state.isGood
        : state.isConcept || !(often.test(clause) || meant.some((one) => one.state.isConcept)),
    );
    const missing = isTheProblem.test(clause) ? undefined : trouble.exec(clause)?.[0];
    if (claimed.length === 0 && missing !== undefined && denies.test(clause)) {
      const looked = runs.some(
        ({ command, output }) => /log|journal|dmesg|err|grep|event|tail/i.test(command) || output.trim() === "",
      );
      return looked || isKnownWord(missing) ? undefined : unseen.trouble;
    }
    // `19 GB available`, `running for nine hours`, `started on February 21`: the figure is what is claimed, and it is borne.
    const isMeasured =
      !denies.test(clause) &&
      (hasMoment(clause) ||
        figuresIn(clause).some(({ unit }) => isUnit(unit) || (unit === "%" && !contentOf(clause).some(isProper))) ||
        hasSign(clause) ||
        figuresIn(clause).some(
          ({ value }) => value > 12 && outputs.flat().some(({ lower }) => holdsName(lower, String(value))),
        )) &&
      !every.test(clause);
    const faults = claimed.map(({ state, said }) => {
      const fault = oneStateFault(clause, named, state, said);
      return isMeasured && (fault === unseen.state || (fault === unseen.subject && /\d\s?%/.test(clause)))
        ? "borne"
        : fault;
    });
    return (
      faults.find((fault) => fault !== undefined && fault !== "borne") ?? faults.find((fault) => fault !== undefined)
    );
  };

  /** `error 1062`, `signal TERM`: an output has what is said of it. */
  const hasSign = (clause: string): boolean =>
    [...clause.matchAll(signs)].some(({ groups }) =>
      outputs.flat().some(({ lower }) => namesWord(lower, groups?.sign?.toLowerCase() ?? "")),
    );

  const oneStateFault = (
    clause: string,
    named: readonly number[],
    state: ClaimedState,
    said: RegExpExecArray,
  ): string | undefined => {
    const beside = clause.replace(said[0], " ");
    const subject = contentOf(beside).filter((word) => !trouble.test(word));
    const about = linesAbout(subject, state);
    const { lines, isNamed } =
      // `half of the backends`: rows that need not be called so.
      some.test(clause) && about.isNamed && !subject.some(isProper)
        ? { lines: [...about.lines, ...outputs.flat()], isNamed: true }
        : subject.length === 0 && named.length > 0
          ? {
              lines: runs.flatMap(({ number, output }, at) =>
                named.includes(number) ? linesOf(`${output}\n${endings[at]}`) : [],
              ),
              isNamed: true,
            }
          : about;
    const shows = ({ text }: EvidenceLine): boolean =>
      (state.shown.test(saidBy(text)) && !state.against.test(saidBy(text))) ||
      (state.nearly === true && isNearlyAll(text));
    const opposes = (line: EvidenceLine): boolean =>
      !outdated.has(line) &&
      state.against.test(saidBy(line.text)) &&
      (isValue(line.text) || !state.shown.test(saidBy(line.text)));
    if (state.isAct && changes.length > 0) return undefined;
    if (state.isDated && !denies.test(beside)) {
      const ends = isOver(lines.length > 0 ? [...lines, ...outputs.flat()] : outputs.flat());
      if (ends !== undefined) return ends ? "borne" : "an output shows the opposite";
    }
    const count = countIn(clause);
    const groups = count === undefined ? [] : groupsOf(count, subject);
    if (
      groups.length > 0 &&
      (none.test(clause) ? groups.some((group) => group.some(shows)) : groups.every((group) => group.some(opposes)))
    )
      return "an output shows the opposite";
    const isRowLike = ({ text }: EvidenceLine): boolean => /\S(?:\s{2,}|\t|\|)\s*\S/.test(text);
    const isListed = (group: readonly EvidenceLine[]): boolean => group.every(isRowLike);
    if (groups.some((group) => isListed(group) && group.every(shows)) && !denies.test(clause)) return "borne";
    if (denies.test(beside)) {
      const near = clause.slice(Math.max(0, said.index - 16), said.index);
      // `the resolver that does not answer` denies it of that one.
      const isOpposed = denies.test(near) && !relative.test(clause.slice(0, said.index));
      const isNone = none.test(clause.slice(0, said.index));
      // A line that denies something bears a denial.
      const contradicts = (line: EvidenceLine): boolean =>
        shows(line) && (isValue(line.text) || !denies.test(line.text));
      // What no output names is not there.
      if (isNone && !subject.some((word) => sightOf(word).printed > 0 || sightOf(word).called.length > 0))
        return undefined;
      const printed = isNone ? subject.map(sightOf).flatMap(({ byRun }) => byRun.flat()) : [];
      const against = printed.length > 0 ? lines.filter((line) => printed.includes(line)) : lines;
      const isIn = isNone && against.some((line) => isRowLike(line) && contradicts(line));
      return (isOpposed || isNone) && isNamed && against.some(contradicts) && (isIn || !lines.some(opposes))
        ? "an output shows the opposite"
        : undefined;
    }
    const longest = said[0]
      .toLowerCase()
      .split(" ")
      .reduce((one, other) => (other.length > one.length ? other : one));
    const isLiteral = lines.some(({ lower }) =>
      longest.length > 4
        ? new RegExp(`(?<!(?:^|[^a-z])(?:in|un|non-?|dis))${RegExp.escape(stemOf(longest))}`).test(lower)
        : new Set(lower.match(foldedWords)).has(longest),
    );
    const opposite = every.test(clause) && isNamed ? lines.find(opposes) : undefined;
    if (opposite) return "an output shows the opposite";
    // What is so again was otherwise before: something changed it, or two looks at it differ.
    const isCompared = new Set(runs.map(({ command }) => command)).size < runs.length;
    const isLoss = (!state.isConcept && noMore.test(clause)) || (denies.test(said[0]) && again.test(clause));
    if (isLoss) return undefined;
    // `again since 06:33:12`: an output says when it came back.
    const isTimed = hasMoment(clause) && figureFault(clause, []) === undefined;
    if (changes.length === 0 && again.test(clause) && !isCompared && !isLiteral && !isTimed)
      return "nothing has run that changes anything";
    // `where state='active'`: what the command asks for.
    const isAsked = heads.some((head) => new RegExp(`=\\s?['"]?${RegExp.escape(longest)}\\b`).test(head));
    // `{{.RestartCount}}`: the command names what a figure is.
    const isNamedThere =
      longest.length > 4 &&
      figuresIn(clause).length > 0 &&
      heads.some((head, at) => head.includes(stemOf(longest)) && outputs[at]?.some(({ text }) => /\d/.test(text)));
    if (isLiteral || isAsked || isNamedThere) return "borne";
    // A server that ran a command answers.
    if (
      state.isAnswer &&
      subject.length > 0 &&
      subject.every((word) => hostWords.has(word)) &&
      runs.some(({ ending }) => ending?.kind === "exited")
    )
      return "borne";
    if (
      /^\s*(?:from|in|dans|en|aus|da|de)(?!\p{L})/iu.test(clause.slice(said.index + said[0].length)) &&
      absent.test(said[0])
    )
      return undefined;
    if (!isNamed && denies.test(said[0]) && subject.some(isProper)) return undefined;
    if (!isNamed && language === "English" && subject.some((word) => !anything.has(word))) return unseen.subject;
    if (lines.some(shows) || (lines.some(({ text }) => state.shown.test(text)) && !lines.some(opposes))) return "borne";
    // What no output has is missing.
    if (absent.test(said[0]) && calendarFault(clause) !== undefined) return undefined;
    // Another language has its own words for what the outputs name.
    const isForeign = language !== "English" && !subject.some(isProper);
    return isForeign && outputs.flat().some(shows) ? "borne" : unseen.state;
  };

  /** What a clause is about, if nothing that ran or was given is about that. */
  const thingFault = (clause: string): string | undefined => {
    const about = things.filter(({ said }) => said.test(clause));
    // What is said not to be there stands nowhere.
    if (about.length === 0 || doesNot.test(clause) || none.exec(clause.replace(/^\W+/u, ""))?.index === 0)
      return undefined;
    const hosts = contentOf(clause).filter(
      (word) => isProper(word) && runs.some(({ servers }) => servers.some((one) => one.toLowerCase().includes(word))),
    );
    // Of a server, what its own runs, the lines that name it and the texts say.
    const texts = hosts.map((host) =>
      [
        ...runs.flatMap(({ servers, output }, at) =>
          servers.some((one) => one.toLowerCase().includes(host)) || holdsName(heads[at] ?? "", host)
            ? [heads[at] ?? "", output]
            : [],
        ),
        ...sightOf(host).rows.map(({ text }) => text),
      ].join("\n"),
    );
    return about.some(({ said, shown: sign }) => [all, ...texts].some((text) => !sign.test(text) && !said.test(text)))
      ? unseen.subject
      : undefined;
  };

  /** `sdd` where `sdc` was looked at, `linux-2` where `linux-1` was: what was seen of the one is said of the other. */
  const amounts = createMemo((at: number) =>
    amountsOf(outputs[at]?.map(({ text }) => text).join("\n") ?? "").toSorted((a, b) => a - b),
  );
  const siblingFault = (clause: string): string | undefined => {
    const figures = figuresIn(clause).filter((figure) => figure.value >= 2 && !(isFew(figure) && figure.unit === ""));
    const labels = [...clause.matchAll(labelled)].map(({ groups }) => Number(groups?.number));
    const values = [...figures.map(({ value }) => value), ...labels];
    const bears = runs.flatMap((run, at) =>
      values.length > 0 && values.every((value) => holdsNear(amounts(at), value, 0.5 + value * 0.03))
        ? { number: run.number, head: heads[at] ?? "", output: run.output }
        : [],
    );
    const [other] = bears;
    if (other === undefined) return undefined;
    const [issue = ""] = shown.toLowerCase().split("\n", 1);
    const sibling = (clause.toLowerCase().match(plainName) ?? []).find((word) => {
      if (!siblingIn(word, other.head)) return false;
      const isWord = new RegExp(`(?<![a-z\\d])${RegExp.escape(word)}(?![a-z\\d])`);
      return (
        !isWord.test(issue) && !bears.some(({ head, output }) => isWord.test(head) || isWord.test(output.toLowerCase()))
      );
    });
    return sibling === undefined ? undefined : `${other.number} did not look at ${sibling}`;
  };

  /** What all the outputs of one command, or all rows of a column, must have. */
  const everyFault = (clause: string): string | undefined => {
    if (!every.test(clause)) return undefined;
    for (const figure of figuresIn(clause)) {
      if (!(isUnit(figure.unit) || figure.unit === "%") || isSpan(figure) || rough.test(clause)) continue;
      for (const rows of namedRows.filter((some) => some.length > 1)) {
        const column = rows[0]?.cells.findIndex(({ value }) => bearsFigure(figure, false, reckon([[value]], []))) ?? -1;
        const cells = rows.map(({ cells: own }) => own[column]);
        const isColumn =
          column >= 0 &&
          cells.every((cell) => cell !== undefined && cell.key === cells[0]?.key && /\d/.test(cell.value));
        if (isColumn && cells.some((cell) => !bearsFigure(figure, false, reckon([[cell?.value ?? ""]], []))))
          return "an output shows the opposite";
      }
    }
    const same = [...Map.groupBy(runs, ({ command }) => command).values()].find((group) => group.length > 1) ?? [];
    const values = (clause.match(/(?<![\w.:/-])\d+(?:\.\d+)+(?!\w)/g) ?? []).filter((value) =>
      same.some(({ output }) => output.includes(value)),
    );
    const other = same.find(({ output }) => values.some((value) => !output.includes(value)));
    return other && `${other.number} does not say that`;
  };

  /** Of an English sentence, whether any of its own words is known; other languages name things as they are called here. */
  const subjectFault = (sentence: string): string | undefined => {
    if (languageOf(sentence) !== "English" || aboutUs.test(sentence)) return undefined;
    const content = contentOf(sentence).filter((word) => !anything.has(word));
    if (content.length < 2 || content.some(isKnownWord)) return undefined;
    return unseen.sentence;
  };

  const findContradicted = createFindContradicted(runs, stemOf);
  const contradictionOf = (said: string, named: readonly number[]): string | undefined => {
    const clause = named.reduce(
      (text, number) => text.replace(new RegExp(`(?:\\bruns?\\s)?#?(?<![\\w.])${number}(?![\\w.:])`, "i"), " "),
      said,
    );
    const subject = [
      ...new Set([
        ...contentOf(clause),
        ...(clause.toLowerCase().match(/(?<![\p{L}\p{N}.])\/[\p{L}\p{N}_.-]+(?:\/[\p{L}\p{N}_.-]+)*/gu) ?? []),
      ]),
    ];
    return findContradicted({
      text: clause,
      isDenied: denies.test(clause),
      isEvery: every.test(clause),
      isNone:
        nothing.test(clause) ||
        /^\W*there (?:is|are|was|were) (?:no|nothing)(?!\p{L})/iu.test(clause) ||
        none.exec(clause.replace(/^\W+/u, ""))?.index === 0,
      isRough: rough.test(clause),
      count: countIn(clause),
      bound: isUpper.test(clause.slice(0, /\d/.exec(clause)?.index))
        ? "under"
        : isLower.test(clause.slice(0, /\d/.exec(clause)?.index))
          ? "over"
          : undefined,
      subject,
      stems: new Set([...subject, ...(clause.toLowerCase().match(foldedWords) ?? [])].map(stemOf)),
    });
  };

  const unborneIn: FindUnborne = (said, named, cited) => {
    const sentence = inDigits(said.replace(unspaced, " "));
    if (asks.test(sentence) || whenever.test(sentence.slice(0, 30))) return undefined;
    language = languageOf(sentence);
    const cut = [0, ...[...sentence.matchAll(clauseEnds)].map(({ index }) => index), sentence.length];
    const clauses = cut.slice(1).map((to, at) => sentence.slice(cut[at], to));
    const isGuess = (guesses.exec(sentence.replace(untilDate, " "))?.index ?? 99) < 15;
    const isOrder = orders.test(sentence);
    const isTold = told.test(sentence);
    let isAnchored = cited.length > 0 || isGuess || isOrder || isTold || nothing.test(sentence);
    for (const clause of clauses) {
      const act = isTold || isGuess ? undefined : actFault(clause, sentence, cited);
      if (act !== undefined) return act;
      // Word for word what an output or a text says.
      const bare = clause.toLowerCase().replace(/^[^\p{L}\p{N}]+|[\s.。]+$/gu, "");
      if (bare === "" || all.includes(bare)) continue;
      const isOpen =
        guesses.test(clause.replace(untilDate, " ")) ||
        plans.test(clause.replace(untilDate, " ")) ||
        isGuess ||
        (isOrder && !reasons.test(clause));
      const judged = isOpen || isTold ? undefined : stateFault(clause, named);
      // `so the network is fine` concludes.
      const state = judged !== undefined && isUnseen(judged) && concludes.test(clause) ? undefined : judged;
      const fault = isOpen
        ? undefined
        : (figureFault(clause, named) ??
          nameFault(clause) ??
          (isTold ? undefined : (switchFault(clause) ?? leftFault(clause))) ??
          everyFault(clause) ??
          (isTold ? undefined : siblingFault(clause)) ??
          (named.length > 1 || isTold || partOf.test(clause) ? undefined : rowFault(clause)) ??
          (isTold ? undefined : contradictionOf(clause, named)) ??
          (cited.length > 0 || isTold ? undefined : thingFault(clause)) ??
          (state === "borne" || (cited.length > 0 && state && isUnseen(state)) ? undefined : state));
      if (fault !== undefined) return fault;
      isAnchored ||=
        isOpen ||
        state === "borne" ||
        /\d|\uE000/.test(clause) ||
        figuresIn(clause).length > 0 ||
        [...clause.matchAll(name)].length > 0;
    }
    return isAnchored ? undefined : subjectFault(sentence);
  };

  const judged = new Map<string, string | undefined>();
  return (sentence, named, cited) => {
    const key = JSON.stringify([named, cited, sentence]);
    if (!judged.has(key) && judged.size < mostSentences) judged.set(key, unborneIn(sentence, named, cited));
    return judged.get(key);
  };
}

/** More than people read. */
const mostSentences = 400;

/** Computes each value once. */
function createMemo<Key, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const value = compute(key);
    known.set(key, value);
    return value;
  };
}

const stemOf = (word: string): string => {
  const plain = word
    .toLowerCase()
    .replace(/(?:-(?:up|down|out|off)|ing|ed|es|s|ly|e|ion|en|n|t)$/u, "")
    .replace(/([bdgmnprt])\1$/u, "$1");
  return plain.length >= 4 || (/(?<!s)s$|ing$/iu.test(word) && plain.length === 3) ? plain : word.toLowerCase();
};

/** Whether what has an end, by its date and the newest other one, is over; undefined if neither says. */
function isOver(lines: readonly EvidenceLine[]): boolean | undefined {
  const isEnd = /notafter|not after|expir|valid (?:to|until)|gültig bis/i;
  const until = lines
    .filter(({ text }) => isEnd.test(text))
    .flatMap(({ text }) => momentsIn(text))
    .filter((one) => one > 1e8);
  const now = lines
    .filter(({ text }) => !isEnd.test(text) && !/notbefore/i.test(text))
    .flatMap(({ text }) => momentsIn(text));
  return until.length === 0 || now.every((one) => one < 1e8) ? undefined : Math.min(...until) < Math.max(...now);
}

/** In six languages. */
const monthWords: readonly RegExp[] = [
  /^(?:jan(?:uary|uar|vier|eiro)?|enero|gennaio)$/,
  /^(?:feb(?:ruary|ruar|rero|braio)?|f[ée]v(?:rier|ereiro)?)$/,
  /^(?:mar(?:ch|s|zo|ço)?|märz)$/,
  /^(?:apr(?:il|ile)?|avr(?:il)?|abr(?:il)?)$/,
  /^(?:ma[iy]|mayo|maio|maggio)$/,
  /^(?:jun[ei]?|juin|junio|junho|giugno)$/,
  /^(?:jul[iy]?|juil(?:let)?|julio|julho|luglio)$/,
  /^(?:aug(?:ust)?|août|agosto)$/,
  /^(?:sep(?:t(?:ember|embre|iembre)?)?|setembro|settembre)$/,
  /^(?:o[ck]t(?:ober|obre|ubre)?|outubro|ottobre)$/,
  /^(?:nov(?:ember|embre|iembre|embro)?)$/,
  /^(?:de[cz](?:ember|embro|embre)?|déc(?:embre)?|dic(?:iembre|embre)?)$/,
];
const dayOfMonth =
  /(?<!\p{L})(?<before>(?:jan|feb|f[ée]v|m[äa]r|apr|avr|abr|ma[iyg]|ene|gen|jui?n|giu|jui?l|lug|aug|août|ago|sep|set|o[ck]t|out|ott|nov|d[eé][cz]|dic)\p{L}{0,7})\.?\s(?<day>\d{1,2})(?:st|nd|rd|th)?(?![\p{L}\d:%]|[.,:]\d|\s?(?:st|min|h)\b)|(?<![\w.,:/-])(?<first>\d{1,2})(?:st|nd|rd|th|\.|er)?\s(?:of\s|de\s)?(?<after>\p{L}{3,10})(?!\p{L})/giu;
const untilYear =
  /(?<!\p{L})(?:in|until|till|since|bis|seit|depuis|hasta|desde|fino al|até|jusqu['’]en|en)\s(20\d\d)(?![\d:.-])/iu;
/** `Java 17`, `RAID 5`, `version 1.30`. */
const labelled =
  /(?<![\p{L}\p{N}_.-])(?<word>\p{Lu}\p{L}+|version|versión|versão|versione|Version)\s(?<number>\d+(?:\.\d+)*)(?![\p{L}\p{N}_%:/-]|[.,]\d|\s?(?:%|[KMGTP]i?B|\p{L}+s\b))/gu;
const versionWords = /^vers(?:ion|ión|ão|ione)$/iu;

const plainName = /(?<![\p{L}\p{N}.:/-])[a-z][a-z\d]*(?:-[a-z\d]+)*(?![\p{L}\p{N}]|[./:]\p{L})/gu;

/** `sdd` of `sdc`, `web-2` of `web-1`: names that differ in their last sign or number. */
function siblingIn(word: string, text: string): boolean {
  const stem = /\d$/.test(word) ? word.replace(/\d+$/, "") : /^[a-z]{3}$/.test(word) ? word.slice(0, -1) : "";
  if (stem.length < 2) return false;
  const other = new RegExp(
    `(?<![a-z\\d])${RegExp.escape(stem)}${/\d$/.test(word) ? "\\d+" : "[a-z]"}(?![a-z\\d])`,
    "g",
  );
  // Of three letters only a device.
  return [...text.matchAll(other)].some(
    ({ 0: found, index }) => found !== word && (/\d$/.test(word) || text.slice(0, index).endsWith("/dev/")),
  );
}
const amountsOf = (text: string): readonly number[] =>
  [...text.matchAll(/(?<![\d.:])\d+(?:\.\d+)?/g)].map(([one]) => Number(one));

const exhausted = oneOf(words.exhausted);
const barely = oneOf(words.barely);
const cellsOfUse = (rows: readonly NamedRow[]): readonly number[] =>
  rows.flatMap(({ cells }) =>
    cells.flatMap(({ value }) => (/^\d+(?:\.\d+)?%$/.test(value) ? Number.parseFloat(value) : [])),
  );

/** A moment is no condition, and May no doubt. */
const untilDate = /(?<!\p{L})(?:until\s(?=\d|\p{Lu}\p{Ll}{2,8}\s\d)|May\s(?=\d))/gu;

const monthNames = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");

const cellsOf = (line: string): readonly string[] =>
  line
    .split(/\s{2,}|\t|\s*\|\s*|,(?=\S)|(?<=^\S+)\s/)
    .map((cell) => cell.trim())
    .filter((cell) => cell !== "");
const isNameOf = (word: string, cell: string): boolean =>
  cell === word ||
  (word.length > 3 &&
    cell.includes(word) &&
    /^\D/.test(word) &&
    new RegExp(`(?:^|[/"'=])${RegExp.escape(word)}(?:[-./: "']|\\d|$)`).test(cell));
const amountsIn = (text: string): readonly number[] =>
  [...text.matchAll(/(?<![\p{L}\d_.:/-])\d+(?:[.,]\d+)*(?![\d:]|[.-]\d)/gu)]
    .map(([one]) => numberOf(one))
    .filter((one) => !Number.isNaN(one));
const greatest = oneOf(words.greatest);

/** `osd.14`, `pg2_slot`, not a word of a language. */
const isProper = (word: string): boolean => /[\d_.-]/.test(word);
/** `● nginx.service`: what the whole output is about. */
const isAtHead = (lines: readonly EvidenceLine[], stem: string): boolean =>
  lines.slice(0, 2).some(({ lower }) => lower.includes(stem)) && !/\s{2,}|\t|\|/.test(lines[1]?.text.trim() ?? "");

/** `149 of 151`: nearly all of the number beside it. */
function isNearlyAll(line: string): boolean {
  const numbers = (line.match(/(?<![\w.])\d+(?:\.\d+)?(?!\.\d)/g) ?? []).map(Number).filter((one) => one > 3);
  return numbers.some((one, at) => {
    const other = numbers[at + 1];
    return other !== undefined && Math.min(one, other) / Math.max(one, other) > 0.88;
  });
}

/** `Replica_SQL_Running: No` says no. */
const isValue = (line: string): boolean => /^[^:=|]{1,60}[:=]\s*\S+\s*$/.test(line);
const saidBy = (line: string): string => (isValue(line) ? line.replace(/^[^:=]*[:=]\s*/, "").trim() : line);

function languageOf(sentence: string): string {
  const said = sentence.toLowerCase().match(/\p{L}+/gu) ?? [];
  const counts = Object.entries(small).map(([language, list]) => ({
    language,
    count: said.filter((word) => list.has(word)).length,
  }));
  const best = counts.reduce((one, other) => (other.count > one.count ? other : one));
  return best.count === 0 ? "" : best.language;
}

/** The words that say what a sentence is about. */
const contentOf = (sentence: string): readonly string[] =>
  (
    sentence.toLowerCase().match(/\d+(?:\.\d+){3}|[\p{L}][\p{L}\p{N}_-]*(?:\.[\p{L}\p{N}_-]+)*[\p{L}\p{N}_]/gu) ?? []
  ).filter(
    (word) =>
      word.length > 2 &&
      !ours.has(word) &&
      !patternsOf().every.test(word) &&
      Object.values(small).every((list) => !list.has(word)) &&
      !numerals.has(word),
  );

const namesWord = (text: string, word: string): boolean =>
  new RegExp(`(?<![\\w-])${RegExp.escape(word)}(?![\\w-])`).test(text);
const signs =
  /(?<!\p{L})(?:error|errno|code|signal|status|señal|sinal|segnale|erreur|fehler|código|codice)\s#?(?<sign>\d{2,6}|\p{Lu}{3,})(?![\p{L}\d])/giu;
const some = new RegExp(
  String.raw`^\W*(?:(?:only|just|exactly|about|nur|seulement|solo)\s)?(?:half|most|some|several|one|die hälfte|la moitié|la mitad|einige|${[...numerals.keys()].join("|")})(?!\p{L})`,
  "iu",
);
/** `port 123`. */
const isLabelled = (before: string): boolean => /\p{L}{3,}\s?#?$/u.test(before);

const concludes =
  /^[\s,;:—–-]*(?:so|thus|hence|therefore|daher|also|somit|deshalb|donc|por (?:lo )?tanto|quindi|portanto|logo)(?!\p{L})/iu;
const relative = /(?<!\p{L})(?:that|which|who|whose|der|die|das|qui|que|che)(?!\p{L})[^,;]*$/iu;
const absent = /(?<!\p{L})(?:missing|absent|fehlt|fehlen|manquent?|faltan?|mancan?o?)(?!\p{L})/iu;
/** The sentence says that its subject does not do something. */
const doesNot = /(?<!\p{L})(?:never|not|nicht|nie|jamais|nunca)(?!\p{L})|n['’]t(?!\p{L})/iu;

const isUpper =
  /(?:(?:less|fewer|lower|smaller|weniger|kleiner|moins|menos|meno)\s(?:than|als|que|de|di|do que)|under|below|unter|bajo|at most|höchstens|<|≤)\s?$/iu;
const isLower =
  /(?:(?:more|higher|larger|mehr|größer|plus|más|mais|più)\s(?:than|als|que|de|di|do que)|over|above|über|at least|mindestens|au moins|>|≥)\s?$/iu;

/** `About 1.29 million` labels nothing. */
const isFunctionWord = (word: string): boolean =>
  patternsOf().rough.test(word) || numerals.has(word) || Object.values(small).some((list) => list.has(word));

/** `two checks` are the reply's own. */
const isOurs = (after: string): boolean =>
  ours.has(/^\s*(?:\p{L}+\s+)?(\p{L}+)/u.exec(after)?.[1]?.toLowerCase() ?? "") ||
  ours.has(/^\s*(\p{L}+)/u.exec(after)?.[1]?.toLowerCase() ?? "");
