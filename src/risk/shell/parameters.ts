/** `$x` and `${x…}`: the value where this script assigned a constant, a hole otherwise. */
import { type Arg, hole, nothing, type Taint } from "../engine/arg.ts";
import { matcherOf } from "../engine/paths.ts";
import type { Scan } from "../engine/scan.ts";
import { holdsLogin, namesSecret } from "../knowledge/variables.ts";
import { evaluateText } from "./evaluated.ts";
import type { Word, WordPart } from "./parse.ts";

type Expansion = Extract<WordPart, { type: "ParameterExpansion" }>;

interface ParameterValue {
  readonly value: string;
  readonly list?: readonly string[] | undefined;
  readonly taint?: Taint | undefined;
  readonly listed?: boolean | undefined;
  readonly isTame?: boolean | undefined;
  readonly reveals?: string | undefined;
}

/** What a login shell has anyway; `${PATH:0:1}` is a known way to write a slash. */
const wellKnown: Readonly<Record<string, string>> = {
  HOME: "/home/~",
  IFS: " \t\n",
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  PWD: `/${hole}`,
  OLDPWD: `/${hole}`,
  SHELL: "/bin/bash",
  BASH: "/bin/bash",
};

/** The variable that a name stands for; references in a circle end somewhere. */
function referredBy(name: string, scan: Scan): string {
  let found = name;
  for (let i = 0; i < 5; i++) found = scan.variables.get(found)?.refersTo ?? found;
  return found;
}

/** Reads a variable; with several possible values, the one of the world looked at. */
export function readVariable(given: string, scan: Scan): ParameterValue {
  const name = referredBy(given, scan);
  const variable = scan.variables.get(name);
  if (!variable) {
    // A command sent to a server has no positional parameters; a function's are set to unknown while its body is judged.
    if (name === "@") return { value: "", list: [] };
    if (/^[1-9*]$/.test(name)) return { value: "" };
    if (name === "PWD" && scan.cwd !== undefined) return { value: scan.cwd };
    // A variable that is not set here comes from the server's own settings, and not from data.
    return {
      value: wellKnown[name] ?? hole,
      isTame: true,
      reveals: namesSecret(name) || holdsLogin(name) ? name : undefined,
    };
  }
  const count = variable.values.length;
  let index = 0;
  if (count > 1) {
    const choice = scan.world.get(name);
    if (choice) index = Math.min(choice.index, count - 1);
    else scan.world.set(name, { index: 0, count });
  }
  return {
    value: variable.values[index] ?? "",
    taint: variable.taint,
    list: name === "@" ? variable.list : undefined,
    listed: variable.listed,
    isTame: variable.isTame,
  };
}

