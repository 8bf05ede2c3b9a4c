import words from "./asserted.json" with { type: "json" };
import type { RecordedRun } from "./claims.ts";

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

/** `*` stands for any ending, between blanks for a word. */
const oneOf = (lists: Readonly<Record<string, string>>): RegExp =>
  new RegExp(
    String.raw`(?<![\p{L}\p{N}_])(?:${Object.values(lists)
      .flatMap((list) => list.split(", "))
      .toSorted((a, b) => b.length - a.length)
      .map((one) =>
        one.replaceAll("'", "['’]").replaceAll(" * ", String.raw` \S+ `).replaceAll("*", String.raw`\p{L}*`),
      )
      .join("|")})(?![\p{L}\p{N}_])`,
    "iu",
  );
const plans = oneOf(words.plan);
const guesses = oneOf(words.guess);
const whenever = oneOf(words.whenever);
const denies = oneOf(words.no);
const rough = oneOf(words.rough);
const told = oneOf(words.told);
const every = oneOf(words.every);
const again = oneOf(words.again);
const trouble = oneOf(words.trouble);
const done = oneOf(words.done).source;
const soon = String.raw`(?:\s+(?:just|also|already|now|then|successfully|since|therefore|have|has|first|both))*`;
const firstPerson = String.raw`\b(?:I|we)(?:['’]ve|\s+have|\s+had)?${soon}\s+`;
/** In the first person each verb is an act, except what needs no run. */
const withoutRun =
  "proposed|suggested|recommended|asked|answered|said|noted|noticed|saw|seen|read|looked|checked|verified|inspected|examined|monitored|watched|expected|assumed|believed|thought|considered|concluded|suspected|guessed|hoped|wanted|needed|tried|planned|decided|compared|counted|used|kept|listed|named|included|mentioned|described|explained|summarized|marked|called|rated|left|withdrew|withdrawn|replaced|agreed|waited|found|learned|understood|ruled|confirmed|based|followed|limited|preferred|skipped|stopped|missed|misread|been|had|got|given|received|ran|executed|re-?ran|tested|queried|pinged|curled|logged|connected|ssh|measured|probed|rated|refuted|retracted|corrected-myself|updated|worked|searched";
