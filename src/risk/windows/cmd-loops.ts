/** Loops of cmd.exe: each becomes its body, once for every value that the text tells. */
import { checkRounds } from "../engine/bounds.ts";
import type { Scan } from "../engine/scan.ts";
import type { Languages } from "./native.ts";

const maxRounds = 20;
const maxNesting = 4;

/** `for %i in (a b) do …` becomes its body once for each value; `for /f %i in ('cmd')` has its command judged. */
export function unrollLoops(text: string, languages: Languages, scan: Scan, nesting = 0): string[] {
  const head =
    /\bfor\s+(?:\/(\w)\s+)?(?:"([^"]*)"\s+|([^\s%(]+)\s+)?%%?(\w)\s+in\s*\(((?:[^()"']|"[^"]*"|'[^']*')*)\)\s*do\s+/i.exec(
      text,
    );
  if (!head || nesting > maxNesting) return [text];
  const [whole, kind = "", quoted, bare, name = "", set = ""] = head;
  const values = /f/i.test(kind)
    ? readFor(set, quoted ?? bare ?? "", languages)
    : set
        .split(/[\s,;]+/)
        .filter(Boolean)
        .map((value) => [value]);
  if (/l/i.test(kind)) {
    const [from = 0, step = 0, to = 0] = set.split(",").map(Number);
    checkRounds(step === 0 ? Number.POSITIVE_INFINITY : Math.abs((to - from) / step), scan);
  }
  const before = text.slice(0, head.index);
  const body = text.slice(head.index + whole.length);
  const bodies = values.slice(0, maxRounds).flatMap((tokens) => {
    const filled = tokens.reduce((line, value, i) => {
      const letter = String.fromCharCode(name.charCodeAt(0) + i);
      return line.replace(new RegExp(`%%?(~[a-z$:]*)?${letter}(?![a-z0-9_]*%)`, "g"), () => value);
    }, body);
    return unrollLoops(filled, languages, scan, nesting + 1);
  });
  return before.trim() === "" ? bodies : [before, ...bodies];
}

/** The tokens that `for /f` takes from a text or from what a command prints, where that is constant. */
function readFor(set: string, options: string, languages: Languages): string[][] {
  const isBack = /usebackq/i.test(options);
  const [, sign = "", inner = ""] = /^\s*(["'`])([\s\S]*)\1\s*$/.exec(set) ?? [];
  const isCommand = sign === (isBack ? "`" : "'");
  const command = inner.replace(/\^([|&<>^])/g, "$1");
  if (isCommand) languages.cmd(command, "in for");
  const text = isCommand ? /^\s*@?echo[\s.]([^|&<>]*)$/i.exec(command)?.[1] : sign === "" ? undefined : inner;
  if (text === undefined) return [["%unknown%", "%unknown%", "%unknown%"]];
  const delimiters = /delims=([^"]*?)(?=\s+(?:tokens|skip|eol)=|$)/i.exec(options)?.[1] ?? " \t";
  const tokens = text
    .trim()
    .split("")
    .reduce<string[]>(
      (parts, char) => {
        if (delimiters.includes(char)) parts.push("");
        else parts[parts.length - 1] += char;
        return parts;
      },
      [""],
    )
    .filter(Boolean);
  const wanted = /tokens=(\S+)/i.exec(options)?.[1] ?? "1";
  const picked = wanted.split(",").flatMap((part) => {
    const [, from = "1", to, all] = /^(\d+)(?:-(\d+))?(\*)?$/.exec(part) ?? [];
    if (part === "*") return [text.trim()];
    const list = tokens.slice(Number(from) - 1, to === undefined ? Number(from) : Number(to));
    return all === undefined ? list : [...list, tokens.slice(Number(from)).join(" ")];
  });
  return [picked.length > 0 ? picked : ["%unknown%"]];
}
