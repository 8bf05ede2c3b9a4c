/** `echo` and `printf`: what they print. */
import { type Arg, type Flow, textOf } from "./arg.ts";

/** A text that programs print which were given it; unknown where any of the arguments is. */
export const constant = (args: readonly Arg[], text: string): Flow => ({
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
