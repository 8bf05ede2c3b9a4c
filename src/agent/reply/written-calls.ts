import { type Fields, isRecord, parseJson } from "../../base/json.ts";
import { type ToolEntry, toolTable } from "../tools.ts";

export interface WrittenCall {
  readonly name: string;
  readonly args: Fields;
}

/** A stretch of text with calls in the form of a model's chat template. */
export interface CallRegion {
  readonly calls: readonly WrittenCall[];
  /** A call that is none of ours, or that cannot be read; for people. */
  readonly lost?: string | undefined;
  /** It names a tool that is none of ours. */
  readonly unknown: boolean;
  /** Behind the last call and what closes it. */
  readonly end: number;
}

const properties = new Map<string, Fields>(
  toolTable.map((tool: ToolEntry) => {
    const { properties: named } = tool.parameters({ mayPropose: true, mayAsk: true });
    return [tool.name, isRecord(named) ? named : {}];
  }),
);
const names = [...properties.keys()].join("|");

/** What models write before a call. If it is not `sure`, it may be plain words, unless a call can be read from it. */
const openings: readonly { readonly sign: RegExp; readonly sure: boolean }[] = [
  // Hermes, Qwen, GLM, Granite, Phi, Kimi, DeepSeek, Llama, MiniMax, Seed, Gemma, Claude, Cohere, InternLM, MCP clients
  {
    sign: /<[|｜]{0,2}\s?(?:[\w-]{1,20}[:｜|]{1,2})?(?:start_)?(?:tool[_▁]?calls?|tool_use|tool_code|use_mcp_tool|tools_prefix|function[_▁]?calls?|function\s*=|(?:function|tool|call)\s+name\b|invoke\b|python_(?:tag|start)|action_start|start_action)[^<>\n]{0,120}>|<tool>/i,
    sure: true,
  },
  // Harmony
  {
    sign: new RegExp(`<\\|(?:channel|start)\\|>[^<\\n]{0,60}\\bto=|<\\|recipient\\|>|\\bto=functions\\.(?:${names})`),
    sure: true,
  },
  // Mistral, LM Studio, Firefunction, Qwen-Agent
  { sign: /\[(?:TOOL_CALLS?|TOOL_REQUEST|FUNCTION_CALLS?)\]|\bfunctools(?=\s*\[)|✿FUNCTION✿/, sure: true },
  // A tag of any name round our parameters, one of our name, and ReAct
  { sign: new RegExp(`<[\\w.-]{2,40}>(?=\\s*<(?:server|command)>)|<(?:${names})(?=[\\s>])`), sure: true },
  { sign: /^\s*[*_]{0,2}Action[*_]{0,2}:[^\n]{0,80}\n\s*[*_]{0,2}Action Input/, sure: true },
  { sign: /^\s*[*_]{0,2}Action[*_]{0,2}:(?=\s*`{3})/, sure: false },
  // Functionary, Python, the JSON alone, and words of a model's own
  { sign: new RegExp(`^\\s*>>>(?=${names})`), sure: false },
  {
    sign: new RegExp(
      `(?:\\[\\s{0,4}|print\\()?(?:\\b\\w{1,30}\\.){0,2}\\b(?:${names})(?=[\\s"'*:]{0,10}(?:\\b\\w{1,12}\\b)?[\\s"'*:]{0,10}[({])`,
    ),
    sure: false,
  },
  { sign: /^\s*\[?\s*(?=\{\s*")/, sure: false },
];

export interface CallOpening {
  readonly from: number;
  readonly sure: boolean;
}

/** Finds a line's first opening, by the next line too; one in quotation marks or code is only spoken of. */
export function findCallOpening(line: string, next = ""): CallOpening | undefined {
  const text = `${line}\n${next}`;
  const found = openings.flatMap(({ sign, sure }) => {
    const match = sign.exec(text);
    return match && match.index < line.length && !/["'`“]/.test(line.charAt(match.index - 1))
      ? [{ from: match.index, sure }]
      : [];
  });
  return found.sort((a, b) => a.from - b.from)[0];
}

/** A call's name with what wraps it, or the beginning of JSON. */
const heads = new RegExp(`(?<![\\w.-])(?:\\w{1,30}\\.){0,2}(${names})(?![\\w-])|[{[]`, "g");
const signs = /<[^<>\n]{1,120}>|\[\/?[A-Z_]{2,20}\]|[`~]{3,}\w*/g;
const closers =
  /(?:\s|<[/|｜][^<>\n]{1,60}>|<(?:end_|tool_)[^<>\n]{1,60}>|<\/s>|[`~]{3,}|[)\]}]|Observation:|✿RESULT✿:?)*/y;
/** Between two parts of a call stand signs, a type, an id; more are words. */
const mostBetween = 60;
const mostTries = 64;

/** Whose fence is a call: \`\`\`tool_code of Gemini and others, or a tool's own name. */
export const toolFence = new RegExp(`^(?:tool\\w*|function\\w*|${names})$`, "i");

/** Reads the calls at the beginning of a text, in any notation: JSON, a name before JSON, Python, or a tag for each parameter. */
export function readCallRegion(text: string): CallRegion {
  const calls: WrittenCall[] = [];
  const unknown = new Set<string>();
  let end = 0;
  let at = 0;
  for (let tries = 0; tries < mostTries; tries++) {
    heads.lastIndex = at;
    const head = heads.exec(text);
    if (!head) break;
    const gap = text.slice(end, head.index);
    if (gap.length > 600 || gap.replace(signs, "").trim().length > mostBetween || /\n\s*\n\s*\w[^\n]*\n/.test(gap))
      break;
    const [whole, name] = head;
    at = head.index + whole.length;
    if (name === undefined) {
      const literal = readLiteral(text, head.index, "json");
      const read = literal ? callsIn(literal.value) : [];
      for (const call of read) {
        if (properties.has(call.name)) calls.push(call);
        else unknown.add(call.name);
      }
      if (literal && read.length > 0) at = end = literal.end;
      continue;
    }
    const args = readArgumentsAt(text, at, name);
    if (!args) continue;
    calls.push({ name, args: args.value });
    at = end = args.end;
  }
  closers.lastIndex = end;
  closers.exec(text);
  const [other] = callKeys.test(text) || !/^\s*\[?\s*\{/.test(text) ? unknown : [];
  const none = calls.length === 0 ? "it names none of the tools, or has arguments that cannot be read" : undefined;
  const lost = other === undefined ? none : `there is no tool "${other.replace(/[^\w.-]/g, "").slice(0, 40)}"`;
  return { calls, lost, unknown: other !== undefined, end: Math.max(end, closers.lastIndex) };
}

/** `name` and `parameters` are in any JSON. */
const callKeys =
  /"(?:arguments|tool_calls|function_call|tool_name|tool_input|action_input|recipient_name)"\s*:|"tool_use"/;

interface ReadValue<T> {
  readonly value: T;
  readonly end: number;
}

/** Between a name and its JSON: signs, quotation marks, `:0`, `Action Input:`. */
const toJson =
  /(?:["'`>:=*_\])\s]|:\d+|<[|｜/]?[^<>\n]{1,120}>|\[\/?[A-Z_]{2,20}\](?:\w{1,40}(?=\[))?|[`~]{3,}\w*|\b(?:json|code|with|arguments|args|parameters|input|Action Input)\b|✿ARGS✿)*(?=\{)/iy;

function readArgumentsAt(text: string, at: number, name: string): ReadValue<Fields> | undefined {
  const python = text[at] === "(" ? readLiteral(text, at, "python") : undefined;
  if (python && isRecord(python.value)) return { value: python.value, end: python.end };
  const tags = readTags(text.slice(at), name);
  toJson.lastIndex = at;
  const json = toJson.exec(text);
  if (json && !tags) {
    const from = at + json[0].length;
    const literal = readLiteral(text, from, "json") ?? readLiteral(text, from, "python");
    const wrapped = literal && callsIn(literal.value).length > 0;
    if (literal && !wrapped && isRecord(literal.value)) return { value: literal.value, end: literal.end };
  }
  return tags && { value: tags.value, end: at + tags.end };
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

const firstOf = (value: Fields, keys: readonly string[]): unknown =>
  value[keys.find((key) => value[key] != null) ?? ""];

/** OpenAI's objects and their relatives: name and arguments by any of their keys, in lists and wrappers. */
function callsIn(value: unknown, depth = 0): readonly WrittenCall[] {
  if (depth > 4) return [];
  if (Array.isArray(value)) return value.flatMap((one) => callsIn(one, depth + 1));
  if (!isRecord(value)) return [];
  for (const key of ["tool_calls", "tool_call", "function_call", "calls", "function", "tool_uses"])
    if (typeof value[key] === "object") return callsIn(value[key], depth + 1);
  const [only = ""] = Object.keys(value);
  if (Object.keys(value).length === 1 && properties.has(only)) return callsIn({ name: only, arguments: value[only] });
  const given = firstOf(value, ["name", "tool_name", "tool", "recipient_name", "function", "action"]);
  const written = firstOf(value, ["arguments", "parameters", "args", "params", "input", "tool_input", "action_input"]);
  const args = typeof written === "string" ? parseJson(written) : (written ?? undefined);
  const name = textOf(given).replace(/^(?:\w{1,30}\.){1,2}/, "");
  if (name === "" || (written === undefined && !properties.has(name))) return [];
  return isRecord(args ?? {}) ? [{ name, args: isRecord(args) ? args : {} }] : [];
}

const parameter =
  /<[^<>\s]{0,30}parameter(?:\s+name\s*=\s*|=)["']?([\w.-]{1,40})["']?[^<>\n]{0,40}>([\s\S]*?)<\/[^<>\s]{0,30}parameter>|<arg_key>\s*([\w.-]{1,40})\s*<\/arg_key>\s*<arg_value>([\s\S]*?)<\/arg_value>/g;
const callEnd =
  /<\/[^<>\s]{0,30}(?:invoke|function|tool_call|tool_use|use_mcp_tool)>|<[^<>\s]{0,30}(?:invoke|function)[\s=]/;

/** Reads a tag for each parameter, up to the end of the call. */
function readTags(text: string, name: string): ReadValue<Fields> | undefined {
  const known = properties.get(name) ?? {};
  const own = `</${name}>`;
  const stop = text.includes(own) ? text.indexOf(own) : text.search(callEnd);
  const part = stop === -1 ? text : text.slice(0, stop);
  const plain = new RegExp(`<(${Object.keys(known).join("|") || "-"})>([\\s\\S]*?)</\\1>`, "g");
  const value: [string, unknown][] = [];
  let end = 0;
  // `<name a="…" b="…"/>`
  const [attributes = ""] = /^\s[^<>{}]*\/?>/.exec(part) ?? [];
  for (const { index, 0: whole, 1: key = "", 2: given = "" } of attributes.matchAll(/([\w-]{1,40})\s*=\s*"([^"]*)"/g)) {
    value.push([key, typed(given, isRecord(known[key]) ? known[key].type : undefined)]);
    end = index + whole.length;
  }
  const pairs = [...part.matchAll(parameter)];
  for (const match of pairs.length > 0 ? pairs : part.matchAll(plain)) {
    const [whole, key = match[3] ?? "", given = match[4] ?? ""] = match;
    value.push([key, typed(given, isRecord(known[key]) ? known[key].type : undefined)]);
    end = match.index + whole.length;
  }
  return end === 0 ? undefined : { value: Object.fromEntries(value), end: stop === -1 ? end : stop };
}

/** By the type that the tool's schema has. XML's entities are undone only if all of it is escaped. */
function typed(given: string, type: unknown): unknown {
  const [, raw = given] = /^\s*<!\[CDATA\[([\s\S]*)\]\]>\s*$/.exec(given) ?? [];
  const text = raw.replace(/^\r?\n|\r?\n$/g, "");
  const parsed = type === "string" ? undefined : parseJson(text.trim());
  if (parsed !== undefined) return parsed;
  if (/[<>]|&(?!(?:amp|lt|gt|quot|apos|#39);)/.test(text)) return text;
  return text.replace(/&(amp|lt|gt|quot|apos|#39);/g, (whole, entity: string) => entities[entity] ?? whole);
}
const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", "#39": "'" };

const deepest = 32;
const quotes = ['"""', "'''", '"', "'", "<escape>", '<|"|>'] as const;
const escapes: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  "\\": "\\",
  '"': '"',
  "'": "'",
  "\n": "",
};
const words: Readonly<Record<string, unknown>> = {
  True: true,
  False: false,
  None: null,
  true: true,
  false: false,
  null: null,
};
const word = /[A-Za-z_]\w{0,60}|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/**
 * Reads the value that begins at a place: strict JSON, or Python's literals and Gemma's, where `(a=1)` is an object too. Undefined if it has
 * no whole one.
 */
function readLiteral(text: string, from: number, notation: "json" | "python"): ReadValue<unknown> | undefined {
  let at = from;
  const blank = (): void => {
    while (/\s/.test(text.charAt(at))) at++;
  };
  const fail = (): never => {
    throw new SyntaxError("no literal");
  };
  const string = (quote: string): string => {
    let value = "";
    for (at += quote.length; !text.startsWith(quote, at); at++) {
      const char = text.charAt(at);
      if (char === "" || (char === "\n" && quote.length === 1)) return fail();
      if (char !== "\\" || quote.startsWith("<")) value += char;
      else value += escapes[text.charAt(++at)] ?? `\\${text.charAt(at)}`;
    }
    at += quote.length;
    return value;
  };
  const bare = (): string => {
    word.lastIndex = at;
    const [found = ""] = word.exec(text) ?? [];
    at += found.length;
    return found === "" ? fail() : found;
  };
  const value = (depth: number): unknown => {
    blank();
    if (depth > deepest) return fail();
    const quote = quotes.find((one) => text.startsWith(one, at));
    if (quote) return string(quote);
    const close = { "{": "}", "(": ")", "[": "]" }[text.charAt(at)];
    if (close === undefined) {
      const found = bare();
      return Object.hasOwn(words, found) ? words[found] : Number.isNaN(Number(found)) ? fail() : Number(found);
    }
    at++;
    const fields: [string, unknown][] = [];
    const items: unknown[] = [];
    for (blank(); !text.startsWith(close, at); blank()) {
      if (close === "]") items.push(value(depth + 1));
      else {
        const key = quotes.find((one) => text.startsWith(one, at));
        const name = key ? string(key) : bare();
        blank();
        if (!/[:=]/.test(text.charAt(at++))) return fail();
        fields.push([name, value(depth + 1)]);
      }
      blank();
      if (text[at] === ",") at++;
      else if (!text.startsWith(close, at)) return fail();
    }
    at++;
    return close === "]" ? items : Object.fromEntries(fields);
  };
  try {
    const read = value(0);
    if (notation === "python") return { value: read, end: at };
    const parsed = parseJson(text.slice(from, at));
    return parsed === undefined ? undefined : { value: parsed, end: at };
  } catch {
    return undefined;
  }
}
