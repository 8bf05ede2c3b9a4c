import { withheldReason } from "../withheld.ts";
import { isSurelyDrawn } from "./decide.ts";
import { matchLines } from "./lines.ts";
import { nameKind } from "./names.ts";
import { isDrawn, isDrawnPassword, isPublicId, looksRandom } from "./randomness.ts";
import type { Find, Span } from "./span.ts";
import { isPlainWord, isSecretValue, withoutBrackets } from "./values.ts";

/** A command or an expression behind its prompt. */
const prompt =
  /^[^\S\n]{0,8}(?:\+ |(?:[\w@.:~/[\]()-]{1,60}(?: [\w@.:~/[\]()-]{1,60})? ?)?(?:[$#>%❯]|PS[^>\n]{0,60}>){1,3}[ \t]{1,4})([^\n]{4,400})$/my;

const isPrompt = /^(?!=> )[^\n]{0,60}[$#>%❯](?:\s|$)/;

/** What prints the thing it is asked for, or makes it and prints it once; what lists or counts prints names and numbers. */
const getter =
  /(?<![\w-])(?:get|show|read|reveal|view|print|printenv|puts|select|hget|echo|output|access|decrypt|jq|yq|lookup|field|cat|head|tail|less|list-keys|list-connection-strings|keys list|regenerate(?:-key)?|renew|create|generate|issue|mint|rotate|reset|rand|keygen|gen(?:key|psk|pass)?|new|init|export|fetch|dump|hgetall|lrange)(?![\w-])|(?<=\s)token$|config:get|-raw\b|-field\b|--plain\b|base64 (?:-d|-D|--decode)|-o\s?tsv\b|get-(?:login-)?password|find-\w+-password/i;

const lister =
  /(?<![\w-])(?:ls|list|wc|grep -c|rev-parse|log|describe|apply|delete|rm|-o name|--help|--version|status)(?![\w-])/;

const makers =
  /(?:^|[|;&] ?|sudo )(?:pwgen|apg|gopass|pass|bw|op|mkpasswd|wg gen(?:key|psk)|openssl rand|age-keygen|htpasswd -n\w*|oathtool)(?![\w-])/;

/** A store's list, and a filter that takes an object's name and not what it holds. */
const asksForNames =
  /(?<![\w-])(?:pass|gopass|lpass|op|bw)\s(?:[a-z]{2,12}\s)?(?:ls|list|find|search)(?![\w-])(?!.*(?:password|secret|reveal))|\|\s?jq\s[^|]*\.(?:name|id|title|type|kind|created_?at|version|status)\b['"}\]) ]*$|--keys-only|-o\s?name$/i;

/** Whether a command asks for a secret by name, as no other of its words denies. */
function asksForSecret(command: string): boolean {
  if (asksForNames.test(command)) return false;
  if (makers.test(command) || withheldReason(command) !== undefined) return true;
  if (lister.test(command)) return false;
  const words = command.match(/[A-Za-z_][\w-]{1,80}/g) ?? [];
  return (
    getter.test(command) &&
    words.some(
      (one) =>
        nameKind(one) === "strong" ||
        /(?:auth|access|api|primary|secondary|join|license|signing)-?_?keys?$|^list-?keys$/i.test(one),
    )
  );
}

/** No file, object or time that is named after a secret. */
const isAnswer = (word: string): boolean =>
  isSecretValue(word, "strong") &&
  /[A-Za-z\d]/.test(word) &&
  isDrawn(word) &&
  !isPublicId(word) &&
  (!/^[\w-]+\.[a-z]{2,5}$|\/.*[./-]/.test(word) || isSurelyDrawn(word.replaceAll("/", "")));

/** More lines are no answer of one secret. */
const mostLines = 20;

const bare =
  /^(?:=> |\d{1,3}\) )?[ \t]*(?:"([^"\n]{4,4000})"|'([^'\n]{4,4000})'|(?![\p{L}\w.-]{1,60}=[^=[]|[A-Z_\d]{2,60}=$|[\w.*-]{1,64}:|<)([^\s"'{}[\]]{5,4000}))(?:[ \t]*\r?|\[[\w@. ~:/-]{1,60}\][$#] ?)$/u;

/** The bare words that a command answers which asks for a secret: below its prompt in the text, or all of the text. */
export function createFindAnswers(command?: string): Find {
  const file = fileOf(command ?? "");
  const isAsked = command !== undefined && !isSource.test(file) && (asksForSecret(command) || holdsKey.test(file));
  const isPublic = command !== undefined && /pub|sum|dgst|digest|hash|fingerprint|uuid|id\b/i.test(command);
  const parts = (command ?? "").split(/;|&&/).map((part) => part.trim());
  const isLastAsked = nameKind(shownVariable.exec(parts.at(-1) ?? "")?.[1] ?? "") === "strong";
  const isFirstAsked = parts.length === 1 || asksForSecret(parts[0] ?? "");
  return (text, watch) => {
    const spans: Span[] = [];
    if (isLastAsked) spans.push(...lastLine(text));
    matchLines(text, [prompt], (match) => {
      watch?.();
      const end = match.index + match[0].length;
      const isQuoted = /^\n(?:=> )?["']/.test(text.slice(end, end + 5));
      if (asksForSecret(match[1] ?? "") || (isQuoted && namesSecret(match[1] ?? "")))
        takeBare(text, end + 1, spans, { isKnown: false, isOne: asksForOne.test(match[1] ?? "") });
    });
    if (!isPublic && isShort(text)) spans.push(...firstDrawn(text));
    if (isAsked && asksForOne.test(command) && !asksAround.test(command)) spans.push(...onlyLine(text));
    if (holdsLogins.test(file)) spans.push(...lastFields(text));
    if (holdsKey.test(file)) spans.push(...onlyLine(text));
    if (isAsked) takeBare(text, 0, spans, { isKnown: true, isOne: asksForOne.test(command), isFirst: isFirstAsked });
    return spans;
  };
}

/** A command that shows one variable; if it ran last, the last line is that variable's value. */
const shownVariable = /^(?:echo\s["']?\$\{?|printenv\s)(\w{1,80})\}?["']?$/;

function lastLine(text: string): Span[] {
  const [, said = ""] = /(?:^|\n)(\S{8,4000})\s*$/.exec(text.slice(-4200)) ?? [];
  const start = text.trimEnd().length - said.length;
  return isSecretValue(withoutBrackets(said), "strong") && isDrawn(said) && !/\[REDACTED\]/.test(said)
    ? [{ start, end: start + said.length }]
    : [];
}

/** A file that a command shows, and whether its own name says that it holds logins or a key. */
const shownFile =
  /(?<![\w-])(?:cat|head|tail|less|more|bat|sed|awk|grep|type)\s(?:[^|;&\n]{0,200}[\s/\\])?\.?([\w.-]{3,80})["']?\s*$/;
const holdsLogins =
  /(?:^|[._-]|sasl_|pg|ht|chap|pap|smb)(?:pass(?:w(?:or)?ds?)?|creds?|credentials|secrets|logins?|auth|userlist|psk)(?:[._-](?:txt|conf|client|db|map|list))?$|passw(?:or)?d[._-]\w+$/i;
const holdsKey = /key_?file$|(?:^|[._-])(?:cookie|secret|token|psk|key)(?:[._-]?file)?$/i;

/** A program or a page for people names secrets. */
const isSource =
  /\.(?:go|py|rb|rs|jsx?|tsx?|java|kts?|cc?|cpp|h|cs|php|swift|scala|exs?|lua|sh|ps1|md|rst|adoc|html?|css|sql|proto|tf)$/i;

/** The name of the file that a command shows; the accounts' own has no passwords. */
function fileOf(command: string): string {
  const name = shownFile.exec(command)?.[1] ?? "";
  return /^(?:passwd|group|nsswitch\.conf|hosts\.\w+|[\w-]+\.pub)$/.test(name) ? "" : name;
}

const isPlace = (word: string): boolean => /^(?:\*|%any|\d{1,3}(?:\.\d{1,3}){3}\S*|[\da-f]*:[\da-f:]+)$/i.test(word);

/** `host:login:password`, `client server secret address`: the last field that is no place; of two lines of a word each the second. */
function lastFields(text: string): Span[] {
  const lines = [...text.matchAll(/^(?![#;])[^\n]{3,400}$/gm)];
  // Another kind of file has other lines too.
  if (!lines.every(([line]) => /^(?!-\s|@)[^\s={<][^={<]*$/.test(line.replace(/(?<=[:\s])\S+\s*$/, "")))) return [];
  const isPair = lines.length === 2 && lines.every(([line]) => /^\S+\s*$/.test(line) && !/[:=]\S/.test(line));
  return lines.flatMap(({ 0: line, index }, number) => {
    const fields = [...line.matchAll(/"[^"]*"|[^\s:"]+/g)];
    const last = fields.findLast((field) => !isPlace(field[0]));
    const said = last?.[0].replaceAll('"', "") ?? "";
    const isWanted = isPair ? number === 1 : fields.length > 1 && fields.length < 6 && last !== fields[0];
    if (
      !last ||
      !isWanted ||
      said.length < 3 ||
      !(isDrawn(said) || line[last.index - 1] === ":") ||
      /^\d{1,5}$/.test(said) ||
      /=/.test(line.slice(0, last.index))
    )
      return [];
    const start = index + last.index + (last[0].startsWith('"') ? 1 : 0);
    return isSecretValue(withoutBrackets(said), "strong") ? [{ start, end: start + said.length }] : [];
  });
}

/** The one line of a command that was asked for one value. It may have any signs. */
function onlyLine(text: string): Span[] {
  const said = text.trim();
  if (
    said.length < 4 ||
    /[\n\t]|\[REDACTED\]/.test(said) ||
    isMessage.test(said) ||
    isPublicId(said) ||
    isPlainWord(said) ||
    endsInPrompt.test(said)
  )
    return [];
  if (/^\/|^\d{1,3}$|^[a-z\d+.-]+:\/\/|^[{[<]/i.test(said) || !isSecretValue(withoutBrackets(said), "strong"))
    return [];
  const start = text.indexOf(said);
  return [{ start, end: start + said.length }];
}

/** What an object is, not what it holds. */
const asksAround = /\.(?:metadata\.[\w.]+|type|kind|status\.\w+)['"}]/;

const endsInPrompt = /\][$#]$/;

/** What a program says instead of a value. */
const isMessage =
  /^[\w ./-]{1,60}: |\b(?:error|denied|found|failed|invalid|usage|unknown|no|not|cannot|unable|exit|required|missing)\b|\.$|(?<!\S)(?:\S+ ){8}/i;

/** What a command prints that makes or shows one thing. */
const isShort = (text: string): boolean =>
  text.length <= 2000 && !text.includes("[REDACTED]") && text.trim().split("\n", 7).length <= 6;

/** A key that is all of the first line, for any command. */
function firstDrawn(text: string): Span[] {
  const [, blanks = "", word = ""] =
    /^(\s*"?)((?!\/|[\w-]*[a-z]{4,}\/[a-z]{3,})[A-Za-z\d+/_-]{16,1500}={0,2})(?="?[ \t]*\r?(?:\n|$)|\[[\w@. ~:/-]{1,60}\][$#] ?$)/.exec(
      text,
    ) ?? [];
  // A heading is no key: `OA3xOriginalProductKey`.
  if (!isSurelyDrawn(word.replaceAll("/", "")) || /[a-z](?:Key|Token|Password|Secret)$/.test(word)) return [];
  return [{ start: blanks.length, end: blanks.length + word.length }];
}

const namesSecret = (command: string): boolean =>
  (command.match(/[A-Za-z_][\w-]{1,80}/g) ?? []).some((one) => nameKind(one) === "strong");

/** Whether the text is the answer, and whether the command prints one value and nothing else. */
type AnswerShape = { readonly isKnown: boolean; readonly isOne: boolean; readonly isFirst?: boolean };

const asksForOne =
  /(?<![\w-])printenv [A-Z_\d]+$|-raw\b|-field[= ]|jsonpath|base64 (?:-d|-D|--decode)|config:get|--plain\b|-o\s?tsv|jq -r|(?<![\w-])(?:pass|gopass|lpass) show|op read|--print-value-only|hget|select \w+ from|get-login-password|find-\w+-password\b.* -w|token$/;

/** Lines of one word each, up to a blank line or the next prompt; of a command that is known, the first of few words too. */
function takeBare(text: string, from: number, spans: Span[], { isKnown, isOne, isFirst = true }: AnswerShape): void {
  for (let at = from, line = 0; at < text.length && line < mostLines; line++) {
    const newline = text.indexOf("\n", at);
    const end = newline === -1 ? text.length : newline;
    const said = text.slice(at, Math.min(end, at + 4100));
    if (said.trim() === "" && line > 0) return;
    if (!isKnown && isPrompt.test(said)) return;
    // A ruled heading.
    if (/^-{2,}/.test(text.slice(end + 1, end + 3))) return;
    if (isOne && said.includes("\t"))
      for (const cell of said.matchAll(/(?<=^|\t)[\w+/.~-]{16,1500}={0,2}(?=\t|\r?$)/g))
        if (isSurelyDrawn(cell[0].replaceAll("/", "")))
          spans.push({ start: at + cell.index, end: at + cell.index + cell[0].length });
    const match = bare.exec(said);
    // A store's entry: `app/version:2026.22.1`.
    const entry = /^[\w.-]+(?:\/[\w.-]+)+:(\S*)[ \t\r]*$/.exec(said)?.[1];
    const word =
      (entry === undefined || isSurelyDrawn(entry) || isDrawnPassword(entry) ? entry : "") ??
      match?.slice(1).find((one) => one !== undefined) ??
      (!/[:=]/.test(said) && isDrawnPassword(said.trim()) ? said.trim() : undefined) ??
      // A token of several parts looks like a name and its value.
      (isKnown && isSurelyDrawn(said.trim().split(":", 1)[0] ?? "")
        ? /^\S{16,4000}$/.exec(said.trim())?.[0]
        : undefined);
    if (word && (isAnswer(word) || (isKnown && looksRandom(word, 12) && isDrawn(word)))) {
      const start = at + said.lastIndexOf(word);
      spans.push({ start, end: start + word.length });
    } else if (
      word &&
      line === 0 &&
      isOne &&
      !isPublicId(word) &&
      isSecretValue(word, "strong") &&
      !/[/:=]|^\d+$|\.\w{2,5}$/.test(word)
    ) {
      spans.push({ start: at + said.indexOf(word), end: at + said.indexOf(word) + word.length });
    } else if (!isKnown && !/^[\w-]{1,40}:? /.test(said)) return;
    else if (
      isKnown &&
      isFirst &&
      line === 0 &&
      (isOne || !isOpened(text, end)) &&
      !said
        .trim()
        .split(" ")
        .slice(0, -1)
        .some((one) => nameKind(one) === "strong") &&
      isPhrase.test(said.trim()) &&
      isSecretValue(said.trim(), "strong")
    )
      spans.push({ start: at, end: at + said.trimEnd().length });
    at = end + 1;
  }
}

/** A line that what stands indented below belongs to, or netrc's words below its host. */
const isOpened = (text: string, end: number): boolean =>
  /^\r?\n(?:[ \t]+\S|(?:login|account|password) )/.test(text.slice(end, end + 40));

/** Words a person chose, and no message. */
const isPhrase =
  /^(?!.*\b(?:error|denied|found|failed|invalid|usage|unknown|no|not)\b)[\p{L}\d!#$%&*+_.-]{3,40}(?: [\p{L}\d!#$%&*+_.-]{3,40}){0,5}$/iu;
