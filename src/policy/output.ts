/** What well-known programs print, as far as the text alone tells: the base of the data-flow rules. */
import { type Arg, type Flow, nothing, textOf, unknownFlow } from "./arg.ts";
import { classesOf, normalise } from "./paths.ts";
import type { Scan } from "./scan.ts";

type Output = (args: readonly Arg[], stdin: Flow, scan: Scan) => Flow;

const constant = (args: readonly Arg[], text: string): Flow => ({
  present: true,
  text: args.some((a) => a.dynamic) ? undefined : text,
  taint: args.find((a) => a.taint)?.taint,
});

/** `\n`, `\x72`, `\0162`, `\u0072` as printf and echo -e know them. */
export const unescapeText = (text: string): string =>
  text.replace(/\\(x[0-9a-fA-F]{1,2}|0?[0-7]{1,3}|u[0-9a-fA-F]{1,4}|[abefnrtv\\])/g, (whole, code: string) => {
    const simple: Record<string, string> = {
      n: "\n",
      t: "\t",
      r: "\r",
      "\\": "\\",
      a: "",
      b: "",
      e: "",
      f: "\f",
      v: "\v",
    };
    if (simple[code] !== undefined) return simple[code];
    if (/^[xu]/.test(code)) return String.fromCodePoint(Number.parseInt(code.slice(1), 16));
    const octal = Number.parseInt(code, 8);
    return Number.isNaN(octal) ? whole : String.fromCodePoint(octal);
  });

function echo(args: readonly Arg[]): Flow {
  let i = 0;
  let escapes = false;
  for (; /^-[neE]+$/.test(args[i]?.text ?? ""); i++) escapes ||= args[i]?.text.includes("e") ?? false;
  const isBare = args.slice(0, i).some((a) => a.text.includes("n"));
  const text = textOf(args.slice(i));
  return constant(args, (escapes ? unescapeText(text) : text) + (isBare ? "" : "\n"));
}

