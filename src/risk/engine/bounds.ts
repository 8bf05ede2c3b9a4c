import { anyCase } from "../../base/any-case.ts";
/**
 * Whether anything ends a command: "only looks" can still take a server down. What has no end or no bound of its own stays approvable at
 * its level; it is ended at the server's limit, and never runs unattended.
 */

import { countLimits, type SubBound } from "../knowledge/endless.ts";
import { isWrapper } from "../shell/unwrap.ts";
import { hasTrait, ownGrammar, programFacts } from "../table.ts";
import { type Arg, hole, literal } from "./arg.ts";
import { parseOptions, words } from "./options.ts";
import { normalise } from "./paths.ts";
import type { Scan, SeenCall } from "./scan.ts";

/** Notes what in a call has no end or no bound of its own. */
export function checkBounds(call: SeenCall): void {
  const { program, args, scan, rule } = call;
  if (scan.trials > 0 || scan.limits > 0) return;
  const found = programFacts(program, rule).bounds.filter(
    (bound) => (program !== "yes" || !scan.shortened) && checkKnown(call, bound),
  );
  if (scan.shortened) return;
  // Notes a count or a time that is more than a look: `ping -c 1000000`, `top -bn100000`, `wget -t 0`.
  const texts = args.map(({ text }) => text);
  for (const { options, most } of countLimits.get(program) ?? [])
    for (const option of options)
      texts.forEach((text, i) => {
        const said = option.startsWith("--")
          ? new RegExp(`^${option}(?:=(.*))?$`, "s").exec(text)
          : new RegExp(`^-[a-zA-Z]*${option.slice(1)}=?(\\d.*)?$`, "s").exec(text);
        const given = said && (said[1] ?? texts[i + 1] ?? "");
        if (!given || !/^(\d+|inf)$/.test(given)) return;
        const isEndless = given === "inf" || (given === "0" && /^wget2?$/.test(program));
        if (isEndless || Number(given) > most) scan.unbound(`${option} ${given} is more than a look`);
      });
  const isOther = hasTrait(program, "text", scan.table) || hasTrait(program, "names", scan.table);
  if (found.length === 0 && !isOther && !isWrapper(program, scan.table)) checkFollowing(call);
  checkReading(call);
  special[program]?.(
    args.map(({ text }) => text),
    scan,
  );
  const language = filterLanguages[program];
  if (language && codeOf(call).some(language))
    scan.unbound(`a loop in ${program}'s code may never end`, `timeout 10 ${program} …`);
  if (codePrograms.test(program) && args.some(({ text }) => endlessCode.test(text)))
    scan.unbound(`a loop in ${program}'s code may never end`);
  if (args.some(({ text }) => sleepsLong(text))) scan.unbound("it holds the database up");
}

/** Words that make a client stay and print what comes; `az monitor metrics list` has more behind it. */
const staying = new Set(["monitor", "monit", "watch", "subscribe", "tail"]);

/** Options and words that mean the same in each program: go on for as long as something new may come. */
function checkFollowing({ args, scan, rule }: SeenCall): void {
  if (!args.some(({ text }) => text[0] === "-") && !staying.has(args[0]?.text ?? "")) return;
  const words = args.filter(({ text }) => !text.startsWith("-")).map(({ text }) => text);
  const isLog = words.slice(0, 4).some((text) => /^(logs?|tail|journal)$/.test(text));
  const follows = args.find(
    ({ text }) =>
      /^--(follow|watch|watch-only|loop|continuous|forever|live)(=true|=name|=descriptor)?$/.test(text) ||
      (isLog && /^-[a-z]*f$/.test(text)),
  );
  const at = args.findIndex(({ text }) => text === "--tail");
  const isTailing = isLog && at >= 0 && !/^\d+$/.test(args[at + 1]?.text ?? "");
  const hasWords = rule?.some(({ hasSub, verbs, levels }) => hasSub || verbs.size > 0 || levels.length > 0) ?? false;
  const isStaying =
    hasWords &&
    words.length <= (words[0] === "tail" ? 1 : 2) &&
    staying.has(words[0] ?? "") &&
    !args.some(({ text }) => /^-(n|c|-lines|-max|-count)/.test(text));
  if (isTailing) scan.unbound("--tail never ends", "--tail=100");
  else if (follows) scan.unbound(`${follows.text} never ends`, "timeout 10 …");
  else if (isStaying) scan.unbound(`${words[0]} never ends`, "timeout 10 …");
}

