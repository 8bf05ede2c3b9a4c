/** `xargs`: what it is given on its input becomes arguments, parted as its options say. */
import type { Check } from "../engine/apply.ts";
import { type Arg, hole, literal, nothing, shown } from "../engine/arg.ts";
import { words as split } from "../engine/options.ts";
import { findWritten } from "../engine/written.ts";

const takes = new Set(
  split(
    "-I -i -n -P -L -l -s -d -E -a -S -J -R --max-args --max-procs --max-lines --max-chars --delimiter --replace --eof --arg-file",
  ),
);
const maxTwoLooks = 4;

/** `xargs`: its stdin becomes arguments. */
export const xargs: Check = ({ args, stdin: piped, scan, report }) => {
  const flags = /^(-0|-r|-t|-p|-x|-o|--(null|no-run-if-empty|verbose|interactive|exit|open-tty|show-limits))$/;
  let i = 0;
  let placeholder = "";
  for (; i < args.length; i++) {
    const text = args[i]?.text ?? "";
    if (text === "--") {
      i++;
      break;
    }
    if (!text.startsWith("-")) break;
    const name = text.startsWith("--") ? (text.split("=")[0] ?? "") : text.slice(0, 2);
    const isWhole = text === name;
    if (name === "-I" || name === "--replace" || name === "-i")
      placeholder = isWhole
        ? name === "-I"
          ? (args[i + 1]?.text ?? "{}")
          : "{}"
        : text.slice(text.startsWith("--") ? name.length + 1 : 2);
    if (takes.has(name) && isWhole && name !== "-i" && name !== "-l" && name !== "--replace") i++;
    else if (!takes.has(name) && !flags.test(text) && !/^-[0rtpxo]+([nPLId]\S*)?$/.test(text)) {
      scan.markUnknown();
      report("high", `xargs has the option ${shown(text)}, which the rules do not know`, args[i]);
    } else if (/^-[0rtpxo]+[nPLId]$/.test(text)) {
      if (text.endsWith("I")) placeholder = args[i + 1]?.text ?? "{}";
      i++;
    }
  }
  const command = args.slice(i);
  const file = args.findIndex((a, at) => at < i && /^(-a|--arg-file)(=|$)/.test(a.text));
  const given = args[file]?.text.includes("=") ? literal(args[file].text.slice(11)) : args[file + 1];
  const stdin = file < 0 || !given ? piped : (findWritten(given, scan) ?? { present: true, taint: given.taint });
  const own = args.slice(0, i);
  const isNul = own.some((a) => /^-[rtpxo]*0|^--null$/.test(a.text));
  const delimiter = delimiterOf(own);
  const unknown: Arg = { text: hole, dynamic: true, glob: false, taint: stdin.taint };
  const listed = stdin.lists?.map((text): Arg => ({ text, dynamic: false, glob: true }));
  const words = stdin.text
    ?.split(isNul ? "\0" : (delimiter ?? (placeholder ? "\n" : /[\s\0]+/)))
    .filter(Boolean)
    .slice(0, 50)
    .map(literal) ??
    listed ?? [unknown];
  if (command.length === 0) {
    report("low", "xargs: only echoes");
    return stdin;
  }
  if (!placeholder) {
    // It may be given nothing at all, and then the last operand is the command's own. An xargs in an xargs in an xargs
    // is looked at once only: two looks at each level would double the work with every one of them.
    if (words.length === 1 && words[0] === unknown && scan.calls <= maxTwoLooks)
      scan.attempt(() => scan.runArgs(command, nothing));
    return scan.runArgs([...command, ...words], nothing);
  }
  let flow = nothing;
  for (const word of words.slice(0, 20)) {
    flow = scan.runArgs(
      command.map((arg) =>
        arg.text.includes(placeholder)
          ? {
              ...arg,
              text: arg.text.replaceAll(placeholder, word.text),
              dynamic: arg.dynamic || word.dynamic,
              glob: arg.glob || word.glob,
              taint: word.taint,
            }
          : arg,
      ),
      nothing,
    );
  }
  return flow;
};

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
