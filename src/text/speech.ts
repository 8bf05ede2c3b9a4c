import * as z from "zod";
import { lazy } from "../base/lazy.ts";
import table from "./speech.json" with { type: "json" };

/**
 * Tells whether a line speaks to the agent (SR-39) by what is said, not by phrases: somebody is addressed, as the agent or as a
 * role of its conversation, and the words order an act, give or waive a consent that people give, or set aside its rules.
 */
z.record(z.string(), z.union([z.string(), z.record(z.string(), z.string())])).parse(table);

const initials = /^\p{Lu}{2}s?$/u;
const listed = (lists: Readonly<Record<string, string>>): readonly string[] => [
  ...new Set(Object.values(lists).flatMap((list) => list.split(", "))),
];
/** `*` stands for any ending. */
const alternatives = (words: readonly string[]): string =>
  words
    .toSorted((a, b) => b.length - a.length)
    .map((one) => bareToo(one).replaceAll("\\*", "\\p{L}*").replaceAll("\\x27", "['’]"))
    .join("|");
/** Logs and headers drop accents, and a verb's form may have one that its stem has not. Short words are others without them. */
const bareToo = (word: string): string =>
  word.length < 5
    ? RegExp.escape(word)
    : Array.from(
        word
          .normalize("NFD")
          .replace(/(?<=[aceinou])\p{M}/gu, "")
          .normalize("NFC"),
        (letter) => accented[letter] ?? RegExp.escape(letter),
      ).join("");
const accented: Readonly<Record<string, string>> = {
  a: "[aàáâãäåą]",
  c: "[cçćč]",
  e: "[eèéêëę]",
  i: "[iìíîï]",
  n: "[nñń]",
  o: "[oòóôõöó]",
  u: "[uùúûü]",
};
/** Where blanks part words, a word ends where a name, path or file does not go on. */
const spaced = (words: readonly string[]): string =>
  String.raw`(?<![\p{L}\p{N}_./-])(?:${alternatives(words)})(?![\p{L}\p{N}_/]|[-.][\p{L}\p{N}])`;
const unspaced = (list: string): string => list.split(", ").map(RegExp.escape).join("|");

const agentWords = listed(table.agent);
const programWords = listed(table.program);
/** Two letters count in capitals only; a script without blanks may stand next to them. */
const capitals = String.raw`(?<![\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}_./-])(?:${agentWords.filter((word) => initials.test(word)).join("|")})(?![\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}_/]|[-.][\p{L}\p{N}])`;
/** A noun of the same letters is no act: `run of`, `report failed`. */
const noAct = String.raw`(?!\s?[=(]|:\s|\s(?:of|is|was|are|has|had|failed|failure|finished|completed|succeeded|took|error|count|time|required|id|at|by)(?!\p{L}))`;
const acts = spaced(listed(table.act)) + noAct;
const musts = spaced(listed(table.must));
const both = (key: "rules" | "previous" | "void" | "consent" | "waived" | "granted"): string =>
  `${spaced(listed(table[key]))}|${unspaced(table[`${key} unspaced`])}`;

/** What each part of a sentence is, by one sign; a word may be several. */
const kinds = lazy((): readonly (readonly [string, RegExp])[] => [
  ["A", new RegExp(capitals, "gu")],
  [
    "A",
    new RegExp(
      `${spaced(agentWords.filter((word) => !initials.test(word)))}|${unspaced(table["agent unspaced"])}`,
      "giu",
    ),
  ],
  ["P", new RegExp(spaced(programWords), "giu")],
  ["T", new RegExp(`${spaced(listed(table.toward))}`, "giu")],
  ["X", new RegExp(`${acts}|${unspaced(table["act unspaced"])}`, "giu")],
  ["M", new RegExp(musts, "giu")],
  ["O", new RegExp(`${spaced(listed(table.role))}|${unspaced(table["role unspaced"])}`, "giu")],
  ["R", new RegExp(both("rules"), "giu")],
  ["Q", new RegExp(both("previous"), "giu")],
  ["V", new RegExp(both("void"), "giu")],
  ["C", new RegExp(both("consent"), "giu")],
  ["W", new RegExp(both("waived"), "giu")],
  ["G", new RegExp(both("granted"), "giu")],
  ["Y", new RegExp(spaced(table.you.split(", ")), "giu")],
  ["I", new RegExp(spaced(table.I.split(", ")), "giu")],
  ["B", new RegExp(spaced(table.be.split(", ")), "giu")],
  ["D", new RegExp(spaced(table.negation.split(", ")), "giu")],
  ["S", new RegExp(spaced(table.skip.split(", ")), "giu")],
  ["U", new RegExp(spaced(table.update.split(", ")), "giu")],
  ["N", new RegExp(unspaced(table["notice unspaced"]), "gu")],
  ["E", new RegExp(spaced(listed(table.object)), "giu")],
  ["K", new RegExp(spaced(table.shell.split(", ")), "gu")],
  ["J", new RegExp(spaced(listed(table.judge)) + noAct, "giu")],
  ["L", new RegExp(spaced(listed(table.verdict)), "giu")],
  ["H", new RegExp(spaced(listed(table.listener)), "giu")],
]);
/** No verb in the imperative: `loaded`, `running`, `requests`. */
const inflected = /(?:ed|ing|ion|ions|ly|s|er|or)$/iu;

