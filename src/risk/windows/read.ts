/** PowerShell as words: what is parted by spaces, pipes and line ends, with what brackets hold. Nothing of it is worked out. */
import { goesOn, isOpenBracket, isWholeStage, type Script, type Stage, type Token } from "./stage.ts";

interface Reader {
  readonly source: string;
  at: number;
  depth: number;
  broken: boolean;
}

const maxNesting = 60;

function take(reader: Reader, pattern: RegExp): string | undefined {
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.source)?.[0];
  if (found !== undefined) reader.at += found.length;
  return found;
}

/** What never closes: the rest is left out, and the text counts as broken. */
function breakOff(reader: Reader) {
  reader.broken = true;
  reader.at = reader.source.length;
}

/** Reads a text; where it is broken, the rest is read all the same. */
export function parsePowerShell(source: string): { readonly script: Script; readonly broken: boolean } {
  const reader: Reader = { source, at: 0, depth: 0, broken: false };
  return { script: readScript(reader, ""), broken: reader.broken };
}

function readScript(reader: Reader, close: string, isTable = false): Script {
  const script: Stage[][] = [];
  let pipeline: Stage[] = [];
  let stage: Token[] = [];
  const endStage = (): void => {
    if (stage.length > 0) pipeline.push(stage);
    stage = [];
  };
  const endPipeline = (): void => {
    reader.broken ||= stage.length === 0 && pipeline.length > 0;
    endStage();
    if (pipeline.length > 0) script.push(pipeline);
    pipeline = [];
  };
  if (++reader.depth > maxNesting) breakOff(reader);
  for (;;) {
    const gap = skip(reader) || stage.length === 0;
    const char = reader.source[reader.at];
    if (char === undefined || char === close) {
      reader.broken ||= char !== close && close !== "";
      reader.at++;
      break;
    }
    if (take(reader, /\n\s*/y)) {
      // Newer versions let a line begin with the pipe.
      const isPending = (stage.length === 0 && pipeline.length > 0) || goesOn(stage);
      if (!isPending && !/^\|(?!\|)/.test(reader.source.slice(reader.at, reader.at + 2))) endPipeline();
    } else if (take(reader, /;|&&|\|\|/y) || (!isOpenBracket(stage, isTable) && take(reader, /&/y))) endPipeline();
    else if (take(reader, /\|/y)) endStage();
    else if (/[)}]/.test(char)) {
      reader.broken = true;
      reader.at++;
    } else {
      const token = readToken(reader, gap, isOpenBracket(stage, isTable));
      stage.push(token);
      const isParam = token.kind === "group" && stage.length === 2 && /^param$/i.test(stage[0]?.text ?? "");
      if (isParam || (token.kind === "block" && isWholeStage(stage))) endPipeline();
    }
  }
  endPipeline();
  reader.depth--;
  return script;
}

