/** The value of a constant expression: one evaluator for every way to write a name or a path in pieces. */
import { aliases } from "../knowledge/windows.ts";
import { automaticVariables } from "../knowledge/windows-variables.ts";
import { callMethod, callStatic, readMember, readStatic } from "./members.ts";
import { applyBinary, applyUnary, cast } from "./operators.ts";
import type { Expr, Script, Stage, Statement, Word } from "./syntax.ts";
import { bounded, isList, isThing, known, listOf, toNumber, toText, type Value } from "./values.ts";

export interface Scope {
  readonly variables: Map<string, Value>;
  readonly aliases: ReadonlyMap<string, string>;
  readonly functions: ReadonlyMap<string, { readonly parameters: readonly string[]; readonly body: Script }>;
  /** Names that a wildcard in `Get-Command` may mean, riskiest first. */
  readonly names: readonly string[];
  /** Counts work; false once the budget is spent. */
  readonly spend: () => boolean;
  /** What a cmdlet that only puts values together gives back; "no" where the table has none. */
  readonly produce: (
    cmdlet: string,
    given: { readonly words: readonly Word[]; readonly input: Value | undefined },
    scope: Scope,
  ) => { readonly value: Value | undefined } | "no";
  depth: number;
}

const maxDepth = 40;

/** The value, or undefined where only the server knows it. Never throws. */
export function fold(expr: Expr, scope: Scope): Value | undefined {
  if (scope.depth > maxDepth || !scope.spend()) return undefined;
  scope.depth++;
  const value = bounded(foldOne(expr, scope));
  scope.depth--;
  return value;
}

const textIn = (expr: Expr, scope: Scope): string | undefined => {
  const value = fold(expr, scope);
  return value === undefined ? undefined : toText(value);
};

function foldOne(expr: Expr, scope: Scope): Value | undefined {
  switch (expr.kind) {
    case "text":
    case "number":
      return expr.value;
    case "expand":
      return known(expr.parts.map((part) => fold(part, scope)))
        ?.map(toText)
        .join("");
    case "variable":
      return readVariable(expr.name, scope);
    case "array":
      return known(expr.items.map((item) => fold(item, scope)));
    case "group": {
      const value = foldScript(expr.script, scope);
      return expr.list && value !== undefined ? listOf(value) : value;
    }
    case "block":
      return { is: "block", script: expr.script, source: expr.source };
    case "hash":
      return {
        is: "hash",
        entries: new Map(
          expr.entries.map(([key, value]) => [(textIn(key, scope) ?? "").toLowerCase(), foldScript(value, scope)]),
        ),
      };
    case "type":
      return { is: "type", name: expr.name };
    case "cast": {
      const of = fold(expr.of, scope);
      return of === undefined ? undefined : cast(expr.type, of);
    }
    case "unary": {
      const of = fold(expr.of, scope);
      return of === undefined ? undefined : applyUnary(expr.operator, of);
    }
    case "binary":
      return foldBinary(expr, scope);
    case "index":
      return foldIndex(fold(expr.of, scope), fold(expr.at, scope));
    case "member": {
      const of = fold(expr.of, scope);
      const name = textIn(expr.name, scope)?.toLowerCase();
      if (of === undefined || name === undefined) return undefined;
      return expr.isStatic && isThing(of) && of.is === "type" ? readStatic(of.name, name) : readMember(of, name);
    }
    case "call":
      return foldCall(expr, scope);
  }
}

/** `a + b + c + …` leans to the left; long ones are taken piece by piece rather than ever deeper. */
function foldBinary(expr: Extract<Expr, { kind: "binary" }>, scope: Scope): Value | undefined {
  const steps = [expr];
  for (let left = expr.left; left.kind === "binary"; left = left.left) steps.push(left);
  let value = fold(steps.at(-1)?.left ?? expr.left, scope);
  for (const step of steps.toReversed()) {
    const right = fold(step.right, scope);
    if (value === undefined || right === undefined) return undefined;
    value = applyBinary(step.operator, value, right);
  }
  return value;
}

