/** What well-known programs print, as far as the text alone tells: the base of the data-flow rules. */

import { findRule, programFacts } from "../table.ts";
import { type Arg, type Flow, hole, literal, nothing, textOf, unknownFlow } from "./arg.ts";
import { classesOf } from "./paths.ts";
import { type Scan, unitsFor } from "./scan.ts";
import { findWritten } from "./written.ts";

type Output = (args: readonly Arg[], stdin: Flow, scan: Scan) => Flow;

const operandsOf = (args: readonly Arg[]): readonly Arg[] =>
  args.filter((a) => !a.text.startsWith("-") || a.text === "-");

/** The content of what a filter reads: its files where it names any, else its stdin. */
function input(args: readonly Arg[], stdin: Flow, scan: Scan): Flow {
  const files = operandsOf(args).filter((a) => a.text !== "-");
  if (files.length === 0) return stdin;
  const flows = files.map((file): Flow => {
    const written = findWritten(file, scan);
    if (written) return written;
    const classes = classesOf(file, scan.cwd);
    const isSecret = classes.has("secret") || classes.has("credentials");
    return { present: true, taint: file.taint ?? (isSecret ? "secret" : undefined) };
  });
  const [only] = flows;
  if (flows.length === 1 && only) return only;
  return { present: true, taint: flows.find((f) => f.taint)?.taint };
}

const has = (args: readonly Arg[], pattern: RegExp): boolean => args.some((a) => pattern.test(a.text));
const passing: Output = (args, stdin, scan) => {
  const source = input(args, stdin, scan);
  return { ...source, present: true };
};
const decoding: Output = (args, stdin, scan) => ({
  present: true,
  taint: input(args, stdin, scan).taint === "network" ? "network" : "decoded",
});
const unpack: Output = (args, stdin, scan) =>
  has(args, /^-[a-zA-Z]*[dDr]|^--d/) ? decoding(args, stdin, scan) : unknownFlow;

/** Where a text comes from that stands for numbers: a program's name for the ids of its processes. */
const processIds = "process ids";

/** A filter that changes its input. If the command itself holds the text, a reader of the command cannot tell what comes out. */
const rewriting: Output = (args, stdin, scan) => {
  const source = stdin.present ? stdin : input(args, nothing, scan);
  if (source.text === undefined || source.from === processIds) return { ...source, present: true, pieces: undefined };
  return { present: true, taint: source.taint ?? "decoded" };
};

/** Programs that print a path they were given, or the place of a program. */
const pathOf = (args: readonly Arg[], change: (text: string) => string): Flow => {
  const operands = operandsOf(args);
  const [only] = operands;
  return operands.length === 1 && only && !only.glob ? constant([only], `${change(only.text)}\n`) : unknownFlow;
};

const silent: Output = () => ({ present: true, text: "" });

/** `ls DIR` prints names, `ls DIR/*` and `ls -d` print the paths they were given. */
const listing: Output = (args, _stdin, { cwd }) => {
  const isWhole = (arg: Arg): boolean => has(args, /^-[a-zA-Z]*d/) || /[*?]/.test(arg.text);
  const lists = operandsOf(args).flatMap((arg) =>
    // A file is printed as it was given; of others that is rarely meant.
    isWhole(arg) ? [arg.text] : classesOf(arg, cwd).has("secret") ? [arg.text, "*"] : ["*"],
  );
  return { present: true, lists: lists.length > 0 ? lists : ["*"] };
};

/** `mktemp`: a name that is its own, wherever it is used again. */
const temporary: Output = (args, _stdin, scan) => {
  const template = operandsOf(args).at(-1);
  const name = template && !template.dynamic ? template.text : `tmp.${scan.files.size}`;
  return { present: true, text: `${name.includes("/") ? "" : "/tmp/"}${name}\n` };
};

/** Programs that list what a pattern among their operands names; the verbs stand before it. */
const listingOf =
  (isAsked: (operands: readonly Arg[], args: readonly Arg[]) => readonly string[]): Output =>
  (args, stdin, scan) => {
    const lists = isAsked(operandsOf(args), args);
    return lists.length > 0 ? { present: true, lists } : { present: true, taint: input(args, stdin, scan).taint };
  };

/** The process ids of a program stand for the program: `kill $(pidof auditd)` hits `auditd`. */
const processes: Output = (args) => {
  const [only, ...more] = operandsOf(args);
  return only && more.length === 0 && /^[\w.-]+$/.test(only.text)
    ? { present: true, text: only.text, from: processIds }
    : unknownFlow;
};

