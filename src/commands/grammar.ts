/** A number of an action as somebody typed it; `pin` is the beginning of its digest, where they named it (SR-20). */
export interface Id {
  readonly number: number;
  readonly pin?: string;
}

export interface SlashCommand {
  readonly kind: "command";
  /** Lower case, without slash and prefix. Whether there is such a command is for the registry to say. */
  readonly verb: string;
  readonly ids: readonly Id[] | "all";
  /** `--keep-going` → "", `--timeout 10m` → "10m". */
  readonly flags: ReadonlyMap<string, string>;
  /** The words of the line after the numbers, without the flags. */
  readonly words: readonly string[];
  /** What follows the line in the comment. */
  readonly rest: string;
  /** The first fenced block below the line, where there is one: the command of `/run` and `/edit`. */
  readonly block: string | undefined;
}

/** Something that is nearly a slash command and is answered with how to give it. */
export interface Hint {
  readonly kind: "hint";
  readonly verb: string;
}

/** The flags that take a value. */
const valued = new Set(["--timeout"]);

const idPattern = /^(\d{1,6})(?:@([0-9a-fA-F]{8,64}))?$/;
const verbPattern = /^\/([A-Za-z][A-Za-z-]*)$/;

/**
 * The slash command of a comment, by SR-22: the first line that is left after quotes, code and HTML comments are taken out
 * must begin with it, in ASCII. One in backticks is a hint. Everything else is talk: undefined. Linear in the comment.
 */
export function parseSlashCommand(body: string, prefixes: readonly string[]): SlashCommand | Hint | undefined {
  const lines = body.replace(/\r\n?/g, "\n").split("\n");
  const first = firstVisibleLine(lines);
  if (!first) return undefined;
  const line = first.text.trim();
  const quoted = /^`+\s*\/([A-Za-z][A-Za-z-]*)/.exec(line);
  if (quoted?.[1]) return { kind: "hint", verb: quoted[1].toLowerCase() };

  const words = line.split(/\s+/);
  if (prefixes.some((prefix) => words[0]?.toLowerCase() === `/${prefix.toLowerCase()}`)) {
    words.shift();
    words[0] = `/${(words[0] ?? "").replace(/^\//, "")}`;
  }
  const verb = verbPattern.exec(words.shift() ?? "")?.[1];
  if (!verb) return undefined;
  const ids = takeIds(words);
  return {
    kind: "command",
    verb: verb.toLowerCase(),
    ids,
    ...takeFlags(words),
    rest: lines
      .slice(first.index + 1)
      .join("\n")
      .trim(),
    block: firstBlock(lines.slice(first.index + 1)),
  };
}

/** Who or why: the words after the numbers and all that follows. */
export const noteOf = (slash: SlashCommand, from = 0): string =>
  [slash.words.slice(from).join(" "), slash.rest].filter((part) => part !== "").join("\n");

/** Takes the leading numbers off; commas and spaces both part them. */
function takeIds(words: string[]): readonly Id[] | "all" {
  if (words[0]?.toLowerCase() === "all") {
    words.shift();
    return "all";
  }
  const ids: Id[] = [];
  while (words[0] !== undefined) {
    const parts = words[0].split(",").filter((part) => part !== "");
    const matches = parts.map((part) => idPattern.exec(part));
    if (parts.length === 0 || matches.some((match) => match === null)) break;
    for (const match of matches) {
      if (!match) continue;
      ids.push({ number: Number(match[1]), ...(match[2] ? { pin: match[2].toLowerCase() } : {}) });
    }
    words.shift();
  }
  return ids;
}

function takeFlags(words: readonly string[]): Pick<SlashCommand, "flags" | "words"> {
  const flags = new Map<string, string>();
  const rest: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? "";
    if (!/^--[a-z][a-z-]*$/i.test(word)) rest.push(word);
    else if (valued.has(word.toLowerCase())) flags.set(word.toLowerCase(), words[++i] ?? "");
    else flags.set(word.toLowerCase(), "");
  }
  return { flags, words: rest };
}

/** The first line that has anything left when quotes, fences, indented code and HTML comments are gone. */
function firstVisibleLine(lines: readonly string[]): { readonly index: number; readonly text: string } | undefined {
  let fence: string | undefined;
  let inComment = false;
  for (const [index, raw] of lines.entries()) {
    if (fence !== undefined) {
      if (closes(raw, fence)) fence = undefined;
      continue;
    }
    const { text, open } = withoutComments(raw, inComment);
    inComment = open;
    fence = opensFence(text);
    // Four columns of white space make a code block here, since no paragraph stands above it.
    if (fence !== undefined || text.trim() === "" || /^ {0,3}>/.test(text) || /^(?: {4}| {0,3}\t)/.test(text)) continue;
    return { index, text };
  }
  return undefined;
}

/** A line without what an HTML comment hides; `open` where one goes on into the next line. */
function withoutComments(line: string, inComment: boolean): { readonly text: string; readonly open: boolean } {
  let text = "";
  let at = 0;
  let hidden = inComment;
  for (;;) {
    const mark = hidden ? "-->" : "<!--";
    const found = line.indexOf(mark, at);
    if (!hidden) text += found === -1 ? line.slice(at) : line.slice(at, found);
    if (found === -1) return { text, open: hidden };
    at = found + mark.length;
    hidden = !hidden;
  }
}

const opensFence = (line: string): string | undefined => {
  const match = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
  if (!match?.[1]) return undefined;
  return match[1].startsWith("`") && match[2]?.includes("`") ? undefined : match[1];
};

const closes = (line: string, fence: string): boolean => {
  const match = /^ {0,3}(`{3,}|~{3,})\s*$/.exec(line);
  return match?.[1] !== undefined && match[1][0] === fence[0] && match[1].length >= fence.length;
};

function firstBlock(lines: readonly string[]): string | undefined {
  const from = lines.findIndex((line) => opensFence(line) !== undefined);
  const fence = from === -1 ? undefined : opensFence(lines[from] ?? "");
  if (fence === undefined) return undefined;
  const length = lines.slice(from + 1).findIndex((line) => closes(line, fence));
  // A fence that is never closed holds all that follows, as GitHub shows it.
  return lines.slice(from + 1, length === -1 ? undefined : from + 1 + length).join("\n");
}
