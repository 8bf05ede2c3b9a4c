/** `xargs`: what it is given on its input becomes arguments, parted as its options say. */
import type { Check, ProgramCall } from "../engine/apply.ts";
import { type Arg, type Flow, hole, literal, nothing, shown } from "../engine/arg.ts";
import { readPath } from "../engine/effects.ts";
import { words as split } from "../engine/options.ts";
import { findWritten } from "../engine/written.ts";

const takes = new Set(
  split(
    "-I -i -n -P -L -l -s -d -E -a -S -J -R --max-args --max-procs --max-lines --max-chars --delimiter --replace --eof --arg-file",
  ),
);
const flags = /^(-0|-r|-t|-p|-x|-o|--(null|no-run-if-empty|verbose|interactive|exit|open-tty|show-limits))$/;
const maxTwoLooks = 4;
/** Programs that take a text in a language as an argument. */
const runsText =
  /(^|\/)(((ba|da|z|k|a)?sh|busybox|env|eval|su|sudo|ssh|awk|gawk|mawk|python|perl|ruby|node|php|psql|mysql|sqlite|xargs)[\d.]*)$/;

/** `xargs`: its stdin becomes arguments. */
export const xargs: Check = (call) => {
  const { args, scan, report } = call;
  const { count, placeholder } = readOwn(call);
  const own = args.slice(0, count);
  const command = args.slice(count);
  const stdin = inputOf(own, call);
  if (command.length === 0) {
    report("low", "xargs: only echoes");
    return stdin;
  }
  const unknown: Arg = { text: hole, dynamic: true, glob: false, taint: stdin.taint };
  const words = wordsOf(stdin, own, placeholder) ?? [unknown];
  if (!placeholder) {
    // It may be given nothing at all, and then the last operand is the command's own. An xargs in an xargs in an xargs
    // is looked at once only: two looks at each level would double the work with every one of them.
    if (words.length === 1 && words[0] === unknown && scan.calls <= maxTwoLooks)
      scan.attempt(() => scan.runArgs(command, nothing));
    return scan.runArgs([...command, ...words], nothing);
  }
  const isCode = command.some(
    (arg) => arg.text !== placeholder && arg.text.includes(placeholder) && /\s/.test(arg.text),
  );
  if (isCode && words.some(({ dynamic, glob }) => dynamic || glob) && runsText.test(command[0]?.text ?? ""))
    report("medium", "xargs makes program text of what it is given", command[0]);
  let flow = nothing;
  for (const word of words.slice(0, 20)) {
    const put = (arg: Arg): Arg => ({
      ...arg,
      text: arg.text.replaceAll(placeholder, word.text),
      dynamic: arg.dynamic || word.dynamic,
      glob: arg.glob || word.glob,
      taint: word.taint,
    });
    const given = command.map((arg) => (arg.text.includes(placeholder) ? put(arg) : arg));
    flow = scan.runArgs(given, nothing);
  }
  return flow;
};

/** How many words are its own options, and what stands for each line in the command. */
function readOwn({ args, scan, report }: ProgramCall): { readonly count: number; readonly placeholder: string } {
  let placeholder = "";
  let count = 0;
  for (let arg = args[0]; arg?.text.startsWith("-"); arg = args[count]) {
    const { text } = arg;
    const next = args[++count]?.text;
    if (text === "--") break;
    const name = text.startsWith("--") ? (text.split("=")[0] ?? "") : text.slice(0, 2);
    const isWhole = text === name;
    const isCluster = /^-[0rtpxo]+[nPLId]$/.test(text);
    if (/^(-I|-i|--replace)$/.test(name) && !isWhole) placeholder = text.slice(name.length).replace(/^=/, "");
    else if (name === "-I" || (isCluster && text.endsWith("I"))) placeholder = next ?? "{}";
    else if (/^(-i|--replace)$/.test(name)) placeholder = "{}";
    if (isCluster || (takes.has(name) && isWhole && !/^(-i|-l|--replace)$/.test(name))) count++;
    else if (!takes.has(name) && !flags.test(text) && !/^-[0rtpxo]+([nPLId]\S*)?$/.test(text)) {
      scan.markUnknown();
      report("high", `xargs has the option ${shown(text)}, which the rules do not know`, arg);
    }
  }
  return { count, placeholder };
}

/** What it reads: the file of `-a`, else its stdin. */
function inputOf(own: readonly Arg[], { args, stdin, scan }: ProgramCall): Flow {
  const at = own.findIndex(({ text }) => /^-a|^--arg-file(=|$)/.test(text));
  const attached = /^(?:-a|--arg-file=)(.+)$/s.exec(own[at]?.text ?? "")?.[1];
  const file = attached === undefined ? args[at + 1] : literal(attached);
  if (at < 0 || !file) return stdin;
  readPath(file, scan);
  return findWritten(file, scan) ?? { present: true, taint: file.taint };
}

/** The arguments that it makes of its input; undefined if that is known only when it runs. */
function wordsOf(stdin: Flow, own: readonly Arg[], placeholder: string): readonly Arg[] | undefined {
  const isNul = own.some(({ text }) => /^-[rtpxo]*0|^--null$/.test(text));
  const separator = isNul ? "\0" : (delimiterOf(own) ?? (placeholder ? "\n" : /[\s\0]+/));
  const words = stdin.text?.split(separator).filter(Boolean).slice(0, 50);
  // A star in them was expanded by the shell that printed them (`echo /etc/s*`).
  if (words) return words.map((text) => ({ ...literal(text), glob: /[*?[]/.test(text) }));
  return stdin.lists?.map((text): Arg => ({ text, dynamic: false, glob: true }));
}

/** The one character that parts the arguments, where `-d` names it: `,`, `\n`, `\x2c`, `\054`. */
function delimiterOf(options: readonly Arg[]): string | undefined {
  const at = options.findIndex(({ text }) => /^(-[rtpxo]*d|--delimiter)/.test(text));
  if (at < 0) return undefined;
  const value = options[at]?.text.replace(/^(-[rtpxo]*d|--delimiter=?)/, "") || (options[at + 1]?.text ?? "");
  const code = /^\\x([0-9a-f]{1,2})$/i.exec(value)?.[1];
  const octal = /^\\0?([0-7]{1,3})$/.exec(value)?.[1];
  if (code !== undefined || octal !== undefined)
    return String.fromCharCode(code ? Number.parseInt(code, 16) : Number.parseInt(octal ?? "", 8));
  return { "\\n": "\n", "\\t": "\t", "\\0": "\0" }[value] ?? value.charAt(0);
}
