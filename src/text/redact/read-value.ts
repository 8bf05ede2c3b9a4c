import { isDrawnPassword, mostDrawn } from "./randomness.ts";
import type { Span } from "./span.ts";

/** Values longer than this are cut into pieces by the next look; longer than any key file. */
const longest = 1_000_000;

const bounded = (body: string, limit: number): RegExp => new RegExp(`(?:${body}){0,${limit}}`, "y");

/** A quoted value up to its closing quote, over escapes; never over a line end. */
const quoted: Readonly<Record<string, string>> = {
  // A backslash joins the next line.
  '"': String.raw`[^"\\\r\n]|\\[^\r\n]|\\\r?\n[ \t]{0,40}`,
  // A shell closes the quote, escapes one and opens again.
  "'": String.raw`[^'\\\r\n]|'\\''|'"'"'|\\[^\n]|''(?=[^'\n]*')`,
  "`": String.raw`[^\x60\r\n]`,
  '"""': '[^"]|"(?!"")',
  "'''": "[^']|'(?!'')",
};

/**
 * A value without quotes: up to a blank, a quote or angle bracket; a list's or address' separator ends it only where the next
 * entry follows, since passwords hold such characters too.
 */
const bare = String.raw`[^\s"'\x60<>,;&|)\]}\\]|[,;|)\]}](?![\s,;&|)\]}"'\x60<]|$|[\w.%-]{1,40}["']?[=:])|&(?![\s,;&|)\]}"'\x60<]|$|(?:amp;)?[A-Za-z][A-Za-z._%-]{0,39}\d{0,3}=[^\s"'])|\\(?!["'nrt\\])|(?<=[^\s:=,;&|(\[{])[<>'](?=[^\s"'<>,;&|)\]}])(?!/)`;

/** A bracket that was opened within a value closes there. */
const openers: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };

const wholeLine = String.raw`[^\n]`;

/** By limit, then by body. */
const matchers = new Map<number, Map<string, RegExp>>();

function run(body: string, text: string, at: number, limit: number): number {
  const ofLimit = matchers.get(limit) ?? new Map<string, RegExp>();
  const matcher = ofLimit.get(body) ?? bounded(body, limit);
  matchers.set(limit, ofLimit.set(body, matcher));
  matcher.lastIndex = at;
  return at + (matcher.exec(text)?.[0].length ?? 0);
}

/** A string's opening quote behind the prefixes of many languages: `N'`, `b"`. */
const opening = /(?:[bBuUrRfFNLE@$]{0,2}(?!`))("""|'''|["'`])/y;

