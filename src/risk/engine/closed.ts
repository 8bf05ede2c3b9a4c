/** Low is a closed world: a call that nothing raised is low only if each of its words is known to only read. */

import { findReads, isListed } from "../reads.ts";
import { type CompiledRule, isOperators } from "../table.ts";
import type { Application, AppliedRule } from "./apply.ts";
import { perhapsFlow, shown } from "./arg.ts";
import { type Grammar, parseOptions } from "./options.ts";

const grammars = new WeakMap<CompiledRule, Map<object, Grammar>>();

/** A rule's grammar with the options that are known to only read, so that values are taken for what they are. */
export function grammarWithReads(
  rule: CompiledRule,
  { root, path }: { readonly root: string; readonly path: readonly string[] },
): Grammar {
  const reads = findReads(root, path);
  const byReads = grammars.get(rule) ?? new Map<object, Grammar>();
  grammars.set(rule, byReads);
  const { grammar } = rule;
  const found = byReads.get(reads) ?? {
    ...grammar,
    takes: grammar.takes.union(reads.takes),
    known: grammar.known.union(reads.flags).union(reads.takes),
  };
  byReads.set(reads, found);
  return found;
}

/** Makes a call medium for each word that is not known to only read. */
export function closeWorld({ program, args, stdin, scan, name }: Application, applied: readonly AppliedRule[]): void {
  const chain = applied.flatMap((one) => one.chain);
  if (chain.some(isOperators)) return;
  const path = applied.map((one) => one.path).reduce((a, b) => (b.length > a.length ? b : a));
  const { flags, takes, isText, names } = findReads(program, path);
  if (isText) return;
  const grammar: Grammar = {
    kinds: new Map(),
    takes: new Set([...takes, ...chain.flatMap((rule) => [...rule.grammar.takes])]),
    known: new Set([...flags, ...takes, ...chain.flatMap((rule) => [...rule.grammar.known])]),
    completed: [],
    oneDash: chain.some((rule) => rule.grammar.oneDash),
  };
  const { options, operands } = parseOptions(args, grammar);
  const called = [program, ...path].map(shown).join(" ");
  const report = (what: string): void =>
    scan.report("medium", chain[0]?.id ?? "", `${what} is not known to only read`, name);
  for (const option of options)
    if (!grammar.known.has(option.name) && !/^-\d+$/.test(option.name)) report(`${shown(option.name)} of ${called}`);
  const hasRole =
    names ||
    chain.some(({ detail: { operands: role, check, verbs, ladder, effects, when } }) =>
      [role, check, verbs, ladder, effects, when].some((one) => one !== undefined),
    );
  const operand = hasRole ? undefined : operands[path.length];
  if (operand) report(`${shown(operand.text)} given to ${called}`);
  if (stdin.present && stdin !== perhapsFlow && !isListed(program))
    report(`what is on the standard input of ${called}`);
}
