import { expandArithmetic, walkArithmetic } from "../shell/arithmetic.ts";
import { evaluateText } from "../shell/evaluated.ts";
import { readVariable } from "../shell/parameters.ts";
import {
  forEachBelow,
  forEachChild,
  forEachSubstitution,
  type Script,
  type Statement,
  type SyntaxNode,
} from "../shell/parse.ts";
import { type Arg, type Flow, hole, literal, nothing, perhapsFlow, unknownFlow } from "./arg.ts";
import { checkRounds, checkWaiting, endlessDevice } from "./bounds.ts";
import { checkGroupSocket, runCommand } from "./command.ts";
import { applyRedirects } from "./redirects.ts";
import { type Scan, unitsFor } from "./scan.ts";
import { keeping, setVariable } from "./variables.ts";
import { resolveOne, resolveWord } from "./words.ts";

/** Walks every construct of a script and judges each command in it; what it prints flows on to the next. */

/** Walks a parsed text; parse errors are high, and the partial tree is walked all the same. */
export function walkScript(script: Script, stdin: Flow, scan: Scan): Flow {
  if (script.errors && script.errors.length > 0) {
    scan.refuse("shell.unreadable", `cannot be read as a shell command: ${script.errors[0]?.message ?? "error"}`);
    scan.leave(scan.text);
  }
  return walkList(script.commands, stdin, scan);
}

function walkList(statements: readonly Statement[], stdin: Flow, scan: Scan): Flow {
  const flows = statements.map((statement) => walkNode(statement.command, stdin, scan));
  return joinFlows(flows);
}

/** Output after output: constant only where all of it is. */
function joinFlows(flows: readonly Flow[]): Flow {
  if (flows.length === 1 && flows[0]) return flows[0];
  const isConstant = flows.every((flow) => flow.text !== undefined);
  const tainted = flows.find((flow) => flow.taint);
  return {
    present: true,
    text: isConstant ? flows.map((flow) => flow.text).join("") : undefined,
    pieces: isConstant ? undefined : flows.map((flow) => flow.text ?? flow.pieces ?? "").join("\n"),
    taint: tainted?.taint,
    from: tainted?.from,
  };
}

/** Walks nodes that may run never, or many times. */
function walkBranches(nodes: readonly SyntaxNode[], stdin: Flow, scan: Scan): Flow {
  scan.branches++;
  const flows = nodes.map((node) => walkNode(node, stdin, scan));
  scan.branches--;
  const tainted = flows.find((flow) => flow.taint);
  return { present: true, taint: tainted?.taint, from: tainted?.from };
}

/** A subshell's directory does not outlive it; its variables are kept as possible values. */
function inSubshell(scan: Scan, run: () => Flow): Flow {
  const { cwd } = scan;
  scan.branches++;
  const flow = run();
  scan.branches--;
  scan.cwd = cwd;
  return flow;
}

/** Judges a node and everything below it; gives back what it would print. */
export function walkNode(node: SyntaxNode, stdin: Flow, scan: Scan): Flow {
  if (!scan.spend()) return unknownFlow;
  switch (node.type) {
    case "Script":
      return walkScript(node, stdin, scan);
    case "CompoundList":
      return walkList(node.commands, stdin, scan);
    case "Statement":
      return walkNode(node.command, stdin, scan);
    case "Command":
      return inEveryWorld(scan, () => runCommand(node, stdin, scan));
    case "Pipeline":
      return node.commands.reduce((flow, command, index) => {
        if (node.commands.length === 1) return walkNode(command, flow, scan);
        const printed = inSubshell(scan, () =>
          beforeFilters(node.commands.slice(index + 1), scan, () => walkNode(command, flow, scan)),
        );
        const name = command.type === "Command" ? (command.name?.value ?? "") : "";
        const isEndless = name === "yes" || (flow.isEndless === true && /^(cat|tee|tr|nl)$/.test(name));
        return { ...printed, isEndless };
      }, stdin);
    case "AndOr":
      return joinFlows(node.commands.map((command) => walkNode(command, stdin, scan)));
    case "Redirected":
      return inEveryWorld(scan, () => {
        const redirected = applyRedirects(node.redirects, stdin, scan);
        const flow = walkNode(node.command, redirected.stdin, scan);
        checkGroupSocket(flow, redirected, scan);
        redirected.finish(flow);
        return flow;
      });
    case "Subshell":
      return inSubshell(scan, () => walkNode(node.body, stdin, scan));
    case "BraceGroup":
      return walkNode(node.body, stdin, scan);
    case "Function":
      scan.functions.set(node.name.value, node.body);
      return walkFunction(node.name.value, node.body, scan);
    case "Coproc": {
      const flow = walkBranches([node.body], unknownFlow, scan);
      // Its two ends are the descriptors in this array: what is read there came from it.
      setVariable(scan, node.name?.value ?? "COPROC", { values: [hole], list: [hole, hole], taint: flow.taint });
      return flow;
    }
    default:
      return walkCompound(node, stdin, scan);
  }
}

const isEndlessFlow = ({ isEndless, from }: Flow): boolean => isEndless === true || endlessDevice.test(from ?? "");

