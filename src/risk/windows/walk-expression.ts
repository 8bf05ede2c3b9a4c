/** All that is in a PowerShell expression: nested scripts, types, calls. */
import { checkRounds } from "../engine/bounds.ts";
import { revealing } from "../knowledge/windows.ts";
import { type Context, resolveWords } from "./context.ts";
import { checkCall, checkType } from "./expressions.ts";
import { argsOf, reachWritten } from "./reach.ts";
import type { Expr } from "./syntax.ts";

/** Walks all that is in an expression: nested scripts, types, calls. */
export function walkExpression(expr: Expr, context: Context) {
  const each = (list: readonly Expr[]): void => {
    for (const one of list) walkExpression(one, context);
  };
  switch (expr.kind) {
    case "expand":
      each(expr.parts);
      return;
    case "array":
      each(expr.items);
      return;
    case "group":
    case "block":
      context.walk(expr.script, context);
      return;
    case "hash":
      for (const [key, value] of expr.entries) {
        walkExpression(key, context);
        context.walk(value, context);
      }
      return;
    case "type":
      checkType(expr.name, context);
      return;
    case "cast":
      checkType(expr.type, context);
      if (/^(wmi\w*|adsi)$/.test(expr.type))
        reachWritten(resolveWords([{ expr: expr.of, source: "$()" }], context.state).flatMap(argsOf), context.scan);
      walkExpression(expr.of, context);
      return;
    case "unary":
      walkExpression(expr.of, context);
      return;
    case "binary": {
      if (expr.operator === ".." && expr.left.kind === "number" && expr.right.kind === "number")
        checkRounds(Math.abs(expr.left.value - expr.right.value), context.scan);
      let left: Expr = expr;
      for (; left.kind === "binary"; left = left.left) walkExpression(left.right, context);
      walkExpression(left, context);
      return;
    }
    case "index":
      walkExpression(expr.of, context);
      walkExpression(expr.at, context);
      return;
    case "member":
      if (expr.name.kind === "text" && revealing.test(expr.name.value.toLowerCase()))
        context.scan.report("medium", "windows.reveals", `reads .${expr.name.value}, which may reveal secrets`);
      walkExpression(expr.of, context);
      walkExpression(expr.name, context);
      return;
    case "call":
      walkExpression(expr.of, context);
      walkExpression(expr.name, context);
      each(expr.args);
      checkCall(expr, context);
      return;
    default:
      return;
  }
}
