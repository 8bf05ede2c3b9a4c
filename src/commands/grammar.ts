import { firstBlock, talkLines } from "../text/talk.ts";

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
/** What parts words: a no-break or zero-width space does not, since nobody sees which of the two it is. */
const blank = /[ \t]+/;

/**
 * The slash command of a comment, by SR-22: the first line that is left after quotes, code and HTML comments are taken out
 * must begin with it, in ASCII. One in backticks is a hint. Everything else is talk: undefined. Linear in the comment.
 */
export function parseSlashCommand(body: string, prefixes: readonly string[]): SlashCommand | Hint | undefined {
  const lines = body.replace(/\r\n?/g, "\n").split("\n");
  const [first] = talkLines(lines);
  if (!first) return undefined;
  const line = first.text.replace(/^[ \t]+/, "");
  const quoted = /^`+\s*\/([A-Za-z][A-Za-z-]*)/.exec(line);
  if (quoted?.[1]) return { kind: "hint", verb: quoted[1].toLowerCase() };

  const words = line.split(blank).filter((word) => word !== "");
  if (prefixes.some((prefix) => words[0]?.toLowerCase() === `/${prefix.toLowerCase()}`)) {
    words.shift();
    words[0] = `/${(words[0] ?? "").replace(/^\//, "")}`;
  }
  const verb = verbPattern.exec(words.shift() ?? "")?.[1];
  if (!verb) return undefined;
  const leading = takeFlags(words, "leading");
  const { ids, after } = takeIds(leading.words);
  const { flags, words: rest } = takeFlags(after, "all");
  return {
    kind: "command",
    verb: verb.toLowerCase(),
    ids,
    flags: new Map([...leading.flags, ...flags]),
    words: rest,
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
function takeIds(words: readonly string[]): { readonly ids: readonly Id[] | "all"; readonly after: readonly string[] } {
  if (words[0]?.toLowerCase() === "all") return { ids: "all", after: words.slice(1) };
  const ids: Id[] = [];
  for (const [at, word] of words.entries()) {
    const parts = word.split(",").filter((part) => part !== "");
    const matches = parts.map((part) => idPattern.exec(part));
    if (parts.length === 0 || matches.some((match) => match === null)) return { ids, after: words.slice(at) };
    for (const match of matches) {
      if (!match) continue;
      ids.push({ number: Number(match[1]), ...(match[2] ? { pin: match[2].toLowerCase() } : {}) });
    }
  }
  return { ids, after: [] };
}

/** Takes the flags off: those that stand before everything else, or all of them. */
function takeFlags(
  words: readonly string[],
  which: "leading" | "all",
): { flags: Map<string, string>; words: string[] } {
  const flags = new Map<string, string>();
  const rest: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? "";
    if (!/^--[a-z][a-z-]*$/i.test(word) || (which === "leading" && rest.length > 0)) rest.push(word);
    else if (valued.has(word.toLowerCase())) flags.set(word.toLowerCase(), words[++i] ?? "");
    else flags.set(word.toLowerCase(), "");
  }
  return { flags, words: rest };
}
