import type { ParsedReply } from "./protocol.ts";

export interface WeakReply extends ParsedReply {
  /** It called tools and has not read their results. */
  readonly called: boolean;
  /** Unreadable calls. */
  readonly lostCalls: number;
  /** It or its provider declines. */
  readonly refused: boolean;
}

const maxRefusalCharacters = 600;
const declines =
  /^\W{0,10}(?:(?:(?:I(?:['’]m| am) (?:really |very |so )?)?sorry|I apologi[sz]e|unfortunately|apologies)\b[,.;:!\s—-]{0,5}(?:but )?)?(?:as an? [\w ]{2,40}, )?I (?:can(?:['’]?t|not| not)|am (?:not able|unable) to|['’]m (?:not able|unable) to|won['’]?t|will not|must decline)\b(?: to)? (?:help|assist|comply|do (?:that|this)|provide|fulfil|continue|support|answer|engage|discuss|participate)/i;

/** Returns whether the words only decline to help. */
export const isRefusal = (prose: string): boolean => prose.length <= maxRefusalCharacters && declines.test(prose);

const shellFence = /^ {0,3}(?:`{3,}|~{3,})\s*(?:ba|z|da)?(?:sh|shell|powershell|pwsh|ps1|cmd|bat)\s*$/im;
/** `run `df -h``, but not "run of 2", "the last run", "was run". */
const namedCommand =
  /(?<!\b(?:was|were|been|be|is|had|have|has|not|the|a|an|of|last|this|that|each|every|first|second|in|no)\s)\b(?:run|execute|try)\b(?!\s+(?:of\b|#?\d))[^.`\n]{0,30}`(?!\/)([^`\n]{2,200})`/gi;

/** A program and its words; not a label (`app=cart`), a name (`web-1`), a state (`OOMKilled`) or a field (`tier: web`). */
const commandLine = /^(?:[A-Z_]+=\S* +)*(?:[a-z][a-z0-9_]*|(?=\S* )[a-z~./][\w.+/-]*)(?![\w.:=/-])(?! *[:=] )/;

/** Returns whether the words name a command to run. */
export const namesCommands = (prose: string): boolean =>
  !prose.includes("/approve") &&
  (shellFence.test(prose) || [...prose.matchAll(namedCommand)].some(([, text = ""]) => commandLine.test(text)));
