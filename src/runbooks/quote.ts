/** Puts a value into a command as data: never more than a part of one word. Refuses what no quoting makes safe. */

import type { Shell } from "../base/server.ts";

export type QuotedValue = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly why: string };

export interface Gap {
  readonly before: string;
  readonly after: string;
}

interface ShellQuoting {
  /** Read as itself anywhere, so unquoted. */
  readonly plain: RegExp;
  /** No quotes make it harmless for this shell and the programs that it starts. */
  readonly refused: { readonly pattern: RegExp; readonly why: string };
  /** Undefined if it is unclear what the gap is part of. */
  readonly quote: (value: string, gap: Gap) => string | undefined;
}

const maxCharacters = 200;

/** Programs take such a value for an option, quoted or not. */
const dashes = /^[-\u2010-\u2015\u2212]/;

const onlyPlain = "stands where only letters, digits and a few signs such as `_ . / : -` can";

/** Quotes `value` for a gap in a command of that shell, or says why it cannot. Pure. */
export function quoteRunbook(value: string, gap: Gap, shell: Shell): QuotedValue {
  const no = (why: string): QuotedValue => ({ ok: false, why });
  const { plain, refused, quote: quoted } = quotings[shell];
  if (value === "") return no("is empty");
  if (value.length > maxCharacters) return no(`is longer than ${maxCharacters} characters`);
  if (/[\p{C}\p{Zl}\p{Zp}]/u.test(value)) return no("holds a line break or another character that cannot be seen");
  if (dashes.test(value)) return no("begins with a dash, which would make an option of it");
  if (refused.pattern.test(value)) return no(refused.why);
  if (plain.test(value)) return { ok: true, text: value };
  const text = quoted(value, gap);
  return text === undefined ? no(onlyPlain) : { ok: true, text };
}

const quotings: Readonly<Record<Shell, ShellQuoting>> = {
  bash: {
    plain: /^[A-Za-z0-9_@%+:,./-]+$/,
    // Arithmetic, `eval` and further shells read a text again; only these signs begin a command then.
    refused: { pattern: /[$`]/, why: "may not hold `$` or a backtick" },
    quote: (value, { before }) => {
      switch (placeIn(before)) {
        case "bare":
          return `'${value.replaceAll("'", "'\\''")}'`;
        case "single":
          return value.replaceAll("'", "'\\''");
        case "double":
          return value.replace(/["\\]/g, "\\$&");
        case "unclear":
          return undefined;
      }
    },
  },
  powershell: {
    plain: /^[A-Za-z0-9_.:\\][A-Za-z0-9_.:/\\-]*$/,
    // Windows passes arguments as one text, in which a double quote, or a backslash before one, ends an argument.
    refused: {
      pattern: /["\u201c-\u201e$`]|\\$|^\//,
      why: "may not hold a double quote, `$` or a backtick, begin with `/` or end with a backslash",
    },
    // PowerShell has four single quotes: each ends the text, and two in a row are one.
    quote: (value, gap) => (isWholeWord(gap) ? `'${value.replace(/['\u2018-\u201b]/g, "$&$&")}'` : undefined),
  },
  cmd: {
    plain: /^[A-Za-z0-9_.:\\][A-Za-z0-9_.:/\\-]*$/,
    // cmd replaces variables inside quotes too.
    refused: {
      pattern: /["%!^]|\\$|^\//,
      why: 'may not hold `"`, `%`, `!` or `^`, begin with `/` or end with a backslash',
    },
    quote: (value, gap) => (isWholeWord(gap) ? `"${value}"` : undefined),
  },
};

/** Elsewhere, Windows' shells do not take a quoted text for one word. */
const isWholeWord = ({ before, after }: Gap): boolean =>
  /(?:^|[ \t])$/.test(before) && /^(?:$|[ \t])/.test(after) && !/["'\u2018-\u201e`^#@(]/.test(before);

/** Returns the part of a POSIX word in which the text ends; nesting and comments are unclear. */
export function placeIn(before: string): "bare" | "single" | "double" | "unclear" {
  let place: "bare" | "single" | "double" = "bare";
  for (let at = 0; at < before.length; at++) {
    const char = before[at];
    if (place === "single") {
      if (char === "'") place = "bare";
      continue;
    }
    if (char === "\\") {
      if (++at === before.length) return "unclear";
      continue;
    }
    if (char === "`") return "unclear";
    if (char === "$") {
      const simple = /^\$(?:\{\w+\}|\w+|[?#@*!$-])/.exec(before.slice(at));
      if (simple) at += simple[0].length - 1;
      else if (/^\$[({'"]/.test(before.slice(at))) return "unclear";
      continue;
    }
    if (char === '"') place = place === "double" ? "bare" : "double";
    else if (place === "bare" && char === "'") place = "single";
    else if (place === "bare" && before.startsWith("<<", at)) return "unclear";
    else if (place === "bare" && char === "#" && !/\w/.test(before[at - 1] ?? " ")) return "unclear";
  }
  return place;
}