/** Notes what goes on for ever by the program's own record. Returns whether it noted anything. */
function checkKnown({ program, args: given, scan, rule }: SeenCall, bound: SubBound): boolean {
  // What stands behind `--` is of the program that is started there.
  const dashes = given.findIndex(({ text }) => text === "--");
  const args = dashes < 0 ? given : given.slice(0, dashes + 1);
  const [sub, endless, ends] = [words(bound.sub), words(bound.endless), words(bound.ends)];
  const grammar = ownGrammar(program, rule);
  const parsed = grammar ? parseOptions(args, grammar) : { options: [], operands: args };
  const texts = new Set(args.filter(({ text }) => !isOff.test(text)).map(({ text }) => text.replace(/=.*$/s, "")));
  const said = parsed.options.filter(({ name, value }) => !(value && isOff.test(`${name}=${value.text}`)));
  // An option counts as it is parsed: one that is switched off (`-t 0`) ends nothing, `--watch=false` does.
  const isWord = ({ text }: Arg): boolean => grammar === undefined || !/^-[^-=][^=]*$|^--[^=]+$/.test(text);
  const names = new Set([...said.map(({ name }) => name), ...args.filter(isWord).map(({ text }) => text)]);
  const hasOne = (listed: readonly string[], given: ReadonlySet<string>): boolean =>
    listed.some((name) => given.has(name) || ((!grammar || name[0] === "+") && isGlued(name, texts)));
  const path = parsed.operands.slice(0, maxWords).map(({ text }) => text.toLowerCase());
  const isNamed = (word: string): boolean =>
    path.some((_, used) => path.slice(0, used + 1).join("_") === word.toLowerCase()) ||
    (word.endsWith("*") && path[0]?.startsWith(word.slice(0, -1)) === true);
  if (sub.length > 0 && !sub.some(isNamed)) return false;
  if (endless.length > 0 && !hasOne(endless, names.union(texts))) return false;
  if (hasOne(ends, names)) return false;
  const counted = parsed.operands.map(({ text }) => text).filter((text) => /^\d+(\.\d+|ms|s)?$/.test(text));
  const numbers = counted.length;
  const least = bound.counted ?? bound.interval;
  if (least && numbers >= least && Number(counted.at(-1)) > maxRounds) {
    scan.unbound(`${bound.does.replace(" for ever", "")} ${counted.at(-1)} times`, bound.instead);
    return true;
  }
  if (bound.counted && numbers >= bound.counted) return false;
  if (bound.interval && numbers !== bound.interval - 1) return false;
  if (bound.endless === undefined && bound.sub === undefined && isVersion(args)) return false;
  scan.unbound(bound.does, bound.instead);
  return true;
}

/** How many words name a sub-command. */
const maxWords = 3;

/** An option that is switched off. */
const isOff = /^-[^=]*=(false|no|0)$/;

/** `-c10`, and a letter within a cluster (`-rn`), which is no letter of a longer option. */
const isGlued = (name: string, texts: ReadonlySet<string>): boolean =>
  /^[-+]\w$/.test(name) &&
  [...texts].some((text) => /^[-+]\w+$/.test(text) && text.startsWith(name[0] ?? "") && text.includes(name.slice(1)));

const isVersion = (args: readonly Arg[]): boolean =>
  args.some(({ text }) => /^(--version|--help|-V|version|help)$/.test(text));

const staysOnOne = /^(-xdev|-mount|-x|--one-file-system|-maxdepth|--max-depth(=\d+)?|-L|-d|-prune|--xdev)$/;
const wholeTree = new Set(["/", "/proc", "/sys", "/dev", "/*", "/**"]);
export const endlessDevice = /^\/dev\/(zero|urandom|random|full|kmsg|hwrng)$/;

