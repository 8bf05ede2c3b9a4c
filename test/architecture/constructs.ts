import { patienceMs } from "../harness/patience.ts";
import { isNode, type Node } from "./source-tree.ts";

/** What no file may contain, looked for in one node of the syntax tree. Each returns a word for what it found, or undefined. */

const isNamed = (node: unknown, name: string): boolean =>
  isNode(node) && (node.name === name || node.value === name) && ["Identifier", "Literal"].includes(node.type);

/** `process.<member>`, `process["<member>"]`, `const { <member> } = process` and `import { <member> } from "node:process"`. */
export function ofProcess(node: Node, members: readonly string[]): string | undefined {
  return members.find((member) => {
    if (node.type === "MemberExpression") return isNamed(node.object, "process") && isNamed(node.property, member);
    if (node.type === "ImportDeclaration") return isNode(node.source) && node.source.value === "node:process";
    if (node.type !== "VariableDeclarator" || !isNamed(node.init, "process") || !isNode(node.id)) return false;
    const { properties } = node.id;
    return (
      Array.isArray(properties) &&
      properties.some((property: unknown) => isNode(property) && isNamed(property.key, member))
    );
  });
}

const looseTypes: Readonly<Record<string, string>> = { TSAnyKeyword: "any", TSNonNullExpression: "a ! assertion" };

export function looseType(node: Node): string | undefined {
  return node.definite === true ? "a ! assertion" : looseTypes[node.type];
}

export function classButNoError(node: Node): string | undefined {
  if (node.type !== "ClassDeclaration" && node.type !== "ClassExpression") return undefined;
  const parent = isNode(node.superClass) && typeof node.superClass.name === "string" ? node.superClass.name : "";
  return parent.endsWith("Error") ? undefined : "a class that is no error";
}

/** `code ?? 0`: a command that was killed, or whose end nobody saw, must not pass for one that went well. */
export function defaultExitCode(node: Node): string | undefined {
  if (node.type !== "LogicalExpression" || !isNode(node.left) || !isNode(node.right)) return undefined;
  const left = isNode(node.left.property) ? node.left.property : node.left;
  const isCode = isNamed(left, "code") || isNamed(left, "exitCode");
  return isCode && typeof node.right.value === "number" ? "a default exit code" : undefined;
}