const acts: readonly RegExp[] = [
  new RegExp(
    String.raw`${firstPerson}(?:\w+\s+and\s+)?(?<act>(?!(?:${withoutRun})\b)(?:(?!(?:need|feed|proceed|succeed|exceed|speed)\b)\p{L}+ed|set|put|made|brought|cut|shut|reset|swapped|bounced|split|sent|wrote|took|rolled back)\b|${done})(?!\s+(?:that|from|your?|the (?:runbook|issue|alert|plan)|(?:an?|the|another|two|three) (?:\p{L}+ )?(?:checks?|steps?|notes?|commands?|proposals?|reads?|questions?|hypothes[ei]s))\b)`,
    "iu",
  ),
  new RegExp(String.raw`\b(?<act>${done})\b[^.;!?]{0,60}\bby me\b`, "iu"),
  /\bj['’]ai\s+(?:aussi\s+)?(?!lu|vu|v[ée]rifi|regard|consult|propos|not[ée]|constat|remarqu|trouv|compar)(?<act>\p{L}+(?:é|i|u|is|it))(?!\p{L})/iu,
  /\bich habe\b(?![^.;]{0,160}\b(?:gesehen|gelesen|geprüft|gefunden|vorgeschlagen|angenommen|verglichen|angesehen|geschaut)\b)[^.;]{0,160}\b(?<act>\p{L}{0,30}ge\p{Ll}{1,30}(?:t|en)|\p{L}{1,30}iert|\p{L}{4,30}en)\b/iu,
  /^\W*(?!Encontré|Miré|Revisé|Propuse|Noté|Verifiqué|Comprobé|Vi)(?<act>\p{Lu}\p{Ll}+é)\s/u,
  /^\W*(?!Encontrei|Vi|Verifiquei|Notei|Li|Propus)(?<act>\p{Lu}\p{Ll}+ei)\s/u,
  /(?<!\p{L})я\s+(?!вид|прочит|провер|посмотр|предлож|наш|замет|сравн)(?<act>\p{L}+ла?)(?!\p{L})/iu,
  /\bhe\s+(?!visto|leído|revisado|comprobado|verificado|propuesto|encontrado|notado)(?<act>\p{L}+(?:ado|ido|cho|sto))(?!\p{L})/iu,
  /\bho\s+(?!visto|letto|verificato|controllato|proposto|trovato|notato)(?<act>\p{L}+(?:ato|ito|uto|sso|tto))(?!\p{L})/iu,
  /我(?:已经|已|刚刚|刚)(?!看|读|检查|发现|建议|注意)(?<act>\p{L})/u,
];
/** The same without a person: other people may have done it. */
const passives: readonly RegExp[] = [
  new RegExp(String.raw`${oneOf(words["by whom"]).source}\s+(?<act>${done})`, "iu"),
  new RegExp(String.raw`(?<act>${oneOf({ German: words.done.German }).source})\s+(?:worden|habe)`, "iu"),
  new RegExp(
    String.raw`^[\s>*•-]*(?:(?:then|also|just|successfully)\s+)?(?<act>${done})(?!\s+(?:by|at|on|in|since|pods|containers)\b)(?:\s+\S+){1,5}$`,
    "iu",
  ),
];
const saysFailed =
  /\b(?:fail\p{L}*|error|exit|tried|attempt\p{L}*|did not|didn['’]t|but|in vain|without success|unsuccessful\p{L}*)\b/iu;
/** What an act is called, and how the command or the output of its run reads; of another kind any change bears it. */
const kindsOfAct: readonly { readonly said: RegExp; readonly did: RegExp }[] = [
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
  { said: /kill|terminat|ended|beendet|\btué|matad/iu, did: /kill|terminate|cancel|stop|end/i },
  { said: /reload|neu geladen|recharg|recarg/iu, did: /reload|\bHUP\b|restart|apply/i },
  {
    said: /renew|reissu|rotat|erneuert|renouvel|renov|rinnov/iu,
    did: /renew|issue|certbot|rotat|acme|delete|apply|create/i,
  },
];
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
}
const bad =
  /\b(?:fail\w*|inactive|dead|down|stopped|exited|crash\w*|\w*backoff|pending|error\w*|err|unhealthy|offline|unreachable|refused|timed out|timeout|terminated|denied|fatal|critical|degraded|red|yellow|lost|suspended|not (?:running|ready|found|active|synchroni[sz]ed)|notready|unknown|invalid|expired|HEALTH_(?:WARN|ERR)|[1-5]xx|50\d|40[0-9]|0\/[1-9]\d*)\b|100% packet loss|^\s*(?:no|false|f)\s*$/i;
const good =
  /\b(?:ok|healthy|normal|success\w*|succeed\w*|pass(?:ed)?|running|active|ready|up|online|alive|started|green|synced|in sync|complete\w*|valid|20[0-9]|true|yes|clean|HEALTH_OK|optimal|available|deployed|reachable|listen(?:ing)?|established|open|accept\w*|connected|exit 0|no errors?)\b|\b(\d+)\/\1\b|(?<![\d.])0% packet loss|^\s*(?:0|t)\s*$/i;
const states: readonly ClaimedState[] = [
  { said: oneOf(words.states.up), shown: good, against: bad },
  { said: oneOf(words.states.well), shown: good, against: bad },
  {
    said: oneOf(words.states.done),
    shown:
      /\b(?:success\w*|succeed\w*|complet\w*|finish\w*|done|pass(?:ed)?|ok|exit 0|rolled (?:out|back)|created|configured|valid|deleted|deployed|ready|exited \(0\)|bound)\b/i,
    ends: true,
    against: /\b(?:fail\w*|error\w*|denied|incomplete|abort\w*|pending|running|exit [1-9]\d*)\b/i,
  },
  {
    said: oneOf(words.states.reached),
    shown:
      /\b(?:succeeded|open|bytes from|received|HTTP\/\d|[1-5]\d\d|connected\b(?!\s*:?\s*0)|LISTEN\w*|ok|alive|pong|time=|up|yes|true|answer|ready|running|healthy|exit 0)\b/i,
    against:
      /\b(?:timed out|timeout|refused|unreachable|no route|could not|failed|no servers|down|exit [1-9]\d*)\b|100% packet loss/i,
  },
  {
    said: oneOf(words.states.level),
    shown:
      /\b(?:in sync|synced|synchron\w*|yes|streaming|up[- ]?to[- ]?date|uptodate|caught up|completed?|empty|100|0|running|normal)\b/i,
    against:
      /\b(?:not synchron\w*|out of sync|outofsync|lagging|behind\w*["']?\s*[:=]\s*[1-9]\d*|no|down|failed|lost)\b/i,
  },
  {
    said: oneOf(words.states.there),
    shown:
      /\b(?:not found|not be found|no such|missing|none|absent|without|empty|0|null|<none>|exit [1-9]\d*|lost|lacks?)\b|^\s*$/i,
    against: /(?!)/,
  },
];

/** A sentence without a subject orders, or says what a proposal does. */
const orders =
  /^(?:[\s>*•(-]|\d+[.)]\s)*(?:(?:then|first|next|now|also|please|finally|so)[\s,]+)?(?:(?!(?:all|both|some|none|most|half|only|even|in|on|at|of|for|from|with|since|as|after|before|by|is|was|are|this|that|these|those|here|there|now|not|but|and|or|so|yes|no|what|which|who|why|how|the|it|its|has|had|nearly|almost|about|over|under|just|still|already|today|currently|again)\b)\p{Lu}?\p{Ll}+s?\s+(?:the|a|an|all|each|every|which|whether|how|what|who|if|its|their|any|again)\b|(?:check|look|restart|run(?!\s+\d)|approve|stop|start|see|wait|watch|compare|replace|free|clear|delete|remove|add|set|raise|lower|reduce|increase|use|try|keep|make|confirm|verify|consider|note|do|find|read|show|list|print|send|move|scale|roll|drain|reload|renew|rotate|kill|measure|count|inspect|review|fix|give|get|go|tell|say|reply|follow|take|put|test|ping|query|propose|continue|resume|limit|undo|revert|update|upgrade|install|enable|disable|repeat|prüfe?n?|starte?n?|vérifi\p{L}*|redémarr(?:er|ez)|revis[ae]r?|reiniciar?|comprob\p{L}*)(?!\p{L}|s\b)|(?:sends|restarts|reloads|shows|lists|prints|reads|checks|sets|raises|lowers|deletes|removes|clears|frees|stops|starts|kills|finds|counts|measures|renews|rolls|scales|compares|tests|tells|takes|moves|puts|gives|writes|runs|looks|undoes|reverts|keeps|drains|limits|creates|adds|copies|truncates|vacuums|flushes|rotates|cancels|ends)\s)/iu;
const reasons =
  /^\W*(?:since|because|as|given that|weil|da|denn|car|puisque|parce que|ya que|porque|poiché|pois)(?!\p{L})/iu;
const nothing = /^\W*(?:no|not|nothing|nobody|none|neither)(?!\p{L})/iu;
const asks = /[?？]["”*_)\s]*$/u;
const clauseEnds =
  /[、，；：]|[;:,]\s|\s[—–-]\s|\s\(|\)\s|\s(?:and|but|because|since|so|which|while|whereas|although|und|aber|weil|während|et|mais|car|tandis que|y|pero|porque|mientras|e|ma|mas)\s/giu;

const foldedWords = /[\p{L}\p{N}]+/gu;
/** A script that sets no blanks; in what it calls a figure rough is not known. */
const noBlanks = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}]/u;
const unspaced = new RegExp(
  String.raw`(?<=${noBlanks.source})(?=[\p{sc=Latin}\d])|(?<=[\p{sc=Latin}\d])(?=${noBlanks.source})`,
  "gu",
);

/** `cache-2`, `ntp1`, `mail.out`, `NO_PROPOSAL_CHOSEN`, `/var/log`. */
const name =
  /(?<![\p{L}\p{N}_\uE000./@:-])(?:\/(?:[\w.-]+\/?)+|(?=[\p{Script=Latin}_.-]{0,60}[\d_]|[\p{Script=Latin}-]{2,40}\.\p{Ll}{2,})\p{Script=Latin}[\p{Script=Latin}\p{N}_]*(?:[.-][\p{Script=Latin}\p{N}_]+)*|\p{Lu}{6,}|\p{Lu}\p{Ll}+(?:\p{Lu}\p{Ll}+){2,})(?![\p{L}\p{N}_\uE000])/gu;
const common =
  /^(?:\d+(?:st|nd|rd|th)|ipv[46]|utf-?8|sha-?\d+|http\/?\d*|k8s|x86\w*|arm64|tls[\d.]*|s3|ec2|\d+xx|e\.g|i\.e|z\.b|[qv]\d|confirmed|likely|refuted|unknown|warning|critical|step-?\d+|action-?\d+|run-?\d+|phase-?\d+)$/iu;
const someone = /(?<!\p{L})(?:by|from|von|par|por|da)\s+(?<who>\p{Lu}\p{Ll}{2,})(?!\p{L}|\s+[a-z]+ing)/gu;
const aboutUs = /(?<!\p{L})(?:I|we|you|ich|wir|je|j['’]ai|nous|yo|io|eu)(?!\p{L})/u;

interface EvidenceLine {
  readonly text: string;
  readonly lower: string;
}

/** Creates the reader of what a turn's sentences assert (AR-15, PA-4): each term needs something that bears it. */
export function createFindUnborne({ runs, shown, own }: ClaimGrounds): FindUnborne {
  const endings = runs.map(({ isWell, ending }) =>
    ending?.kind === "exited" ? `exit ${ending.code} ${isWell ? "succeeded" : "failed"}` : (ending?.kind ?? ""),
  );
  const linesOf = (text: string): readonly EvidenceLine[] =>
    text
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map((line) => ({ text: line, lower: line.toLowerCase() }));
  const outputs = runs.map(({ output }) => linesOf(output));
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
  const all = [shown, ...own, ...runs.flatMap(({ output }, at) => [heads[at] ?? "", output, endings[at] ?? ""])]
    .join("\n")
    .toLowerCase();
  const given = linesOf(shown);
  const known = new Set(all.match(foldedWords));
  for (const about of topics) for (const word of about) known.add(word);
  const stems = new Set([...known].map(stemOf));
  /** Numbers of commands and endings, and of what was given beside. */
  const givenNumbers = createMemo((scope: "run" | "all") =>
    [...own, ...heads, ...endings, ...(scope === "all" ? [shown] : [])]
      .flatMap((text) => [
        ...[...text.matchAll(/\d+(?:[.,]\d+)*/g)].flatMap(([one]) => [numberOf(one), Number.parseFloat(one)]),
        ...[...text.toLowerCase().matchAll(foldedWords)].flatMap(([word]) => numerals.get(word) ?? []),
      ])
      .filter((one) => !Number.isNaN(one))
      .toSorted((a, b) => a - b),
  );
  const changes = runs.filter(({ reads, ending }) => !reads && ending?.kind !== "unreachable");

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

  const figureFault = (clause: string, named: readonly number[]): string | undefined => {
    const figures = figuresIn(clause);
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
    const reckoned = { ...whole, derived: about.derived, shares: about.shares };
    // A clock or a version stands as it is.
    for (const [said] of clause.matchAll(
      /(?<![\w.:/@-])(?:\d{1,2}:\d\d(?::\d\d)?|\d{4}-\d\d-\d\d|\d{1,4}(?:\.\d{1,4}){2,3})(?![\w/:-]|\.\d)/g,
    ))
      if (!all.includes(said.replace(/:00$/, "")) && !isMoment(said) && !isGrouped(said))
        return `no output has ${said}`;
    for (const figure of figures) {
      const before = clause.slice(0, figure.at);
      const after = clause.slice(figure.at + figure.text.length);
      const isLabel = /^\s*$/.test(before)
        ? /^[).]\s/.test(after)
        : /(?:#|step|phase|action|exit|code)\s?$/iu.test(before) ||
          (/[(,]\s?$/.test(before) && runs.some(({ number }) => number === figure.value));
      if (figure.value < 2 || isOurs(after) || isLabel || named.includes(figure.value)) continue;
      const counted = countsOf(after, from);
      if (counted !== undefined && !counted.includes(figure.value) && !isRough) {
        const total = counted.reduce((sum, one) => sum + one, 0);
        if (
          total !== figure.value &&
          !counted.some((one) => counted.some((other) => Math.abs(one - other) === figure.value))
        )
          return `no output has ${figure.text}`;
      }
      const isGiven = isSpan(figure)
        ? new RegExp(String.raw`(?<!\d)${figure.value}\s?${RegExp.escape(figure.unit.slice(0, 1))}`, "iu").test(shown)
        : holdsNear(given, figure.value, isRough ? Math.max(figure.half, figure.value * 0.03) : 0);
      const isCounted = isFew(figure) && figure.value < whole.rows;
      if (!isGiven && !isCounted && !bearsFigure(figure, isRough, reckoned) && !isGrouped(figure.text))
        return `no output has ${figure.text}`;
    }
    return undefined;
  };
  /** `3 packets`, as the outputs count what stands behind a figure; not what a unit or a row is. */
  const countedIn = createMemo((output: string) =>
    [...output.toLowerCase().matchAll(/(?<![\w.:-])(\d+) (\p{L}+)(?: (\p{L}+))?/gu)].flatMap(([, digits, ...nouns]) =>
      nouns.flatMap((noun) => (noun === undefined ? [] : [[noun, Number(digits)] as const])),
    ),
  );
  const countsOf = (after: string, from: readonly RecordedRun[]): readonly number[] | undefined => {
    const noun = /^\s*(?:(?:of|von|de|sur)\s+(?:the\s+|den\s+)?\d*\p{L}*\s+)?(?<noun>\p{L}{4,})/u.exec(after)?.groups
      ?.noun;
    if (noun === undefined || isUnit(noun)) return undefined;
    const stem = stemOf(noun);
    const found = from.flatMap(({ output }) =>
      countedIn(output).flatMap(([word, count]) => (word.startsWith(stem) ? count : [])),
    );
    return found.length > 0 ? found : undefined;
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
    for (const [said] of clause.matchAll(name)) {
      const lower = said.toLowerCase().replace(/[.-]+$/, "");
      if (common.test(lower) || all.includes(lower)) continue;
      const parts = lower.match(/\p{L}{2,}|\d+/gu) ?? [];
      // `gpu03` of `gpu[03-05]`.
      if (parts.length === 2 && all.includes(`${parts[0]}[`) && all.includes(parts[1] ?? "")) continue;
      return `nothing that ran or was given names ${said}`;
    }
    for (const { groups } of clause.matchAll(someone)) {
      const who = groups?.who?.toLowerCase() ?? "";
      if (who !== "" && !known.has(who)) return `nothing that ran or was given names ${groups?.who}`;
    }
    return undefined;
  };

  const actFault = (clause: string, sentence: string, cited: readonly string[]): string | undefined => {
    const mine = acts.map((pattern) => pattern.exec(clause)).find((match) => match !== null);
    const act = mine ?? passives.map((pattern) => pattern.exec(clause)).find((match) => match !== null);
    if (!act || denies.test(mine ? act[0] : clause) || plans.test(clause.slice(0, act.index))) return undefined;
    const said = (act.groups?.act ?? "").toLowerCase();
    // Somebody else did it at a time that stands in an output or a text.
    if (
      !mine &&
      /\d:\d\d|\d{4}-|(?<![\w-])\d{1,2}\s\p{L}|\p{L}\s\d{1,2}(?!\w)/u.test(clause) &&
      figureFault(clause, []) === undefined
    )
      return undefined;
    const kind = kindsOfAct.find((one) => one.said.test(said));
    // What is switched on or off may have been so for long.
    if (!mine && isSwitch.test(said) && runs.some(({ output }) => switched.test(output))) return undefined;
    // An output tells of it in the words that are cited.
    if (!mine && cited.some((quote) => kind?.did.test(quote) ?? true)) return undefined;
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
    /** Numbers of the outputs with such lines, and of those whose command names it. */
    readonly round: readonly number[];
    readonly whole: readonly number[];
  }
  const sightOf = createMemo((word: string): WordSight => {
    const stem = stemOf(word);
    // A short one stands in too many others.
    const has = ({ lower }: EvidenceLine): boolean =>
      lower.includes(stem) && (stem.length > 3 || new Set(lower.match(foldedWords)).has(stem));
    const printed = outputs.map((lines) => lines.filter(has));
    return {
      stem,
      rows: [...printed.flat(), ...given.filter(has)],
      printed: printed.flat().length,
      round: printed.flatMap((lines, at) => (lines.length > 0 ? at : [])),
      whole: heads.flatMap((head, at) => (head.includes(stem) || topics[at]?.has(word) ? at : [])),
    };
  });
  /** The word that the fewest lines of outputs have. */
  const rarestRow = (subject: readonly string[]): string | undefined =>
    subject
      .map(sightOf)
      .filter(({ printed }) => printed > 0)
      .toSorted((a, b) => a.printed - b.printed)[0]?.stem;

  /** The lines that speak of a subject: its rows, else the outputs that it stands in or that a command names it for. */
  const linesAbout = (
    subject: readonly string[],
    { shown: sign, against, ends }: ClaimedState,
  ): { readonly lines: readonly EvidenceLine[]; readonly isNamed: boolean } => {
    const rank = ({ rows, whole }: WordSight): number => rows.length || 1e6 + whole.length;
    const [rarest] = subject
      .map(sightOf)
      .map((sight) => (ends ? sight : { ...sight, whole: sight.whole.filter((at) => outputs[at]?.length) }))
      .filter(({ rows, whole }) => rows.length + whole.length > 0)
      .toSorted((a, b) => rank(a) - rank(b));
    if (!rarest) return { lines: outputs.flat(), isNamed: false };
    if (rarest.rows.some(({ text }) => sign.test(text) || against.test(text)))
      return { lines: rarest.rows, isNamed: true };
    const from = rarest.rows.length > 0 ? rarest.round : rarest.whole;
    const isEnded = rarest.rows.length === 0 && ends;
    return {
      lines: from.flatMap((at) => [...(outputs[at] ?? []), ...(isEnded ? linesOf(endings[at] ?? "") : [])]),
      isNamed: true,
    };
  };

  /** `borne` if an output shows the state that a clause names. */
  const stateFault = (clause: string, named: readonly number[]): string | undefined => {
    const state = states.find(({ said }) => said.test(clause));
    const missing = trouble.exec(clause)?.[0];
    if (!state && missing !== undefined && denies.test(clause)) {
      const looked = runs.some(
        ({ command, output }) => /log|journal|dmesg|err|grep|event|tail/i.test(command) || output.trim() === "",
      );
      return looked || isKnownWord(missing) ? undefined : unseen.trouble;
    }
    const said = state?.said.exec(clause);
    // `1,800 answers` are counted.
    if (!state || !said || /\d\s*$/.test(clause.slice(0, said.index))) return undefined;
    const subject = contentOf(clause.replace(said[0], " ")).filter((word) => !trouble.test(word));
    const { lines, isNamed } =
      subject.length === 0 && named.length > 0
        ? {
            lines: runs.flatMap(({ number, output }, at) =>
              named.includes(number) ? linesOf(`${output}\n${endings[at]}`) : [],
            ),
            isNamed: true,
          }
        : linesAbout(subject, state);
    const shows = ({ text }: EvidenceLine): boolean =>
      state.shown.test(saidBy(text)) && !state.against.test(saidBy(text));
    const opposes = (line: EvidenceLine): boolean =>
      !outdated.has(line) &&
      state.against.test(saidBy(line.text)) &&
      (isValue(line.text) || !state.shown.test(saidBy(line.text)));
    if (denies.test(clause)) {
      const isOpposed = denies.test(clause.slice(Math.max(0, said.index - 16), said.index));
      return isOpposed && isNamed && lines.some(shows) && !lines.some(opposes)
        ? "an output shows the opposite"
        : undefined;
    }
    const longest = said[0]
      .toLowerCase()
      .split(" ")
      .reduce((one, other) => (other.length > one.length ? other : one));
    const isLiteral = lines.some(({ lower }) =>
      longest.length > 4 ? lower.includes(stemOf(longest)) : new Set(lower.match(foldedWords)).has(longest),
    );
    const opposite = every.test(clause) ? lines.find(opposes) : undefined;
    if (opposite) return "an output shows the opposite";
    // What is so again was otherwise before: something changed it, or two looks at it differ.
    const isCompared = new Set(runs.map(({ command }) => command)).size < runs.length;
    if (changes.length === 0 && again.test(clause) && !isCompared && !isLiteral)
      return "nothing has run that changes anything";
    if (isLiteral) return "borne";
    if (!isNamed && languageOf(clause) === "English" && subject.some((word) => !anything.has(word)))
      return unseen.subject;
    if (lines.some(shows) || (lines.some(({ text }) => state.shown.test(text)) && !lines.some(opposes))) return "borne";
    return unseen.state;
  };

  /** What all the outputs of one command must have. */
  const everyFault = (clause: string): string | undefined => {
    if (!every.test(clause)) return undefined;
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

  const unborneIn: FindUnborne = (said, named, cited) => {
    const sentence = said.replace(unspaced, " ");
    if (asks.test(sentence) || whenever.test(sentence.slice(0, 30))) return undefined;
    const cut = [0, ...[...sentence.matchAll(clauseEnds)].map(({ index }) => index), sentence.length];
    const clauses = cut.slice(1).map((to, at) => sentence.slice(cut[at], to));
    const isGuess = (guesses.exec(sentence)?.index ?? 99) < 15;
    const isOrder = orders.test(sentence);
    const isTold = told.test(sentence);
    let isAnchored = cited.length > 0 || isGuess || isOrder || isTold || nothing.test(sentence);
    for (const clause of clauses) {
      const act = isTold || isGuess ? undefined : actFault(clause, sentence, cited);
      if (act !== undefined) return act;
      // Word for word what an output or a text says.
      if (all.includes(clause.toLowerCase().replace(/^\W+|[\s.]+$/g, ""))) continue;
      const isOpen = guesses.test(clause) || plans.test(clause) || isGuess || (isOrder && !reasons.test(clause));
      const state = isOpen || isTold ? undefined : stateFault(clause, named);
      const fault = isOpen
        ? undefined
        : (figureFault(clause, named) ??
          nameFault(clause) ??
          everyFault(clause) ??
          (state === "borne" || (cited.length > 0 && state && isUnseen(state)) ? undefined : state));
      if (fault !== undefined) return fault;
      isAnchored ||= isOpen || state === "borne" || /\d|\uE000/.test(clause) || [...clause.matchAll(name)].length > 0;
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
  const plain = word.toLowerCase().replace(/(?:ing|ed|es|s|ly|e|ion|en|n|t)$/u, "");
  return plain.length >= 4 ? plain : word.toLowerCase();
};

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
  (sentence.toLowerCase().match(/[\p{L}][\p{L}\p{N}_-]{2,}/gu) ?? []).filter(
    (word) =>
      !ours.has(word) &&
      !every.test(word) &&
      Object.values(small).every((list) => !list.has(word)) &&
      !numerals.has(word),
  );

const seconds: readonly (readonly [RegExp, number])[] = [
  [/^(?:ms|msecs?|milli\p{L}+)$/iu, 0.001],
  [/^(?:s|secs?|second\p{L}*|sekund\p{L}*|segundos?)$/iu, 1],
  [/^(?:min|mins|minut\p{L}*)$/iu, 60],
  [/^(?:h|hrs?|hours?|stunden?|heures?|horas?|ore)$/iu, 3600],
  [/^(?:d|days?|tagen?|jours?|días?|giorni|dias)$/iu, 86_400],
  [/^(?:weeks?|wochen?|semaines?|semanas?|settimane)$/iu, 604_800],
  [/^(?:months?|monaten?|mois|mes(?:es)?|mesi)$/iu, 2_629_800],
  [/^(?:years?|jahren?|ans|années?|años?|anni|anos)$/iu, 31_557_600],
];
const sizeUnit = /^(?:[KMGTP]i?[Bbo]?|bytes?|octets?|[KMGT]bytes|(?:kilo|mega|giga|tera)\p{L}+|gigas?)$/u;
const times = /^(?:times|mal|fois|veces|volte|vezes)$/iu;

/** Numbers from 2, as words. */
const numerals = new Map<string, number>();
for (const [, word = "", value] of words.numerals.matchAll(/(\S+) (\d+)/g)) numerals.set(word, Number(value));
const scales = new Map([
  ["hundred", 100],
  ["thousand", 1000],
  ["tausend", 1000],
  ["mille", 1000],
  ["mil", 1000],
]);
/** `2.8 million`, `1,2 Millionen`, `3 millones`. */
const scaleOf = (word = ""): number | undefined =>
  scales.get(word.toLowerCase()) ?? (/^mil(?:l?i[oóõ]|h[oõ]|l[oó])\p{L}*$/iu.test(word) ? 1e6 : undefined);

/** Commas part thousands, or stand for the point. */
const numberOf = (text: string): number => Number(text.replace(/[,  '’](?=\d{3}(?!\d))/g, "").replace(",", "."));

interface SaidFigure {
  readonly at: number;
  readonly text: string;
  readonly value: number;
  /** What stands behind it. */
  readonly unit: string;
  /** Half of what its last digit that counts is worth. */
  readonly half: number;
}

const partsOfSpan = [604_800, 86_400, 3600, 60, 1];
const secondsOf = (unit: string): number | undefined => seconds.find(([pattern]) => pattern.test(unit))?.[1];

/** Reads the figures of a clause: digits, and words in five languages. */
function figuresIn(clause: string): readonly SaidFigure[] {
  const found: SaidFigure[] = [];
  const digits =
    /(?<![\p{L}\p{N}_.,:/@#\uE000-])(?:\d{1,3}(?:[,  ’']\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?)(?![\p{N}_:/\uE000]|[.,-]\d|-\p{L})\s?(?<unit>%|[\p{L}]*)/gu;
  for (const match of clause.matchAll(digits)) {
    const { unit = "" } = match.groups ?? {};
    const text = match[0].slice(0, match[0].length - unit.length).trim();
    const scale = scaleOf(unit) ?? 1;
    const value = numberOf(text);
    if (Number.isNaN(value)) continue;
    const decimals = /[.,](\d+)$/.exec(text.replace(/[,’'](?=\d{3}(?!\d))/g, ""))?.[1]?.length ?? 0;
    const zeros = decimals === 0 ? (/0+$/.exec(String(value))?.[0].length ?? 0) : -decimals;
    found.push({
      at: match.index,
      text,
      value: value * scale,
      unit,
      half: (scale * 10 ** Math.min(zeros, String(Math.trunc(value)).length - 1)) / 2,
    });
  }
  const spelled = [...clause.matchAll(/[\p{L}]+/gu)];
  for (let at = 0; at < spelled.length; at += 1) {
    const read = (from: number): number | undefined => numerals.get(spelled[from]?.[0].toLowerCase() ?? "");
    const first = read(at);
    const start = spelled[at];
    if (first === undefined || !start) continue;
    let [value, to] = [first, at];
    const unitDigit = read(at + 1);
    if (first >= 20 && unitDigit !== undefined && unitDigit < 10) [value, to] = [first + unitDigit, at + 1];
    const scale = scaleOf(spelled[to + 1]?.[0]);
    if (scale !== undefined) [value, to] = [value * scale, to + 1];
    const last = spelled[to] ?? start;
    const text = clause.slice(start.index, last.index + last[0].length);
    found.push({
      at: start.index,
      text,
      value,
      unit: spelled[to + 1]?.[0] ?? "",
      half: value >= 100 ? value / 20 : 0.5,
    });
    at = to;
  }
  return found;
}

/** What numbers a text holds, and what can be reckoned from them. */
interface ReckonedNumbers {
  readonly plain: readonly number[];
  /** Sums and differences within a line, down a column and between columns of two outputs. */
  readonly derived: readonly number[];
  /** Sums of whole columns, and how many lines there are. */
  readonly totals: readonly number[];
  /** Of the longest output. */
  readonly rows: number;
  readonly shares: readonly number[];
  /** In seconds. */
  readonly spans: readonly number[];
}

const anyNumber = /(?<![\p{L}_])\d+(?:[.,]\d+)*|(?<=[\p{L}_])\d+(?:\.\d+)?/gu;
const clock = /(?<![\d:.])(?:(\d+)\s?(?:days?|d),?\s*)?(\d{1,3}):(\d\d)(?::(\d\d))?(?![\d:])/g;
const compound = /(?<![\p{L}\d.])(?:(\d+)w)?(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+(?:\.\d+)?)s)?(?![\p{L}\d])/gu;

/** Moments in seconds, dated ones since 1970. */
function momentsIn(text: string): readonly number[] {
  const dated = [
    ...text.matchAll(/(?<date>\d{4}-\d\d-\d\d)[T ](?<time>\d\d:\d\d(?::\d\d)?)/g),
    ...text.matchAll(/(?<date>\p{Lu}\p{Ll}{2} [ \d]\d) (?<time>\d\d:\d\d:\d\d) (?:\p{Lu}{3,4} )?(?<year>\d{4})/gu),
  ].map(({ groups }) => Date.parse(`${groups?.date} ${groups?.year ?? ""} ${groups?.time} UTC`) / 1000);
  const clocks = [...text.matchAll(clock)].flatMap(([, days, hours, minutes, rest]) =>
    days === undefined ? [Number(hours) * 3600 + Number(minutes) * 60 + Number(rest ?? 0)] : [],
  );
  return [...dated.filter((one) => !Number.isNaN(one)), ...clocks].slice(0, 60);
}

/** Each output's lines, all or those about something. */
function reckon(parts: readonly (readonly string[])[], moments: readonly number[]): ReckonedNumbers {
  const plain: number[] = [];
  const derived: number[] = [];
  const totals: number[] = [];
  const shares: number[] = [];
  const spans: number[] = [];
  const pair = (a: number, b: number): void => {
    derived.push(a + b, Math.abs(a - b));
    if (a !== 0 && b !== 0) shares.push((100 * a) / b, (100 * b) / a, 100 - (100 * a) / b, 100 - (100 * b) / a);
  };
  /** Of the outputs before, by column. */
  const earlier = new Map<number, number[]>();
  for (const lines of parts) {
    const columns = new Map<number, number[]>();
    const isTable = /^\s*(?:\p{Lu}{2,}[\p{Lu}\s%()/-]*|\w+(?:\s{2,}\w+)+)$/u.test(lines[0] ?? "");
    totals.push(lines.length - (isTable ? 1 : 0));
    for (const line of lines) {
      const numbers = [...line.matchAll(anyNumber)].map(([one]) => numberOf(one)).filter((one) => !Number.isNaN(one));
      plain.push(...numbers);
      // `4.12.0` is also 4 and 4.12.
      for (const [one] of line.matchAll(/\d+(?:\.\d+){2,}/g))
        plain.push(Number.parseFloat(one), Number.parseInt(one, 10));
      const counted = [...line.replace(clock, " ").matchAll(/(?<![\p{L}\d_.:[/-])\d+(?:[.,]\d+)?(?![\d:\]-])/gu)]
        .map(([one]) => numberOf(one))
        .slice(0, 12);
      for (const [place, number] of counted.entries()) {
        columns.set(place, [...(columns.get(place) ?? []).slice(-60), number]);
        for (const other of counted.slice(place + 1)) pair(number, other);
      }
      for (const [, days, hours, minutes, rest] of line.matchAll(clock)) {
        spans.push(Number(days ?? 0) * 86_400 + Number(hours) * 3600 + Number(minutes) * 60 + Number(rest ?? 0));
        if (rest === undefined && days === undefined) spans.push(Number(hours) * 60 + Number(minutes));
      }
      for (const [, w, d, h, m, s] of line.matchAll(compound))
        spans.push([w, d, h, m, s].reduce((sum, part, at) => sum + Number(part ?? 0) * (partsOfSpan[at] ?? 0), 0));
      const bare = line.replace(clock, " ").replace(compound, " ");
      for (const [, number = "", unit = ""] of bare.matchAll(/(\d+(?:[.,]\d+)?)\s?(\p{L}*)/gu)) {
        const named = secondsOf(unit);
        spans.push(...(named === undefined ? [0.001, 1, 60] : [named]).map((one) => one * numberOf(number)));
      }
    }
    for (const [place, column] of columns) {
      const sum = column.reduce((before, one) => before + one, 0);
      // Without a row above or below: `(3 rows)`.
      totals.push(sum, sum - (column[0] ?? 0), sum - (column.at(-1) ?? 0));
      for (const [at, one] of column.entries()) for (const other of column.slice(at + 1)) pair(one, other);
      const before = parts.length === 2 ? [...earlier.values()].flat() : (earlier.get(place) ?? []);
      for (const one of column.slice(0, 20)) for (const other of before) pair(one, other);
    }
    for (const [place, column] of columns) {
      earlier.set(place, [...(earlier.get(place) ?? []), ...column].slice(-20));
    }
  }
  for (const [at, one] of moments.entries())
    for (const other of moments.slice(at + 1)) spans.push(Math.abs(one - other));
  const ordered = (numbers: readonly number[]) => numbers.filter((one) => !Number.isNaN(one)).toSorted((a, b) => a - b);
  return {
    plain: ordered(plain),
    derived: ordered(derived),
    totals: ordered(totals),
    rows: Math.max(0, ...parts.map((lines) => lines.length)),
    shares: ordered(shares),
    spans: ordered(spans),
  };
}

/** Whether any of these, in their order, is as near as this. */
function holdsNear(ordered: readonly number[], value: number, within: number): boolean {
  let [from, to] = [0, ordered.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((ordered[middle] ?? 0) < value - within) from = middle + 1;
    else to = middle;
  }
  return (ordered[from] ?? Infinity) <= value + within;
}

const sizes = [1, 1000, 1024, 1e6, 1024 ** 2, 1e9, 1024 ** 3, 1e12, 1024 ** 4];

/** Whether what a text holds bears a figure: as it stands, rounded, in another unit, or reckoned. */
function bearsFigure(
  figure: SaidFigure,
  isRough: boolean,
  { plain, derived, totals, shares, spans }: ReckonedNumbers,
): boolean {
  const { value, unit, half } = figure;
  const exact = !Number.isInteger(value) ? half * 1.02 : value >= 10_000 ? half : 0.501;
  const within = isRough ? Math.max(half * 1.1, value * 0.03, 0.6) : exact;
  const span = secondsOf(unit);
  if (span !== undefined)
    return holdsNear(
      spans,
      value * span,
      Math.max(span * Math.min(half, 0.75), value * span * (isRough ? 0.12 : 0.04)),
    );
  if (holdsNear(plain, value, within)) return true;
  if (unit === "%" || /^(?:percent|prozent|pour|por)$/i.test(unit))
    return holdsNear(shares, value, isRough ? 2 : 0.6) || holdsNear(derived, value, 0.501);
  if (times.test(unit) && holdsNear(shares, value * 100, 20)) return true;
  const known = [plain, derived, totals];
  return known.some(
    (numbers) =>
      holdsNear(numbers, value, within) ||
      (sizeUnit.test(unit) &&
        sizes.some(
          (size) => holdsNear(numbers, value * size, within * size) || holdsNear(numbers, value / size, within / size),
        )),
  );
}

/** `5 minutes`. */
const isSpan = ({ unit }: SaidFigure): boolean => secondsOf(unit) !== undefined;
/** Whether a figure may count some rows of a list. */
const isFew = ({ value, unit }: SaidFigure): boolean =>
  Number.isInteger(value) && value <= 12 && unit !== "%" && !isUnit(unit) && !times.test(unit);
/** Whether a word is a unit, not what is counted. */
const isUnit = (word: string): boolean => secondsOf(word) !== undefined || sizeUnit.test(word);

/** `two checks` are the reply's own. */
const isOurs = (after: string): boolean =>
  ours.has(/^\s*(?:\p{L}+\s+)?(\p{L}+)/u.exec(after)?.[1]?.toLowerCase() ?? "") ||
  ours.has(/^\s*(\p{L}+)/u.exec(after)?.[1]?.toLowerCase() ?? "");
