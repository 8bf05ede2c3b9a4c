/** Makes a line of a runbook into a command of its own: with the values that are known, and with the lines that set its variables. Pure. */

import type { NamedValue } from "../base/action.ts";
import type { Shell } from "../base/server.ts";
import { isKnownName, nameOf, variablesIn } from "./places.ts";
import { shellLinesOf } from "./sections.ts";
import { type FilledCommand, fillPlaces } from "./values.ts";

export interface PreparedCommand extends FilledCommand {
  /** As the runbook writes it. */
  readonly written: string;
}

/** `NS=…` and no more, in a line of its own. */
const setting = /^(?:export\s+)?([A-Za-z_]\w*)=(\S+|"[^"]*"|'[^']*'|"?\$\(.*\)"?)$/;
/** A place and no more, quoted or not. */
const onlyPlace = /^(["']?)(<[^<>]+>)\1$/;
const maxDepth = 4;

/**
 * Prepares the commands of a body. A variable that the runbook sets before is no free place: the line that sets it comes along,
 * joined by `&&`. One that it sets to a place (`NODE=<node>`) is that place. Lines that only set something are no commands.
 */
export function createPrepare(
  body: string,
  values: readonly NamedValue[],
  shells: readonly Shell[],
): (line: string) => readonly PreparedCommand[] {
  const lines = shellLinesOf(body);
  const settings = lines.flatMap((line, at) => {
    const [, name, value] = setting.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [{ name, value, line, at }];
  });
  const withSettings = (line: string, before: number, depth: number): string => {
    let text = line;
    const first: string[] = [];
    for (const name of new Set(variablesIn(line).map((one) => one.name))) {
      const set = settings.findLast((one) => one.name === name && one.at < before);
      const place = onlyPlace.exec(set?.value ?? "")?.[2];
      if (place !== undefined) text = replaceVariable(text, name, isKnownName(nameOf(place)) ? place : `<${name}>`);
      else if (set !== undefined && depth < maxDepth) first.push(withSettings(set.line, set.at, depth + 1));
    }
    return [...new Set(first), text].join(" && ");
  };
  return (line) => {
    if (setting.test(line)) return [];
    const at = lines.indexOf(line);
    const command = withSettings(line, at < 0 ? lines.length : at, 0);
    return [{ written: line, ...fillPlaces(command, values, { shells, isRunbook: true }) }];
  };
}

const replaceVariable = (text: string, name: string, place: string): string =>
  variablesIn(text)
    .filter((one) => one.name === name && one.fillable)
    .toReversed()
    .reduce((left, { at, written }) => left.slice(0, at) + place + left.slice(at + written.length), text);