/** What another host answers. */
const remote: Output = (args) => ({ present: true, taint: "network", from: textOf(args.slice(0, 3)) });

const reading: Output = (args, stdin, scan) => {
  const [only, ...more] = operandsOf(args);
  const service = /^\/(?:var\/)?run\/(?:[\w.-]+\/)*([\w-]+)\.pid$/.exec(only?.text ?? "")?.[1];
  return service && more.length === 0 ? { present: true, text: service, from: processIds } : passing(args, stdin, scan);
};

/** What stands below a folder, or a file itself. */
const below = ({ text, glob }: Arg): string =>
  glob || /\.\w+$/.test(text) ? text : `${text.replace(/\/$/, "")}/${hole}`;

/** `rg`: what it lists is below the folders behind the pattern. */
const listingBelow: Output = (args, _stdin, scan) => {
  const [, ...folders] = operandsOf(args);
  return { present: true, lists: (folders.length > 0 ? folders : [literal(scan.cwd ?? ".")]).map(below) };
};

/** Filters that pass on some of the lines they are given, or a field of them; `-l` lists names. */
const selecting: Output = (args, stdin, scan) => {
  const [, ...files] = operandsOf(args);
  if (files.length > 0 && has(args, /^(-[a-zA-Z]*[lL][a-zA-Z]*|--files-with(out)?-match(es)?)$/))
    return { present: true, lists: files.map(below) };
  const isMade = stdin.text !== undefined && stdin.from !== processIds;
  const taint = stdin.taint ?? (isMade ? "decoded" : input(files, nothing, scan).taint);
  return { present: true, taint, lists: stdin.lists };
};

// `echo` and `printf`: what they print.

/** A text that programs print which were given it; unknown where any of the arguments is. */
const constant = (args: readonly Arg[], text: string): Flow => ({
  present: true,
  text: args.some((a) => a.dynamic) ? undefined : text,
  taint: args.find((a) => a.taint)?.taint,
});

/** What no reader can read: characters by their numbers, and a conversion that changes its operand. */
const isEncoded = (text: string): boolean => /\\(?:x[\da-fA-F]|0[0-7]|[1-7]|[uU][\da-fA-F])/.test(text);
const encoded: Flow = { present: true, taint: "decoded" };
const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", "\\": "\\", 0: "\0" };
const withEscapes = (text: string): string =>
  text.replace(/\\([abefnrtv0\\])/g, (_, sign: string) => escapes[sign] ?? "");

/** `echo` with its options. */
export function echo(args: readonly Arg[]): Flow {
  const last = args.findIndex(({ text }) => !/^-[neE]+$/.test(text));
  const given = args.slice(0, last < 0 ? args.length : last).map(({ text }) => text);
  const text = textOf(args.slice(given.length));
  const isEscaped = given.some((option) => option.includes("e"));
  if (isEscaped && isEncoded(text)) return encoded;
  return constant(args, (isEscaped ? withEscapes(text) : text) + (given.some((o) => o.includes("n")) ? "" : "\n"));
}