function checkReading({ program, args, stdin, scan, rule }: SeenCall): void {
  const walk = programFacts(program, rule).traits.find(({ is }) => is === "walks");
  const asked = walk?.if === undefined ? undefined : new RegExp(anyCase(walk.if));
  if (walk && (!asked || args.some(({ text }) => asked.test(text)))) {
    const isOne = args.some(({ text }) => staysOnOne.test(text));
    const root = args.find(({ text }) => text.startsWith("/") && wholeTree.has(normalise(text, undefined)));
    if (root && !isOne) {
      const instead = program === "find" ? "find / -xdev -maxdepth 3 …" : program === "du" ? "du -x …" : undefined;
      scan.unbound(`it reads everything under ${root.text}`, instead ?? `${program} … in one folder`);
    }
    return;
  }
  if (program === "dd" && args.some(({ text }) => /^count=/.test(text))) return;
  const isHead = program === "head";
  if (isHead && args.some(({ text }) => /^(-[a-z]*c|--bytes)/.test(text))) return;
  const read = stdin.from === undefined ? args : [...args, literal(stdin.from)];
  // What holds no end of a line is one line.
  const never = isHead ? /^\/dev\/(zero|full)$/ : endlessDevice;
  const device = read.find(({ text }) => never.test(normalise(text.replace(/^if=/, ""), undefined)));
  if (device) scan.unbound(`${device.text.replace(/^if=/, "")} never ends`, "head -c 1M …");
}

const unitSeconds: Readonly<Record<string, number>> = { "": 1, s: 1, m: 60, h: 3600, d: 86_400 };

/** `90`, `5m`, `1.5h`; infinite where it is anything else. */
export function secondsOf(text: string): number {
  const [, number = "", unit = ""] = /^(\d+(?:\.\d*)?)([smhd]?)$/.exec(text) ?? [];
  return number === "" ? Number.POSITIVE_INFINITY : Number(number) * (unitSeconds[unit] ?? 1);
}

/** A look that takes longer than this is no look. */
const maxSleep = 600;
const maxRounds = 1000;

