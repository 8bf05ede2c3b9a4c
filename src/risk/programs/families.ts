import { type Risk, stricter } from "../../base/risk.ts";
import type { Check, ProgramCall } from "../engine/apply.ts";
import { type Arg, type Flow, nothing, shown, unknownFlow } from "../engine/arg.ts";
import { isDryRun } from "../engine/dry-run.ts";
import { levelsOf } from "../engine/options.ts";
import { inProduction } from "../engine/scan.ts";
import { type ConsoleReads, consoleReads } from "../knowledge/consoles.ts";
import { knowsDryRun } from "../knowledge/rehearsals.ts";
import { namesSecret } from "../knowledge/variables.ts";
import { knownVerbs, nouns, optionVerbs } from "../knowledge/verbs.ts";
import { findReads, isListedSub } from "../reads.ts";
import { isDestroyingText } from "./sql.ts";

/** `TOOL NOUN VERB`: the risk of a call by its verb, for each tool of a family (see `knowledge/cloud.ts`). */

type Levels = ReadonlyMap<string, Risk>;
const verbLevels: Levels = new Map(levelsOf(knownVerbs));
const verbOptions: Levels = new Map(levelsOf(optionVerbs));
const nounLevels: Levels = new Map(levelsOf(nouns));
/** How many words may stand before the verb (`az network vnet subnet list`). */
const maxWords = 6;

/** A word's level: as a whole, then by its first part (`list-peers`), then by its last (`pool-destroy`). */
const levelOf = (word: string, levels: Levels): Risk | undefined =>
  startLevelOf(word, levels) ?? levels.get(word.split(/[-_:.]/).at(-1) ?? "");

/** The same without its last part, but for what stands behind a colon: before one it says of what it is (`cache:clear`). */
function startLevelOf(word: string, levels: Levels): Risk | undefined {
  const parts = word.split(/[-_:.]/);
  const [first = "", last = ""] = [parts[0], parts.at(-1)];
  if (word.includes(":") && levels.has(last)) return levels.get(last);
  // Two letters are a noun there: `ls-del` is of a logical switch, `ps:stop` of a process.
  return levels.get(word) ?? (first.length > 2 ? levels.get(first) : undefined);
}

const strictest = (found: readonly (Risk | undefined)[]): Risk | undefined =>
  found.reduce((a, b) => (a && b ? stricter(a, b) : (a ?? b)), undefined);

type Tool = Pick<ProgramCall, "program" | "verbs">;

interface OwnWords {
  /** Of two neighbours (`kv_get`): decides. */
  readonly pair: Risk | undefined;
  /** Of a word alone; a harmless one is only a noun, so that `link` does not hide the `add` after it. */
  readonly one: Risk | undefined;
  readonly nouns: readonly string[];
}

/** What the tool itself says of its words. */
function ownLevels({ program, verbs: own }: Tool, words: readonly string[]): OwnWords {
  if (own.size === 0) return { pair: undefined, one: undefined, nouns: [] };
  const starts = [...own].filter(([word]) => word.endsWith("*"));
  const levelAlone = (word: string): Risk | undefined =>
    own.get(word) ?? starts.find(([start]) => word.startsWith(start.slice(0, -1)))?.[1];
  return {
    pair: strictest(words.map((word, i) => own.get(`${words[i - 1] ?? program}_${word}`))),
    one: strictest([program, ...words].map(levelAlone)),
    nouns: words.filter((word) => levelAlone(word) === "low"),
  };
}
const none: ReadonlySet<string> = new Set();

const secret =
  /(^|[-_:/])((admin|query|account|shared|publishing|master|storage)-?(keys?|credentials)|masterkey|connection-strings?|access-details|secrets?|passwords?|passwd|auth-?strings?|publishing-?profiles?|credentials?|tokens?|access-keys?|private-keys?|passphrase|kubeconfig)([-_:/]|$)|keyvault/;
/** Lists of these show them. */
const listsThem =
  /(^|[-_:/])((shared|account|publishing|query|admin)-?(keys|credentials)|credentials|connections|publishing-?profiles?)([-_:/]|$)/;
const reveals = /^(get|show|read|access|print|cat|reveal|view|dump|unwrap|value|export|decrypt)([-_:]|$)/;

const isOwn = (tool: Tool, words: readonly string[]): boolean => {
  const { pair, one } = ownLevels(tool, words);
  return (pair ?? one) !== undefined;
};

/** The level of a call by its words: the tool's own pairs, the first verb, a reading option, nouns; else medium. */
function levelOfWords(tool: Tool, words: readonly string[], option: Risk | undefined): Risk {
  const own = ownLevels(tool, words);
  const verbs = words.filter((word) => !own.nouns.includes(word)).filter((word) => levelOf(word, verbLevels));
  // `commitment-plan` only names something where a verb of its own comes later.
  const verb = verbs.find((word) => startLevelOf(word, verbLevels) ?? levelOf(word, verbLevels) !== "low") ?? verbs[0];
  const asked = verb === undefined ? undefined : levelOf(verb, verbLevels);
  // `log-set-output`: a noun that says what is done to it.
  const noun = strictest(
    words.flatMap((word) => {
      const found = levelOf(word, nounLevels);
      return found
        ? [
            found,
            ...word
              .split("-")
              .slice(1)
              .map((part) => verbLevels.get(part)),
          ]
        : [];
    }),
  );
  const said = own.one === "low" && asked ? asked : (own.one ?? asked);
  return (
    own.pair ??
    said ??
    (option === "low" ? option : undefined) ??
    noun ??
    option ??
    (isListedSub(tool.program, words) ? "low" : "medium")
  );
}

