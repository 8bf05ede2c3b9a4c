import { editDistance } from "../base/problems.ts";
import { type Hint, type Id, parseSlashCommand, type SlashCommand } from "./grammar.ts";
import { firstBlock, talkLines } from "./talk.ts";
import { nearestVerb, takesNumbers, verbNamed, verbs } from "./verbs.ts";

/**
 * Finds text meant as a slash command: `/ approve 2`, `/hold!`, `- /approve 2`, an invisible letter. It is only answered, never done
 * (SR-22). Paths such as `/run/docker.sock` and talk do not count. Linear in the comment.
 */
export function findNearMiss(body: string, prefixes: readonly string[]): Hint | undefined {
  const lines = body.replace(/\r\n?/g, "\n").split("\n");
  const talk = [...talkLines(lines)];
  const [first, ...others] = talk.filter(({ onlyCode }) => !onlyCode);
  if (!first) {
    if (talk.length > 0) return undefined;
    const code = (firstBlock(lines)?.join("\n") ?? (/^(?: {4}|\t)/m.test(body) ? body : "")).trim();
    const [slash, ...rest] = code.split("\n").map((line) => readSlash(line, prefixes));
    if (!slash || !isWhole(slash, [])) return undefined;
    if (isBare(slash) && arePaths(rest.filter((other) => other !== undefined))) return undefined;
    return { kind: "hint", why: "code", verb: slash.verb, ids: slash.ids };
  }
  const below = lines.slice(first.index + 1);
  const slashed = inOtherForm(first.text, below, prefixes);
  if (slashed) return slashed;
  // `lgtm /approve 3`
  const agreeing = assent.exec(first.text)?.[0].length;
  const agreed =
    agreeing === undefined ? undefined : readSlash(first.text.slice(agreeing).replace(/[\s.!]+$/, ""), prefixes);
  const [next] = agreed?.words ?? [];
  if (agreed && isWhole(agreed, []) && (next === undefined || behind.test(next))) return hint(agreed.verb, agreed.ids);
  const later = commandBelow(body, prefixes);
  if (later) return { kind: "hint", why: "place", verb: later.verb, ids: later.ids };
  return others.length === 0 ? (withoutSlash(first.text) ?? consentIn(first.text)) : undefined;
}

/** Finds a command after the bot's name, `@countersign /hold`: as a question to the agent it would hold nothing. Linear in the comment. */
export function commandAddressed(body: string, login: string, prefixes: readonly string[]): Hint | undefined {
  const address = new RegExp(String.raw`^\s*@${RegExp.escape(login)}(?:\[bot\])?(?![\w-])[\s,:;.!–—-]*`, "iu");
  const rest = body.replace(address, "");
  if (rest === body) return undefined;
  const [first = "", ...below] = rest.replace(/\r\n?/g, "\n").split("\n");
  const slash = readSlash(first, prefixes);
  if (slash) return isWhole(slash, below) ? hint(slash.verb, slash.ids) : undefined;
  const near = findNearMiss(rest, prefixes);
  return near?.why === "form" || near?.why === "slash" ? near : undefined;
}

/** More words before a command are talk about it. */
const assents =
  "(?:ok|okay|k|yes|yep|yeah|yup|ya|sure|lgtm|sgtm|looks? (?:good|fine|ok)|sounds good|please|pls|plz|go|go ahead|do it|do|good|great|fine|perfect|cool|ack|agreed?|approved|alright|right|thanks|thank you|thx|ty|now|and|then|so|just|ja|oui|sí|si|da|bitte|klar|gut|por favor|vale|s'il te plaît|d'accord)";
const assent = new RegExp(
  String.raw`^[^\p{L}/]*(?:${assents}[\s,;:.!–—-]+(?:\p{Emoji_Presentation}\s*)*){1,2}(?=/)`,
  "iu",
);

/** A server's name, a dash, or the beginning of a reason; any other word may continue a sentence. */
const behind = /^(?:\w+[-.]?\w*\d|[^\p{L}\p{N}]|(?:because|since|now|please|pls|plz|thanks|thx)(?!\p{L}))/iu;

/** Finds the first whole command below the first line, which is a part of the note. */
export function commandBelow(body: string, prefixes: readonly string[]): SlashCommand | undefined {
  const lines = body.replace(/\r\n?/g, "\n").split("\n");
  const [, ...others] = [...talkLines(lines)].filter(({ onlyCode }) => !onlyCode);
  const slashes = others.flatMap(({ index, text }) => {
    const slash = readSlash(text, prefixes);
    return slash ? [{ slash, below: lines.slice(index + 1, index + 3) }] : [];
  });
  const isList = arePaths(slashes.map(({ slash }) => slash));
  return slashes.find(({ slash, below }) => isWhole(slash, below) && !(isList && isBare(slash)))?.slash;
}