const special: Readonly<Record<string, ((texts: readonly string[], scan: Scan) => void) | undefined>> = {
  tail: (texts, scan) => {
    if (texts.some((text) => /^\+\d*[bcl]?f$/.test(text))) scan.unbound("tail -f never ends", "tail -n 100");
  },
  ip: (texts, scan) => {
    const words = texts.filter((text) => !text.startsWith("-"));
    if (/^(\S+ )?mo(n(i(t(or?)?)?)?)? |^(netns|x\S*|mptcp|nexthop) m(o\S*)? /.test(`${words.join(" ")} `))
      scan.unbound("it never ends", "timeout 10 ip monitor");
  },
  bridge: (texts, scan) => {
    if (/^mo/.test(texts.find((text) => !text.startsWith("-")) ?? "")) scan.unbound("it never ends");
  },
  az: (texts, scan) => {
    if (/ log tail /.test(` ${texts.join(" ")} `)) scan.unbound("it follows the logs", "timeout 10 …");
  },
  gcloud: (texts, scan) => {
    if (/ logs? tail | tail-serial-port-output /.test(` ${texts.join(" ")} `))
      scan.unbound("it follows the logs", "timeout 10 …");
  },
  perf: (texts, scan) => {
    const times = / (?:-r ?|--repeat[ =])(\d+) /.exec(` ${texts.join(" ")} `)?.[1];
    const isBare = texts[0] === "stat" && texts.length === 1;
    if (isBare || times === "0" || Number(times) > maxRounds) scan.unbound("it counts until it is stopped");
  },
  lpq: (texts, scan) => {
    if (texts.some((text) => /^\+\d/.test(text))) scan.unbound("it repeats until the queue is empty", "lpq");
  },
  tnsping: (texts, scan) => {
    if (!(Number(texts[1] ?? 1) <= maxRounds)) scan.unbound("it asks too often", "tnsping x 3");
  },
  ldapsearch: (texts, scan) => {
    if (texts.some((text) => /sync=rp|^!?ps:/i.test(text))) scan.unbound("it waits for what changes for ever");
  },
  openssl: (texts, scan) => {
    if (texts[0] === "rand" && texts.some((text) => /^\d{8,}$/.test(text)))
      scan.unbound("it prints more than anybody reads");
  },
  tshark: (texts, scan) => {
    const seconds = texts.flatMap((text) => /^duration:(\d+)/.exec(text)?.[1] ?? []);
    if (seconds.some((one) => !(Number(one) <= maxSleep))) scan.unbound("it captures for longer than ten minutes");
  },
  sleep: (texts, scan) => {
    const seconds = texts.filter((text) => !text.includes(hole)).reduce((sum, text) => sum + secondsOf(text), 0);
    if (!(seconds <= maxSleep)) scan.unbound("it sleeps for longer than ten minutes");
  },
  seq: (texts, scan) => {
    const numbers = texts.filter((text) => !/^-(?:[wfs]|-)/.test(text)).map(Number);
    const [from = 1, to = numbers[0] ?? 0] = numbers.length > 1 ? [numbers[0], numbers.at(-1)] : [1, numbers[0]];
    const step = numbers.length > 2 ? (numbers[1] ?? 1) : 1;
    if (!(Math.abs((to - from) / step) <= maxRounds * maxRounds)) scan.unbound("it counts without a bound");
  },
  head: (texts, scan) => {
    if (
      texts.some((text) => /^(-c|--bytes=)?\d+([TPEZY]|\d{3,}G|\d{10,})/.test(text) || /^-[cn]?-?\d{10,}$/.test(text))
    )
      scan.unbound("it reads more than anybody looks at", "head -c 1M …");
  },
  curl: (texts, scan) => {
    const seconds = texts.flatMap(
      (text) => /[?&](?:seconds|timeout|duration|wait|time)=([\d.]+[smhd]?)/i.exec(text)?.[1] ?? [],
    );
    if (seconds.some((one) => !(secondsOf(one) <= maxSleep))) scan.unbound("it asks for longer than ten minutes");
    const isStream = texts.some((text) =>
      /^telnet:|^(-\w*N|--no-buffer)$|[?&]((watch|follow|stream)=(1|true)|feed=(continuous|eventsource))/i.test(text),
    );
    if (texts.some((text) => /\[\d+-\d{4,}\]/.test(text))) scan.unbound("it asks thousands of times");
    if (isStream && !texts.some((text) => /^(-m|--max-time)/.test(text)))
      scan.unbound("it reads for as long as something is sent", "curl -m 10 …");
  },
  "redis-cli": (texts, scan) => {
    const after = (name: string): number => Number(texts.includes(name) ? (texts[texts.indexOf(name) + 1] ?? "0") : 0);
    const waits = /^wait(aof)?$/i.test(texts.find((text) => /^[a-z]/i.test(text)) ?? "") && texts.at(-1) === "0";
    const rounds = after("-r");
    if (waits || !(rounds >= 0 && rounds <= maxRounds) || !(after("--intrinsic-latency") <= maxSleep))
      scan.unbound("it goes on until it is ended", "redis-cli -r 5 -i 1 …");
  },
  kubectl: (texts, scan) => {
    if (texts.some((text) => /[?&](watch|follow)=(1|true)|^(--raw=)?\/apis?\/(\S*\/)?watch\//i.test(text)))
      scan.unbound("it watches for ever");
    const times = texts.flatMap((text, i) =>
      text === "--timeout" ? (texts[i + 1] ?? "") : (/^--timeout=(.*)/.exec(text)?.[1] ?? []),
    );
    if (times.some((time) => !(secondsOf(time) <= maxSleep) || /^-?0+(\.0+)?[a-z]*$/.test(time)))
      scan.unbound("it waits for longer than ten minutes");
  },
  nmap: (texts, scan) => {
    if (texts.some((text) => /\/([0-9]|1\d|2[01])$/.test(text) || /^\d+(\.[\d*-]+)*\.(\*|\d+-\d+)\./.test(text)))
      scan.unbound("it sends packets to a whole network", "nmap -p 22,443 HOST");
    if (texts.some((text) => isManyPorts(text))) scan.unbound("it tries thousands of ports", "nmap -p 22,443 HOST");
  },
  nc: (texts, scan) => {
    if (texts.some((text) => isManyPorts(text))) scan.unbound("it tries thousands of ports", "nc -zv HOST 22");
  },
};

/** `-`, `0-65535`, `1-10000`, bundled with `-p` or not. */
function isManyPorts(text: string): boolean {
  if (/^-p-$/.test(text)) return true;
  const [, from = "", to = ""] = /^(?:-p)?(?:[TU]:)?(\d+)-(\d+)$/.exec(text) ?? [];
  return to !== "" && Number(to) - Number(from) > maxRounds;
}

// Whether code of a filter may never end, as far as its text tells: a loop without a comparison, a function that may call itself, a number of many
// digits. A call that holds one is never run unattended.

const quoted = /"(?:[^"\\]|\\[\s\S])*"|#[^\n]*/g;
/** The text without its strings; of jq one with `\\(…)` in it holds code. A quote may stand in a pattern of awk, so both readings count. */
const outsideStrings = (text: string): string =>
  text.replace(quoted, (found) => (found.includes("\\(") && found[0] === '"' ? found : '""'));

