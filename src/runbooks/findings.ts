/** Which step the output of a runbook's checks calls for (OFF-1). Pure. */

import { adviceOf } from "./sections.ts";

/** "`df -h` shows `100%`: `logrotate -f …`", or `# expect: 100%` below a command, or "Expected: `100%`" below its block. */
export interface OutputFinding {
  /** If undefined, any check may show it. */
  readonly check: string | undefined;
  /** One is enough; `*` is anything within a line. */
  readonly patterns: readonly string[];
  /** If empty, the runbook's acts in order. */
  readonly acts: readonly string[];
  /** `unclear`: it says "not", which a person must judge. */
  readonly means: "fault" | "healthy" | "unclear";
}

const label = /^\W*(?:expect(?:ed|s)?|erwart(?:et|e)|attendu|esperado|atteso|verwacht)\b/i;
const remark = /^\s*#\s*expect(?:ed|s)?\s*:\s*(.+?)\s*$/i;
const healthy = /\b(?:healthy|nothing to do|all is well|gesund|in ordnung|sain|sano)\b/i;
const negation = /\b(?:not|no|lacks?|without|never|isn't|doesn't|nicht|kein\w*|ohne|pas|sans|sin)\b/i;

/** Reads findings from lines that open with "Expected" or name one of the body's commands, as it writes them. */
export function findingsOf(
  body: string,
  { verify: looks, act }: { readonly verify: readonly string[]; readonly act: readonly string[] },
): readonly OutputFinding[] {
  const verify = [...new Set([...looks, ...[...adviceOf(body).values()].flatMap(({ check }) => check ?? [])])];
  const found: OutputFinding[] = [];
  let isCode = false;
  let check: string | undefined;
  for (const line of body.split(/\r?\n/)) {
    if (/^\s*(?:```|~~~)/.test(line)) {
      isCode = !isCode;
    } else if (isCode) {
      const pattern = remark.exec(line)?.[1];
      if (pattern !== undefined) found.push({ check, patterns: [pattern], acts: [], means: "fault" });
      const code = line.replace(/^\s*[$>]\s+/, "").trim();
      // The last line of a command joined at backslashes.
      if (code !== "" && !code.startsWith("#"))
        check = verify.find((command) => command === code) ?? verify.find((command) => command.endsWith(code));
    } else {
      const spans = [...line.matchAll(/(`+)\s*([^\n]*?)\s*\1(?!`)/g)].map((match) => match[2] ?? "");
      const checks = verify.filter((command) => spans.includes(command));
      const acts = act.filter((command) => spans.includes(command));
      const patterns = spans.filter((span) => span !== "" && !checks.includes(span) && !acts.includes(span));
      if (patterns.length === 0 || !(label.test(line) || checks.length + acts.length > 0)) continue;
      const words = line.replace(/`[^`]*`/g, " ");
      const means = negation.test(words) ? "unclear" : healthy.test(words) ? "healthy" : "fault";
      found.push({ check: checks[0] ?? (label.test(line) ? check : undefined), patterns, acts, means });
    }
  }
  return found;
}

/** Returns whether a line has the pattern as whole words (`active` is not in `inactive`), ignoring case, colors and spacing. */
export function shows(output: string, pattern: string): boolean {
  const parts = loose(pattern)
    .split("*")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  return (
    parts.length > 0 &&
    loose(output)
      .split("\n")
      .some((line) => holds(line, parts))
  );
}

const loose = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are made of them
    .replace(/\u001b\[[\d;]*[A-Za-z]/g, "")
    .toLowerCase()
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?([:=,|{}[\]"'()]) ?/g, "$1");

function holds(line: string, parts: readonly string[]): boolean {
  let from = 0;
  for (const [index, part] of parts.entries()) {
    const at = placeOf(line, part, from, { opens: index === 0, closes: index === parts.length - 1 });
    if (at < 0) return false;
    from = at + part.length;
  }
  return true;
}

/** Cuts no word at the pattern's ends. */
function placeOf(line: string, part: string, from: number, ends: { opens: boolean; closes: boolean }): number {
  for (let at = line.indexOf(part, from); at >= 0; at = line.indexOf(part, at + 1)) {
    const opens = !ends.opens || !cutsWord(line[at - 1], part[0]);
    const closes = !ends.closes || !cutsWord(part.at(-1), line[at + part.length]);
    if (opens && closes) return at;
  }
  return -1;
}

const isLetter = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}_]/u.test(character);
const cutsWord = (before: string | undefined, after: string | undefined): boolean =>
  isLetter(before) && isLetter(after);
