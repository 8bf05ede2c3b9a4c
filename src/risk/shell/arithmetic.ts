/** `$((6*7))`: the number, where it is made of numbers only. */

import { hole } from "../engine/arg.ts";
import type { Scan } from "../engine/scan.ts";
import { evaluateNames, evaluateText } from "./evaluated.ts";
import { forEachBelow, forEachSubstitution, type SyntaxNode, type WordPart } from "./parse.ts";

type Expression = NonNullable<Extract<WordPart, { type: "ArithmeticExpansion" }>["expression"]>;

const operators: Readonly<Record<string, (a: number, b: number) => number>> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => Math.trunc(a / b),
  "%": (a, b) => a % b,
  "**": (a, b) => a ** b,
  "<<": (a, b) => a << b,
  ">>": (a, b) => a >> b,
  "&": (a, b) => a & b,
  "|": (a, b) => a | b,
  "^": (a, b) => a ^ b,
  "==": (a, b) => Number(a === b),
  "!=": (a, b) => Number(a !== b),
  "<": (a, b) => Number(a < b),
  ">": (a, b) => Number(a > b),
  "<=": (a, b) => Number(a <= b),
  ">=": (a, b) => Number(a >= b),
  "&&": (a, b) => Number(a !== 0 && b !== 0),
  "||": (a, b) => Number(a !== 0 || b !== 0),
  ",": (_a, b) => b,
};

const signs: Readonly<Record<string, (a: number) => number>> = {
  "-": (a) => -a,
  "+": (a) => a,
  "!": (a) => Number(a === 0),
  "~": (a) => ~a,
};

/** Deeper trees are sums made to cost; their value is unknown. */
const maxDepth = 40;

/** `0x2f`, `057`, `16#2f`, `47`, or a variable that holds one of them. */
function numberOf(text: string, scan: Scan): number | undefined {
  const [, base, digits = ""] = /^(\d{1,2})#(\w+)$/.exec(text) ?? [];
  if (base !== undefined) return finite(Number.parseInt(digits, Number(base)));
  if (/^0x[0-9a-f]+$/i.test(text)) return Number.parseInt(text, 16);
  if (/^0[0-7]+$/.test(text)) return Number.parseInt(text, 8);
  if (/^\d+$/.test(text)) return Number(text);
  const name = /^\$?\{?([A-Za-z_]\w*)\}?$/.exec(text)?.[1];
  const values = name === undefined ? undefined : scan.variables.get(name)?.values;
  const [only] = values ?? [];
  return values?.length === 1 && only !== undefined && /^\d+$/.test(only) ? Number(only) : undefined;
}

const finite = (value: number): number | undefined => (Number.isSafeInteger(value) ? value : undefined);

/** The value of an expression without side effects; undefined if the text alone does not tell. */
function evaluateArithmetic(expression: Expression | undefined, scan: Scan, depth = 0): number | undefined {
  if (!expression || depth > maxDepth) return undefined;
  const inner = (part: Expression): number | undefined => evaluateArithmetic(part, scan, depth + 1);
  switch (expression.type) {
    case "ArithmeticWord":
      return numberOf(expression.value, scan);
    case "ArithmeticGroup":
      return inner(expression.expression);
    case "ArithmeticUnary": {
      const value = inner(expression.operand);
      return value === undefined ? undefined : signs[expression.operator]?.(value);
    }
    case "ArithmeticBinary": {
      const [left, right] = [inner(expression.left), inner(expression.right)];
      if (left === undefined || right === undefined) return undefined;
      return finite(operators[expression.operator]?.(left, right) ?? Number.NaN);
    }
    case "ArithmeticTernary": {
      const test = inner(expression.test);
      return test === undefined ? undefined : inner(test === 0 ? expression.alternate : expression.consequent);
    }
    default:
      return undefined;
  }
}

/** Walks what an arithmetic expansion runs, then gives its value. */
export function expandArithmetic(node: SyntaxNode & { readonly expression?: Expression | undefined }, scan: Scan) {
  walkArithmetic(node, scan);
  return evaluateArithmetic(node.expression, scan);
}

/** Walks what stands below an arithmetic expression, and what the variables named in it hold. */
export function walkArithmetic(node: SyntaxNode, scan: Scan): void {
  forEachSubstitution(node, (script) => {
    const { text, isTame } = scan.runScript(script, { present: false });
    evaluateText({ text: text ?? hole, isTame }, scan);
  });
  forEachBelow(node, ({ type, ...below }) => {
    if (type === "ArithmeticWord" && "value" in below) evaluateNames(String(below.value), scan);
    return type !== "CommandExpansion" && type !== "ProcessSubstitution" && type !== "CompoundList";
  });
}
