/** PowerShell statements: pipelines, assignments, loops and branches, functions. Never throws. */
import { readExpression, startsExpression } from "./parse-expression.ts";
import { readAttribute, readParameters } from "./parse-parameters.ts";
import { readStage } from "./parse-stage.ts";
import { deeper, looksAt, peek, type Reader, skip, take } from "./reader.ts";
import { type Script, type Stage, type Statement, statementOf } from "./syntax.ts";

const empty: Script = { parameters: [], statements: [] };

/** Reads a text; what cannot be read is `unread` or sets `broken`, and the rest is read all the same. */
export function parsePowerShell(source: string): { readonly script: Script; readonly broken: boolean } {
  const reader: Reader = { source, at: 0, depth: 0, inArguments: false, broken: false, script: readNested };
  return { script: readStatements(reader, ""), broken: reader.broken };
}

function readNested(reader: Reader, close: string): Script {
  const outer = reader.inArguments;
  reader.inArguments = false;
  // A hash table's value is one statement, which nothing closes.
  const script =
    close === "="
      ? deeper(reader, () => ({ parameters: [], statements: [readStatement(reader)] }), empty)
      : deeper(reader, () => readStatements(reader, close), empty);
  reader.inArguments = outer;
  return script;
}

function readStatements(reader: Reader, close: string): Script {
  const statements: Statement[] = [];
  let parameters: readonly string[] = [];
  for (;;) {
    take(reader, /[\s;]+/y);
    skip(reader, true);
    const char = peek(reader);
    if (char === "") {
      if (close !== "") reader.broken = true;
      return { parameters, statements };
    }
    if (char === close) {
      reader.at++;
      return { parameters, statements };
    }
    const before = reader.at;
    if (take(reader, /param\s*(?=\()/iy)) parameters = [...parameters, ...readParameters(reader, statements)];
    else if (!";)}]".includes(char)) statements.push(readStatement(reader));
    if (reader.at > before) continue;
    // A bracket that nothing opened, or what no rule of the grammar takes.
    if (char !== ";") reader.broken = true;
    reader.at++;
  }
}

const keywords =
  /(?:if|elseif|else|while|until|for|foreach|do|switch|try|catch|finally|trap|begin|process|end|clean|dynamicparam|parallel|sequence|inlinescript|function|filter|workflow|configuration|return|throw|exit|break|continue|class|enum|using|data)(?![\w-]|\.\w)/iy;

function readStatement(reader: Reader): Statement {
  take(reader, /:\w+\s+(?=(?:for|while|do|switch))/iy);
  const start = reader.at;
  const keyword = take(reader, keywords)?.toLowerCase();
  if (keyword === undefined) return readAssignment(reader);
  skip(reader, true);
  switch (keyword) {
    case "function":
    case "filter":
    case "workflow":
    case "configuration":
      return readFunction(reader);
    case "return":
    case "throw":
    case "exit":
      return looksAt(reader, /[;})\n]|$/y) ? flow([]) : readAssignment(reader);
    case "break":
    case "continue":
      take(reader, /\w+/y);
      return flow([]);
    case "class":
    case "enum":
      take(reader, /[^{\n]*/y);
      if (take(reader, /\{/y)) reader.script(reader, "}");
      return { kind: "unread", source: reader.source.slice(start, reader.at) };
    case "using":
      take(reader, /[^\n;]*/y);
      return { kind: "unread", source: reader.source.slice(start, reader.at) };
    default:
      break;
  }
  // `foreach` and `for` are also what people write as a command's name, with no bracket behind.
  if (!looksAt(reader, /[({[]|-\w|\$/y)) {
    reader.at = start;
    return readAssignment(reader);
  }
  return readFlow(reader, keyword);
}

const flow = (parts: readonly Script[], variable?: string, until?: string): Statement => ({
  kind: "flow",
  parts,
  variable,
  until,
});

/** Everything in brackets that follows, up to the last block that belongs to the keyword. */
function readFlow(reader: Reader, keyword: string): Statement {
  const parts: Script[] = [];
  let variable: string | undefined;
  let until: string | undefined;
  const clause = (): void => {
    const start = reader.at;
    parts.push(reader.script(reader, ")"));
    until = reader.source.slice(start, reader.at - 1);
  };
  take(reader, /(?:-(?:regex|wildcard|exact|casesensitive|parallel|file)\s+)+/iy);
  while (peek(reader) === "[") {
    readAttribute(reader);
    skip(reader, true);
  }
  if (take(reader, /\(/y)) {
    if (keyword === "foreach") variable = readLoopVariable(reader);
    clause();
    skip(reader, true);
  } else if (keyword === "switch" && peek(reader) === "$") {
    parts.push({ parameters: [], statements: [statementOf(readExpression(reader))] });
    skip(reader, true);
  }
  if (take(reader, /\{/y)) parts.push(keyword === "switch" ? readClauses(reader) : reader.script(reader, "}"));
  if (keyword === "do") {
    skip(reader, true);
    if (take(reader, /(?:while|until)\s*\(/iy)) clause();
  }
  return flow(parts, variable, /^(?:while|until|for|do)$/.test(keyword) ? until : undefined);
}

function readLoopVariable(reader: Reader): string | undefined {
  skip(reader, true);
  const name = take(reader, /\$(?:\w+:)?\w+\s+in\s/iy);
  return name
    ?.replace(/\s[\s\S]*/, "")
    .replace(/^\$(\w+:)?/, "")
    .toLowerCase();
}

/** The clauses of a `switch`: a test, then its block. */
function readClauses(reader: Reader): Script {
  const statements: Statement[] = [];
  for (;;) {
    take(reader, /[\s;]+/y);
    skip(reader, true);
    if (take(reader, /\}/y)) return { parameters: [], statements };
    if (peek(reader) === "") {
      reader.broken = true;
      return { parameters: [], statements };
    }
    const before = reader.at;
    statements.push(statementOf(readExpression(reader, 1)));
    if (reader.at === before) reader.at++;
  }
}

function readFunction(reader: Reader): Statement {
  const name = (take(reader, /[^\s({]+/y) ?? "").toLowerCase().replace(/^(global|script|local|private):/, "");
  skip(reader, true);
  const defaults: Statement[] = [];
  let parameters: readonly string[] = [];
  if (peek(reader) === "(") {
    parameters = readParameters(reader, defaults);
    skip(reader, true);
  }
  const body = take(reader, /\{/y) ? reader.script(reader, "}") : empty;
  return {
    kind: "function",
    name,
    parameters: [...parameters, ...body.parameters],
    body: { parameters: [], statements: [...defaults, ...body.statements] },
  };
}

const assignment = /(?:\+|-|\*|\/|%|\?\?)?=(?!=)/y;

/** `target = statement`, or a pipeline. */
function readAssignment(reader: Reader): Statement {
  const start = reader.at;
  if (startsExpression(reader)) {
    const first = readExpression(reader);
    skip(reader);
    const operator = take(reader, assignment);
    if (operator !== undefined) {
      skip(reader, true);
      const value = deeper<Statement>(reader, () => readStatement(reader), flow([]));
      return { kind: "assign", target: first, operator, value };
    }
    const source = reader.source.slice(start, reader.at);
    return readPipeline(reader, { kind: "expression", words: [{ expr: first, source }] });
  }
  return readPipeline(reader);
}

/** Stages parted by `|`; `&&`, `||` and `&` part statements, all of which are walked. */
function readPipeline(reader: Reader, first?: Pick<Stage, "kind" | "words">): Statement {
  const stages: Stage[] = [readStage(reader, first)];
  for (;;) {
    skip(reader);
    const start = reader.at;
    // Newer versions let a line begin with the pipe.
    if (looksAt(reader, /\s*\|(?!\|)/y)) take(reader, /\s*\|/y);
    else {
      if (!take(reader, /&&|\|\||&/y)) reader.at = start;
      return { kind: "pipeline", stages };
    }
    skip(reader, true);
    if (looksAt(reader, /[;)}]|$/y)) {
      reader.broken = true;
      return { kind: "pipeline", stages };
    }
    const before = reader.at;
    const isValue = startsExpression(reader) && !looksAt(reader, /[&.]\s/y);
    if (isValue) {
      const expr = readExpression(reader);
      stages.push(
        readStage(reader, { kind: "expression", words: [{ expr, source: reader.source.slice(before, reader.at) }] }),
      );
    } else stages.push(readStage(reader));
  }
}
