/** PowerShell: a script statement by statement; everything nested in it is walked, whatever it stands in. */
import { shown } from "../engine/arg.ts";
import { checkWaiting } from "../engine/bounds.ts";
import { maxDepth } from "../engine/scan.ts";
import { loadingVariables } from "../knowledge/windows.ts";
import { judgeName } from "./command.ts";
import { type Argument, type Context, isMade, type Named, resolveWords, textsOf, values } from "./context.ts";
import { noteDownload } from "./downloads.ts";
import { checkMember } from "./expressions.ts";
import { bindParameters, fold, foldStage, foldStatement } from "./fold.ts";
import { parsePowerShell } from "./parse-script.ts";
import { deleteWindows, writeWindows } from "./paths.ts";
import type { Expr, Script, Stage, Statement, Word } from "./syntax.ts";
import { isList, isThing, listOf, toText, type Value } from "./values.ts";
import { walkExpression } from "./walk-expression.ts";

/** Judges a text; adds findings. */
export function walkPowerShell(text: string, tools: Pick<Context, "scan" | "languages" | "state">) {
  const { script, broken } = parsePowerShell(text);
  const context: Context = { ...tools, walk: walkScript, run };
  if (broken)
    context.scan.report(
      "high",
      "windows.unreadable",
      "cannot be read as PowerShell: a quote or bracket that is never closed, or the like",
    );
  walkScript(script, context);
}

function walkScript(script: Script, context: Context) {
  const { scan, state } = context;
  if (state.nesting >= maxDepth * 4) {
    scan.report("high", "evaluate.depth", "nests commands too deeply to be classified");
    return;
  }
  state.nesting++;
  for (const statement of script.statements) {
    if (!scan.spend()) break;
    walkStatement(statement, context);
  }
  state.nesting--;
}

const maxRounds = 20;

function walkStatement(statement: Statement, context: Context) {
  const { scan, state } = context;
  switch (statement.kind) {
    case "pipeline":
      walkPipeline(statement.stages, context);
      return;
    case "assign":
      walkAssignment(statement, context);
      return;
    case "unread":
      scan.report("high", "windows.unread", `holds ${shown(statement.source)}, which the rules do not read`);
      return;
    case "function":
      state.functions.set(statement.name, statement);
      for (const name of statement.parameters) state.variables.delete(name);
      walkScript(statement.body, context);
      return;
    case "flow": {
      const [head, ...rest] = statement.parts;
      if (!head) return;
      if (statement.until !== undefined) checkWaiting(statement.until, scan, "");
      walkScript(head, context);
      const { variable } = statement;
      const first = head.statements[0];
      const set = variable === undefined || !first ? undefined : foldStatement(first, state);
      const rounds = set === undefined ? [undefined] : listOf(set).slice(0, maxRounds);
      for (const value of rounds) {
        if (variable !== undefined) setVariable(variable, value, context);
        for (const part of rest) walkScript(part, context);
      }
      return;
    }
  }
}

function setVariable(name: string, value: Value | undefined, { state }: Context) {
  if (value === undefined) state.variables.delete(name);
  else state.variables.set(name, value);
}

function walkAssignment({ target, operator, value }: Extract<Statement, { kind: "assign" }>, context: Context) {
  const { scan, state } = context;
  walkStatement(value, context);
  const found = foldStatement(value, state);
  const targets = target.kind === "array" ? target.items : [target];
  targets.forEach((one, i) => {
    const into = one.kind === "cast" ? one.of : one;
    if (into.kind !== "variable") {
      walkExpression(into, context);
      if (into.kind === "member") checkMember(into, found, context);
      return;
    }
    const own = targets.length > 1 && isList(found) ? found[i] : found;
    const before = state.variables.get(into.name);
    const sum =
      operator === "=" || operator === "??="
        ? own
        : fold(
              { kind: "binary", operator: operator.slice(0, -1), left: into, right: { kind: "text", value: "" } },
              state,
            ) !== undefined &&
            own !== undefined &&
            before !== undefined
          ? fold({ kind: "binary", operator: operator.slice(0, -1), left: into, right: constantOf(own) }, state)
          : undefined;
    const [, drive, name = ""] = /^(env|alias|function):(.*)$/.exec(into.name) ?? [];
    if (drive === "alias" && own !== undefined) state.aliases.set(name, toText(own).toLowerCase());
    else if (drive === "function" && isThing(own) && own.is === "block")
      state.functions.set(name, { parameters: own.script.parameters, body: own.script });
    else if (drive === "env")
      scan.report(loadingVariables.test(name) ? "medium" : "low", "windows.variable", `sets $${into.name}`);
    const [stage, next] = value.kind === "pipeline" ? value.stages : [];
    const [word] = stage?.kind === "expression" && !next ? stage.words : [];
    if (sum === undefined && word && isMade(word.expr, state)) state.made.add(into.name);
    else state.made.delete(into.name);
    if (sum !== undefined || !word || !/binary|expand|group/.test(word.expr.kind)) state.partial.delete(into.name);
    else state.partial.set(into.name, textsOf(word.expr, "$()", state).texts.join(" ").slice(0, 300));
    setVariable(
      into.name,
      one.kind === "cast" && sum !== undefined ? fold({ ...one, of: constantOf(sum) }, state) : sum,
      context,
    );
  });
}

