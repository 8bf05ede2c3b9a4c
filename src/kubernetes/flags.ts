interface Flag {
  /** With dashes, long if possible: `--output`. */
  readonly name: string;
  /** How many following words it takes if there is no `=`. */
  readonly values: number;
}

export type FlagTable = ReadonlyMap<string, Flag>;

/** Reads a table of flags such as `-o/--output= -w/--watch --arg==`; each final `=` is a word that a flag takes. */
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
  | { readonly ok: false; readonly name: string; readonly why: "unknown" | "no-value" | "flag-as-value" };

/** `pflag`, kubectl's: `_` in a name is `-`, `-n=x` means `x`, `--` is refused. `getopt`, the filters': long names in full only. */
type Style = "pflag" | "getopt";

/** Separates flags from other words as the program does. Only flags of the table pass. Pure. */
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
    // kubectl takes it for a value, a reader for a flag.
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
