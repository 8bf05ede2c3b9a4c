/** Whether a text in a filter's language has a loop or a recursion that nothing in it ends. A count that is written out is an end. */

/** With more loops or functions than this a command is not looked at closely: nobody writes it. */
const maxLoops = 50;

/** More rounds than this nobody waits for. */
const maxCount = 1_000_000;

const isLong = (number: string): boolean => !(Math.abs(Number(number)) <= maxCount);

/** The text between the bracket at `from` and the one that closes it; all that follows where none does. */
function bracketed(text: string, from: number): string {
  const pairs: Readonly<Record<string, number>> = { "(": 1, "{": 1, "[": 1, ")": -1, "}": -1, "]": -1 };
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    depth += pairs[text.charAt(at)] ?? 0;
    if (depth === 0) return text.slice(from + 1, at);
  }
  return text.slice(from + 1);
}

/** What is called by a name, of text without strings. */
const callsOf = (text: string, name: string): readonly string[] =>
  [...text.matchAll(new RegExp(String.raw`(?<![.$\w])${name}\s*\(`, "g"))].map(({ 0: found, index }) =>
    bracketed(text, index + found.length - 1),
  );

/** A path that leads deeper into a document, so that following it comes to an end: `.children[]?`. */
const deeper = /^\s*\.[\w.[\]?"\s]*[\w\]][\w.[\]?"\s]*(?:;|$)/;

const stringOrComment = /"(?:[^"\\]|\\[\s\S])*"|#[^\n]*/g;

/** jq: functions that repeat by their nature, a range without a known end, and a function that calls itself. */
export function jqMayNotEnd(program: string): boolean {
  // A string with `\(…)` in it holds code.
  const text = program.replace(stringOrComment, (found) => (found.includes("\\(") && found[0] === '"' ? found : '""'));
  if (/(?<![.$\w"])(?:repeat|while|until|infinite|combinations)\b(?!\s*:)/.test(text)) return true;
  if ((text.match(/\b(?:def|range|recurse)\b/g) ?? []).length > maxLoops) return true;
  if (callsOf(text, "recurse").some((given) => !deeper.test(given))) return true;
  const ranges = callsOf(text, "range").map((given) => given.split(";"));
  const isOpen = ([, , step]: readonly string[]): boolean => step !== undefined && !(Math.abs(Number(step)) >= 1);
  return (
    ranges.some(
      (parts) =>
        isOpen(parts) ||
        parts.some(
          (part) =>
            /\d/.test(part) && (part.match(/[\d.eE+]+/g) ?? []).some((number) => /\d/.test(number) && isLong(number)),
        ),
    ) || callsItself(text)
  );
}

/** Whether a function of jq is named within its own body; what it is defined in ends at the `;` of the same depth. */
function callsItself(text: string): boolean {
  const open: { readonly name: string; readonly depth: number; isBody: boolean }[] = [];
  let depth = 0;
  let defines = false;
  for (const [token] of text.matchAll(/[.$]?[A-Za-z_]\w*(?:::\w+)*|[()[\]{}:;]/g)) {
    const top = open.at(-1);
    if (defines) {
      open.push({ name: token, depth, isBody: false });
      defines = false;
    } else if (token === "def") defines = true;
    else if (/[([{]/.test(token)) depth++;
    else if (/[)\]}]/.test(token)) depth--;
    else if (token === ":" && top && !top.isBody && top.depth === depth) top.isBody = true;
    else if (token === ";" && top?.isBody && top.depth === depth) open.pop();
    else if (open.some(({ name, isBody }) => isBody && name === token)) return true;
  }
  return false;
}

/** awk: a loop whose condition compares nothing, and a function that is called within one. A quote may stand in a pattern, too. */
export const awkMayNotEnd = (program: string): boolean =>
  awkLoops(program) || awkLoops(program.replace(stringOrComment, '""'));

function awkLoops(text: string): boolean {
  const starts = [...text.matchAll(/\b(while|for)\s*\(/g)];
  if (starts.length > maxLoops) return true;
  const headsOf = (word: string): readonly string[] =>
    starts
      .filter(([, found]) => found === word)
      .map(({ 0: found, index }) => bracketed(text, index + found.length - 1));
  const conditions = headsOf("while");
  if (
    conditions.some(
      (condition) => !/[<>]|!=|\bmatch\s*\(|\b(?:--\w+|\w+--)/.test(condition.replace(/<\s*"[^"]*"/g, "")),
    )
  )
    return true;
  const loops = headsOf("for");
  if (loops.some((loop) => loop.includes(";") && !/[<>]|!=/.test(loop.split(";")[1] ?? ""))) return true;
  return hasRecursion(text, /\bfunc(?:tion)?\s+(\w+)\s*\([^)]*\)\s*\{/g);
}

/** Whether a function is called in the body of any: of one that calls another nothing more is asked. */
function hasRecursion(text: string, definition: RegExp): boolean {
  const found = [...text.matchAll(definition)];
  if (found.length > maxLoops) return true;
  const functions = found.map(({ 0: head, 1: name = "", index }) => ({
    name,
    body: bracketed(text, index + head.length - 1),
  }));
  return functions.some(({ name }) => functions.some(({ body }) => callsOf(body, name).length > 0));
}

/** bc: a loop, a function that is called within one, a power of a power, a scale or an exponent of thousands. */
export const bcMayNotEnd = (text: string): boolean =>
  /\b(?:while|for)\b|\^[^;\n]*\^|\^\s*\(?\s*-?\d{5,}|\bscale\s*=\s*\d{5,}/.test(text) ||
  hasRecursion(text, /\bdefine\s+(?:void\s+)?(\w+)\s*\([^)]*\)\s*\{/g);

/** dc: a text that is run (`x`, `<a`) can run itself. */
export const dcMayNotEnd = (text: string): boolean =>
  (text.includes("[") && /[x<>=]/.test(text.slice(text.indexOf("[")))) || /(?<!\d)\d{5,}\s*\^/.test(text);

interface SedCommand {
  readonly command: string;
  readonly rest: string;
}

/** sed: a way back to a label that takes no other line on it, or ends only when a replacement finds nothing; `D` starts over, too. */
export function sedMayNotEnd(commands: readonly SedCommand[]): boolean {
  const labels = new Map<string, number>();
  const takesLine = (from: number, to: number): boolean =>
    commands.slice(from, to).some(({ command }) => /^[nN]$/.test(command));
  for (const [at, { command, rest }] of commands.entries()) {
    if (command === ":") labels.set(rest, at);
    const label = labels.get(rest);
    if (/^[btT]$/.test(command) && rest !== "" && label !== undefined && !takesLine(label, at)) return true;
  }
  const last = commands.findIndex(({ command }) => command === "D");
  return last >= 0 && !takesLine(0, last);
}