/** A value as an expression again, so that the one evaluator can go on with it. */
const constantOf = (value: Value): Expr =>
  typeof value === "number"
    ? { kind: "number", value }
    : isList(value)
      ? { kind: "array", items: value.map(constantOf) }
      : isThing(value) && value.is === "block"
        ? { kind: "block", script: value.script, source: value.source }
        : { kind: "text", value: toText(value) };

function walkPipeline(stages: readonly Stage[], context: Context) {
  const { scan, state } = context;
  let input: Value | undefined = null;
  for (const [i, stage] of stages.entries()) {
    // The first stage is paid for as a statement.
    if (i > 0 && !scan.spend()) return;
    for (const target of stage.redirects) writeRedirect(target, context);
    walkStage(stage, { input: i === 0 ? null : input, isPiped: i > 0 }, context);
    input = i > 0 && input === undefined ? undefined : foldStage(stage, input, state);
  }
}

function writeRedirect(target: Expr, context: Context) {
  walkExpression(target, context);
  for (const path of values(resolveWords([{ expr: target, source: "$()" }], context.state))) {
    writeWindows(path, context.scan);
    if (context.state.fetched) noteDownload(path, context.scan);
  }
}

interface Pipe {
  readonly input: Value | undefined;
  readonly isPiped: boolean;
}

function walkStage(stage: Stage, { input, isPiped }: Pipe, context: Context) {
  const { state } = context;
  const [first, ...rest] = stage.words;
  if (!first) return;
  if (stage.kind === "expression") return walkExpression(first.expr, context);
  // A block sees what comes through the pipe, one by one where that is known.
  const rounds = isPiped && input !== undefined && input !== null ? listOf(input).slice(0, maxRounds) : [undefined];
  const hasBlock = stage.words.some((word) => word.expr.kind === "block");
  const outer = state.variables.get("_");
  for (const item of hasBlock ? rounds : [undefined]) {
    for (const name of ["_", "psitem"]) if (isPiped || item !== undefined) setVariable(name, item, context);
    stage.words.forEach((word, i) => {
      if (!isFilter(word, stage.words[i - 1])) walkExpression(word.expr, context);
    });
  }
  setVariable("_", outer, context);
  callWithArguments(rest, context);
  const words = resolveWords(rest, state);
  const named = { words, isPiped, input };
  const value = fold(first.expr, state);
  if (value === undefined) return runUnknown(first, words, context);
  if (isThing(value) && value.is === "block") return callBlock(value.script, rest, context);
  const name = isThing(value) && value.is === "named" ? value.value : toText(value).trim();
  const own = state.functions.get(name.toLowerCase());
  if (own) return callBlock({ parameters: own.parameters, statements: own.body.statements }, rest, context);
  judgeName({ ...named, name }, context);
}

const run = (named: Named, context: Context): void => judgeName(named, context);

/** A function or block with what it is given; the body was walked before, with nothing known. */
function callBlock(script: Script, words: readonly Word[], context: Context) {
  if (words.length === 0) return;
  const variables = new Map(context.state.variables);
  bindParameters(script.parameters, words, context.state, variables);
  if (variables.size === 0) return;
  walkScript(script, { ...context, state: { ...context.state, variables, nesting: context.state.nesting + 4 } });
}

/** `-Filter {Name -eq 'x'}`: a text that asks a directory, written as a block; it compares and runs nothing. */
const isFilter = (word: Word, before: Word | undefined): boolean =>
  word.expr.kind === "block" &&
  /^fi/.test(before?.parameter ?? "") &&
  word.expr.script.statements.every(
    (statement) =>
      statement.kind === "pipeline" &&
      statement.stages.length === 1 &&
      statement.stages.every(({ words: [, operator] }) =>
        /^[ic]?(eq|ne|[gl][te]|(not)?like|b?and|b?or)$/.test(operator?.parameter ?? ""),
      ),
  );

/** `Invoke-Command { … } -ArgumentList a, b`: the block once more, with what it is given. */
function callWithArguments(words: readonly Word[], context: Context) {
  const at = words.findIndex(({ parameter }) => parameter !== undefined && /^arg/.test(parameter));
  const given = words[at]?.attached ? words[at] : words[at + 1];
  if (at < 0 || !given) return;
  const items = given.expr.kind === "array" ? given.expr.items : [given.expr];
  for (const { expr } of words)
    if (expr.kind === "block")
      callBlock(
        expr.script,
        items.map((item) => ({ expr: item, source: given.source })),
        context,
      );
}

/** `& $x …`: what it runs is known only when it runs; a root among its words is reason enough to say never. */
function runUnknown(first: Word, words: readonly Argument[], context: Context) {
  const { scan } = context;
  scan.markUnknown();
  if (isMade(first.expr, context.state))
    scan.report("block", "windows.hidden", `hides what it runs: ${shown(first.source)}`);
  scan.report("high", "windows.dynamic", `runs ${shown(first.source)}, known only when it runs`);
  for (const text of values(words)) if (/^[a-z]:([\\/]|$)/i.test(text)) deleteWindows(text, scan, "may hit");
}
