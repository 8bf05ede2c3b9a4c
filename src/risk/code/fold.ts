/** Evaluates what is constant in program text, whatever the language: variables, joins, decoders, names made of pieces. */
import type { Scan } from "../engine/scan.ts";
import { argumentsAt, isWord, spaceAt, textAt, textsOf, tokenOf, type Value, valueAt } from "./reading.ts";
import { reductions } from "./reductions.ts";
import { type Token, tokensOf } from "./tokens.ts";

/** What a program is given beside its text: its arguments, and variables set on its command line. */
export interface Given {
  readonly words: readonly string[];
  readonly variables?: ReadonlyMap<string, string> | undefined;
}

/** Each pass makes at least one token less; texts made to cost are left as they are. */
const maxPasses = 24;

/** Ends of a statement that is an assignment of one constant. */
function endsAt(tokens: readonly Token[], at: number): boolean {
  const text = textAt(tokens, at);
  return (
    at >= tokens.length ||
    /^[;,)}]$/.test(text) ||
    spaceAt(tokens, at).includes("\n") ||
    (isWord(tokens, at) && valueAt(tokens, at - 1) !== undefined)
  );
}

/** The names under which languages know a program's arguments; Node has two of its own before them. */
function givenAt(
  tokens: readonly Token[],
  at: number,
  { words }: Given,
): { readonly used: number; readonly value: Value } | undefined {
  const [first, second, third] = [textAt(tokens, at), textAt(tokens, at + 1), textAt(tokens, at + 2)];
  if (/^\.|->$/.test(textAt(tokens, at - 1))) return undefined;
  if (first === "sys" && second === "." && third === "argv") return { used: 3, value: ["-c", ...words] };
  if (first === "process" && second === "." && third === "argv") return { used: 3, value: ["node", ...words] };
  if (first === "$argv") return { used: 1, value: ["php", ...words] };
  if (/^[$@]?ARGV$/.test(first)) return { used: 1, value: words };
  return undefined;
}

/** Puts the values of variables in place of their names; a name set to something unknown has none. */
function substitute(tokens: readonly Token[], given: Given): Token[] {
  const values = new Map<string, Value>(given.variables);
  const names = new Map<string, string>();
  const out: Token[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    if (!token) continue;
    const argument = givenAt(tokens, i, given);
    if (argument) {
      out.push(tokenOf(argument.value, token.space));
      i += argument.used - 1;
      continue;
    }
    if (token.type === "string" && values.size > 0) out.push(interpolated(token, values));
    else if (token.type !== "word") out.push(token);
    else {
      const isAssigned = /^(=|\+=|\.=)$/.test(assignmentAt(tokens, i + 1));
      const value = values.get(token.text);
      const isMember =
        /^(\.|->|::)$/.test(textAt(tokens, i - 1)) && spaceAt(tokens, i) === "" && valueAt(tokens, i - 2) === undefined;
      if (isAssigned) assign(values, tokens, i);
      if (token.text === "as" && isWord(tokens, i - 1) && isWord(tokens, i + 1))
        names.set(textAt(tokens, i + 1), textAt(tokens, i - 1));
      const alias = names.get(token.text);
      if (!isAssigned && !isMember && value !== undefined) out.push(tokenOf(value, token.space));
      else out.push(!isAssigned && !isMember && alias !== undefined ? { ...token, text: alias } : token);
    }
  }
  return out;
}

/** `=`, `+=` or `.=` there; empty for a comparison. */
function assignmentAt(tokens: readonly Token[], at: number): string {
  const [text, next] = [textAt(tokens, at), textAt(tokens, at + 1)];
  if (text === "=") return next === "=" ? "" : "=";
  return /^[+.]$/.test(text) && next === "=" ? `${text}=` : "";
}

function assign(values: Map<string, Value>, tokens: readonly Token[], at: number): void {
  const name = textAt(tokens, at);
  const sign = assignmentAt(tokens, at + 1);
  const after = at + (sign === "=" ? 2 : 3);
  const value = endsAt(tokens, after + 1) ? valueAt(tokens, after) : undefined;
  const before = values.get(name);
  if (value === undefined) values.delete(name);
  else if (sign === "=") values.set(name, value);
  else if (typeof before === "string" && typeof value === "string") values.set(name, before + value);
  else values.delete(name);
}

/** `"$a$b"`, `"#{a}"`, `f"{a}"`, `${a}`: a variable inside a text. The token itself where there is none. */
function interpolated(token: Token & { readonly type: "string" }, values: ReadonlyMap<string, Value>): Token {
  const text = token.value.replace(/[#$]?\{\$?(\w+)\}|\$(\w+)/g, (whole, braced?: string, plain?: string) => {
    const name = braced ?? plain ?? "";
    const value = values.get(name) ?? values.get(`$${name}`);
    return typeof value === "string" || typeof value === "number" ? String(value) : whole;
  });
  return text === token.value ? token : { ...token, value: text };
}

function reduceOnce(tokens: readonly Token[]): Token[] {
  const out: Token[] = [];
  for (let i = 0; i < tokens.length; ) {
    const step = reductions.map((reduction) => reduction(tokens, i)).find((found) => found !== undefined);
    if (step) {
      out.push(...step.tokens);
      i += step.used;
      continue;
    }
    const token = tokens[i++];
    if (token) out.push(token);
  }
  return out;
}

/** The tokens of a program with every constant expression evaluated. Pays for its work; never throws. */
export function fold(code: string, given: Given, scan: Pick<Scan, "spend">): readonly Token[] {
  let tokens: Token[] = tokensOf(code);
  for (let pass = 0; pass < maxPasses && scan.spend(1 + (tokens.length >> 2)); pass++) {
    const before = tokens;
    tokens = reduceOnce(substitute(tokens, given));
    if (tokens.length === before.length && tokens.every((token, i) => token === before[i])) break;
  }
  return tokens;
}

const printing = /^(print|puts|echo|say|printf|log|write|print_r|p|putStr|println)$/;

/** What a program prints, where every print is of constants; undefined otherwise. */
export function printedBy(tokens: readonly Token[]): string | undefined {
  let text = "";
  let isAny = false;
  for (let i = 0; i < tokens.length; i++) {
    const name = textAt(tokens, i);
    if (!printing.test(name)) continue;
    const given = argumentsAt(tokens, i + 1);
    if (!given || /^[+.%[,]$/.test(textAt(tokens, given.end))) return undefined;
    text += given.values.flatMap(textsOf).join(" ") + (/^(printf|write)$/.test(name) ? "" : "\n");
    isAny = true;
  }
  return isAny ? text : undefined;
}