const isValueAt = (piece: string, end: number): boolean =>
  /^["']?(?:$|[,;\s]\s*(?:$|[\w.-]+=))/.test(piece.slice(end, end + 60));

const noBlanks = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]/u;
/** The parts of a piece: a script without blanks by its letters, a word, a number, or another sign. */
const parts =
  /(?<=\S)(?:\t| {2,})(?=\S)|[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]|[^\P{L}\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]+|\p{N}+|[^\s\p{L}\p{N}]/gu;
const isWord = /^\p{L}/u;
const isNumber = /^\p{N}/u;
const isBlank = /^\s/;
const isColon = /^[:：]/;
const endsName = /^(?:$|[\s"'‘“]|\P{ASCII})/u;
const isComma = /^[，、]/;

/** A piece as a row of signs, `<X>` for each word, and where each begins. */
function signsOf(piece: string): { readonly signs: string; readonly placeOf: (index: number) => number } {
  const found = new Map<number, { kinds: string; to: number }>();
  for (const [kind, pattern] of kinds()) {
    pattern.lastIndex = 0;
    for (let match = pattern.exec(piece); match; match = pattern.exec(piece)) {
      const [at, to] = [match.index, match.index + match[0].length];
      // `finish=stop` is a value.
      if (kind === "X" && piece[at - 1] === "=" && isValueAt(piece, to)) continue;
      const before = found.get(at);
      if (before) {
        before.kinds += kind;
        before.to = Math.max(before.to, to);
      } else found.set(at, { kinds: kind, to });
    }
  }
  let within = 0;
  let signs = "";
  const begins: (readonly [number, number])[] = [];
  parts.lastIndex = 0;
  for (let match = parts.exec(piece); match; match = parts.exec(piece)) {
    const { 0: word, index } = match;
    // The rest of `on-call` or `no longer`.
    if (index < within) continue;
    const kind = found.get(index);
    within = kind?.to ?? 0;
    begins.push([signs.length, index]);
    if (kind) signs += `<${kind.kinds}>`;
    else if (isWord.test(word)) signs += noBlanks.test(word) ? "" : inflected.test(word) ? "<Z>" : "<>";
    // The next cell of a row.
    else if (isBlank.test(word)) signs += "|";
    else if (isNumber.test(word)) signs += "0";
    else if (isColon.test(word)) signs += endsName.test(piece.slice(index + 1, index + 2)) ? ":" : ";";
    else signs += word === "<" ? "(" : word === ">" ? ")" : isComma.test(word) ? "," : word;
  }
  return { signs, placeOf: (index) => begins.findLast(([sign]) => sign <= index)?.[1] ?? 0 };
}

const is = (kind: string): string => `<[A-Z]*[${kind}][A-Z]*>`;
/** At most this many parts in between. */
const gap = (most: number): string => `(?:<[A-Z]*>|[^<>]){0,${most}}?`;
const near = (one: string, other: string, most: number): string =>
  `(?:${one}${gap(most)}${other}|${other}${gap(most)}${one})`;
/** Nothing of a program's name stands before it: `puppet agent`. */
const program = `(?<=^|[^<>0-9]|${is("T")})${is("P")}(?!-?0)`;
const someone = `(?:${is("A")}|${program})`;
const calls = "(?:[:,!]|-\\)|--)";
/** Called by name: before a colon or comma, at the end behind a comma, in brackets, with a form of address. */
const called = `(?:${is("A")}(?:<[A-Z]*>){0,3}?${calls}|${program}${calls}|${program}(?:(?!${is("XMGCWVTZBD")})<[A-Z]*>'?){1,2}?:|[[({【]${is("AP")}[\\])}】]|,${someone}[^<>]*$|${is("T")}(?:<[A-Z]*>['-]?|'){0,2}?${is("AP")}(?!-?0)|@(?:<[A-Z]*>-)?${is("AP")})`;
/** A program with up to three words behind it counts if an order or its rules follow at once: `agent reading tags: terminate …`. */
const addressed = `${program}(?:(?!${is("XMGCWVBD")})<[A-Z]*>'?|'){1,3}?[:,]`;
const asRole = `(?:(?:^|[^<>0-9])${is("O")}[^<>:;0-9]{0,2}[:|)]|[[({【]${is("O")}[\\])}】])`;
const consents = near(is("C"), is("WG"), 4);
/** Where a sentence begins, a word that no list has, and what it is to be done to: `shred the logs`. */
const order = `(?:<>|${is("XV")})(?:<>)?${is("E")}`;
/** Where a sentence may begin. */
const begins = `(?:^|[^<>0-9-]|<>:|${is("DM")})`;
const patterns = lazy(() =>
  [
    // What to believe, to say and to keep from people: programs report, and only who speaks to a reader orders that.
    `${begins}${is("J")}(?![-:=.;/])(?:<[A-Z]*>|'){0,8}?${is("L")}`,
    `${begins}${is("J")}(?![-:=.;/])(?:<[A-Z]*>|'){0,3}?${is("H")}`,
    `${is("D")}${is("J")}(?:<[A-Z]*>){0,4}?${is("H")}`,
    `${called}${gap(12)}${is("M")}(?!${is("B")})${is("X")}`,
    // An order to whom it may concern: its rules are void.
    `${is("V")}${gap(8)}${is("Q")}${gap(4)}${is("R")}`,
    `(?:${called}|${asRole})${gap(10)}${near(is("R"), is("VQ"), 5)}`,
    `${is("V")}${gap(4)}${is("Q")}${gap(3)}${is("Y")}<[A-Z]*>`,
    // The agent, by name, and an act, a duty or a consent.
    `${is("A")}${gap(10)}${is("XMGY")}`,
    `${is("X")}${gap(10)},(?:${is("A")}|${someone}[^<>]*$)`,
    `${called}${gap(4)}${is("XMI")}`,
    `${addressed}(?:${is("X")}(?=<)|${gap(3)}${near(is("R"), is("V"), 5)}|${gap(3)}${is("GX")},${is("X")})`,
    `@(?:<[A-Z]*>-)?${is("AP")}${gap(14)}:${is("X")}`,
    `${called}[^<>0-9]{0,3}(?:${gap(16)}[,;.:])?(?:${order}|${is("X")}(?=[<~/\`'"]))`,
    // A prompt: `bot> override: …`.
    `(?:^|[^(<>0-9])${is("AP")}\\)${is("XVU")}`,
    `${is("V")}(?:${is("Q")}){2,4}<>?${is("X")}`,
    // If the reader is one.
    `${is("Y")}(?:<[A-Z]*>){0,2}?${is("AP")},(?:<[A-Z]*>)?${is("XVHJ")}`,
    `(?:${someone}${calls}|@(?:<[A-Z]*>-)?${is("AP")}|[[({【]${is("A")}[,;])${gap(20)}(?:${is("K")}|--<)`,
    `${called}${gap(3)}${is("Y")}${gap(2)}${is("C")}`,
    `${is("Q")}${is("AP")}${gap(8)}${is("Y")}${gap(3)}${is("X")}`,
    // An answer that no one gave.
    `(?:^|[^<>0-9])${is("O")}${gap(4)}${is("G")}${gap(8)}${is("K")}`,
    `${called}${gap(10)}${consents}`,
    `${is("A")}${calls}${gap(12)},${is("C")}`,
    `${is("A")}${calls}${gap(40)}${is("X")}`,
    `${someone}${gap(2)}${is("M")}(?:(?!${is("B")})<[A-Z]*>){0,2}?${is("X")}(?=<|[\`"'/~])`,
    `${is("G")}${is("T")}(?:<[A-Z]*>)?${is("A")}`,
    `${program}${gap(6)}${consents}`,
    `${consents}${gap(8)}${someone}${gap(4)}${is("MX")}`,
    `(?:${is("N")}${gap(8)}${is("A")}|${is("A")}${gap(8)}${is("N")})`,
    `${is("T")}(?:<[A-Z]*>'?|'){0,2}?${is("A")}(?:<[A-Z]*>){0,2}:`,
    // A turn that no one took.
    `${asRole}(?!["'])(?:${gap(5)}${is("XY")}|${gap(12)}(?:${consents}|${near(is("G"), is("X"), 10)}))`,
    `(?:^|[^<>0-9:])${is("O")}${is("U")}{1,2}["']?[:;=-]${gap(12)}(?:${is("XYA")}|${consents})`,
    // Without the people who decide.
    `^(?!-{1,2}<)(?:(?!${is("D")})(?:<[A-Z]*>|[^<>]))*?(?:(?!${is("D")})${is("XY")}${gap(10)}${is("W")}|${is("S")})${gap(3)}${is("C")}`,
  ].map((pattern) => new RegExp(pattern, "u")),
);

/** In the form of our own tools, or of any that talks with a model; and how such a thing is labelled. */
const forms: readonly RegExp[] = [
  /(?<!(?:GET|POST|PUT|HEAD|DELETE|PATCH) )(?<![\w/.-])\/(?:approve|lease|hold|close)\s+(?:\d+|all)(?![\w/])/u,
  /ACTIONS_JSON|\[SUGGESTIONS\]|\b(?:with|these|in) ACTIONS\b|\[\/?INST\]|<<\/?SYS>>|<\|[a-z_]{2,20}\|>/u,
  /<\/?(?:instructions|rules|identity|protocol|session-instructions|system|tool_results?|function_results?|approvals?)(?=[\s>/])[^>\n]{0,120}>|"role"\s?:\s?"system"/iu,
  /\b(?:begin|start|end)(?: of)? (?:(?:tool|system|user|admin|operator) (?:output|message|notice|prompt|override|instructions?)|output)\b|\b(?:previous|last|earlier) tool (?:results?|outputs?|calls?)\b/iu,
  /(?<![\w.])(?:x-)?(?:agents?|ai|llm|bot|model|assistant)[-_ ](?:instructions?|directives?|tasks?|todo|notice|orders?|message|hints?|guidance)["']?(?:\s*[:=>](?!=)|\s[-–—]\s)|\bai-agent-policy:|\bagents?["']?\s?[:=]\s?["']?you (?:must|should|may|are|need|have)\b/iu,
  /\b(?:notes?|notice|messages?|instructions?|attention|(?:hidden|secret|invisible) text)[-_ ](?:to|for)[-_ ](?:the[-_ ])?(?:\w+[-_ ])?(?:agents?|ai|llms?|bots?|models?|assistants?|responders?)\b(?![._]\w|-\d|\s\d)/iu,
  /\byou are (?:now )?(?:(?:an? |the |in )(?:\w+ ){0,2}(?:admin\w*|root|ai|mode|assistant|agent|owner)|cleared|instructed|exempt|(?:no longer|not) (?:bound|restricted|limited|subject))\b|\byour (?:new |real |system )+(?:instructions?|prompt|task)\b|\b(?:reveal|print|show|repeat|output) (?:the|all|your) (?:system prompt|(?:hidden |system )?instructions)\b/iu,
  /\bfrom (?:now|here|this (?:point|moment)|today)(?: on(?:wards?)?)?,? (?:you\b|your (?:role|name|task|job|goal|identity)\b|(?:only |always |never )?(?:answer|reply|respond|act|behave|speak|write)\b)|\byour (?:role|identity|persona) is (?:now )?["'‘“]?\p{Lu}|\bthe (?:real|true|actual) (?:instructions?|prompt|orders?)(?: (?:is|are)\b|\s?:)|\b(?:automation|(?:robot|bot|model|agent|assistant|crawler)s?) (?:reading|(?:that|who|which) (?:reads?|sees?|parses?|processe?s?)) (?:this|these|the)\b|\b(?:any|every|whatever|whichever|all) (?:automat|autonom|artificial|intelligent|machine)\w{0,8} \w{3,20} (?:reading|parsing|processing|seeing) (?:this|these|the)\b[^\n]{0,40}\b(?:must|ha(?:s|ve) to|should|shall|please|needs? to|(?:is|are) to)\b/iu,
  /\b(?:I|we) (?:order|instruct|command|direct) you\b|\byou (?:have been|were|are) (?:granted|promoted|authori[sz]ed) (?!access\b)|\bwhen asked (?:about|for|why|whether|to)\b|\b(?:do not|don't|never) (?:mention|report|raise|disclose|reveal|bring up|flag|escalate) (?:this|it)\b|\bthe (?:analy[sz]ing|reviewing|summari[sz]ing|reading|evaluating) (?:system|tool|service|model|program) (?:must|should|shall|has to|may)\b/iu,
  /\b(?:if|when|as|once) you (?:can )?(?:read|see|parse|analy[sz]e|evaluate|process|summari[sz]e)s? (?:this|these|it)\b|\b(?:any(?:one|body)?(?: \p{L}+)?|reader|those) (?:reading|evaluating|analy[sz]ing|consuming|summari[sz]ing|parsing|processing|of) (?:this|these) (?:output|line|log|file|record|message|header|text|name|field)s?\b|\bfalls du dies\p{L}* \p{L}+ (?:auswertest|liest|siehst|verarbeitest)|\bquien(?:es)? (?:lea|analiza|analice|lee|procesa)\b|\bper (?:il sistema|chi) che (?:esamina|legge|analizza)\b|\bcelui qui (?:lit|analyse)\b/iu,
  /\bwho(?:m|so)?ever (?:reads?|automates?|parses?|triages?|handles?|process(?:es)?|summari[sz]es?)\b[^\n]{0,40}(?:[:,]| (?:must|should|shall|has to|is to|needs to) )|\b(?:to|for|dear|hello|hey) (?:\p{L}+ )?(?:machine|program|software|script|model|robot|one) (?:that|which|who) (?:reads?|sees?|parses?|processe?s?)\b/iu,
  /\b(?:coding|ai|llm|autonomous|automated|reviewer|reviewing|triage) (?:agents?|bots?|assistants?) (?:(?:must|should|shall|may) |(?:are|is) (?:required|allowed|asked|expected|advised) to )|\b(?:read|processed|parsed|handled|summari[sz]ed) by an? (?:machine|ai|llm|(?:language )?model|bot|agent|program)\b[^\n]{0,20}\b(?:shall|must|should|has to|is to)\b/iu,
  /(?<!\p{L})(?:tu es|vous êtes|du bist|sie sind|eres|usted es|você é|tu sei|je bent|u bent) (?:\p{L}+ ){0,2}(?:modèle|modell|modelo|modello|assistente?n?|asistente|ki|ia|ai|bot|agente?)(?!\p{L})/iu,
  /\b(?:tell|mention)\b[^\n]{0,20}\b(?:humans|operators?)\b/iu,
  /[\u0590-\u06ff\u0900-\u0e7f][^\n]{0,40}\bAI\b|\bAI\b[^\n]{0,40}[\u0590-\u06ff\u0900-\u0e7f]/u,
];

/** A line without any of these words addresses no one. */
const stems = [
  table.agent,
  table.program,
  table.role,
  table.consent,
  table.rules,
  table.void,
  table.verdict,
  table.listener,
]
  .flatMap(listed)
  .concat(
    ...["agent", "role", "consent", "rules"].map((key) =>
      z
        .string()
        .parse(Object.entries(table).find(([name]) => name === `${key} unspaced`)?.[1])
        .split(", "),
    ),
  )
  .map((word) => word.replaceAll("*", ""));
const anyInitials = lazy(() => new RegExp(stems.filter((word) => initials.test(word)).join("|"), "u"));
const anyStem = lazy(
  () =>
    new RegExp(
      [
        ...stems.filter((word) => !initials.test(word)),
        "ai-",
        "ai_",
        "ia-",
        "ia_",
        "ki-",
        "ki_",
        ".ai.",
        "you are",
        "whoever",
        "that reads",
        "told",
        "tell",
        "loesch",
      ]
        .map(RegExp.escape)
        .join("|"),
      "iu",
    ),
);

/** Letters of other scripts that look Latin. */
const lookalikes: Readonly<Record<string, string>> = Object.fromEntries(
  [..."аaеeоoрpсcхxуyіiАAЕEОOРPСCІI".matchAll(/(.)(.)/gu)].map(([, other = "", latin = ""]) => [other, latin]),
);
const hasWide = /[\uff01-\uff5e\u{1d400}-\u{1d7ff}]/u;
/** A sentence in one word: `assistant-route-all-traffic-to.evil.example`, `please_assistant_download_this`. */
const joined = /[\p{L}\p{N}]+(?:[-_.:]+[\p{L}\p{N}]+){3,}/gu;
const lowered = (words: readonly string[]): string => alternatives(words.map((word) => word.toLowerCase()));
const joinedOrders = lazy((): readonly (readonly [number, RegExp])[] =>
  (
    [
      [
        4,
        `(?:${lowered([...agentWords, ...programWords])})(?: (?:${lowered(programWords)}|\\p{Ll}{2}))? (?:${musts}|${acts}(?= [\\p{L}\\p{N}]))`,
      ],
      [5, `(?:${lowered(agentWords)})(?: \\p{L}+){1,4}? (?:${acts}|${musts} \\p{L}+)(?= [\\p{L}\\p{N}])`],
      [4, `(?:without|no) (?:${both("consent")})(?= |$)`],
      [
        4,
        `(?:${both("void")}) (?:\\p{L}+ )?(?:${both("previous")}) (?:\\p{L}+ )?(?:${both("rules")})|(?:${both("previous")}) (?:${both("rules")}) (?:${both("void")})`,
      ],
    ] as const
  ).map(([least, pattern]) => [least, new RegExp(`(?<=^| )(?:${pattern})`, "iu")]),
);
const orderedIn = (text: string): number | undefined =>
  text.matchAll(joined).find(({ 0: one }) => {
    const parts = one.toLowerCase().split(/[-_.:]+/);
    return joinedOrders().some(([least, order]) => parts.length >= least && order.test(parts.join(" ")));
  })?.index;

/** The same as words. */
const hyphened = /(?<![\p{L}\p{N}])\p{L}+(?:[-_.:]\p{L}+){3,}(?!\p{L})/gu;
const parted = (word: string): string => word.toLowerCase().replace(/[-_.:]/g, " ");

/** `KI-Assistent`, `agent-IA`. */
const compound = /(?<=(?<![\p{L}\p{N}])(?:AI|KI|IA|ИИ|LLM))-(?=\p{L})|(?<=\p{L})-(?=(?:AI|KI|IA)(?![\p{L}\p{N}]))/gu;

/** `Claude/GPT`. */
const paired = lazy(
  () =>
    new RegExp(
      String.raw`/(?<=(?<![\p{L}\p{N}])(?:${alternatives(agentWords)})/)(?=(?:${alternatives(agentWords)})(?![\p{L}\p{N}]))`,
      "gu",
    ),
);
/** Letters, blanks and signs of a sentence, no bytes. */
const isText = (text: string): boolean => /^[\p{L}\p{N}\p{P}\p{S}\s]+$/u.test(text) && / \S+ /.test(text);
const turned = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) => {
    const [from, code] = [letter <= "Z" ? 65 : 97, letter.charCodeAt(0)];
    return String.fromCharCode(((code - from + 13) % 26) + from);
  });
/** Words for the agent, each letter moved by 13. */
const turnedWords = lazy(
  () =>
    new RegExp(
      `\\b(?:${[...agentWords, ...programWords, ...listed(table.void)]
        .filter((word) => /^[a-z]{5,}$/.test(word))
        .map(turned)
        .join("|")})\\b`,
      "i",
    ),
);
/** What a line says in base64, in hexadecimal or with its letters moved. */
function decodedIn(line: string): readonly (readonly [number, string])[] {
  const found: (readonly [number, string])[] = [];
  const long = /[\w+/-]{24}/.test(line) ? line : "";
  for (const { 0: word, index } of long.matchAll(
    /(?<![\w+/])(?:[A-Za-z0-9+/]{24,}={0,2}|[A-Za-z0-9_-]{24,})(?![\w+/])/g,
  )) {
    if (found.length === mostDecoded) break;
    const bytes = /^(?:[\da-f]{2})+$/i.test(word) ? Buffer.from(word, "hex") : Buffer.from(word, "base64");
    const text = bytes.toString("utf8");
    if (isText(text)) found.push([index, text]);
  }
  if (turnedWords().test(line)) found.push([0, turned(line)]);
  return found;
}
/** A line that is all such words is data. */
const mostDecoded = 8;

/** `reviewer-bot: …`, and a blank as DNS writes it. */
const ownName = /(?<![\w-])[a-z]+-(?:bot|assistant|copilot)(?=:\s)|(?<=\S)\\032(?=\S)/giu;
/** What a line says to a reader who sees through how it is written; as long as the line, where that is possible. */
function unmasked(line: string): string {
  // Full-width letters are one unit each, as plain ones.
  const folded = hasWide.test(line) ? line.normalize("NFKC") : line;
  const plain = folded.length === line.length ? folded : line;
  const latin = /[a-z][\u0400-\u04ff]|[\u0400-\u04ff][a-z]/iu.test(plain)
    ? plain.replace(/[\u0400-\u04ff]/g, (letter) => lookalikes[letter] ?? letter)
    : plain;
  const close = latin.replace(/(?<!\S)\S(?: {1,2}\S(?!\S)){7,}/gu, (letters) => letters.replace(/ ( ?)/g, "$1"));
  const plainly = /\\u[\da-f]{4}|&#x?[\da-f]{2,6};/i.test(close)
    ? close.replace(/\\u([\da-f]{4})|&#x([\da-f]{2,6});|&#(\d{2,6});/gi, (whole, unit, hex, decimal) => {
        const code = decimal === undefined ? Number.parseInt(unit ?? hex, 16) : Number(decimal);
        return code > 31 && code < 0x11_00_00 ? String.fromCodePoint(code) : whole;
      })
    : close;
  const named = /-(?:bot|assistant|copilot):|\\032/i.test(plainly)
    ? plainly.replace(ownName, (name) => (name === "\\032" ? "    " : "bot".padStart(name.length)))
    : plainly;
  const handles = named
    .replace(paired(), " ")
    .replace(/@[\w-]*(?:bot|agent|assistant|copilot)(?![\w.-])/giu, (handle) => "@agent".padEnd(handle.length));
  // Of a request line: what its signs stand for.
  return /%[2-7][\dA-F]|=(?:\w+[+:,]+){2,}\w/i.test(handles)
    ? handles
        .replace(/(?<=\w|%[2-7][\dA-F]|[:,])\+(?=\w|%[2-7][\dA-F])/gi, " ")
        .replace(/%0[AD]/gi, " ")
        .replace(/%([2-7][\dA-F])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : handles;
}

const chunk = 400;

/** Where a line speaks to the agent. Each look takes a bounded piece. */
export function speechAt(line: string): number | undefined {
  const open = spokenAt(unmasked(line));
  if (open !== undefined) return Math.min(open, line.length);
  return decodedIn(line).find(([, text]) => spokenAt(text) !== undefined)?.[0];
}

function spokenAt(text: string): number | undefined {
  for (let from = 0; from < Math.max(1, text.length); from += chunk / 2) {
    const piece = text.slice(from, from + chunk);
    const form = forms.map((pattern) => pattern.exec(piece)?.index).find((at) => at !== undefined);
    if (form !== undefined) return from + form;
    if (!anyInitials().test(piece) && !anyStem().test(piece)) continue;
    const order = orderedIn(piece);
    if (order !== undefined) return from + order;
    const { signs, placeOf } = signsOf(piece.replace(compound, " ").replace(hyphened, parted));
    const at = patterns()
      .map((pattern) => pattern.exec(signs)?.index)
      .find((index) => index !== undefined);
    if (at !== undefined) return from + placeOf(at);
  }
  return undefined;
}

/** Whether any line of a text speaks to the agent: it is data, and people must see the attempt. */
export const speaksToAgent = (text: string): boolean => text.split("\n").some((line) => speechAt(line) !== undefined);
