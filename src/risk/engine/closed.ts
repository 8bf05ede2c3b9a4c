/** Low is a closed world: a call that nothing raised is low only if each of its words is known to only read. */

import { knowsDryRun } from "../knowledge/rehearsals.ts";
import { findListed, findReads, isListed, type KnownReads } from "../reads.ts";
import type { CompiledRule } from "../table.ts";
import type { Application, AppliedRule } from "./apply.ts";
import { type Arg, perhapsFlow, shown } from "./arg.ts";
import { commandIn } from "./declared.ts";
import { isDryRun } from "./dry-run.ts";
import { type Grammar, type Option, parseOptions } from "./options.ts";
import { fits, isOperators, type LevelRow, type RowCall } from "./rows.ts";

/** What is known of the words of every call of one sub-command. */
interface World {
  readonly reads: KnownReads;
  readonly grammar: Grammar;
  /** Of options that end in `*` in a record, what stands before it. */
  readonly starts: readonly string[];
  readonly isComplete: boolean;
  /** Whether its operands are looked at, or known to be names. */
  readonly hasRole: boolean;
}

/** By what is known to only read, which many paths of a tree share, and by the rules. */
const worlds = new WeakMap<KnownReads, Map<string, World>>();

function worldOf(program: string, path: readonly string[], chain: readonly CompiledRule[]): World {
  const reads = findReads(program, path);
  const byRules = worlds.get(reads) ?? new Map<string, World>();
  worlds.set(reads, byRules);
  const key = [program, ...chain.map(({ id }) => id)].join(" ");
  const found = byRules.get(key);
  if (found) return found;
  const { flags, takes, valued, attached, names } = reads;
  const isComplete = isListed(program);
  const isClosed = findListed(program, path) !== undefined;
  const known = new Set([...flags, ...takes, ...chain.flatMap(saidBy)]);
  const made: World = {
    reads,
    grammar: {
      kinds: new Map(),
      takes: new Set(chain.flatMap((rule) => [...rule.grammar.takes])).difference(flags).union(takes).union(valued),
      known,
      completed: [],
      oneDash: chain.some((rule) => rule.grammar.oneDash),
      attached,
    },
    starts: [...known].flatMap((word) => (word.endsWith("*") && word.length > 2 ? [word.slice(0, -1)] : [])),
    isComplete,
    hasRole:
      names === true ||
      chain.some(
        ({ role, decides, levels, detail }) =>
          role !== undefined ||
          // A family tells its operands by their verbs alone; a list of sub-commands tells more.
          (decides && !(detail.check === "family" && isClosed)) ||
          (!isComplete && levels.some(looksAtOperands)),
      ),
  };
  byRules.set(key, made);
  return made;
}

/** Makes a call medium for each word that is not known to only read. */
export function closeWorld({ program, args, stdin, scan, name }: Application, applied: readonly AppliedRule[]): void {
  const chain = applied.flatMap((one) => one.chain);
  if (chain.some(isOperators)) return;
  const said = applied.map((one) => one.path).reduce((a, b) => (b.length > a.length ? b : a));
  const given = parseOptions(args, worldOf(program, said, chain).grammar).operands.map(({ text }) => text);
  const listed = findListed(program, given);
  const path = listed && listed.length > said.length ? listed : said;
  const { reads, grammar, starts, isComplete, hasRole } = worldOf(program, path, chain);
  if (reads.isText) return;
  const whole = parseOptions(args, grammar);
  const own = withoutInner(
    { program, args, options: whole.options, operands: whole.operands.slice(path.length), path: whole.operands },
    chain,
    reads.runs,
  );
  const { options, operands } = own.length < args.length ? parseOptions(own, grammar) : whole;
  const report = (what: string): void => {
    const called = [program, ...path].map(shown).join(" ");
    scan.report("medium", chain[0]?.id ?? "", `${what} ${called} is not known to only read`, name);
  };
  const isRehearsed = chain.every((rule) => rule.dry !== undefined) && knowsDryRun(program, given[0]);
  // A record over several programs writes `PROGRAM_-option`; of some options one value is known: `-lock=false`.
  const isKnown = ({ name: option, value }: Option): boolean =>
    grammar.known.has(option) ||
    grammar.known.has(`${option}=${value?.text}`) ||
    grammar.known.has(`${program}_${option}`) ||
    /^-\d+$/.test(option) ||
    (option === "--dry-run" && isRehearsed) ||
    starts.some((start) => option.startsWith(start));
  for (const option of options) if (!isKnown(option)) report(`${shown(option.name)} of`);
  // A list over several programs may hold for a value what is an option to one of them: `hg status -c --config x=y`.
  const swallowed = options.find(
    ({ name: option, value }) =>
      value &&
      own.includes(value) &&
      /^--?[A-Za-z]$|^--[A-Za-z]/.test(value.text) &&
      !/^(-e|--regexp|--grep)$/.test(option),
  );
  if (swallowed) report(`${shown(swallowed.value?.text ?? "")} behind ${swallowed.name} of`);
  const { names } = reads;
  // A row's `list_*` takes the word behind for its own; a pattern of what may stand there is about that word, too.
  const behind = operands.slice(names instanceof RegExp && listed ? listed.length : path.length);
  const isDry = chain.some(
    ({ dry }) =>
      dry &&
      isDryRun(
        { args, options, known: grammar.known },
        (option) => dry.has(option) || (isRehearsed && option === "--dry-run"),
      ),
  );
  if (listed?.length === 0 && given[0] !== undefined && !isDry) report(`${shown(given[0])} of`);
  const operand =
    names instanceof RegExp ? behind.find(({ text }) => !names.test(text)) : hasRole ? undefined : behind[0];
  if (operand) report(`${shown(operand.text)} given to`);
  // What it is told about by name alone may be a file that it writes, or ask for a secret: `storcli … file=/srv/x`.
  const file =
    names === true
      ? behind.find(({ text }) => /^((out|log)?file|(show|reveal)[-_]?(secrets?|tokens?))=./i.test(text))
      : undefined;
  if (file && chain.every(({ role }) => role === undefined)) report(`${shown(file.text)} given to`);
  if (stdin.present && stdin !== perhapsFlow && !isComplete) report("what is on the standard input of");
}

/** Whether a row has looked at what is no option. */
const looksAtOperands = ({ row, anywhere, met, unmet }: LevelRow): boolean =>
  met !== undefined || unmet !== undefined || row.level === "low" || anywhere.some((word) => !/^[-+]/.test(word));

/** The options whose meaning a record knows. One that only takes a value does not count: the list of reads decides about it. */
function saidBy({ grammar, levels }: CompiledRule): readonly string[] {
  const leveled = new Set(levels.flatMap(({ anywhere }) => anywhere));
  const isPlain = (word: string): boolean => grammar.kinds.get(word) === "value" && !leveled.has(word);
  return [...grammar.known].filter((word) => !isPlain(word));
}

/** The call's own words, without those of a program that it runs, whose options are judged there. */
function withoutInner(call: RowCall, chain: readonly CompiledRule[], runs: ReadonlySet<string>): readonly Arg[] {
  const { args, operands } = call;
  const starts = chain.flatMap(({ effects, grammar }) =>
    effects
      .filter(({ row, effect: { is } }) => /^runs-(argv|elsewhere)$/.test(is) && fits(row, call))
      .flatMap((one) =>
        commandIn(one, grammar, call)
          .words.slice(0, 1)
          .map((inner) => args.indexOf(inner)),
      ),
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