/** A text with more functions than this is made to cost time, so it is not looked at closely. */
const maxFunctions = 50;

/** Whether a function may call itself: named where it is defined, where it is called, and once more. */
function mayRecur(text: string, definition: RegExp): boolean {
  const names = [...text.matchAll(definition)].map(([, name = ""]) => name);
  const isOften = (name: string): boolean =>
    (text.match(new RegExp(`(?<![.$\\w])${name}(?!\\w)`, "g")) ?? []).length > 2;
  return names.length > maxFunctions || names.some(isOften);
}

/** A written range, and a path that leads deeper into a document, come to an end. */
const ends = /\brange\s*\(\s*\d{1,5}\s*(?:;\s*\d{1,5}\s*)?\)|\brecurse\s*\(\s*\.[\w.[\]?"\s]*[\w\]][\w.[\]?"\s]*\)/g;

/** jq: functions that repeat by their nature, and one that may call itself. */
function jqMayNotEnd(program: string): boolean {
  const text = outsideStrings(program);
  return (
    /(?<![.$\w"])(?:repeat|while|until|infinite|combinations|range|recurse(?=\s*\())\b(?!\s*:)/.test(
      text.replace(ends, ""),
    ) || mayRecur(text, /\bdef\s+(\w+)/g)
  );
}

/** awk: a loop whose condition compares nothing, and a function that may call itself. */
const awkMayNotEnd = (program: string): boolean =>
  [program, outsideStrings(program)].some(
    (text) =>
      /\bwhile\s*\((?![^{;\n]*(?:[<>](?!\s*")|!=|\bmatch\s*\(|\b(?:--\w+|\w+--)))|\bfor\s*\([^;)]*;[^;<>!]*;/.test(
        text,
      ) || mayRecur(text, /\bfunc(?:tion)?\s+(\w+)/g),
  );

/** bc: a loop, a function of its own, a power of a power, a scale or an exponent of thousands. */
const bcMayNotEnd = (text: string): boolean =>
  mayRecur(text, /\bdefine\s+(?:void\s+)?(\w+)/g) ||
  /\b(?:while|for)\b|\^[^;\n]*\^|\^\s*\(?\s*-?\d{5,}|\bscale\s*=\s*\d{5,}/.test(text);

/** dc: a text that is run (`x`, `<a`) can run itself. */
const dcMayNotEnd = (text: string): boolean =>
  (text.includes("[") && /[x<>=]/.test(text.slice(text.indexOf("[")))) || /(?<!\d)\d{5,}\s*\^/.test(text);

interface SedCommand {
  readonly command: string;
  readonly rest: string;
}

/** sed: a way back to a label that takes no other line on it, or ends only when a replacement finds nothing; `D` starts over, too. */
export function sedMayNotEnd(commands: readonly SedCommand[]): boolean {
  const labels = new Map<string, number>();
  const takesLine = (from: number, to: number): boolean =>
    commands.slice(from, to).some(({ command }) => /^[nN]$/.test(command));
  for (const [at, { command, rest }] of commands.entries()) {
    if (command === ":") labels.set(rest, at);
    const label = labels.get(rest);
    if (/^[btT]$/.test(command) && rest !== "" && label !== undefined && !takesLine(label, at)) return true;
  }
  const last = commands.findIndex(({ command }) => command === "D");
  return last >= 0 && !takesLine(0, last);
}

/** Filters with a language of their own, and whether a text in it may have no end. */
const filterLanguages: Readonly<Record<string, ((text: string) => boolean) | undefined>> = {
  ...{ jq: jqMayNotEnd, gojq: jqMayNotEnd, jaq: jqMayNotEnd, yq: jqMayNotEnd, xq: jqMayNotEnd, tomlq: jqMayNotEnd },
  ...{ awk: awkMayNotEnd, gawk: awkMayNotEnd, mawk: awkMayNotEnd, nawk: awkMayNotEnd, "original-awk": awkMayNotEnd },
  ...{ bc: bcMayNotEnd, dc: dcMayNotEnd },
};

/** What may be code of a filter: its words, what this script wrote to the files that it names, and, of a calculator, its input. */
function codeOf({ program, args, stdin, scan }: SeenCall): readonly string[] {
  const texts = args.map(({ text }) => text);
  const files = texts.flatMap((text) => scan.files.get(normalise(text, scan.cwd))?.text ?? []);
  const input = /^[bd]c$/.test(program) ? (stdin.text ?? stdin.pieces) : undefined;
  return [...texts, ...files, ...(input === undefined ? [] : [input])];
}

const codePrograms = /^(mongosh?|python|perl|ruby|node|php|lua|awk|gawk|mawk|nawk|tclsh|Rscript|deno|bun)[\d.]*$/;
const endlessCode =
  /\bwhile\s*\(?\s*(1|true|True|!0)\b|\bfor\s*\(\s*;[^;]*;|\bfor\s*\(;;|\bloop\b|\buntil\s*\(?\s*(0|false)\b|\bitertools\.(count|cycle)/;

/** A sleep in a query, a series or a text of millions, a loop of the server's own. */
function sleepsLong(text: string): boolean {
  const [, seconds = ""] = /\b(?:pg_sleep|sleep|sleepEachRow)["`]?\s*\(\s*([\d.e]+)/i.exec(text) ?? [];
  if (seconds !== "" && !(Number(seconds) <= 60)) return true;
  if (/\bwaitfor\s+delay\b|\bbenchmark\s*\(|\bpg_sleep_(for|until)\b|\bdbms_(lock|session)\.sleep\b/i.test(text))
    return true;
  if (/\bwith\s+recursive\b/i.test(text) && !/\b(where|join|limit)\b/i.test(text)) return true;
  const [, last = ""] = /\b(?:generate_series|repeat|range)\s*\([^()]*?,\s*(\d+)\b/i.exec(text) ?? [];
  return last.length > 6;
}

/** Notes a loop that goes round too often, or for as long as something is so. */
export function checkRounds(rounds: number, scan: Scan): void {
  if (rounds > maxRounds) scan.unbound(`a loop of ${rounds} rounds`);
}

/** `while`, `until`: ended by what it reads, by a count that stands in it, or by nothing that can be seen. */
export function checkWaiting(clause: string, scan: Scan, instead = "timeout 60 bash -c '…'"): void {
  if (/^\s*(IFS=\S*\s+)?read\b/.test(clause)) return;
  const counts = [...clause.matchAll(/(?:-(?:lt|le|gt|ge|ne|eq)|[<>]=?)\s*(\d+)/g)].map(([, number]) => Number(number));
  if (counts.length > 0 && counts.every((count) => count <= maxRounds)) return;
  scan.unbound("a loop that goes on until something changes", instead || undefined);
}
