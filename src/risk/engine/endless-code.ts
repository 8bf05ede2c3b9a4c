/**
 * Whether code of a filter may never end, as far as its text tells: a loop without a comparison, a function that may call itself, a number of many
 * digits. A call that holds one is never run unattended.
 */

const quoted = /"(?:[^"\\]|\\[\s\S])*"|#[^\n]*/g;
/** The text without its strings; of jq one with `\\(…)` in it holds code. A quote may stand in a pattern of awk, so both readings count. */
const outsideStrings = (text: string): string =>
  text.replace(quoted, (found) => (found.includes("\\(") && found[0] === '"' ? found : '""'));

/** A text with more functions than this is made to cost time, so it is not looked at closely. */
const maxFunctions = 50;

/** Whether a function may call itself: named where it is defined, where it is called, and once more. */
function mayRecur(text: string, definition: RegExp): boolean {
  const names = [...text.matchAll(definition)].map(([, name = ""]) => name);
  const isOften = (name: string): boolean =>
    (text.match(new RegExp(`(?<![.$\\w])${name}(?!\\w)`, "g")) ?? []).length > 2;
  return names.length > maxFunctions || names.some(isOften);
}

/** A written range, and a path that leads deeper into a document, come to an end. */
const ends = /\brange\s*\(\s*\d{1,5}\s*(?:;\s*\d{1,5}\s*)?\)|\brecurse\s*\(\s*\.[\w.[\]?"\s]*[\w\]][\w.[\]?"\s]*\)/g;

/** jq: functions that repeat by their nature, and one that may call itself. */
export function jqMayNotEnd(program: string): boolean {
  const text = outsideStrings(program);
  return (
    /(?<![.$\w"])(?:repeat|while|until|infinite|combinations|range|recurse(?=\s*\())\b(?!\s*:)/.test(
      text.replace(ends, ""),
    ) || mayRecur(text, /\bdef\s+(\w+)/g)
  );
}

/** awk: a loop whose condition compares nothing, and a function that may call itself. */
export const awkMayNotEnd = (program: string): boolean =>
  [program, outsideStrings(program)].some(
    (text) =>
      /\bwhile\s*\((?![^{;\n]*(?:[<>](?!\s*")|!=|\bmatch\s*\(|\b(?:--\w+|\w+--)))|\bfor\s*\([^;)]*;[^;<>!]*;/.test(
        text,
      ) || mayRecur(text, /\bfunc(?:tion)?\s+(\w+)/g),
  );

/** bc: a loop, a function of its own, a power of a power, a scale or an exponent of thousands. */
export const bcMayNotEnd = (text: string): boolean =>
  mayRecur(text, /\bdefine\s+(?:void\s+)?(\w+)/g) ||
  /\b(?:while|for)\b|\^[^;\n]*\^|\^\s*\(?\s*-?\d{5,}|\bscale\s*=\s*\d{5,}/.test(text);

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
