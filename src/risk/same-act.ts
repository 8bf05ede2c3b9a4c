/**
 * One form for all ways to write one act: other order of flags, other names for them, `-it` or `-i -t`, `nginx` or `nginx.service`. What the
 * records do not know stays as it is written, so that two acts never share a form by a guess. Pure.
 */
import { type Arg, literal } from "./engine/arg.ts";
import { programName } from "./engine/judge.ts";
import { type Option, type ParsedArguments, parseOptions, words } from "./engine/options.ts";
import { equivalents, kindNames, orderedPrograms, unitSuffixes } from "./knowledge/equivalents.ts";
import { grammarWithReads } from "./reads.ts";
import { parseShell, type SyntaxNode, type Word } from "./shell/parse.ts";
import { countOwn, isWrapper } from "./shell/unwrap.ts";
import { builtInTable, type CompiledRule, findRule, judging } from "./table.ts";

const scan = { table: builtInTable };

/** Returns the same text for two commands of one server that do the same to the same object; bash only. */
export function formOfAct(command: string): string {
  const text = command.trim();
  const { commands, errors } = parseShell(text);
  const written = JSON.stringify(["text", text]);
  if (errors !== undefined && errors.length > 0) return written;
  const statements = commands.map((one) => ({ form: formOfNode(one.command, text), background: one.background }));
  if (statements.length === 0 || statements.some(({ form }) => form === undefined)) return written;
  return JSON.stringify(statements.map(({ form, background }) => [form, background === true]));
}

type ActForm = readonly unknown[];

function formOfNode(node: SyntaxNode, text: string): ActForm | undefined {
  if (node.type === "Pipeline" || node.type === "AndOr") {
    if (node.type === "Pipeline" && node.prefixes.length > 0) return undefined;
    const forms = node.commands.map((one) => formOfNode(one, text));
    return forms.includes(undefined) ? undefined : [node.type, node.operators, ...forms];
  }
  if (node.type !== "Command" || !node.name) return undefined;
  const around = [...node.prefix, ...node.suffix.filter(({ type }) => type !== "Word")].map(({ pos, end }) =>
    text.slice(pos, end),
  );
  // Its body stands elsewhere in the text.
  if (around.some((one) => /^\d*<<(?!<)/.test(one))) return undefined;
  const given = [node.name, ...node.suffix.filter((part): part is Word => part.type === "Word")];
  const literals = given.map(literalOf);
  const args = literals.filter((one) => one !== undefined);
  return [
    ...(args.length < given.length ? ["words", ...given.map(({ text: word }) => word)] : formOfCall(args)),
    around,
  ];
}

