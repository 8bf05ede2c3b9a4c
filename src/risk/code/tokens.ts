/** Program text of other languages as tokens: what is a string in any of them is one here, with its escapes undone. */

export type Token =
  | { readonly type: "string"; readonly value: string; readonly space: string }
  | { readonly type: "number"; readonly value: number; readonly space: string }
  /** Strings or numbers in brackets, constant throughout. */
  | { readonly type: "list"; readonly items: readonly (string | number)[]; readonly space: string }
  | { readonly type: "word" | "sign"; readonly text: string; readonly space: string };

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", "0": "\0", e: "\u001b", a: "\u0007" };

/** Escapes as most languages have them; an unknown one stays what it is. */
const unescaped = (text: string): string =>
  text.replace(
    /\\(?:x([0-9a-fA-F]{2})|u\{?([0-9a-fA-F]{2,6})\}?|([0-7]{2,3})|(.))/gs,
    (_, hex?: string, unicode?: string, octal?: string, char?: string) => {
      const code = hex ?? unicode;
      if (code !== undefined) return String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10ffff));
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
      return escapes[char ?? ""] ?? char ?? "";
    },
  );

const closing: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}", "<": ">" };

interface Quoted {
  readonly kind: string;
  readonly text: string;
  readonly end: number;
}

/** `q(…)`, `qq{…}`, `%q[…]`, `%w(…)`, `qw/…/`: the text and where it ends; undefined where there is none. */
function readQuoted(code: string, at: number): Quoted | undefined {
  const match = /^(?:%([qQwWix])|(qq|qw|qx|q)\s*)([([{</|!])/.exec(code.slice(at, at + 8));
  if (!match) return undefined;
  const [whole, percent, letters, open = ""] = match;
  const close = closing[open] ?? open;
  let depth = 1;
  for (let i = at + whole.length; i < code.length; i++) {
    if (code[i] === "\\") i++;
    else if (code[i] === close && --depth === 0)
      return { kind: percent ?? letters ?? "", text: code.slice(at + whole.length, i), end: i + 1 };
    else if (code[i] === open) depth++;
  }
  return undefined;
}

/** Prefixes of Python and Rust; a raw string keeps its backslashes. */
const literal =
  /^(?:[bBuUfFrR]{0,2})("""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|\[\[[^\]]*\]\])/s;
const word = /^[$@%&]?[A-Za-z_][\w]*|^[$@]\d+/;
const number = /^(?:0x[0-9a-fA-F]+|0o?[0-7]+(?![.\d])|\d+(?:\.\d+)?)/;
/** Everything longer than a character that is one sign. */
const sign = /^(?:->|::|=>|==|!=|\|\||&&|\.\.\.?|<<|>>|\*\*|\?\.)/;

/** At most so many tokens are read; the rest is left out. */
const maxTokens = 3000;

/** Splits program text into tokens; comments go. Never throws. */
export function tokensOf(code: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < code.length && tokens.length < maxTokens; ) {
    const space = /^\s*/.exec(code.slice(at, at + 200))?.[0] ?? "";
    at += space.length;
    if (at >= code.length) break;
    const rest = code.slice(at, at + 20_000);
    const before = tokens.at(-1);
    const isMember = before?.type === "sign" && /^(\.|->|::|\?\.)$/.test(before.text);
    const quoted = isMember ? undefined : readQuoted(code, at);
    if (quoted) {
      const value = /^[wW]|qw/.test(quoted.kind) ? undefined : unescaped(quoted.text);
      if (value === undefined) tokens.push({ type: "list", items: quoted.text.split(/\s+/).filter(Boolean), space });
      else {
        // A command in quotes of its own is a call.
        if (/x$/.test(quoted.kind)) tokens.push({ type: "word", text: "system", space });
        tokens.push({ type: "string", value, space });
      }
      at = quoted.end;
      continue;
    }
    const string = literal.exec(rest);
    if (string) {
      const [whole, body = ""] = string;
      const width = /^("""|'''|\[\[)/.test(body) ? (body.startsWith("[[") ? 2 : 3) : 1;
      const inner = body.slice(width, -width);
      const isRaw = /^\w*[rR]\w*["']/.test(whole) || body.startsWith("[[");
      tokens.push({ type: "string", value: isRaw ? inner : unescaped(inner), space });
      at += whole.length;
      continue;
    }
    const comment = /^(?:#[^\n]*|\/\/[^\n]*|\/\*[\s\S]*?\*\/)/.exec(rest)?.[0];
    if (comment && (before === undefined || space !== "" || comment.startsWith("/*"))) {
      at += comment.length;
      continue;
    }
    const digits = number.exec(rest)?.[0];
    if (digits) {
      tokens.push({ type: "number", value: Number(digits.replace(/^0(?=[0-7]+$)/, "0o")), space });
      at += digits.length;
      continue;
    }
    const name = word.exec(rest)?.[0];
    const text = name ?? sign.exec(rest)?.[0] ?? rest[0] ?? "";
    tokens.push({ type: name ? "word" : "sign", text, space });
    at += text.length;
  }
  return tokens;
}

const quote = (text: string): string => JSON.stringify(text);

/** The tokens as text again, each string in double quotes. */
export const render = (tokens: readonly Token[]): string =>
  tokens
    .map((token) => {
      if (token.type === "string") return token.space + quote(token.value);
      if (token.type === "number") return token.space + String(token.value);
      if (token.type === "list")
        return `${token.space}[${token.items.map((item) => (typeof item === "string" ? quote(item) : String(item))).join(", ")}]`;
      return token.space + token.text;
    })
    .join("");
