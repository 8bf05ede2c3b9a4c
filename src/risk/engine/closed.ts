/** Low is a closed world: a call that nothing raised is low only if each of its words is known to only read. */

import { findReads, isListed } from "../reads.ts";
import { type CompiledRule, isOperators } from "../table.ts";
import type { Application, AppliedRule, ProgramCall } from "./apply.ts";
import { type Arg, perhapsFlow, shown } from "./arg.ts";
import { applies } from "./declared.ts";
import { type Grammar, levelsOf, type Option, parseOptions, words } from "./options.ts";

/** Makes a call medium for each word that is not known to only read. */
export function closeWorld({ program, args, stdin, scan, name }: Application, applied: readonly AppliedRule[]): void {
  const chain = applied.flatMap((one) => one.chain);
  if (chain.some(isOperators)) return;
  const path = applied.map((one) => one.path).reduce((a, b) => (b.length > a.length ? b : a));
  const { flags, own: ownFlags, takes, valued, attached, isText, names, runs } = findReads(program, path);
  if (isText) return;
  const grammar: Grammar = {
    kinds: new Map(),
    takes: new Set(chain.flatMap((rule) => [...rule.grammar.takes])).difference(ownFlags).union(takes).union(valued),
    known: new Set([...flags, ...takes, ...chain.flatMap((rule) => [...saidBy(rule, isListed(program))])]),
    completed: [],
    oneDash: chain.some((rule) => rule.grammar.oneDash),
    attached,
  };
  const whole = parseOptions(args, grammar);
  const own = withoutInner({ program, args, operands: whole.operands.slice(path.length) }, chain, runs);
  const { options, operands } = own.length < args.length ? parseOptions(own, grammar) : whole;
  const called = [program, ...path].map(shown).join(" ");
  const report = (what: string): void =>
    scan.report("medium", chain[0]?.id ?? "", `${what} is not known to only read`, name);
  // A record over several programs writes `PROGRAM_-option`; a `*` at the end stands for any rest.
  const starred = [...grammar.known].filter((word) => word.endsWith("*") && word.length > 2);
  const isKnown = ({ name: option, value }: Option): boolean =>
    grammar.known.has(option) ||
    // Of some options one value is known: `-lock=false`.
    grammar.known.has(`${option}=${value?.text}`) ||
    grammar.known.has(`${program}_${option}`) ||
    /^-\d+$/.test(option) ||
    (option === "--dry-run" && chain.every((rule) => rule.detail.dry !== "")) ||
    starred.some((word) => option.startsWith(word.slice(0, -1)));
  for (const option of options) if (!isKnown(option)) report(`${shown(option.name)} of ${called}`);
  const isComplete = isListed(program);
  const hasRole =
    names === true ||
    chain.some(({ detail: { operands: role, check, verbs, effects, ladder, when } }) =>
      [role, check, verbs, effects, ...(isComplete ? [] : [ladder, when])].some((one) => one !== undefined),
    );
  const behind = operands.slice(path.length);
  const operand =
    names instanceof RegExp ? behind.find(({ text }) => !names.test(text)) : hasRole ? undefined : behind[0];
  if (operand) report(`${shown(operand.text)} given to ${called}`);
  if (stdin.present && stdin !== perhapsFlow && !isComplete) report(`what is on the standard input of ${called}`);
}

/** The options that a record speaks of. If somebody has listed what only reads, one of which it only says that it takes a value is not among them. */
function saidBy({ grammar, detail }: CompiledRule, isComplete: boolean): readonly string[] {
  const leveled = new Set([...levelsOf(detail.flags), ...levelsOf(detail.when)].map(([word]) => word));
  const isPlain = (word: string): boolean => grammar.kinds.get(word) === "value" && !leveled.has(word);
  return isComplete ? [...grammar.known].filter((word) => !isPlain(word)) : [...grammar.known];
}

/** The call's own words, without those of a program that it runs, whose options are judged there. */
function withoutInner(
  call: Pick<ProgramCall, "program" | "args" | "operands">,
  chain: readonly CompiledRule[],
  runs: ReadonlySet<string>,
): readonly Arg[] {
  const { args, operands } = call;
  const starts = chain.flatMap(({ effects }) =>
    effects.flatMap((compiled) => {
      const { does, after, operand } = compiled.effect;
      if (does !== "runs-argv" || !applies(compiled, call)) return [];
      const names = words(after);
      const first = after === undefined ? operands[operand ?? 0] : args.find(({ text }) => names.includes(text));
      return first ? [args.indexOf(first)] : [];
    }),
  );
  const [first] = operands;
  if (first && runs.has("operand")) starts.push(args.indexOf(first));
  let isInner = false;
  return args.slice(0, Math.min(args.length, ...starts)).filter(({ text }) => {
    const wasInner = isInner;
    isInner = isInner ? text !== ";" && text !== "+" : runs.has(text);
    return !wasInner;
  });
}