/** A pattern that V8 may stop matching (src/base/any-case.ts): `(?i:…)` written as a pattern, not handed to `anyCase`. */
export function modifiedPattern(node: Node): string | undefined {
  const { regex } = node;
  const pattern = typeof regex === "object" && regex !== null && "pattern" in regex ? String(regex.pattern) : "";
  return /\(\?(?:[ims]+-?|-)[ims]*:/.test(pattern) ? "a pattern with a modifier" : undefined;
}

/**
 * Returns the call that makes a test say nothing: skipped, focused, left to be written, or a module replaced. `runIf` says aloud what it
 * lacks.
 */
export function silentTest(node: Node): string | undefined {
  if (node.type !== "MemberExpression" || !isNode(node.object) || !isNode(node.property)) return undefined;
  const { name } = node.object;
  const { name: member } = node.property;
  const switchedOff =
    ["it", "test", "describe"].includes(String(name)) && ["skip", "only", "todo"].includes(String(member));
  const mocked = name === "vi" && ["mock", "doMock"].includes(String(member));
  return switchedOff || mocked ? `${name}.${member}` : undefined;
}

const clocks = ["performance.now", "Date.now", "hrtime.bigint", "process.hrtime", "process.cpuUsage"];

const readsClock = (node: unknown): boolean => {
  if (!isNode(node)) return false;
  if (node.type === "CallExpression") return readsClock(node.callee);
  if (node.type !== "MemberExpression" || !isNode(node.object) || !isNode(node.property)) return false;
  const object = isNode(node.object.property) ? node.object.property.name : node.object.name;
  return clocks.includes(`${object}.${node.property.name}`) || readsClock(node.object);
};

/**
 * A claim about how long something took (`expect(performance.now() - before)`), or a wait that a busy machine may miss: one with a
 * time-out shorter than the runner's own, or outside `until` (test/harness/until.ts).
 */
export function hurriedTest(node: Node): string | undefined {
  if (node.type !== "CallExpression" || !Array.isArray(node.arguments)) return undefined;
  const { callee } = node;
  const name =
    isNode(callee) && callee.type === "MemberExpression" && isNode(callee.property) ? callee.property : callee;
  if (isNamed(name, "expect")) {
    const [seen] = [...node.arguments];
    const from =
      isNode(seen) && seen.type === "CallExpression" && Array.isArray(seen.arguments) ? seen.arguments[0] : seen;
    const isElapsed =
      isNode(from) && from.type === "BinaryExpression" && from.operator === "-" && readsClock(from.left);
    return isElapsed && isNode(from.right) && from.right.type !== "Literal"
      ? "an assertion about elapsed time"
      : undefined;
  }
  if (isNamed(name, "waitFor") && isNode(callee) && isNamed(callee.object, "vi")) return "vi.waitFor";
  if (!["it", "test", "poll"].some((word) => isNamed(name, word))) return undefined;
  const options = node.arguments.flatMap((given: unknown) =>
    isNode(given) && given.type === "ObjectExpression" && Array.isArray(given.properties) ? given.properties : [],
  );
  const limits = [
    ...options.flatMap((each: unknown) => (isNode(each) && isNamed(each.key, "timeout") ? [each.value] : [])),
    node.arguments[2],
  ];
  const isShort = limits.some((limit) => isNode(limit) && typeof limit.value === "number" && limit.value < patienceMs);
  return isShort ? "a time-out shorter than the runner's" : undefined;
}

const queryWords = [
  "selectFrom",
  "selectNoFrom",
  "insertInto",
  "replaceInto",
  "updateTable",
  "deleteFrom",
  "mergeInto",
  "executeQuery",
];

/** A statement of the query builder's, or of the tag `sql`. */
export function statement(node: Node): string | undefined {
  if (node.type === "TaggedTemplateExpression" && isNamed(node.tag, "sql")) return "a statement";
  return node.type === "MemberExpression" && queryWords.some((word) => isNamed(node.property, word))
    ? "a statement"
    : undefined;
}

const worldlyMembers = ["Date.now", "Math.random", "performance.now"];
const worldlyCalls = ["fetch", "setTimeout", "setInterval"];

/** `Date.now()`, `new Date()`, `Math.random()`, `fetch()`, `process.…`: answers that differ from call to call. */
export function worldly(node: Node): string | undefined {
  if (node.type === "NewExpression" && isNamed(node.callee, "Date") && Array.isArray(node.arguments)) {
    return node.arguments.length === 0 ? "new Date()" : undefined;
  }
  if (node.type === "CallExpression") return worldlyCalls.find((name) => isNamed(node.callee, name));
  if (node.type !== "MemberExpression" || !isNode(node.object) || !isNode(node.property)) return undefined;
  const member = `${node.object.name}.${node.property.name}`;
  return member.startsWith("process.") ? member : worldlyMembers.find((name) => name === member);
}

/** `](` in a text: a Markdown link that is written by hand. */
export function handmadeLink(node: Node): string | undefined {
  const text = node.type === "TemplateElement" && isRecordOf(node.value) ? node.value.raw : node.value;
  const isText = node.type === "TemplateElement" || (node.type === "Literal" && node.regex === undefined);
  return isText && typeof text === "string" && text.includes("](") ? "a link written by hand" : undefined;
}

const isRecordOf = (value: unknown): value is { readonly raw: unknown } =>
  typeof value === "object" && value !== null && "raw" in value;

const isFunction = (node: Node): boolean => node.type.includes("Function");
const childrenOf = (node: Node): readonly Node[] => Object.values(node).flat().filter(isNode);

/** Whether a node, or one below it that is not a function of its own, is of this kind. */
const holds = (node: Node, is: (one: Node) => boolean): boolean =>
  is(node) || childrenOf(node).some((child) => !isFunction(child) && holds(child, is));

const calls = (node: Node, names: readonly unknown[]): boolean =>
  node.type === "CallExpression" && isNode(node.callee) && names.includes(node.callee.name);

/** What gives timers and sockets their turn, whatever else is awaited. */
const breaths = ["sleep", "sleepFor", "breath", "turnOfTheLoop"];

/**
 * Returns how a node may keep the event loop from turning: a loop without an end of its own that waits for something which may be there at
 * once, or an asynchronous function that calls itself. A `for` that counts and one over what there is come to their end.
 */
export function breathless(node: Node): string | undefined {
  const { type, test, update } = node;
  const isEndless = type.endsWith("WhileStatement") || (type === "ForStatement" && !(isNode(test) && isNode(update)));
  if (isEndless)
    return holds(node, (one) => one.type === "AwaitExpression") && !holds(node, (one) => calls(one, breaths))
      ? "a loop that may await for ever"
      : undefined;
  const own = type === "VariableDeclarator" ? node.init : node;
  if (!isNode(own) || !isFunction(own) || own.async !== true || !isNode(node.id)) return undefined;
  const { name } = node.id;
  const callsItself = (one: Node): boolean => calls(one, [name]) || childrenOf(one).some(callsItself);
  return isNode(own.body) && callsItself(own.body) ? `${String(name)}, which calls itself` : undefined;
}
