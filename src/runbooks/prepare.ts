/** Makes a runbook's line runnable by itself. Pure. */

import type { NamedValue } from "../base/action.ts";
import type { Shell } from "../base/server.ts";
import { isKnownName, isSecretName, nameOf, namesSetIn, namesSetInPowershell, variablesIn } from "./places.ts";
import { type Advice, adviceOf, powershellLinesOf, shellLinesOf } from "./sections.ts";
import { type FilledCommand, fillPlaces } from "./values.ts";

export interface PreparedCommand extends FilledCommand {
  /** As the runbook writes it. */
  readonly written: string;
}

const setting = /^(?:export\s+)?([A-Za-z_]\w*)=(\S+|"[^"]*"|'[^']*'|"?\$\(.*\)"?)$/;
const onlyPlace = /^(["']?)(<[^<>]+>)\1$/;
/** A longer command could not be shown. */
const maxCarried = 2000;

const opensBranch = /^(?:if|for|while|until|case|select|foreach)\b/;
const closesBranch = /(?:^|[;\s])(?:fi|done|esac)\b/;

interface SettingLine {
  /** Present if the line is only a setting and always runs. */
  readonly value?: string;
  readonly line: string;
  readonly at: number;
}

/**
 * Prepares a body's commands. A variable that an earlier line sets is no open place: that line comes along, joined by `&&`, or gives its
 * place (`NODE=<node>`). If set in a loop or otherwise, it stays as written. Settings are no commands.
 */
export function createPrepare(
  body: string,
  values: readonly NamedValue[],
  shells: readonly Shell[],
): (line: string) => readonly PreparedCommand[] {
  const lines = shellLinesOf(body);
  const powershell = powershellLinesOf(body);
  const settings = settingsOf(lines, powershell);
  return (line) => {
    if (setting.test(line)) return [];
    const isPowershell = powershell.has(line);
    const at = lines.indexOf(line);
    const { command, setBefore } = carry(line, at < 0 ? lines.length : at, settings, isPowershell);
    const how = { shells, isRunbook: true, isPowershell, setBefore };
    return [{ written: line, ...fillPlaces(command, values, how) }];
  };
}

function settingsOf(
  lines: readonly string[],
  powershell: ReadonlySet<string>,
): ReadonlyMap<string, readonly SettingLine[]> {
  const byName = new Map<string, SettingLine[]>();
  let depth = 0;
  for (const [at, line] of lines.entries()) {
    if (opensBranch.test(line)) depth += 1;
    const isPowershell = powershell.has(line);
    const [, name, value] = setting.exec(line) ?? [];
    const names = isPowershell ? namesSetInPowershell(line) : namesSetIn(line);
    const isAlone = depth === 0 && !isPowershell && names.size === 1 && name !== undefined && names.has(name);
    const one = { line, at, ...(isAlone && value !== undefined ? { value } : {}) };
    for (const each of names) {
      const before = byName.get(each);
      if (before === undefined) byName.set(each, [one]);
      else before.push(one);
    }
    if (closesBranch.test(line)) depth = Math.max(0, depth - 1);
  }
  return byName;
}

/** Each setting line once; `setBefore` are variables set in another way. */
function carry(
  line: string,
  before: number,
  settings: ReadonlyMap<string, readonly SettingLine[]>,
  isPowershell: boolean,
): { readonly command: string; readonly setBefore: ReadonlySet<string> } {
  const setBefore = new Set<string>();
  const carried = new Map<number, string>();
  let size = 0;
  const waiting = [{ line, at: before }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    let text = next.line;
    const { at } = next;
    const own = isPowershell ? namesSetInPowershell(line) : new Set<string>();
    for (const name of new Set(variablesIn(text).map((one) => one.name))) {
      const key = isPowershell ? name.toLowerCase() : name;
      const set = settings.get(key)?.findLast((one) => one.at < at);
      if (set === undefined || own.has(key)) continue;
      const place = onlyPlace.exec(set.value ?? "")?.[2];
      if (place !== undefined) {
        const open = isKnownName(nameOf(place)) || isSecretName(nameOf(place)) ? place : `<${name}>`;
        const variables = variablesIn(text).filter((one) => one.name === name && one.fillable);
        for (const { at: from, written } of variables.toReversed())
          text = text.slice(0, from) + open + text.slice(from + written.length);
      } else if (set.value === undefined || size + set.line.length > maxCarried) setBefore.add(name);
      else if (!carried.has(set.at)) {
        size += set.line.length;
        carried.set(set.at, set.line);
        waiting.push(set);
      }
    }
    carried.set(at, text);
  }
  const inOrder = [...carried].toSorted(([a], [b]) => a - b).map(([, text]) => text);
  return { command: inOrder.join(" && "), setBefore };
}

const maxAdvice = 500;

interface FilledLine {
  readonly command: string;
  readonly filled: readonly NamedValue[];
  readonly shells: readonly Shell[];
}

/** Returns a command's filled advice, without advice that has open places; undefined if no line becomes this command. */
export function filledAdvice(body: string, { command, filled, shells }: FilledLine): Advice | undefined {
  const prepare = createPrepare(body, filled, shells);
  const said = [...adviceOf(body)].find(([line]) => prepare(line)[0]?.command === command)?.[1];
  if (said === undefined) return undefined;
  const ready = Object.entries(said).flatMap(([kind, text]) => {
    const [one] = prepare(text);
    return one === undefined || one.open.length > 0 || one.command.length > maxAdvice ? [] : [[kind, one.command]];
  });
  return Object.fromEntries(ready);
}