/** Expands `${…}` with its operation. `argOf` resolves an operand and walks the substitutions in it. */
export function expandParameter(part: Expansion, scan: Scan, argOf: (word: Word) => Arg): ParameterValue {
  const textOf = (word: Word): string => argOf(word).text;
  let name = part.parameter;
  if (part.prefix === "!" && !part.index) {
    const pointer = readVariable(name, scan);
    // The index in the name that it holds is evaluated.
    if (pointer.value.includes(hole) || pointer.value.includes("["))
      evaluateText({ text: pointer.value, isTame: pointer.isTame }, scan);
    name = pointer.value;
  }
  const indexArg = part.index ? argOf(part.index) : undefined;
  const index = indexArg?.text;
  const { list, keys } = scan.variables.get(referredBy(name, scan)) ?? {};
  if (indexArg && !keys && !/^[@*]$/.test(indexArg.text)) evaluateText(indexArg, scan);
  const keyed = keys && index !== undefined ? keys.lastIndexOf(index) : -1;
  const found =
    list && index !== undefined
      ? {
          taint: scan.variables.get(name)?.taint,
          listed: scan.variables.get(name)?.listed,
          ...readElement(list, keyed < 0 ? index : String(keyed)),
        }
      : readVariable(name, scan);
  const { operation } = part;
  if (part.prefix === "#")
    return { value: found.value.includes(hole) ? hole : String(found.value.length), isTame: true };
  if (!operation) return found;
  const isUnset = !scan.variables.has(name) && wellKnown[name] === undefined;
  const value = found.value;
  const isConstant = !value.includes(hole) || name === "PWD" || name === "OLDPWD";
  switch (operation.type) {
    case "Default": {
      const operand = textOf(operation.operand);
      if (operation.operator.includes("+")) return { value: isUnset ? hole : operand };
      return { value: isUnset || value === "" ? operand : value, taint: found.taint, isTame: found.isTame };
    }
    case "Remove": {
      const pattern = textOf(operation.operand);
      return {
        value: isConstant ? removeMatch(value, pattern, operation.operator) : hole,
        taint: found.taint,
        isTame: found.isTame,
      };
    }
    case "Replace": {
      const pattern = textOf(operation.pattern);
      const replacement = textOf(operation.replacement);
      if (!isConstant || /[*?[]/.test(pattern)) return { value: hole, taint: found.taint };
      const all = operation.operator === "//";
      return { value: all ? value.replaceAll(pattern, replacement) : value.replace(pattern, () => replacement) };
    }
    case "Slice": {
      const words = [operation.offset, operation.length].flatMap((word) => (word ? [argOf(word)] : []));
      for (const word of words) evaluateText(word, scan);
      const [offset = Number.NaN, length] = words.map(({ text }) => Number(text.trim()));
      if (!isConstant || Number.isNaN(offset) || Number.isNaN(length ?? 0))
        return { value: hole, isTame: found.isTame, taint: found.taint };
      const from = offset < 0 ? Math.max(0, value.length + offset) : offset;
      const end = length === undefined ? undefined : length < 0 ? length : from + length;
      return { value: value.slice(from, end), taint: found.taint };
    }
    case "CaseModification": {
      if (operation.operand) textOf(operation.operand);
      if (!isConstant) return { value: hole, taint: found.taint, isTame: found.isTame };
      const change = (text: string): string =>
        operation.operator.startsWith("^") ? text.toUpperCase() : text.toLowerCase();
      const whole = operation.operator.length === 2;
      return { value: whole ? change(value) : change(value.slice(0, 1)) + value.slice(1), taint: found.taint };
    }
    case "Transform":
      scan.report("medium", "shell.transform", `expands ${part.text}, which may run what the variable holds`);
      if (isConstant && /\$\(|`/.test(value))
        scan.runShell(`cat <<__text\n${value}\n__text`, nothing, `in ${part.text}`);
      return { value: hole };
    default:
      return { value: hole };
  }
}

function readElement(list: readonly string[], index: string): ParameterValue {
  if (index === "@" || index === "*") return { value: list.join(" "), list };
  const number = Number(index);
  if (Number.isInteger(number)) return { value: list.at(number) ?? "" };
  return { value: list.join(" "), list };
}

/** Longer values are not tried at every length. */
const maxTried = 300;

/** `#`, `##`, `%`, `%%` with any pattern: the shortest or longest part at that end that matches. */
function removeAny(value: string, pattern: string, operator: string): string {
  if (value.length > maxTried || pattern.length > maxTried || pattern.split("*").length > 4) return hole;
  const matcher = matcherOf(pattern);
  // What a range that runs backwards matches goes by the language.
  const isOdd = [...pattern.matchAll(/(.)-(.)/gs)].some(([, from = "", to = ""]) => from > to);
  if (!matcher || isOdd) return hole;
  const lengths = Array.from({ length: value.length + 1 }, (_, i) => i);
  if (operator.length === 2) lengths.reverse();
  const isFront = operator.startsWith("#");
  const length = lengths.find((n) => matcher.test(isFront ? value.slice(0, n) : value.slice(value.length - n)));
  if (length === undefined) return value;
  return isFront ? value.slice(length) : value.slice(0, value.length - length);
}

/** The same for the patterns people use, literal text and `*`, at once. */
function removeMatch(value: string, pattern: string, operator: string): string {
  if (/[?[]/.test(pattern) || pattern.split("*").length > 2) return removeAny(value, pattern, operator);
  const [before = "", after] = pattern.split("*");
  const isFront = operator.startsWith("#");
  const isLong = operator.length === 2;
  if (after === undefined) {
    if (isFront) return value.startsWith(pattern) ? value.slice(pattern.length) : value;
    return value.endsWith(pattern) ? value.slice(0, value.length - pattern.length) : value;
  }
  if (isFront) {
    if (!value.startsWith(before)) return value;
    if (after === "") return isLong ? "" : value.slice(before.length);
    const at = isLong ? value.lastIndexOf(after) : value.indexOf(after, before.length);
    return at < 0 ? value : value.slice(at + after.length);
  }
  if (!value.endsWith(after)) return value;
  if (before === "") return isLong ? "" : value.slice(0, value.length - after.length);
  const at = isLong ? value.indexOf(before) : value.lastIndexOf(before);
  return at < 0 ? value : value.slice(0, at);
}
