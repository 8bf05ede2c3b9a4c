/** A flag that a program may be given. */
interface Flag {
  /** With its dashes; the long name if it has one: `--output`. */
  readonly name: string;
  /** How many of the next words belong to it if its value is not behind `=`. */
  readonly values: number;
}

export type FlagTable = ReadonlyMap<string, Flag>;

/**
 * Reads a table of flags from its short form: `-o/--output= -w/--watch --arg==`. A `=` at the end: it takes a value; two: it takes two
 * words.
 */
export function flagsOf(...lists: readonly string[]): FlagTable {
  const entries = lists.flatMap((list) =>
    list
      .split(" ")
      .filter((item) => item !== "")
      .flatMap((item): [string, Flag][] => {
        const spelled = item.replace(/=+$/, "");
        const names = spelled.split("/");
        const flag = { name: names.at(-1) ?? spelled, values: item.length - spelled.length };
        return names.map((name) => [name, flag]);
      }),
  );
  return new Map(entries);
}

interface GivenFlag {
  readonly name: string;
  /** Undefined if the flag takes no value and got none. */
  readonly value: string | undefined;
}

export type FlagReading =
  | { readonly ok: true; readonly given: readonly GivenFlag[]; readonly positionals: readonly string[] }
  /** As it was written; `name` with its dashes and without its value. */
  | { readonly ok: false; readonly name: string; readonly why: "unknown" | "no-value" | "flag-as-value" };

/**
 * `pflag` is how kubectl reads its words: `_` in a name is `-`, `-n=x` means `x`, and a `--` is refused. `getopt` is how the filters
 * do, but a long name must be written in full.
 */
type Style = "pflag" | "getopt";

/** Tells flags from other words, in any order, as the program itself will. Only flags of the table pass. Pure. */
export function readFlags(words: readonly string[], table: FlagTable, style: Style): FlagReading {
  const given: GivenFlag[] = [];
  const positionals: string[] = [];
  const left = [...words];
  const take = (flag: Flag, value: string | undefined): "no-value" | "flag-as-value" | undefined => {
    if (flag.values === 0 || value !== undefined) {
      given.push({ name: flag.name, value });
      return undefined;
    }
    const values = left.splice(0, flag.values);
    for (const one of values) given.push({ name: flag.name, value: one });
    if (values.length < flag.values) return "no-value";
    // kubectl would take it for a value, a reader for a flag. A negative number is no flag.
    return style === "pflag" && values.some((one) => /^-[^\d]/.test(one)) ? "flag-as-value" : undefined;
  };
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    if (word === "--") {
      if (style === "pflag") return { ok: false, name: "--", why: "unknown" };
      positionals.push(...left.splice(0));
    } else if (word.startsWith("--")) {
      const [, written = "", value] = /^(--[^=]*)(?:=([\s\S]*))?$/.exec(word) ?? [];
      const name = style === "pflag" ? written.replaceAll("_", "-") : written;
      const flag = table.get(name);
      if (!flag) return { ok: false, name, why: "unknown" };
      const why = take(flag, value);
      if (why) return { ok: false, name, why };
    } else if (word.startsWith("-") && word !== "-") {
      for (let rest = word.slice(1); rest !== ""; ) {
        const name = `-${rest.charAt(0)}`;
        const flag = table.get(name);
        if (!flag) return { ok: false, name, why: "unknown" };
        rest = rest.slice(1);
        const hasValue = rest !== "" && (flag.values > 0 || (style === "pflag" && rest.startsWith("=")));
        const value = hasValue ? (style === "pflag" ? rest.replace(/^=/, "") : rest) : undefined;
        const why = take(flag, value);
        if (why) return { ok: false, name, why };
        if (hasValue) rest = "";
      }
    } else positionals.push(word);
  }
  return { ok: true, given, positionals };
}