/** Branches and loops: of what is below perhaps nothing runs, or often. Anything else is looked at for substitutions. */
function walkCompound(node: SyntaxNode, stdin: Flow, scan: Scan): Flow {
  switch (node.type) {
    case "If":
      return walkBranches([node.clause, node.then, ...node.elif, ...(node.else ? [node.else] : [])], stdin, scan);
    case "Elif":
      return walkBranches([node.clause, node.then], stdin, scan);
    case "While":
      checkForkLoop(node.clause, node.body, { scan, isFed: isEndlessFlow(stdin) });
      checkWaiting(textOf(node.clause, scan), scan);
      return walkBranches([node.clause, node.body], stdin, scan);
    case "For":
    case "Select": {
      for (const word of node.wordlist ?? []) checkRounds(roundsOf(word.text), scan);
      // What `for x` without words goes through.
      const values =
        node.wordlist?.flatMap((word) => resolveWord(word, scan)) ?? (readVariable("@", scan).list ?? []).map(literal);
      setVariable(scan, node.name.value, {
        values: loopValues(values),
        taint: values.find((v) => v.taint)?.taint,
        listed: values.some(({ glob }) => glob),
        isTame: values.length <= maxLoopValues && values.every((v) => v.isTame || !(v.dynamic || v.glob)),
      });
      return walkBranches([node.body], stdin, scan);
    }
    case "Case": {
      for (const word of [node.word, ...node.items.flatMap(({ pattern }) => pattern)]) resolveWord(word, scan);
      const bodies = node.items.map((item) => item.body);
      return walkBranches(bodies, stdin, scan);
    }
    case "ArithmeticFor":
      forEachChild(node, (child) => {
        if (child !== node.body) walkArithmetic(child, scan);
      });
      if (!node.test) checkForkLoop(undefined, node.body, { scan, isFed: false });
      checkWaiting(node.test ? textOf(node.test, scan) : "", scan);
      return walkBranches([node.body], stdin, scan);
    case "ArithmeticCommand":
      expandArithmetic(node, scan);
      return nothing;
    case "TestCommand":
      // `[[ … ]]`: what is compared as numbers is evaluated, and so is the index of what `-v` asks for.
      forEachBelow(node, (below) => {
        if (below.type === "TestBinary") {
          const isNumeric = /^-(eq|ne|lt|le|gt|ge)$/.test(below.operator);
          for (const word of [below.left, below.right]) {
            const arg = resolveOne(word, scan);
            if (isNumeric) evaluateText(arg, scan);
          }
        } else if (below.type === "TestUnary") {
          const arg = resolveOne(below.operand, scan);
          if (/^-[vR]$/.test(below.operator) && (arg.dynamic || arg.text.includes("["))) evaluateText(arg, scan);
        }
        return below.type.startsWith("Test");
      });
      return nothing;
    default:
      forEachSubstitution(node, (script) => walkScript(script, nothing, scan));
      return nothing;
  }
}

/** How often a loop over written words goes round, where a range or a `seq` says so. */
function roundsOf(text: string): number {
  const [, from = "", to = ""] = /\{(-?\d+)\.\.(-?\d+)(?:\.\.-?\d+)?\}/.exec(text) ?? [];
  const [, last = ""] = /\bseq\s+(?:-\S+\s+)*(?:\d+\s+){0,2}(\d+)/.exec(text) ?? [];
  return Math.max(to === "" ? 0 : Math.abs(Number(to) - Number(from)), Number(last));
}

// Processes without end: functions that start themselves, and loops that start and never wait.

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
function checkForkLoop(
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
function isForkBomb(name: string, body: SyntaxNode, scan: Scan): boolean {
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

const textOf = ({ pos, end }: SyntaxNode, scan: Scan): string => scan.text.slice(pos, end);

/** What comes before `| head` is ended by it, once it has written enough; what comes before `| grep x` shows no more than that. */
function beforeFilters(later: readonly SyntaxNode[], scan: Scan, walk: () => Flow): Flow {
  const { shortened, filters } = scan;
  scan.shortened ||= later.some((node) => /^\s*head\b/.test(textOf(node, scan)));
  if (later.length > 0) scan.filters = later.map((node) => textOf(node, scan));
  const flow = walk();
  scan.shortened = shortened;
  scan.filters = filters;
  return flow;
}

const maxLoopValues = 60;

/** Values beyond the sixtieth become one unknown value, so that a long list cannot eat the budget. */
function loopValues(values: readonly Arg[]): string[] {
  const texts = [...new Set(values.map((value) => value.text))];
  return texts.length > maxLoopValues ? [...texts.slice(0, maxLoopValues), hole] : texts.length > 0 ? texts : [hole];
}

/** A function's body is judged where it stands, called or not, with unknown arguments. */
function walkFunction(name: string, body: SyntaxNode, scan: Scan): Flow {
  if (scan.spend(unitsFor(body.end - body.pos)) && isForkBomb(name, body, scan)) {
    scan.report("block", "shell.fork-bomb", `${name}() starts itself again and again: a fork bomb`);
    return nothing;
  }
  return keeping(scan.variables, positional, () => {
    for (const parameter of positional) scan.variables.set(parameter, { values: [hole] });
    walkBranches([body], perhapsFlow, scan);
    return nothing;
  });
}

const positional = ["@", "*", "1", "2", "3", "4", "5"];

const maxWorlds = 128;

/** Runs `judge` for every combination of the variables it reads; too many of them is high. */
function inEveryWorld(scan: Scan, judge: () => Flow): Flow {
  if (scan.world.size > 0) return judge();
  let flow = nothing;
  for (let n = 0; n < maxWorlds; n++) {
    flow = judge();
    if (!advance(scan.world)) {
      scan.world.clear();
      return flow;
    }
  }
  scan.world.clear();
  scan.refuse("shell.budget", "has more combinations of values than can be looked at");
  return flow;
}

/** Counts up like an odometer; false when all combinations have been seen. */
function advance(world: Map<string, { index: number; count: number }>): boolean {
  for (const choice of world.values()) {
    choice.index++;
    if (choice.index < choice.count) return true;
    choice.index = 0;
  }
  return false;
}
