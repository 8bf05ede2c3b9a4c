import { type Refusal, refuseCommand } from "../base/words.ts";
import { type FlagTable, flagsOf, readFlags } from "./flags.ts";

interface Filter {
  readonly flags: FlagTable;
  /** How many words that are no flags it may have: its pattern or program; never a file. */
  readonly words: number;
}

/** What may stand behind a pipe: each reads its input alone, and has no flag here that reads, writes or runs anything else. */
const filters: Readonly<Record<string, Filter>> = {
  grep: {
    flags: flagsOf(
      "-i/--ignore-case -v/--invert-match -c/--count -o/--only-matching -w/--word-regexp -x/--line-regexp",
      "-E/--extended-regexp -F/--fixed-strings -P/--perl-regexp -G/--basic-regexp -n/--line-number -q/--quiet -a/--text",
      "-A/--after-context= -B/--before-context= -C/--context= -m/--max-count= -e/--regexp= --color -s/--no-messages",
    ),
    words: 1,
  },
  head: { flags: flagsOf("-n/--lines= -c/--bytes= -q/--quiet"), words: 0 },
  tail: { flags: flagsOf("-n/--lines= -c/--bytes= -q/--quiet"), words: 0 },
  sort: {
    flags: flagsOf(
      "-n/--numeric-sort -r/--reverse -u/--unique -h/--human-numeric-sort -V/--version-sort -f/--ignore-case -s/--stable",
      "-b/--ignore-leading-blanks -d/--dictionary-order -g/--general-numeric-sort -M/--month-sort -k/--key= -t/--field-separator=",
    ),
    words: 0,
  },
  uniq: {
    flags: flagsOf(
      "-c/--count -d/--repeated -u/--unique -i/--ignore-case -f/--skip-fields= -s/--skip-chars= -w/--check-chars=",
    ),
    words: 0,
  },
  wc: { flags: flagsOf("-l/--lines -w/--words -c/--bytes -m/--chars -L/--max-line-length"), words: 0 },
  cut: {
    flags: flagsOf(
      "-d/--delimiter= -f/--fields= -c/--characters= -b/--bytes= -s/--only-delimited --complement --output-delimiter=",
    ),
    words: 0,
  },
  tr: { flags: flagsOf("-d/--delete -s/--squeeze-repeats -c/-C/--complement -t/--truncate-set1"), words: 2 },
  jq: {
    flags: flagsOf(
      "-r/--raw-output -c/--compact-output -S/--sort-keys -e/--exit-status -s/--slurp -n/--null-input -j/--join-output",
      "-a/--ascii-output -M/--monochrome-output --tab --indent= --arg== --argjson==",
    ),
    words: 1,
  },
};

/** What people pipe into, and what to write in its place. */
const instead: Readonly<Record<string, string>> = {
  awk: "choose columns with kubectl's own `-o custom-columns=…`, or with `cut`",
  sed: "choose with `grep`, or with `jq`",
  egrep: "write `grep -E`",
  fgrep: "write `grep -F`",
  less: "leave it out: the whole output is kept",
  more: "leave it out: the whole output is kept",
  cat: "leave it out",
  column: "leave it out",
  tee: "leave it out: the output is kept here, and nothing is written to a file",
  base64: "leave it out: what it decodes cannot be checked for secrets",
  xargs: "run the second command as an action of its own, with the names written out",
  kubectl: "make it an action of its own, with the names written out",
  oc: "make it an action of its own, with the names written out",
};

const known = Object.keys(filters).join(", ");

/** Checks one part behind a pipe; returns undefined where it may run as it is. Pure. */
export function filterRefusal([name = "", ...rest]: readonly string[]): Refusal | undefined {
  const filter = Object.hasOwn(filters, name) ? filters[name] : undefined;
  if (!filter) {
    const remedy = Object.hasOwn(instead, name) ? instead[name] : undefined;
    return refuseCommand(`\`${name}\` does not run behind a pipe`, remedy ?? `pipe only to ${known}`);
  }
  // `head -20`, as people write it.
  const words = /^(?:head|tail)$/.test(name) && /^-\d+$/.test(rest[0] ?? "") ? rest.slice(1) : rest;
  const read = readFlags(words, filter.flags, "getopt");
  if (!read.ok) {
    if (read.why !== "unknown")
      return refuseCommand(`\`${name} ${read.name}\` lacks its value`, "write it behind the flag");
    return refuseCommand(
      `\`${name}\` does not take ${read.name} here: it could read, write or run something else`,
      `use only ${[...new Set([...filter.flags.values()].map((flag) => flag.name))].join(" ")}`,
    );
  }
  const hasPattern = name === "grep" && read.given.some((flag) => flag.name === "--regexp");
  const files = read.positionals.slice(hasPattern ? 0 : filter.words);
  if (files.length > 0)
    return refuseCommand(`\`${name}\` reads the pipe alone, not \`${files[0]}\``, "leave the file out");
  const reach = name === "jq" ? read.positionals.map((program) => jqReach.exec(program)?.[0]).find(Boolean) : undefined;
  if (reach) return refuseCommand(`a jq program with \`${reach}\` reads files or decodes secrets`, "leave it out");
  const loop = name === "jq" ? read.positionals.map((program) => jqLoop.exec(program)?.[0]).find(Boolean) : undefined;
  if (loop)
    return refuseCommand(
      `a jq program with \`${loop}\` may never end, beside the bot`,
      "choose with `select`, `map` or `..`",
    );
  return undefined;
}

// `format("base64d")` is `@base64d`, and what stands in the brackets can be put together.
/** Functions that repeat by their nature: on the bot's own machine their time and memory have no bound. */
const jqLoop =
  /(?<![.$\w"])(?:def|repeat|while|until|infinite|combinations|recurse(?=\s*\()|range(?=\s*\([^)]*(?:\d{6}|\de|;[^)]*;)))\b(?!\s*:)/;
const jqReach = /\b(?:import|include|modulemeta|get_search_list)\b|(?<!\.)\bformat\b|@base64d\b/;