function foldCall(expr: Extract<Expr, { kind: "call" }>, scope: Scope): Value | undefined {
  const of = fold(expr.of, scope);
  const name = textIn(expr.name, scope)?.toLowerCase();
  const args = known(expr.args.map((arg) => fold(arg, scope)));
  if (of === undefined || name === undefined || args === undefined) return undefined;
  if (expr.isStatic && isThing(of) && of.is === "type") {
    // The one static method that changes what it is given.
    const [target] = expr.args;
    const [list] = args;
    if (of.name === "array" && name === "reverse" && target?.kind === "variable" && isList(list))
      scope.variables.set(target.name, list.toReversed());
    const made = callStatic(of.name, name, args);
    return made ?? (name === "new" ? { is: "object", type: of.name, args } : undefined);
  }
  if (isThing(of) && of.is === "block" && /^invoke/.test(name)) return foldScript(of.script, scope);
  return callMethod(of, name, args);
}

/** A variable of this script, or one that every PowerShell has. */
export function readVariable(name: string, scope: Scope): Value | undefined {
  if (scope.variables.has(name)) return scope.variables.get(name);
  if (name.startsWith("env:")) return automaticVariables[name] ?? undefined;
  const own = automaticVariables[name];
  return name === "null" ? null : name === "true" ? true : name === "false" ? false : own;
}

function foldIndex(of: Value | undefined, at: Value | undefined): Value | undefined {
  if (of === undefined || at === undefined) return undefined;
  if (isThing(of)) return of.is === "hash" ? of.entries.get(toText(at).toLowerCase()) : undefined;
  const items: readonly Value[] = isList(of) ? of : typeof of === "string" ? [...of] : [of];
  const pick = (index: Value): Value | undefined => items.at(toNumber(index) ?? items.length);
  return isList(at) ? known(at.map(pick)) : pick(at);
}

/** What a script gives back: the value of its one statement, or of all of them as a list. */
export function foldScript(script: Script, scope: Scope): Value | undefined {
  const inner = script.statements.some(({ kind }) => kind === "assign")
    ? { ...scope, variables: new Map(scope.variables) }
    : scope;
  const values: Value[] = [];
  for (const statement of script.statements) {
    if (statement.kind === "assign") {
      const value = foldStatement(statement.value, inner);
      if (statement.target.kind !== "variable" || statement.operator !== "=" || value === undefined) return undefined;
      inner.variables.set(statement.target.name, value);
      continue;
    }
    const value = foldStatement(statement, inner);
    if (value === undefined) return undefined;
    values.push(value);
  }
  return values.length === 1 ? values[0] : values;
}

export function foldStatement(statement: Statement, scope: Scope): Value | undefined {
  if (statement.kind !== "pipeline") return undefined;
  let input: Value | undefined;
  for (const [i, stage] of statement.stages.entries()) {
    input = foldStage(stage, i === 0 ? null : input, scope);
    if (input === undefined) return undefined;
  }
  return input;
}

/** What a stage gives on; `input` is null at the head of a pipeline. */
export function foldStage(stage: Stage, input: Value | undefined, scope: Scope): Value | undefined {
  const [first, ...rest] = stage.words;
  if (!first) return undefined;
  if (stage.kind === "expression") return fold(first.expr, scope);
  const name = fold(first.expr, scope);
  if (name === undefined) return undefined;
  if (isThing(name) && name.is === "block") return foldScript(name.script, scope);
  const command = toText(name).toLowerCase();
  const cmdlet = scope.aliases.get(command) ?? aliases.get(command) ?? command;
  const made = scope.produce(cmdlet, { words: rest, input }, scope);
  if (made !== "no") return made.value;
  const own = scope.functions.get(command);
  if (!own) return undefined;
  const variables = new Map(scope.variables);
  bindParameters(own.parameters, rest, scope, variables);
  return foldScript(own.body, { ...scope, variables });
}

/** Sets a function's parameters from the words of a call. */
export function bindParameters(
  parameters: readonly string[],
  words: readonly Word[],
  scope: Scope,
  variables: Map<string, Value>,
): void {
  const free: (Value | undefined)[] = [];
  for (const name of parameters) variables.delete(name);
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    const wanted = word?.parameter;
    const target = wanted === undefined ? undefined : parameters.find((name) => name.startsWith(wanted));
    if (target === undefined || !word) {
      if (word) free.push(fold(word.expr, scope));
      continue;
    }
    const value = word.attached ? word : words[++i];
    const found = value ? fold(value.expr, scope) : undefined;
    if (found !== undefined) variables.set(target, found);
  }
  parameters.forEach((name, i) => {
    const value = free[i];
    if (value !== undefined && !variables.has(name)) variables.set(name, value);
  });
  const args = known(free);
  if (args) variables.set("args", args);
  else variables.delete("args");
}