function printf(args: readonly Arg[]): Flow {
  const [format, ...rest] = args[0]?.text === "--" ? args.slice(1) : args;
  const values = [...rest];
  let out = "";
  do {
    out += unescapeText(format?.text ?? "").replace(
      /%([-+ 0#]*\d*(?:\.\d+)?)([sbdiqxXoc%])/g,
      (_, _width, kind: string) => {
        if (kind === "%") return "%";
        const value = values.shift()?.text ?? "";
        if (kind === "b") return unescapeText(value);
        if (kind === "c") return value.slice(0, 1);
        if (kind === "x") return Number(value).toString(16);
        return value;
      },
    );
  } while (values.length > 0 && values.length < rest.length && out.length < 20_000);
  return constant(args, out);
}

const operandsOf = (args: readonly Arg[]): readonly Arg[] =>
  args.filter((a) => !a.text.startsWith("-") || a.text === "-");

/** The content of what a filter reads: its files where it names any, else its stdin. */
function input(args: readonly Arg[], stdin: Flow, scan: Scan): Flow {
  const files = operandsOf(args).filter((a) => a.text !== "-");
  if (files.length === 0) return stdin;
  const flows = files.map((file): Flow => {
    const written = scan.files.get(normalise(file.text, scan.cwd));
    if (written) return written;
    const classes = classesOf(file, scan.cwd);
    const isSecret = classes.has("secret") || classes.has("credentials");
    return { present: true, taint: file.taint ?? (isSecret ? "secret" : undefined) };
  });
  const [only] = flows;
  if (flows.length === 1 && only) return only;
  return { present: true, taint: flows.find((f) => f.taint)?.taint };
}

/** A decoder: constant text is decoded here, anything else is tainted as decoded. */
function decoded(source: Flow, decode: (text: string) => string): Flow {
  if (source.taint === "network") return source;
  if (source.text === undefined) return { present: true, taint: "decoded" };
  return { present: true, text: decode(source.text) };
}

const has = (args: readonly Arg[], pattern: RegExp): boolean => args.some((a) => pattern.test(a.text));
const fromBase64 = (text: string): string => Buffer.from(text, "base64").toString("utf8");
const fromHex = (text: string): string => Buffer.from(text.replace(/[^0-9a-fA-F]/g, ""), "hex").toString("utf8");
const reversed = (text: string): string =>
  text
    .split("\n")
    .map((line) => [...line].reverse().join(""))
    .join("\n");

/** `tr A-Za-z N-ZA-Mn-za-m` and `tr -d x`, with ranges. */
function translate(args: readonly Arg[], text: string): string {
  const [from = "", to = ""] = operandsOf(args).map((a) => expandSet(a.text));
  if (has(args, /^-[cs]*d/)) return [...text].filter((char) => !from.includes(char)).join("");
  return [...text]
    .map((char) => {
      const at = from.indexOf(char);
      return at < 0 ? char : (to[Math.min(at, to.length - 1)] ?? "");
    })
    .join("");
}

const expandSet = (set: string): string =>
  unescapeText(
    set
      .replace("[:lower:]", "abcdefghijklmnopqrstuvwxyz")
      .replace("[:upper:]", "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
      .replace("[:space:]", " \t\n\r"),
  ).replace(/(.)-(.)/gs, (_, a: string, b: string) => {
    const [from, to] = [a.charCodeAt(0), b.charCodeAt(0)];
    return to < from || to - from > 256
      ? `${a}-${b}`
      : Array.from({ length: to - from + 1 }, (_v, i) => String.fromCharCode(from + i)).join("");
  });

const passing: Output = (args, stdin, scan) => {
  const source = input(args, stdin, scan);
  return { ...source, present: true };
};
const decoding: Output = (args, stdin, scan) => decoded(input(args, stdin, scan), () => "\u0000");
const base64: Output = (args, stdin, scan) =>
  has(args, /^-[a-zA-Z]*[dD]|^--d/) ? decoded(input(args, stdin, scan), fromBase64) : unknownFlow;
const unpack: Output = (args, stdin, scan) => (has(args, /^-[a-z]*d|^--d/) ? decoding(args, stdin, scan) : unknownFlow);

const listing: Output = (args) => {
  const isWhole = operandsOf(args).every((a) => a.text.endsWith("/") || !a.text.includes("*"));
  return { present: true, lists: isWhole && operandsOf(args).length > 0 ? ["*"] : undefined };
};

const outputs: Readonly<Record<string, Output>> = {
  echo,
  printf,
  ls: listing,
  cat: passing,
  tac: passing,
  tee: (_args, stdin) => stdin,
  sponge: (_args, stdin) => stdin,
  pv: passing,
  dd: (_args, stdin) => stdin,
  base64,
  base32: (args, stdin, scan) => (has(args, /^-[a-z]*d|^--d/) ? decoding(args, stdin, scan) : unknownFlow),
  basenc: (args, stdin, scan) => (has(args, /^-[a-z]*d|^--d/) ? decoding(args, stdin, scan) : unknownFlow),
  xxd: (args, stdin, scan) => (has(args, /^-\w*r/) ? decoded(input(args, stdin, scan), fromHex) : unknownFlow),
  rev: (args, stdin, scan) => decoded(input(args, stdin, scan), reversed),
  tr: (args, stdin) => (stdin.text === undefined ? stdin : { ...stdin, text: translate(args, stdin.text) }),
  uudecode: decoding,
  gunzip: decoding,
  zcat: decoding,
  bzcat: decoding,
  xzcat: decoding,
  gzip: unpack,
  bzip2: unpack,
  xz: unpack,
  zstd: unpack,
  openssl: (args, stdin, scan) =>
    has(args, /^s_client$/)
      ? { present: true, taint: "network", from: "openssl s_client" }
      : has(args, /^-d$/)
        ? decoding([], stdin, scan)
        : unknownFlow,
  gpg: unpack,
};

/** The output of a program: known for echo, printf and decoders; else whatever came in keeps its taint. */
export function outputOf(program: string, args: readonly Arg[], stdin: Flow, scan: Scan): Flow {
  const known = Object.hasOwn(outputs, program) ? outputs[program] : undefined;
  if (known) return known(args, stdin, scan);
  return { present: true, taint: stdin.taint ?? input(args, nothing, scan).taint };
}