/** Consoles of routers and switches (`vtysh -c 'show …'`): each line is judged by its words like a call. */
export const deviceConsole: Check = (call) => {
  const { args, operands, program, report, scan } = call;
  const reads = consoleReads[program];
  if (reads) return judgeLines(call, reads);
  const at = args.flatMap(({ text }, i) => (/^(-c|-x|-rx)$/.test(text) ? [args[i + 1]?.text ?? ""] : []));
  const texts = at.length > 0 ? at : [operands.map((a) => a.text).join(" ")];
  for (const line of texts.flatMap((text) => text.split(/[\n;]/))) {
    const words = line.split(/[\s|]+/).filter(Boolean);
    const isPaging = words.length === 0 || /^((enable|en)$|(exit|end|quit|terminal)(\s|$))/.test(words.join(" "));
    const said = isPaging ? "low" : levelOfWords(call, words.slice(0, 3), undefined);
    // A console with a shell of its own answers these words alone.
    const isClosed = !isPaging && /^(vtysh|birdcl?|vppctl)$/.test(program) && !asking.test(words[0] ?? "");
    const level = isClosed ? stricter(said, "medium") : said;
    report(operands.length === 0 && at.length === 0 ? "medium" : level, `${program}: ${shown(line)}`);
    if (level !== "low") scan.attempt(() => scan.runShell(line, nothing, `in ${program}`));
  }
  return unknownFlow;
};

// Consoles that take a command a line (`bconsole`, `dgmgrl`): a call is judged by its lines.

/** Lines from its words, else from its input; without either it waits. */
function judgeLines(
  { program, operands, options, stdin, report, scan }: ProgramCall,
  known: ConsoleReads,
): Flow | undefined {
  const words = operands.map(({ text }) => text).filter((text) => !known.signIn?.test(text));
  const given = known.takesWords ? words.join(" ") : "";
  const text = given === "" ? stdin.text : given;
  const [extra] = known.takesWords ? [] : words;
  if (extra !== undefined) report("medium", `${program} is given ${shown(extra)}`);
  if (text === undefined) {
    const isHelp = options.some(({ name }) => /^(-V|-h|-\?|--version|--help|-version|-help)$/.test(name));
    report(isHelp && !stdin.present ? "low" : "medium", `${program} waits for commands`);
    return undefined;
  }
  const lines = known.isWhole === true ? [text.replaceAll(/\s+/g, " ")] : text.split(/[\n;]/);
  for (const line of lines.map((one) => one.trim())) {
    if (line === "" || known.reads.test(line)) continue;
    const isDestroying = known.destroys?.test(line) === true || isDestroyingText(line);
    report(isDestroying ? "high" : "medium", `${program}: ${shown(line)}`);
    const command = known.toShell?.exec(line)?.[1];
    if (command !== undefined) scan.runShell(command, nothing, `in ${program}`);
  }
  return unknownFlow;
}

const asking = /^(sh|sho|show|help|list|echo|who|version)$/;

const isPlain = ({ text }: Arg): boolean => /^[a-z][\w:.-]*$/i.test(text);

/** `aws`, `consul`, `virsh` and their like: the first verb among the words decides, else an option, else a noun. */
export const family: Check = (call) => {
  const { operands, options, program, report, scan } = call;
  const given = operands.slice(0, maxWords).filter(isPlain);
  const words = given.map((a) => a.text);
  const isHelp = options.every((o) => /^(-v|-V|-h|--version|--help)$/.test(o.name));
  if (words.length === 0 && operands.length === 0 && isHelp) {
    report(options.length === 0 ? (ownLevels(call, []).one ?? "low") : "low", `${program}: version or help`);
    return unknownFlow;
  }
  const [first] = operands;
  // `k3s kubectl get …`, `minikube -p prod kubectl -- get …`.
  if (first?.text === "kubectl") {
    const behind = call.args.slice(call.args.indexOf(first) + 1);
    return scan.runArgs([first, ...(behind[0]?.text === "--" ? behind.slice(1) : behind)], call.stdin);
  }
  // Options that are verbs (`--delete`, `--describe`); those that only read count where no operand says anything. One that is listed with the
  // sub-command only filters what that shows: `wp plugin list --update=available`.
  const { flags, takes } = isListedSub(program, words) ? findReads(program, words) : { flags: none, takes: none };
  const acting = options.filter(({ name }) => !flags.has(name) && !takes.has(name));
  const option =
    strictest(acting.map(({ name }) => verbOptions.get(name.replace(/^--?/, "")))) ??
    (options.some(({ name }) => verbOptions.get(name.replace(/^--?/, "")) === "low") ? "low" : undefined);
  const level = levelOfWords(call, words, option);
  const shows =
    words.some((w) => reveals.test(w)) ||
    words.some((w) => listsThem.test(w) && (w.startsWith("list-") || words.includes("list")));
  const names = operands.slice(1).flatMap(({ text }) => text.replaceAll("-", "_").split(/[/.]/));
  const isSecret =
    (!isOwn(call, words) &&
      ((shows && words.some((w) => secret.test(w))) ||
        words.some((w) => reveals.test(w) && secret.test(w.replace(reveals, "-"))))) ||
    (shows && level === "low" && !words.includes("metadata") && names.some(namesSecret));
  const isDry = isDryRun({ args: call.args, options, known: new Set() }, (name) =>
    /^--dry-?run$/.test(name)
      ? knowsDryRun(program, words[0])
      : /^--(what-if|noop|simulate|check-only|help|generate-cli-skeleton)$/.test(name),
  );
  const risk = isDry ? "low" : stricter(stricter(option ?? "low", isSecret ? "high" : "low"), level);
  report(
    inProduction(risk, scan),
    `${[program, ...words.slice(0, 3).map(shown)].join(" ")}${isSecret ? ": shows a secret" : ""}`,
  );
  return unknownFlow;
};
