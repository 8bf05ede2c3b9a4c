/** What a runbook says of a command that was filled, with the same values. Pure. */

import type { NamedValue } from "../base/action.ts";
import type { Shell } from "../base/server.ts";
import { createPrepare } from "./prepare.ts";
import { type Advice, adviceOf } from "./sections.ts";

const maxCharacters = 500;

interface FilledLine {
  readonly command: string;
  readonly filled: readonly NamedValue[];
  readonly shells: readonly Shell[];
}

/** Returns undefined if no line of the body becomes this command with these values; what of its advice is still open is left out. */
export function filledAdvice(body: string, { command, filled, shells }: FilledLine): Advice | undefined {
  const prepare = createPrepare(body, filled, shells);
  const said = [...adviceOf(body)].find(([line]) => prepare(line)[0]?.command === command)?.[1];
  if (said === undefined) return undefined;
  const ready = Object.entries(said).flatMap(([kind, text]) => {
    const [one] = prepare(text);
    return one === undefined || one.open.length > 0 || one.command.length > maxCharacters ? [] : [[kind, one.command]];
  });
  return Object.fromEntries(ready);
}
