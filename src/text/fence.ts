import { breakMarkers, guardLines, guardMark, isBotCommand } from "./commands-of-bots.ts";
import { clean } from "./read/clean.ts";
import { withoutSigns } from "./signs.ts";
import { isSplitPair } from "./truncate.ts";

/** One backtick more than the longest run inside, at least `least`. */
function ticksFor(text: string, least: number): string {
  const runs = text.match(/`+/g) ?? [];
  return "`".repeat(runs.reduce((most, run) => Math.max(most, run.length + 1), least));
}

/** A code block that nothing inside can close; lines that look like a bot's command get a visible prefix (SR-42, SR-43). */
export function fence(text: string, info: "text" | "sh" = "text"): string {
  const body = breakMarkers(guardLines(text.replace(/\r\n?|[\u2028\u2029]/g, "\n").replace(/\n$/, "")));
  const ticks = ticksFor(body, 3);
  return `${ticks}${info}\n${body}\n${ticks}`;
}

/**
 * A code block with exactly this text, without marks. If a line could be another bot's command, the block is in a quote, whose bar begins
 * every line and belongs to Markdown, not to the block.
 */
export function exact(text: string, info: "text" | "sh" | "diff" = "sh"): string {
  const ticks = ticksFor(text, 3);
  const lines = [`${ticks}${info}`, ...text.split("\n"), ticks];
  return (lines.some(isBotCommand) ? lines.map((line) => (line === "" ? ">" : `> ${line}`)) : lines).join("\n");
}

/** An inline code span that nothing inside can close; on one line. */
export const code = (text: string): string => span(clean(text).replace(/\s+/g, " ").trim());

/** A line of a program as such a span, with its indentation. */
export const codeLine = (text: string): string =>
  span(clean(text).replaceAll("\t", "  ").replaceAll("\n", " ").trimEnd());

function span(text: string): string {
  const line = breakMarkers(text);
  if (line === "") return "` `";
  const ticks = ticksFor(line, 1);
  const pad = line.startsWith("`") || line.endsWith("`") ? " " : "";
  return ticks + pad + line + pad + ticks;
}

/** One line as code in a line of HTML, where GitHub reads no Markdown: a backslash would show, and a name outside of code would notify. */
export const htmlCode = (text: string): string =>
  `<code>${escapeHtml(breakMarkers(clean(text).replace(/\s+/g, " ").trim()))}</code>`;

/** About a line and a half on a phone. */
const briefCharacters = 60;

/** The first line of a command as a code span; `…` marks a cut. */
export function brief(command: string): string {
  const [line = "", ...more] = clean(command)
    .trim()
    .split(/\s*\n\s*/);
  if (line.length <= briefCharacters) return code(more.length === 0 ? line : `${line} …`);
  const at = isSplitPair(line, briefCharacters) ? briefCharacters - 1 : briefCharacters;
  return code(`${line.slice(0, at).replace(/\s+\S{0,12}$/, "")} …`);
}

/**
 * Text that GitHub itself turns into a link, a message or, last, an emoji: `:white_check_mark:` reads like a run's head. GitHub does so
 * after Markdown, so a backslash does not help; it leaves code spans alone. Between digits a colon belongs to a time or its zone.
 */
const active =
  /(?:[a-z][a-z0-9+.-]{1,20}:\/\/|www\.|mailto:|xmpp:)\S+|[\w.+-]{0,64}@[\w.-][\w./-]{0,128}|(?:[\w.-]{1,100}\/[\w.-]{1,100})?#\d+|GH-\d+|([\w.:+-]{0,64}:(?!\d+:|\d\dZ:|\d\d[+-]\d\d:)[\w+-]{1,64}:(?:[\w.:+-]{0,256}[\w:+-])?)/gi;

const entities: Readonly<Record<string, string>> = { "<": "&lt;", ">": "&gt;", "&": "&amp;" };
const escapeHtml = (text: string): string => text.replace(/[<>&]/g, (sign) => entities[sign] ?? sign);
const escapeInline = (text: string): string => escapeHtml(text).replace(/[\\`*_[\]~|$]/g, "\\$&");

/** Text that opens a block (list, heading, rule, quote, fence, table) at the start of a line. */
const blockStart = /^(?:[-+=:#~](?=.)|[-+=:#~]$|\d{1,9}(?=[.)]$))/;

/** A list's number, which Markdown would count again. With a no-break space after it, it reads as written. */
export const numbered = (mark: string): string => `${mark}\u00a0`;
const listNumber = /^(\d{1,9}[.)])[ \t]/;

/** Two pieces of inline Markdown side by side; adjacent code spans would merge. */
export const joinInline = (left: string, right: string): string =>
  left.endsWith("`") && right.startsWith("`") ? `${left} ${right}` : left + right;

/** One line of untrusted text as inert Markdown without the bot's signs. Emphasis marks, links, HTML: all literal. */
function inertLine(given: string): string {
  const line = withoutSigns(given);
  let out = "";
  let copied = 0;
  for (const match of line.matchAll(active)) {
    const said = match[1] ?? match[0].replace(/[.,;:!?)'"\]]+$/, "");
    out = joinInline(out, escapeInline(line.slice(copied, match.index)));
    out = joinInline(out, code(said));
    copied = match.index + said.length;
  }
  // An exclamation mark before a link would make it an image.
  out = joinInline(out, escapeInline(line.slice(copied)).replace(/!$/, "\\!"));
  if (isBotCommand(out)) return guardMark + out;
  return out
    .replace(listNumber, (_start, mark: string) => numbered(mark))
    .replace(blockStart, (start) => (/\d/.test(start) ? `${start}\\` : `\\${start}`));
}

/** The bot's own sentence as one line: text between backticks stays code, all else is as inert as with `plain`. */
export const note = (text: string): string =>
  clean(text)
    .replace(/\s+/g, " ")
    .trim()
    .split(/(`[^`]{1,500}`)/)
    .map((part, index) => (index % 2 === 1 ? code(part.slice(1, -1)) : inertPart(part)))
    .reduce(joinInline, "");

/** Inert words with the spaces at their ends, for use beside other inline content. */
export function inertPart(words: string): string {
  const inner = words.trim();
  if (inner === "") return words === "" ? "" : " ";
  const start = words.startsWith(inner[0] ?? "") ? "" : " ";
  const end = words.endsWith(inner.at(-1) ?? "") ? "" : " ";
  return start + inertLine(inner) + end;
}

/** Untrusted text as one line of inert inline Markdown: no mention, reference, link, HTML, image or emphasis. */
export function plain(text: string): string {
  return inertLine(clean(text).replace(/\s+/g, " ").trim());
}
