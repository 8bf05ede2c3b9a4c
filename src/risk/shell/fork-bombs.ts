/** Processes without end: functions that start themselves, and loops that start and never wait. */

import { type Scan, unitsFor } from "../engine/scan.ts";
import { forEachBelow, type SyntaxNode } from "./parse.ts";

/** The names of all commands below a node; of those that the shell waits for, if it says so. */
function namesIn(top: SyntaxNode, isAwaited = false): string[] {
  const names: string[] = [];
  forEachBelow(top, (node) => {
    if (isAwaited && node.type === "Statement" && node.background === true) return false;
    if (node.type === "Command") names.push(node.name?.value ?? "");
    return node.type !== "Command";
  });
  return names;
}

function startsInBackground(top: SyntaxNode): boolean {
  let found = false;
  forEachBelow(top, (node) => {
    found ||= node.type === "Statement" && node.background === true;
    return !found;
  });
  return found;
}

/**
 * `while :; do x & done` starts processes without end, unless something in the loop waits or leaves it. So does one that reads a line each time
 * from what never ends.
 */
export function checkForkLoop(
  clause: SyntaxNode | undefined,
  body: SyntaxNode,
  { scan, isFed }: { readonly scan: Scan; readonly isFed: boolean },
): void {
  if (scan.branches > 8 || !scan.spend(unitsFor(body.end - body.pos))) return;
  const names = clause ? namesIn(clause) : [":"];
  const isEndless = names.length === 1 && /^(:|true|\[|\[\[|\(\(|false)$/.test(names[0] ?? "");
  const isFedForever = isFed && names.length === 1 && names[0] === "read";
  // A loop over a test may be a count, whose processes end before it is through.
  const isCount = isEndless && !/^(:|true)$/.test(names[0] ?? "");
  const inside = namesIn(body, !isCount);
  if (
    (isEndless || isFedForever) &&
    startsInBackground(body) &&
    !inside.some((name) => /^(sleep|wait|read|break|exit|return)$/.test(name))
  )
    scan.report("block", "shell.fork-bomb", "starts processes in an endless loop: a fork bomb");
}

/** Whom a body calls, and whether in a pipe or in the background, where one becomes several. */
interface Calls {
  readonly plain: ReadonlySet<string>;
  readonly multiplied: ReadonlySet<string>;
}

const known = new WeakMap<SyntaxNode, Calls>();

function callsOf(body: SyntaxNode): Calls {
  const found = known.get(body);
  if (found) return found;
  const multiplied = new Set<string>();
  forEachBelow(body, (node) => {
    const multiplies =
      (node.type === "Pipeline" && node.commands.length > 1) || (node.type === "Statement" && node.background === true);
    if (multiplies) for (const name of namesIn(node)) multiplied.add(name);
    return !multiplies && node.type !== "Command";
  });
  const calls = { plain: new Set(namesIn(body)), multiplied };
  known.set(body, calls);
  return calls;
}

/** True where a function comes back to itself, by itself or through others, and multiplies on the way. */
export function isForkBomb(name: string, body: SyntaxNode, scan: Scan): boolean {
  const waiting = [{ callee: name, body, isMultiplied: false }];
  const seen = new Set<string>();
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { plain, multiplied } = callsOf(next.body);
    for (const callee of plain) {
      const isMultiplied = next.isMultiplied || multiplied.has(callee);
      if (callee === name && isMultiplied) return true;
      const key = `${callee} ${isMultiplied}`;
      const inner = scan.functions.get(callee);
      if (!inner || seen.has(key) || !scan.spend()) continue;
      seen.add(key);
      waiting.push({ callee, body: inner, isMultiplied });
    }
  }
  return false;
}