/** What a shell would hand on, if that stands in the text; undefined if the shell would fill something in. */
function literalOf({ text, value, parts }: Word): Arg | undefined {
  const isPlain = (parts ?? []).every(
    ({ type }) => type === "Literal" || type === "SingleQuoted" || type === "DoubleQuoted",
  );
  const bare = text.replace(/'[^']*'|"(?:\\.|[^"\\])*"|\\./gs, "");
  return isPlain && !/[$`*?[\]{}~]/.test(bare) && !/(?<!\\)[$`]/.test(text.replace(/'[^']*'/g, ""))
    ? literal(value)
    : undefined;
}

function formOfCall([name = literal(""), ...args]: readonly Arg[]): ActForm {
  // Only the system's own folders hold what a bare name means.
  const program = /^\/(?:usr\/)?s?bin\/[^/]+$/.test(name.text) ? programName(name.text) : name.text;
  const asWritten = ["words", program, ...args.map(({ text }) => text)];
  const rule = findRule(program, scan);
  if (isWrapper(program, builtInTable)) {
    const own = countOwn(args, rule);
    if (own === undefined || own >= args.length) return asWritten;
    const before = args.slice(0, own).map(({ text }) => text);
    const inner = formOfCall(args.slice(own));
    const plain = words(rule?.find((one) => one.program.wraps)?.program.wraps?.asRoot);
    const isRoot = plain.length > 0 && before.every((word) => plain.includes(word));
    // Root sees and changes other things than the account itself.
    return isRoot ? ["as root", inner] : ["wrapped", program, before, inner];
  }
  const [top] = judging(rule) ?? [];
  if (!top || orderedPrograms.has(program) || top.detail.oneDash) return asWritten;
  return formOfKnown(program, top, args) ?? asWritten;
}

/** Behind the first operand of these stands another program's command line. */
const handsOn = /^(?:exec|run|rsh|debug|ssh|attach|shell)$/;

function formOfKnown(program: string, top: CompiledRule, args: readonly Arg[]): ActForm | undefined {
  const dashes = args.findIndex(({ text }) => text === "--");
  const before = dashes < 0 ? args : args.slice(0, dashes);
  const outer = parseOptions(before, grammarWithReads(top, { root: program, path: [] }));
  const path = outer.operands.slice(0, 4).map(({ text }) => text);
  const grammar = grammarWithReads(top, { root: program, path });
  const { operands } = parseOptions(before, grammar);
  const verb = operands.findIndex(({ text }) => handsOn.test(text));
  // The command of another program stands as it is, from behind the object that it is given to.
  const object = dashes < 0 && verb >= 0 && verb < 2 ? operands[verb + 1] : undefined;
  const own = object ? args.slice(0, args.indexOf(object) + 1) : before;
  const rest = args.slice(own.length).map(({ text }) => text);
  const parsed = parseOptions(own, grammar);
  const names = namesOf(program);
  const known = new Set([...grammar.known, ...names.keys(), ...names.values()]);
  // An unknown option may or may not take the next word as its value.
  if (!parsed.options.every(({ name }) => known.has(name)) || isAbbreviated(own, parsed)) return undefined;
  const options = parsed.options
    .map(({ name, value }) => [names.get(name) ?? name, value?.text ?? null] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
  return ["call", program, objectsOf(program, parsed.operands), options, rest];
}

/** `--rec` is read as itself and as all that it abbreviates. */
const isAbbreviated = (args: readonly Arg[], { options }: ParsedArguments): boolean =>
  options.some(({ name }: Option) => name.startsWith("--") && !args.some(({ text }) => text.split("=")[0] === name));

const found = new Map<string, ReadonlyMap<string, string>>();

/** Each name of an option with the one that stands for all of them. */
function namesOf(program: string): ReadonlyMap<string, string> {
  const known = found.get(program);
  if (known) return known;
  const lists = Object.entries(equivalents).flatMap(([programs, list]) =>
    words(programs).includes(program) ? words(list) : [],
  );
  const made = new Map(
    lists.flatMap((one) => {
      const [first = "", ...others] = one.split("|");
      return others.map((other) => [other, first] as const);
    }),
  );
  if (found.size < 500) found.set(program, made);
  return made;
}

/** Whether a bare name means a service: not a target's, a setting or a process. */
const isUnit = (verb: string, word: string): boolean =>
  !/^(?:isolate|set-default)$/.test(verb) && !unitSuffixes.test(word) && !/^[A-Za-z_]+=|^\d+$/.test(word);

/** A unit without a suffix is a service; `deploy web` is `deployment/web`. */
function objectsOf(program: string, operands: readonly Arg[]): readonly string[] {
  const texts = operands.map(({ text }) => text);
  const [verb = "", ...rest] = texts;
  if (program === "systemctl") return [verb, ...rest.map((unit) => (isUnit(verb, unit) ? `${unit}.service` : unit))];
  if (program !== "kubectl" && program !== "oc") return texts;
  const at = /^(?:rollout|set)$/.test(verb) ? 1 : 0;
  const [first = "", ...names] = texts.slice(at + 1);
  const kindOf = (word: string): string => kindNames.get(word.toLowerCase()) ?? word;
  if (!kindVerbs.has(verb) || first === "") return texts;
  const named = [first, ...names].map((word) => {
    const slash = word.indexOf("/");
    return slash < 0 ? word : `${kindOf(word.slice(0, slash))}/${word.slice(slash + 1)}`;
  });
  if (/[/,]/.test(first)) return [...texts.slice(0, at + 1), ...named];
  if (names.length === 0) return [...texts.slice(0, at + 1), kindOf(first)];
  // Behind the objects stands what is set: `replicas=3`, `app-`.
  return [...texts.slice(0, at + 1), ...names.map((one) => (/=|-$/.test(one) ? one : `${kindOf(first)}/${one}`))];
}

/** The verbs whose first word is a kind. */
const kindVerbs = new Set(
  words("get describe delete edit scale patch label annotate autoscale expose rollout set wait"),
);
