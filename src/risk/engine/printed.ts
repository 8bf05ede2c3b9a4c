/** `echo` and `printf`: what they print. */
import { type Arg, type Flow, textOf } from "./arg.ts";
import { unescapeText } from "./transforms.ts";

/** A text that programs print which were given it; unknown where any of the arguments is. */
export const constant = (args: readonly Arg[], text: string): Flow => ({
  present: true,
  text: args.some((a) => a.dynamic) ? undefined : text,
  taint: args.find((a) => a.taint)?.taint,
});

/** `echo` with its options. */
export function echo(args: readonly Arg[]): Flow {
  let i = 0;
  let escapes = false;
  for (; /^-[neE]+$/.test(args[i]?.text ?? ""); i++) escapes ||= args[i]?.text.includes("e") ?? false;
  const isBare = args.slice(0, i).some((a) => a.text.includes("n"));
  const text = textOf(args.slice(i));
  return constant(args, (escapes ? unescapeText(text) : text) + (isBare ? "" : "\n"));
}

/** `printf` with the formats that matter to shells. */
export function printf(args: readonly Arg[]): Flow {
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