function readSlash(line: string, prefixes: readonly string[]): SlashCommand | undefined {
  const slash = /^ {0,3}\//.test(line) ? parseSlashCommand(line, prefixes) : undefined;
  return slash?.kind === "command" ? slash : undefined;
}

/** Beside `/health`, `/status` is an address and no command. */
const arePaths = (slashes: readonly SlashCommand[]): boolean => slashes.some(({ verb }) => !verbNamed(verb));

const isBare = ({ ids, words }: SlashCommand): boolean => ids.length === 0 && words.length === 0;

/** A whole command is no part of a sentence or list of paths. */
function isWhole({ verb, ids, words }: SlashCommand, below: readonly string[]): boolean {
  const command = verbNamed(verb);
  if (!command) return false;
  if (command.verb === "run") return words.length > 0 && hasBlock(below);
  return takesNumbers(command) ? ids === "all" || ids.length > 0 : words.length === 0;
}

const hasBlock = (below: readonly string[]): boolean =>
  below.slice(0, 2).some((line, at) => /^ {0,3}(?:`{3,}|~{3,})/.test(line) && (at === 0 || below[0]?.trim() === ""));

/** Drawn as nothing, or says only how a character is drawn. */
const unseen = /[\p{Cf}\p{Mn}\p{Default_Ignorable_Code_Point}]/gu;
const slashLike = /[\u2044\u2215\u2571\u29f8]/gu;
const decoration = /^(?:\d{1,3}[.)]\s+|\[[ xX]?\]|[^\p{L}\p{N}/\\])*/u;

/** As people read it: compatible characters made plain, no invisible ones, no accents. */
const asRead = (text: string): string =>
  text.normalize("NFKC").normalize("NFD").replace(unseen, "").replace(slashLike, "/").trim();

/** Even a misspelled verb is not longer. */
const maxLetters = 20;

function inOtherForm(text: string, below: readonly string[], prefixes: readonly string[]): Hint | undefined {
  const read = asRead(text);
  const line = read.replace(decoration, "");
  const slashes = /^[/\\]+(\s*)/.exec(line);
  if (!slashes) return undefined;
  // A lone slash may be the root of all files, and a bullet may precede a path.
  const isDoubtful = slashes[1] !== "" || line !== read;
  const begins = wordOf(line.slice(slashes[0].length));
  const isPrefixed = prefixes.some((prefix) => prefix.toLowerCase() === begins.word.toLowerCase());
  const { word, rest } = isPrefixed ? wordOf(begins.rest.replace(/^[\s/\\:,-]+/, "")) : begins;
  const name = word.toLowerCase();
  const joined = /^(.*)all$/.exec(name)?.[1] ?? "";
  if (verbNamed(joined)) return hint(joined, "all");
  const isGuess = isPrefixed || /[^a-z]/.test(name);
  const glued = /^\d{1,6}(?![\p{L}\p{N}/.-])/u.test(rest) ? misspelledDecision(name, 2) : undefined;
  const verb = verbNamed(name) ? name : isGuess && name.length <= maxLetters ? nearestVerb(name) : glued;
  // Only we have the prefix, so its writer wants an answer.
  const isAddressed = isPrefixed && !isDoubtful && /^(?:[\s:,]|$)/.test(begins.rest);
  if (verb === undefined) return isAddressed ? hint("help", []) : undefined;
  return isMeant(verb, rest, { isDoubtful, below }) ? hint(verb, numbersIn(rest)) : undefined;
}

const hint = (verb: string, ids: readonly Id[] | "all"): Hint => ({ kind: "hint", why: "form", verb, ids });

/** With so many wrong letters: people type these when somebody waits. */
const misspelledDecision = (name: string, most: number): string | undefined =>
  name.length > maxLetters
    ? undefined
    : [verbs.approve.verb, verbs.reject.verb, verbs.cancel.verb].find(
        (verb) => verb[0] === name[0] && editDistance(name, verb) <= (verb.length > 6 ? most : 1),
      );

const wordOf = (text: string): { readonly word: string; readonly rest: string } => {
  const word = /^\p{L}*/u.exec(text)?.[0] ?? "";
  return { word, rest: text.slice(word.length) };
};

/** Otherwise the verb begins a path or a sentence. */
function isMeant(
  verb: string,
  rest: string,
  { isDoubtful, below }: { readonly isDoubtful: boolean; readonly below: readonly string[] },
): boolean {
  const command = verbNamed(verb);
  // `/run` is also a place on every Linux server.
  if (command?.verb === "run") return hasBlock(below);
  const isNumbered = command !== undefined && takesNumbers(command);
  if (isNumbered && /^[^\p{L}\p{N}]{0,3}\d{1,6}(?![\p{L}\p{N}/])/u.test(rest)) return true;
  if (/^[\s_,.:-]*all(?![\p{L}\p{N}/-])/iu.test(rest)) return true;
  // `/output/ is full`
  if (rest.startsWith("/")) return false;
  return isDoubtful ? /^[\p{P}\p{S}\s]*$/u.test(rest) : /^[\p{P}\p{S}]*(?=\s|$)/u.test(rest);
}

function numbersIn(rest: string): readonly Id[] | "all" {
  if (/^[^\p{L}\p{N}]*all(?![\p{L}\p{N}])/iu.test(rest)) return "all";
  const leading = /^(?:[^\p{L}\p{N}]*\d{1,6}(?![\p{L}\p{N}]))*/u.exec(rest)?.[0] ?? "";
  return (leading.match(/\d+/g) ?? []).map((digits) => ({ number: Number(digits) }));
}

/** A verb, perhaps with a wrong letter, and its numbers with a possible reason, or a bare `hold` or `approve`. */
function withoutSlash(text: string): Hint | undefined {
  const { word, rest } = wordOf(asRead(text));
  const typed = word.toLowerCase();
  const name = verbNamed(typed) ? typed : (misspelledDecision(typed, 1) ?? "");
  const command = verbNamed(name);
  if (!command) return undefined;
  const isBare = /^(?:\s+all)?[\s.!]*$/i.test(rest) && (command.verb === "hold" || typed === verbs.approve.verb);
  const numbers = takesNumbers(command)
    ? /^\s+(?:all|#?\d{1,6}(?:[\s,&+]+(?:and\s+)?#?\d{1,6})*)(?=[\s.,!]|$)[\s.,!]*/i.exec(rest)?.[0]
    : undefined;
  const next = numbers === undefined ? undefined : rest.slice(numbers.length);
  const isMeant = isBare || next === "" || (next !== undefined && behind.test(next));
  return isMeant ? { ...hint(name, numbersIn(rest)), why: "slash" } : undefined;
}

const agreeing =
  "(?:ok(?:ay)?|yes|yep|yeah|sure|lgtm|sgtm|looks? good|sounds good|fine(?: by me)?|approved?|agreed|confirmed|alright|please|pls|bitte|ja|klar|genehmigt|freigegeben|oui|d'accord|sí|vale|de acuerdo)";
const goingOn =
  "(?:(?:you (?:can|may) |let's |let us )?(?:go ahead(?: and (?:run|do|execute))?|go for it|go on|go|proceed|run|do|execute|ship|start|approve|mach(?:t)?|weiter|führ(?:e|t)?|allez-y|adelante)(?: (?:with|on|for|mit|avec|con))?)";
/** Numbers of commands and nothing else: any other word may make it a sentence about them. */
const consent = new RegExp(
  String.raw`^[^\p{L}\p{N}]*(?:(?:${agreeing}[\s,;:.!–—-]+){1,3}(?:${goingOn}\s+)?|${goingOn}\s+)(?:both |the (?:command|step)s? |commands? |steps? |numbers? |nr\.? )?(?<numbers>#?\d{1,6}(?:[\s,&+]{1,3}(?:(?:and|und|et|y|then)\s)?#?\d{1,6}){0,19})(?:\s*(?:please|pls|plz|thanks|thank you|thx|bitte|now|jetzt))?[\s.!]*(?:\p{Emoji_Presentation}\s*)*$`,
  "iu",
);

/** "approved, go ahead with 1 and 2": without an answer, the one who wrote it waits for something that never begins. */
function consentIn(text: string): Hint | undefined {
  const numbers = consent.exec(asRead(text))?.groups?.numbers;
  if (numbers === undefined) return undefined;
  const ids = (numbers.match(/\d+/g) ?? []).map((digits) => ({ number: Number(digits) }));
  return { kind: "hint", why: "consent", verb: verbs.approve.verb, ids };
}

/** Returns the `/ask` that a mention of the bot stands for, outside quotes, code and hidden text. Linear in the comment. */
export function mentionIn(body: string, login: string): SlashCommand | undefined {
  const mention = `@${login.toLowerCase()}`;
  const names = (text: string): boolean => {
    const at = text.toLowerCase().indexOf(mention);
    const around = `${text[at - 1] ?? " "}${text.slice(at + mention.length).replace(/^\[bot\]/, "")[0] ?? " "}`;
    // After a backtick it may be code; a mistake only makes a person type /ask.
    return at >= 0 && !/[\w`@/-]/.test(around) && !text.slice(0, at).includes("`");
  };
  const lines = body.replace(/\r\n?/g, "\n").split("\n");
  for (const { text } of talkLines(lines)) {
    if (!names(text)) continue;
    const rest = body.trim() === `@${login}` ? "" : body;
    return { kind: "command", verb: verbs.ask.verb, ids: [], flags: new Map(), words: [], rest, block: undefined };
  }
  return undefined;
}
