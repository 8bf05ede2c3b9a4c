import { clean } from "./read/clean.ts";
import { withoutSigns } from "./signs.ts";
import { isSplitPair } from "./truncate.ts";

/** One backtick more than the longest run inside, at least `least`. */
function ticksFor(text: string, least: number): string {
  const runs = text.match(/`+/g) ?? [];
  return "`".repeat(runs.reduce((most, run) => Math.max(most, run.length + 1), least));
}

/** A code block that nothing inside can close; bots' commands are marked (SR-42, SR-43). */
export function fence(text: string, info: "text" | "sh" = "text"): string {
  const body = breakMarkers(guardLines(text.replace(/\r\n?|[\u2028\u2029]/g, "\n").replace(/\n$/, "")));
  const ticks = ticksFor(body, 3);
  return `${ticks}${info}\n${body}\n${ticks}`;
}

/**
 * What bots read as a command: `/word` of this bot and Prow, some without a space after it, mentions, branch-deploy's `.word`,
 * Atlantis, bors, Jenkins' phrases, chat bots' `!word`; not `/dev/vda1` or `.bashrc:`.
 */
const commandStart = new RegExp(
  String.raw`^\s*(?:${[
    String.raw`[/.!][a-z][\w-]*(?!\S)`,
    `/(?:remove-)?(?:area|committee|kind|label|language|priority|sig|triage|wg)`,
    String.raw`\.(?:deploy|noop|lock|unlock|help|wcid|stop)`,
    String.raw`@\w`,
    String.raw`(?:atlantis|bors|bros|homu|jenkins)(?![^\s:,])`,
    String.raw`(?:test this|retest|ok to test|add to whitelist)\b`,
  ].join("|")})`,
  "i",
);

const isBotCommand = (line: string): boolean => commandStart.test(line);

/** Visible, because the line is no longer the original. */
const guardMark = "│ ";

export const guardLines = (text: string): string =>
  text
    .split("\n")
    .map((line) => (isBotCommand(line) ? guardMark + line : line))
    .join("\n");

/** Breaks text that looks like the bot's hidden marker. */
const breakMarkers = (text: string): string => text.replace(/<!--(?=\s*countersign)/gi, "<! --");

/** Shows exactly this text. If a line could be a bot's command, the block stands in a quote, whose bar begins each line. */
export function exact(text: string, info: "text" | "sh" | "diff" = "sh"): string {
  const ticks = ticksFor(text, 3);
  const lines = [`${ticks}${info}`, ...text.split("\n"), ticks];
  return (lines.some(isBotCommand) ? lines.map((line) => (line === "" ? ">" : `> ${line}`)) : lines).join("\n");
}

/** A one-line code span that nothing inside can close. */
export const code = (text: string): string => span(clean(text).replace(/\s+/g, " ").trim());

/** A code span that keeps a program's indentation. */
export const codeLine = (text: string): string =>
  span(clean(text).replaceAll("\t", "  ").replaceAll("\n", " ").trimEnd());

function span(text: string): string {
  const line = breakMarkers(text);
  if (line === "") return "` `";
  const ticks = ticksFor(line, 1);
  const pad = line.startsWith("`") || line.endsWith("`") ? " " : "";
  return ticks + pad + line + pad + ticks;
}

/** Code for HTML, in which GitHub reads no Markdown: backslashes would show, and names outside of code would notify. */
export const htmlCode = (text: string): string =>
  `<code>${escapeHtml(breakMarkers(clean(text).replace(/\s+/g, " ").trim()))}</code>`;

/** About a line and a half on a phone. */
const briefCharacters = 60;

/** The first line as a code span, cut with `…`; of a patch the files that it changes. */
export function brief(command: string): string {
  const [line = "", ...more] = (patchedFiles(command) ?? clean(command)).trim().split(/\s*\n\s*/);
  if (line.length <= briefCharacters) return code(more.length === 0 ? line : `${line} …`);
  const at = isSplitPair(line, briefCharacters) ? briefCharacters - 1 : briefCharacters;
  return code(`${line.slice(0, at).replace(/\s+\S{0,12}$/, "")} …`);
}

/** `patch of k8s/web.yaml`; undefined if it is no patch as `writePatch` writes it. */
function patchedFiles(command: string): string | undefined {
  if (!/^commit [0-9a-f]{40}\ndiff --git /.test(command)) return undefined;
  const [first = "", ...more] = [...command.matchAll(/^diff --git a\/(.+) b\/\1$/gm)].map(([, path = ""]) => path);
  return `patch of ${first}${more.length === 0 ? "" : ` and ${more.length} more`}`;
}

/**
 * What GitHub makes a link, mention or, last, emoji (`:white_check_mark:` looks like a run's head). It does so after Markdown, so
 * backslashes do not help, but spares code spans. A path with `www.` in it is taken whole. Between digits a colon belongs to a time or its zone.
 */
const active =
  /(?:[a-z][a-z0-9+.-]{1,20}:\/\/|[\w./-]{0,128}www\.|mailto:|xmpp:)\S+|[\w.+-]{0,64}@[\w.-][\w./-]{0,128}|(?:[\w.-]{1,100}\/[\w.-]{1,100})?#\d+|GH-\d+|([\w.:+-]{0,64}:(?!\d+:|\d\dZ:|\d\d[+-]\d\d:)[\w+-]{1,64}:(?:[\w.:+-]{0,256}[\w:+-])?)/gi;

const entities: Readonly<Record<string, string>> = { "<": "&lt;", ">": "&gt;", "&": "&amp;" };
const escapeHtml = (text: string): string => text.replace(/[<>&]/g, (sign) => entities[sign] ?? sign);
const escapeInline = (text: string): string => escapeHtml(text).replace(/[\\`*_[\]~|$]/g, "\\$&");

/** What opens a block at a line's start: list, heading, rule, quote, fence, table. */
const blockStart = /^(?:[-+=:#~](?=.)|[-+=:#~]$|\d{1,9}(?=[.)]$))/;

/** Markdown would renumber a list; a no-break space after the number prevents it. */
export const numbered = (mark: string): string => `${mark}\u00a0`;
const listNumber = /^(\d{1,9}[.)])[ \t]/;

/** Joins inline Markdown; adjacent code spans would merge. */
export const joinInline = (left: string, right: string): string =>
  left.endsWith("`") && right.startsWith("`") ? `${left} ${right}` : left + right;

/** One inert line, without the bot's signs. */
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
  // `!` before a link makes an image.
  out = joinInline(out, escapeInline(line.slice(copied)).replace(/!$/, "\\!"));
  if (isBotCommand(out)) return guardMark + out;
  return out
    .replace(listNumber, (_start, mark: string) => numbered(mark))
    .replace(blockStart, (start) => (/\d/.test(start) ? `${start}\\` : `\\${start}`));
}

/** The bot's own sentence on one line: backticks make code, all else is inert. */
export const note = (text: string): string =>
  clean(text)
    .replace(/\s+/g, " ")
    .trim()
    .split(/(`[^`]{1,500}`)/)
    .map((part, index) => (index % 2 === 1 ? code(part.slice(1, -1)) : inertPart(part)))
    .reduce(joinInline, "");

/** Inert words that keep the spaces at their ends. */
export function inertPart(words: string): string {
  const inner = words.trim();
  if (inner === "") return words === "" ? "" : " ";
  const start = words.startsWith(inner[0] ?? "") ? "" : " ";
  const end = words.endsWith(inner.at(-1) ?? "") ? "" : " ";
  return start + inertLine(inner) + end;
}

/** Makes untrusted text one inert line: no mention, reference, link, HTML, image or emphasis. */
export function plain(text: string): string {
  return inertLine(clean(text).replace(/\s+/g, " ").trim());
}
