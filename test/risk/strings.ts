/** Texts for the fuzz tests: the same ones for the same seed, so that a failure can be seen again. */
import { labelled } from "./labelled.ts";

/** A number from 0 up to, not including, `below`. */
type Random = (below: number) => number;

/** Mulberry32: small, fast and good enough to pick with. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

const pick = <T>(random: Random, list: readonly T[], otherwise: T): T => list[random(list.length)] ?? otherwise;
const times = (count: number, make: () => string): string => Array.from({ length: count }, make).join("");

/** Bytes as they come, read as Latin-1, as UTF-8 with its replacements, or as UTF-16 with lone surrogates. */
function bytes(random: Random): string {
  const buffer = Buffer.from(Array.from({ length: 2 * random(80) }, () => random(256)));
  return buffer.toString(pick(random, ["latin1", "utf8", "utf16le"] as const, "utf8"));
}

const commands = labelled.map((row) => row.command);
/** What turns the meaning of a shell text. */
const signs = [
  ..."'\"`$(){}[]<>|&;\\\n\t #*?~!=%^@,:-/",
  "$(",
  "${",
  "$((",
  "<(",
  "<<EOF\n",
  "<<<",
  ">&2",
  "2>/dev/null",
  "&&",
  "||",
  ";;",
  "[[",
  "]]",
  "$'\\x",
  "{a,b}",
  "\u0000",
  "\ud800",
  "\u202e",
  "\u00a0",
  "é",
  "🚀",
];

/** A labelled command with letters dropped, doubled, swapped, signs put in, and another one cut into it. */
function mutation(random: Random): string {
  let text = pick(random, commands, "ls");
  for (let left = 1 + random(6); left > 0; left--) {
    const at = random(text.length + 1);
    const to = at + random(6);
    const change = random(5);
    if (change === 0) text = text.slice(0, at) + text.slice(to);
    else if (change === 1) text = text.slice(0, to) + text.slice(at);
    else if (change === 2) text = text.slice(0, at) + pick(random, signs, ";") + text.slice(at);
    else if (change === 3) text = text.slice(0, at) + pick(random, commands, "ls").slice(random(20)) + text.slice(to);
    else text = text.slice(0, at) + String.fromCharCode(random(0x250)) + text.slice(at + 1);
  }
  return text;
}

const programs = [
  "ls",
  "rm",
  "cat",
  "echo",
  "sudo",
  "bash",
  "xargs",
  "find",
  "eval",
  "env",
  "kubectl",
  "dd",
  "awk",
  "nobody-knows",
];
const operands = [
  "/",
  "/etc/*",
  "-rf",
  "-c",
  "--",
  "x=1",
  "$x",
  '"$x"',
  "'a b'",
  "{a,b}",
  "~",
  "$'\\n'",
  "*.log",
  "-exec",
  "\\;",
  "1>&2",
];

/** A text of bash's grammar, mostly well formed. */
function script(random: Random, depth: number): string {
  const inner = (): string => (depth > 0 ? script(random, depth - 1) : "ls /srv");
  const forms: readonly (() => string)[] = [
    () => `${pick(random, programs, "ls")} ${times(random(4), () => `${pick(random, operands, "x")} `)}`,
    () => `${pick(random, commands, "ls")}`,
    () => `${inner()} | ${inner()}`,
    () => `${inner()}; ${inner()}`,
    () => `${inner()} && ${inner()} || ${inner()}`,
    () => `echo "$(${inner()})" \`${inner()}\``,
    () => `if ${inner()}; then ${inner()}; else ${inner()}; fi`,
    () => `for i in a $(${inner()}); do ${inner()}; done`,
    () => `while ${inner()}; do ${inner()}; done`,
    () => `case $x in a|b) ${inner()};; *) ${inner()};; esac`,
    () => `f() { ${inner()}; }; f x`,
    () => `( ${inner()} ) > /tmp/${random(9)}`,
    () => `x='${inner().replaceAll("'", "")}'; eval "$x"`,
    () => `bash -c '${inner().replaceAll("'", "'\\''")}'`,
    () => `cat <<EOF\n$(${inner()})\nEOF`,
    () => `echo $(( 1 + $(${inner()}) )) \${x:-$(${inner()})}`,
    () => `diff <(${inner()}) <(${inner()})`,
    () => `[[ -n $(${inner()}) && a =~ b ]] && ${inner()}`,
    () => `echo ${Buffer.from(inner()).toString("base64")} | base64 -d | sh`,
  ];
  return pick(random, forms, () => "ls")();
}

/** One text of the three kinds in turn; up to 20,000 characters, what `explain` takes. */
export function anyText(random: Random): string {
  const kind = random(3);
  if (kind === 0) return bytes(random);
  return (kind === 1 ? mutation(random) : script(random, random(4))).slice(0, 20_000);
}