/** `printf` with the formats that give back what they are given. */
export function printf(args: readonly Arg[]): Flow {
  const [format, ...rest] = args[0]?.text === "--" ? args.slice(1) : args;
  const pattern = format?.text ?? "";
  if (isEncoded(pattern) || /%[-+ 0#]*[\d.]*[xXoc]/.test(pattern)) return encoded;
  if (/%b/.test(pattern) && rest.some(({ text }) => isEncoded(text))) return encoded;
  const values = [...rest];
  let out = "";
  do {
    out += withEscapes(pattern).replace(/%([-+ 0#]*\d*(?:\.\d+)?)([sbdiq%])/g, (_, _width, kind: string) =>
      kind === "%" ? "%" : (values.shift()?.text ?? ""),
    );
  } while (values.length > 0 && values.length < rest.length && out.length < 20_000);
  return constant(args, out);
}

/** What programs print, by the name that their records give it. */
export const outputs: Readonly<Record<string, Output>> = {
  temporary,
  lsblk: listingOf((_, args) => [has(args, /^-[a-zA-Z]*p|^--paths$/) ? "/dev/sd*" : "sd*"]),
  blkid: listingOf((_, args) => (has(args, /^(device|-odevice)$/) ? ["/dev/sd*"] : [])),
  getent: listingOf(([database]) => (database?.text === "passwd" ? ["/home/*"] : [])),
  systemctl: listingOf(([verb, ...patterns]) =>
    /^list-/.test(verb?.text ?? "") ? patterns.map(({ text }) => text) : [],
  ),
  selecting,
  listingBelow,
  echo,
  printf,
  listing,
  reading,
  processes,
  remote,
  rewriting,
  silent,
  pwd: (_args, _stdin, { cwd }) => (cwd === undefined ? unknownFlow : { present: true, text: `${cwd}\n` }),
  path: (args) => pathOf(args, (text) => text),
  which: (args) => pathOf(args, (text) => `/usr/bin/${text}`),
  basename: (args) => pathOf(args, (text) => text.slice(text.lastIndexOf("/") + 1)),
  dirname: (args) => pathOf(args, (text) => text.slice(0, text.lastIndexOf("/")) || "/"),
  found: (args) => ({ present: true, lists: operandsOf(args).map((a) => `/**/*${a.text}*`) }),
  stdin: (_args, stdin) => stdin,
  passing,
  decoding,
  unpack,
  openssl: (args, stdin, scan) =>
    has(args, /^s_client$/)
      ? { present: true, taint: "network", from: "openssl s_client" }
      : has(args, /^-d$/)
        ? decoding([], stdin, scan)
        : unknownFlow,
};

/** Programs that print numbers only, with such words. */
const numbers: Readonly<Record<string, (args: readonly string[], operands: readonly string[]) => boolean>> = {
  nproc: () => true,
  wc: (_args, operands) => operands.length === 0,
  date: (_args, operands) => operands.some((text) => /^\+(%[-_0]?[sYmdHMSNjuwyekl]|[-:. \d])*$/.test(text)),
  grep: (args, operands) => args.some((text) => /^-[a-zA-Z]*c/.test(text)) && operands.length <= 2,
  pgrep: (args) => args.some((text) => /^-[a-z]*c/.test(text)) || args.every((text) => !/^-[a-zA-Z]*[la]/.test(text)),
  id: (args) => args.some((text) => /^-[ug]$/.test(text)),
  stat: (args) => args.some((text) => /^(--format=|--printf=)?(%[sYXZWugaihbBo]|[ :])+$/.test(text)),
  tr: (args) =>
    args.some((text) => /^-(cd|dc)$/.test(text)) &&
    args.slice(1).every((text) => /^(0-9|\[:digit:\]|[ .]|\\n)*$/.test(text)),
  cat: (_args, operands) =>
    operands.length > 0 &&
    operands.every((text) => /^\/(proc\/sys\/(fs|kernel\/pid|vm|net)|sys)\/[\w/.-]+$/.test(text)),
  getconf: () => true,
  seq: () => true,
};
/** Files in which the kernel counts. */
const counts = /^\/proc\/(loadavg|uptime|meminfo|stat|vmstat|\d+\/(stat|statm|oom_score\w*))$/;
/** A field of some lines. */
const field = /^(\/[\w: ^]+\/\s*)?\{\s*print\s+\$\d+\s*;?\s*\}$/;
/** What they print is a part of what they are given. */
const picking = new Set(["head", "tail", "sort", "uniq", "cut"]);

function printsNumber(program: string, given: readonly Arg[], stdin: Flow): boolean {
  const args = given.map(({ text }) => text);
  const operands = operandsOf(given).map(({ text }) => text);
  const files = operands.slice(program === "awk" ? 1 : 0).filter((text) => !/^[\d,-]+$/.test(text));
  const isTame = files.length > 0 ? files.every((text) => counts.test(text)) : stdin.isTame === true;
  if (program === "awk") return isTame && field.test(operands[0] ?? "");
  if (picking.has(program)) return isTame;
  return numbers[program]?.(args, operands) ?? false;
}

/** The output of a program: known for echo, printf and decoders; else its input keeps its taint. */
export function printedBy(program: string, args: readonly Arg[], stdin: Flow, scan: Scan): Flow {
  if (stdin.text !== undefined && !scan.spend(unitsFor(stdin.text.length))) return { ...stdin, text: undefined };
  const [print] = programFacts(program, findRule(program, scan)).prints;
  const known = print === undefined ? undefined : outputs[print];
  if (printsNumber(program, args, stdin))
    return { ...(known?.(args, stdin, scan) ?? { present: true, taint: stdin.taint }), isTame: true };
  if (known) return known(args, stdin, scan);
  return { present: true, taint: stdin.taint ?? input(args, nothing, scan).taint };
}
