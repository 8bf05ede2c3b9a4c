/** What cmdlets that only put values together give back, where it is constant. */
import { aliases } from "../knowledge/windows.ts";
import { namedVariables } from "../knowledge/windows-variables.ts";
import { fold, foldScript, readVariable, type Scope } from "./fold.ts";
import { callMethod, readMember } from "./members.ts";
import { wildcard } from "./operators.ts";
import type { Word } from "./syntax.ts";
import { isList, isThing, known, listOf, toText, type Value } from "./values.ts";

type Producer = (words: readonly Word[], input: Value | undefined, scope: Scope) => Value | undefined;

const operandsOf = (words: readonly Word[], scope: Scope): (Value | undefined)[] =>
  words.filter((word) => word.parameter === undefined || word.attached).map((word) => fold(word.expr, scope));
const firstText = (words: readonly Word[], scope: Scope): string | undefined => {
  const [value] = operandsOf(words, scope);
  return value === undefined ? undefined : toText(value);
};
const narrowed: Producer = (_words, input) =>
  isThing(input) && input.is === "found"
    ? { ...input, narrow: true }
    : isThing(input) && input.is === "object"
      ? input
      : undefined;
const passed: Producer = (_words, input) =>
  isThing(input) && (input.is === "found" || input.is === "object") ? input : undefined;

/** What a cmdlet of the table gives back. */
export const produce: Scope["produce"] = (cmdlet, { words, input }, scope) => {
  const made = producers[cmdlet];
  return made ? { value: made(words, input, scope) } : "no";
};

const producers: Readonly<Record<string, Producer>> = {
  "write-output": (words, _input, scope) => {
    const values = known(operandsOf(words, scope));
    return values?.length === 1 ? values[0] : values;
  },
  "out-string": (_words, input) => (input === undefined ? undefined : listOf(input).map(toText).join("\n")),
  "foreach-object": (words, input, scope) => {
    if (input === undefined || input === null) return undefined;
    const block = words.map((word) => fold(word.expr, scope)).find((value) => isThing(value) && value.is === "block");
    const results = listOf(input).map((item) => {
      if (!isThing(block) || block.is !== "block") {
        const member = firstText(words, scope);
        return member === undefined
          ? undefined
          : (readMember(item, member.toLowerCase()) ?? callMethod(item, member.toLowerCase(), []));
      }
      const variables = new Map(scope.variables).set("_", item).set("psitem", item);
      return foldScript(block.script, { ...scope, variables });
    });
    return isList(input) ? known(results) : results[0];
  },
  "where-object": narrowed,
  "select-object": (words, input, scope) =>
    words.some((word) => word.parameter !== undefined && !/^exp/.test(word.parameter))
      ? narrowed(words, input, scope)
      : passed(words, input, scope),
  "sort-object": passed,
  "get-childitem": listed,
  "get-item": (words, input, scope) => providerItem(words, scope) ?? listed(words, input, scope),
  "get-content": (words, _input, scope) => providerItem(words, scope),
  "get-command": (words, _input, scope) => {
    const pattern = firstText(words, scope);
    if (pattern === undefined) return undefined;
    const found = /[*?[]/.test(pattern) ? scope.names.find((name) => wildcard(pattern)?.test(name)) : pattern;
    return found === undefined ? undefined : { is: "named", name: found, value: found };
  },
  "get-alias": (words, _input, scope) => {
    const pattern = firstText(words, scope);
    if (pattern === undefined) return undefined;
    const target = words.some((word) => word.parameter?.startsWith("d"));
    const name = target
      ? pattern.toLowerCase()
      : ([...aliases.keys()].find((alias) => wildcard(pattern)?.test(alias)) ?? pattern.toLowerCase());
    const value = aliases.get(name) ?? name;
    return { is: "named", name: value, value };
  },
  "get-variable": (words, _input, scope) => {
    const pattern = firstText(words, scope);
    if (pattern === undefined) return undefined;
    const name = [...scope.variables.keys(), ...namedVariables].find((own) =>
      wildcard(pattern)?.test(own.toLowerCase()),
    );
    const value = name === undefined ? undefined : readVariable(name.toLowerCase(), scope);
    if (name === undefined) return undefined;
    const isValue = words.some((word) => word.parameter?.startsWith("v"));
    return isValue ? value : { is: "named", name, value: value === undefined ? "" : toText(value) };
  },
  "get-wmiobject": wmiObject,
  "get-ciminstance": wmiObject,
  "get-eventlog": (words) =>
    words.some((word) => word.parameter?.startsWith("li")) ? objectOf("eventlog") : undefined,
  "join-path": (words, _input, scope) =>
    known(operandsOf(words, scope))
      ?.map((part) => toText(part).replace(/^[\\/]+(?=.)|[\\/]+$/g, ""))
      .join("\\"),
  "new-object": (words, _input, scope) => {
    const [type, ...args] = operandsOf(words, scope);
    return type === undefined
      ? undefined
      : {
          is: "object",
          type: toText(type)
            .toLowerCase()
            .replace(/^system\./, ""),
          args,
        };
  },
};

const objectOf = (type: string): Value => ({ is: "object", type, args: [] });

/** An instance of a class, by its name or by the query that asks for it. */
function wmiObject(words: readonly Word[], _input: Value | undefined, scope: Scope): Value | undefined {
  const text = operandsOf(words, scope)
    .map((value) => (value === undefined ? "" : toText(value)))
    .join(" ");
  const name = /\b(win32_\w+|msft_\w+|\w+_\w+)\b/i.exec(text)?.[1];
  return name === undefined ? undefined : objectOf(name.toLowerCase());
}

/** `Get-Item Env:x`, `Get-Content Variable:x`. */
function providerItem(words: readonly Word[], scope: Scope): Value | undefined {
  const path = firstText(words, scope)?.toLowerCase() ?? "";
  const [, drive = "", name = ""] = /^(env|variable|alias|function):[\\/]?(.*)$/.exec(path) ?? [];
  if (drive === "alias") return { is: "named", name, value: aliases.get(name) ?? name };
  const value = drive === "" ? undefined : readVariable(drive === "env" ? `env:${name}` : name, scope);
  return value === undefined ? undefined : { is: "named", name, value: toText(value) };
}

function listed(words: readonly Word[], input: Value | undefined, scope: Scope): Value | undefined {
  const path = firstText(words, scope);
  if (input !== null && path === undefined) return undefined;
  const narrow = words.some(
    (word) => word.parameter !== undefined && /^(fi|filt|inc|name|exc|att|hid)/.test(word.parameter),
  );
  if (path !== undefined && /^(env|variable|alias):/i.test(path)) return providerItem(words, scope);
  return { is: "found", path: path ?? ".", narrow };
}