/** Reads over spaces, comments and continued lines; tells whether there was any. */
function skip(reader: Reader): boolean {
  const isAny = take(reader, /(?:[^\S\n]|`\r?\n|(?<![^\s;|(){}])#[^\n]*|<#[\s\S]*?#>)+/y) !== undefined;
  if (reader.source.startsWith("<#", reader.at)) breakOff(reader);
  return isAny;
}

const bare =
  /(?:\[[a-z_][\w.]{0,99}(?:\[[\w.,\s[\]]{0,99}\])?\]|`[^\r\n]|@(?![({'"\u2018-\u201f])|[^@\s;|&(){}'"$`,<>\u2018-\u201f]|\$(?![\w?^$({\p{L}]))+/iuy;

function readToken(reader: Reader, gap: boolean, canBegin: boolean): Token {
  const start = reader.at;
  const made = (kind: Token["kind"], text: string, nested: readonly Script[] = []): Token => ({
    kind,
    text,
    gap,
    source: reader.source.slice(start, reader.at),
    nested,
  });
  const open = take(reader, /[$@]?\(|@?\{/y);
  if (open !== undefined) {
    const inner = readScript(reader, open.endsWith("(") ? ")" : "}", open === "@{");
    return made(open === "{" ? "block" : open === "@{" ? "table" : "group", "\ue000#0\ue001", [inner]);
  }
  const here = take(reader, /@(['"\u2018-\u201f])[^\S\n]*\n/y);
  if (here !== undefined) {
    const isPlain = /['\u2018-\u201b]/.test(here);
    const [text, nested] = readText(reader, isPlain ? /\n?['\u2018-\u201b]@/y : /\n?["\u201c-\u201e]@/y, isPlain);
    return made("text", text, nested);
  }
  const quote = take(reader, /['"\u2018-\u201f]/y);
  if (quote !== undefined) {
    const isPlain = /['\u2018-\u201b]/.test(quote);
    const [text, nested] = readText(reader, isPlain ? /['\u2018-\u201b]/y : /["\u201c-\u201e]/y, isPlain, true);
    return made("text", text, nested);
  }
  const variable = readVariable(reader) ?? (gap ? take(reader, /@\w+(?=[\s;|)}]|$)/y)?.slice(1) : undefined);
  if (variable !== undefined) return made("variable", `\ue000${variable.toLowerCase()}\ue001`);
  if (take(reader, /,/y)) return made("bare", ",");
  const into = take(reader, gap ? /[\d*]?>{1,2}(?:&\d)?|</y : />{1,2}(?:&\d)?|</y);
  // There is no reading from a file in PowerShell.
  if (into === "<") reader.broken = true;
  if (into !== undefined) return made("into", into);
  if (canBegin && take(reader, /&|\.(?=[\s({$'"\u2018-\u201f])/y)) return made("bare", "&");
  if (gap && !canBegin && take(reader, /--%(?=\s|$)/y)) return made("text", take(reader, /[^\n|]*/y)?.trim() ?? "");
  const word = take(reader, bare) ?? take(reader, /[\s\S]/y) ?? "";
  return made(
    "bare",
    word.replace(/`(?:u\{([0-9a-f]{1,5})\}|(.))/giu, (_all, code?: string, one = "") => (code ? letter(code) : one)),
  );
}

const letter = (code: string): string => String.fromCodePoint(Number.parseInt(code, 16));

/** `$x`, `${x y}`, `$env:x`: its name. */
function readVariable(reader: Reader): string | undefined {
  return take(reader, /\$(?:\{(?:[^}`]|`[\s\S])*\}|(?:\w+:(?=\w))?[\w\p{L}]+|[?^$])/uy)
    ?.replace(/^\$\{?|\}$/g, "")
    .replaceAll("`", "")
    .replace(/^(global|script|local|private|using|variable):/i, "");
}

/** As Windows PowerShell has them; a backtick before an e is no escape there. Letters that stand for signs without a shape are read as letters. */
const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", "0": "" };

/** What is in quotes; twice the quote is one of it. */
function readText(reader: Reader, end: RegExp, isPlain: boolean, isDoubled = false): [string, Script[]] {
  const nested: Script[] = [];
  let text = "";
  while (reader.at < reader.source.length) {
    const quote = take(reader, end);
    if (quote !== undefined) {
      const second = isDoubled ? take(reader, end) : undefined;
      if (second === undefined) return [text, nested];
      text += second;
      continue;
    }
    const variable = isPlain ? undefined : readVariable(reader);
    if (variable !== undefined) text += `\ue000${variable.toLowerCase()}\ue001`;
    else if (!isPlain && take(reader, /\$\(/y)) {
      nested.push(readScript(reader, ")"));
      text += `\ue000#${nested.length - 1}\ue001`;
    } else if (!isPlain && take(reader, /`/y)) {
      const code = take(reader, /u\{[0-9a-f]{1,5}\}/iy);
      const next = code === undefined ? (take(reader, /[\s\S]/y) ?? "") : letter(code.slice(2, -1));
      text += escapes[next] ?? next;
    } else text += take(reader, isPlain ? /[^'\u2018-\u201b\n]+|[\s\S]/y : /[^"$`\u201c-\u201e\n]+|[\s\S]/y) ?? "";
  }
  reader.broken = true;
  return [text, nested];
}
