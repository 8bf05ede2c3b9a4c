/**
 * The one door to `unbash`: shell text → syntax tree. Everything else in this box reads the tree's types from here, so
 * another parser would be one file's work.
 */
import { forEachChild, type ParsedScript, parse, type SyntaxNode } from "unbash";

export type {
  Assignment,
  Command,
  Redirection,
  Statement,
  SyntaxNode,
  Word,
  WordPart,
} from "unbash";
export { forEachChild } from "unbash";
export type Script = ParsedScript;

/** Parses bash. A malformed text gives a partial tree whose `errors` are not empty; never throws. */
export function parseShell(text: string): Script {
  try {
    return parse(text);
  } catch {
    return {
      type: "Script",
      pos: 0,
      end: text.length,
      shebang: undefined,
      commands: [],
      errors: [{ message: "the parser gave up", pos: 0 }],
    };
  }
}

/** Calls `visit` for each command, process and arithmetic substitution in a node, but not for what is inside them. */
export function forEachSubstitution(node: SyntaxNode, visit: (script: Script) => void): void {
  if (
    node.type === "CommandExpansion" ||
    node.type === "ProcessSubstitution" ||
    node.type === "ArithmeticCommandExpansion"
  ) {
    if (node.script) visit(node.script);
    return;
  }
  forEachChild(node, (child) => forEachSubstitution(child, visit));
}