/** The same as the argument of a constructor: `String::from("`. */
const construction = /([A-Za-z_][\w.:]{0,50})!?\((?:[bBrNu]|&)?("""|'''|["'`])/y;

/** Functions whose argument says where a value is, not what it is. */
const getter =
  /(?:^|[.:])(?:get|env|look|read|load|file|fetch|find|var|param|secret|config|prompt|input|ask|require|import|i18n|translate|print|log|format|header|query|cookie|value|s?printf|[tf]$)|Get|Env/;

function openingAt(text: string, at: number): { readonly end: number; readonly quote: string } | undefined {
  opening.lastIndex = at;
  const plain = opening.exec(text);
  if (plain) return { end: at + plain[0].length, quote: plain[1] ?? "" };
  construction.lastIndex = at;
  const built = construction.exec(text);
  if (!built || getter.test(built[1] ?? "")) return undefined;
  return { end: at + built[0].length, quote: built[2] ?? "" };
}

/** More settings follow on the line: `user=1`, `port: 2`. */
const nextSetting = /[\s;&][\w.-]{1,60}["']?\s?[=:]/;

/**
 * The value that begins at `at`: what is inside its quotes, or the bare word; where `toLineEnd` allows it and nothing else
 * is set on the line, the rest of the line. Reads at most `limit` characters.
 */
export function readValue(text: string, at: number, toLineEnd: boolean, limit = longest): Span {
  const escaped = /\\{1,8}["']/y;
  escaped.lastIndex = at;
  const mark = escaped.exec(text)?.[0];
  if (mark) {
    const value = readEscaped(text, at + mark.length, mark, limit);
    const drawn = text.startsWith(mark, value.end) ? at : drawnEnd(text, at);
    return drawn > at ? { start: at, end: drawn } : value;
  }
  const open = openingAt(text, at);
  const body = quoted[open?.quote ?? ""];
  if (open && body) {
    const { end: start, quote } = open;
    const end = run(body, text, start, limit);
    if (end - start >= limit) return { start, end };
    // Some languages know no backslash: what it seems to escape closes.
    const closing = text.startsWith(quote, end) ? end : text.slice(start, end).lastIndexOf(`\\${quote}`) + start + 1;
    const after = text.charAt(closing + quote.length);
    const isClosed =
      closing === end ? !/[\w$#@!^~*]/.test(after) : /[\s>/]|^$/.test(after) || (quote === "'" && /[,;)]/.test(after));
    if (closing > start && isClosed) return { start, end: closing };
    // `read -p "Password: " password`: the quote ends what began before the name.
    if (text[start] === " ") return { start, end: start };
    // Where no closing quote comes, the quote stands for itself and the word is what it is.
    const drawn = drawnEnd(text, at);
    return { start: at, end: drawn > at ? drawn : end };
  }
  let end = run(bare, text, at, limit);
  const drawn = /\s|^$/.test(text.charAt(end)) ? end : drawnEnd(text, at);
  if (drawn > end) return { start: at, end: drawn };
  const opening = openers[text[end] ?? ""];
  const read = text.slice(at, end);
  if (opening && read.lastIndexOf(opening) > read.lastIndexOf(text[end] ?? "") && /^\s|^$/.test(text.charAt(end + 1)))
    end++;
  // An authenticator's seed is shown in groups of four.
  if (end - at === 4)
    end = Math.max(
      end,
      run(String.raw`(?:[A-Z2-7]{4} ){3,16}[A-Z2-7]{4}(?![\w])|(?:[a-z2-7]{4} ){3,16}[a-z2-7]{4}(?![\w])`, text, at, 1),
    );
  // Behind a colon the line is no query, and a password may read like the next of its settings.
  if (text[end] === "&" && text.startsWith(": ", at - 2)) end = run(String.raw`\S`, text, at, limit);
  if (text[end] === " ") end += /^(?: [a-z]{3,9}){11,23}(?=\s*$)/m.exec(text.slice(end, end + 256))?.[0].length ?? 0;
  if (!toLineEnd) return { start: at, end };
  const lineEnd = run(wholeLine, text, at, Math.min(limit, 400));
  const rest = text.slice(end, lineEnd);
  if (/\p{L}.*[^\p{L}'-]|[^\p{L}\p{N}_'-]|\d\p{L}/u.test(text.slice(at, end)) || /^\s*[,;)\]}]*\s*$/.test(rest))
    return { start: at, end };
  const isOneValue =
    !nextSetting.test(rest) &&
    !/\s-{1,2}[A-Za-z]/.test(rest) &&
    !/^\s+(?:#|\/\/|--|->|=>)/.test(rest) &&
    rest.split(/\s+/).length <= 6;
  return { start: at, end: isOneValue ? at + text.slice(at, lineEnd).trimEnd().length : end };
}

/** Behind a separator the next setting's name: of a query, or of others, with a blank in it if the line has parted others so before. */
const nextField = /&(?:amp;)?[A-Za-z][\w.%-]{0,40}=/y;
const nextName = /[,;&|]["']?(?:[A-Za-z]{4,40}|[A-Za-z]{1,20}_)[\w.%-]{0,40}["']?[=:]/y;
const nextLabel = /[,;] ?["']?[A-Za-z]{2,40}(?: [\w.%-]{1,40}){0,2}["']?[=:]/y;
const entity = /&(?:amp|lt|gt|quot|apos|#\d{1,5});/y;
const structural = /[\s,;.:)\]}"'\x60]|$/y;

/** What may end a drawn password, and what is more than one sign of it. */
const special = /\s|["'\x60\\<&,;|()[\]{}]/g;

/**
 * The end of a drawn password without quotes of its own, whose signs mean nothing: only a blank ends it, and what closes the quotes
 * and brackets that were open before it on its line. Where it is no such password, its beginning.
 */
function drawnEnd(text: string, at: number): number {
  const most = Math.min(text.length, at + mostDrawn);
  const value = text.slice(at, most);
  if (/^(?:\S{0,7}(?:\s|$)|[{[(]+["'])/.test(value)) return at;
  const near = text.slice(Math.max(0, at - 300), at);
  const line = near.slice(near.lastIndexOf("\n") + 1);
  const next = /[?&][\w.%-]{1,80}=$/.test(line) ? nextField : /[,;]/.test(line) ? nextLabel : nextName;
  let open: ReturnType<typeof openIn> | undefined;
  let [end, depth] = [most, 0];
  special.lastIndex = 0;
  for (let found = special.exec(value); found; found = special.exec(value)) {
    const [sign] = found;
    end = at + found.index;
    if (/\s/.test(sign)) break;
    entity.lastIndex = next.lastIndex = end;
    const isEntity = sign === "&" && entity.test(text);
    if (isEntity) special.lastIndex = entity.lastIndex - at;
    else if (found.index > 0 && /[,;&|]/.test(sign) && next.test(text)) break;
    else if (sign === "<" && text[end + 1] === "/" && /<[A-Za-z]/.test(line)) break;
    else if (/[\\"'\x60()[\]{}]/.test(sign)) {
      open ??= openIn(line);
      structural.lastIndex = end + 1;
      if (sign === "\\" && (open.quote === '"' || isEscaped(near, text, end))) {
        if (/[nrt]/.test(text.charAt(end + 1))) break;
        special.lastIndex++;
      } else if (sign === open.quote) {
        if (!text.startsWith("'\\''", end)) break;
        special.lastIndex += 3;
      } else if (/[([{]/.test(sign)) depth++;
      else if (openers[sign] !== undefined && depth > 0) depth--;
      else if (open.brackets.includes(openers[sign] ?? "") && structural.test(text)) break;
    }
    end = most;
  }
  return (end < most || most === text.length) && isDrawnPassword(text.slice(at, end)) ? end : at;
}

/** Whether the text stands in a string whose beginning is far away, as in a payload on one line: others of its escapes tell. */
const isEscaped = (near: string, text: string, at: number): boolean => {
  escapedLine.lastIndex = at;
  return /\\[nrt"]/.test(near) || escapedLine.test(text);
};
const escapedLine = /\\[nrt]\s*[\w.-]{2,40}\s?[=:]/y;

/** What a line's beginning opens and does not close. */
function openIn(line: string): { readonly quote: string | undefined; readonly brackets: readonly string[] } {
  let quote: string | undefined;
  const brackets: string[] = [];
  for (const { 0: sign } of line.matchAll(/\\.|["\x60()[\]{}]|(?<!\w)'|'(?!\w)/g)) {
    if (sign === quote) quote = undefined;
    else if (quote !== undefined || sign.startsWith("\\")) continue;
    else if (/["'\x60]/.test(sign)) quote = sign;
    else if (openers[sign] === undefined) brackets.push(sign);
    else if (openers[sign] === brackets.at(-1)) brackets.pop();
  }
  return { quote, brackets };
}

/** All of the line from `at` on. */
export const restOfLine = (text: string, at: number): Span => ({
  start: at,
  end: at + text.slice(at, run(wholeLine, text, at, longest)).trimEnd().length,
});

/** JSON inside JSON: the value ends where the same escaped quote comes again; its own signs are escaped once more. */
function readEscaped(text: string, start: number, mark: string, limit: number): Span {
  const [quote, slashes] = [RegExp.escape(mark), String.raw`\\`.repeat(mark.length)];
  const end = run(
    String.raw`[^"'\n\\]|${slashes}(?:${quote}|${slashes}|[^"'\\])|\\(?!\\*["'])|(?!${quote})["']`,
    text,
    start,
    limit,
  );
  return { start, end };
}
