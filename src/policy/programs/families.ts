/** `TOOL NOUN VERB`: the risk of a call by its verb, whatever the tool (see `rules/families.ts`). */
import { type Risk, stricter } from "../../types.ts";
import type { Call, Check } from "../apply.ts";
import { type Arg, type Flow, nothing, shown, unknownFlow } from "../arg.ts";
import { words as split } from "../options.ts";
import { wordsOf } from "../rules/families.ts";
import { carriers, nouns, optionVerbs, verbs } from "../rules/verbs.ts";

type Levels = ReadonlyMap<string, Risk>;
const levelsOf = (lists: Partial<Readonly<Record<Risk, string>>>): Levels =>
  new Map(
    Object.entries(lists).flatMap(([risk, list]) => split(list).map((word): [string, Risk] => [word, risk as Risk])),
  );

const verbLevels = levelsOf(verbs);
const nounLevels = levelsOf(nouns);
const optionLevels = levelsOf(optionVerbs);
const toolLevels = new Map([...wordsOf].map(([name, words]) => [name, levelsOf(words)]));
const carrying = new Set(split(carriers));
/** How many words may stand before the verb (`az network vnet subnet list`). */
const maxWords = 6;

/** A word's level: as a whole, then by its first part (`list-peers`), then by its last (`pool-destroy`, `cache:clear`). */
function levelOf(word: string, levels: Levels): Risk | undefined {
  const parts = word.split(/[-_:.]/);
  return levels.get(word) ?? levels.get(parts[0] ?? "") ?? levels.get(parts.at(-1) ?? "");
}

const strictest = (found: readonly (Risk | undefined)[]): Risk | undefined =>
  found.reduce((a, b) => (a && b ? stricter(a, b) : (a ?? b)), undefined);

interface Own {
  /** Of two neighbours (`kv_get`): decides. */
  readonly pair: Risk | undefined;
  /** Of a word alone; a harmless one is only a noun, so that `link` does not hide the `add` after it. */
  readonly one: Risk | undefined;
  readonly nouns: readonly string[];
}

/** What the tool itself says of its words. */
function ownLevels(program: string, words: readonly string[]): Own {
  const own = toolLevels.get(program);
  if (!own || own.size === 0) return { pair: undefined, one: undefined, nouns: [] };
  const starts = [...own].filter(([word]) => word.endsWith("*"));
  const levelAlone = (word: string): Risk | undefined =>
    own.get(word) ?? starts.find(([start]) => word.startsWith(start.slice(0, -1)))?.[1];
  return {
    pair: strictest(words.map((word, i) => own.get(`${words[i - 1] ?? program}_${word}`))),
    one: strictest([program, ...words].map(levelAlone)),
    nouns: words.filter((word) => levelAlone(word) === "low"),
  };
}

/** Options that are verbs (`--delete`, `--describe`); those that only read count where no operand says anything. */
function optionLevel({ options }: Call): Risk | undefined {
  return strictest(options.map(({ name }) => optionLevels.get(name.replace(/^--?/, ""))));
}

const secret =
  /(^|[-_:/])(secrets?|passwords?|passwd|credentials?|tokens?|access-keys?|private-keys?|passphrase|kubeconfig)([-_:/]|$)|keyvault/;
const reveals = /^(get|show|read|access|print|cat|reveal|view|dump|unwrap|value|export|decrypt)([-_:]|$)/;

const isPlain = ({ text }: Arg): boolean => /^[a-z][\w:.-]*$/i.test(text);

/** `aws`, `consul`, `virsh` and their like: the first verb among the words decides, else an option, else a noun. */
export const family: Check = (call) => {
  const { operands, options, program, report, scan } = call;
  const given = operands.slice(0, maxWords).filter(isPlain);
  const words = given.map((a) => a.text);
  const isHelp = options.every((o) => /^(-v|-V|-h|--version|--help)$/.test(o.name));
  if (words.length === 0 && operands.length === 0 && isHelp) {
    report("low", `${program}: version or help`);
    return unknownFlow;
  }
  const carrier = given.find((a) => carrying.has(a.text));
  if (carrier && !verbLevels.has(words[words.indexOf(carrier.text) + 1] ?? "")) return carry(call, carrier);
  const own = ownLevels(program, words);
  const asked = words
    .filter((word) => !own.nouns.includes(word))
    .map((word) => levelOf(word, verbLevels))
    .find(Boolean);
  const option = optionLevel(call);
  const noun = strictest(words.map((word) => levelOf(word, nounLevels)));
  const said = own.one === "low" && asked ? asked : (own.one ?? asked);
  const level = own.pair ?? said ?? (option === "low" ? option : undefined) ?? noun ?? option ?? "medium";
  const isSecret =
    own.pair === undefined &&
    own.one === undefined &&
    words.some((w) => secret.test(w)) &&
    words.some((w) => reveals.test(w));
  const isDry = options.some(
    (o) =>
      /^--(dry-?run|what-if|noop|simulate|check-only|help)$/.test(o.name) &&
      !/^(none|false)$/.test(o.value?.text ?? ""),
  );
  const risk = isDry ? "low" : stricter(stricter(option ?? "low", isSecret ? "high" : "low"), level);
  report(
    scan.production && risk === "medium" ? "high" : risk,
    `${[program, ...words.slice(0, 3).map(shown)].join(" ")}${isSecret ? ": shows a secret" : ""}`,
  );
  return unknownFlow;
};

/** `exec`, `ssh`, `run-command`: what the tool hands on, after `--`, in an option, or after the name of the target. */
function carry({ args, operands, options, program, report, scan, stdin }: Call, carrier: Arg): Flow {
  const dashes = args.findIndex((a) => a.text === "--");
  if (dashes >= 0) return scan.runArgs(args.slice(dashes + 1), stdin);
  const text = options.find((o) => /^(-c|-C|--command|--cmd|--scripts)$/.test(o.name) && o.value)?.value;
  if (text) return scan.runShell(text.text, nothing, `in ${program}`);
  const rest = operands.slice(operands.indexOf(carrier) + 2);
  if (rest.length > 0) return scan.runArgs(rest, stdin);
  report("medium", `${program} opens a shell elsewhere`);
  return unknownFlow;
}
