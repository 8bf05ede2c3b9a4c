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

/** Each here-document that waits for its body is looked through again with every line: the parser's only square. */
const maxHereDocuments = 500;

/** Parses bash. A malformed text gives a partial tree whose `errors` are not empty; never throws. */
export function parseShell(text: string): Script {
  try {
    if (text.split("<<").length > maxHereDocuments) return unreadable(text, "it has too many here-documents");
    return parse(text);
  } catch {
    return unreadable(text, "the parser gave up");
  }
}

const unreadable = (text: string, message: string): Script => ({
  type: "Script",
  pos: 0,
  end: text.length,
  shebang: undefined,
  commands: [],
  errors: [{ message, pos: 0 }],
});

/**
 * Visits a node and all below it in the text's order; `visit` says whether to go on below. Without recursion: a sum of
 * ten thousand ones is a tree as deep.
 */
export function forEachBelow(top: SyntaxNode, visit: (node: SyntaxNode) => boolean): void {
  const waiting = [top];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (!visit(node)) continue;
    const children: SyntaxNode[] = [];
    forEachChild(node, (child) => {
      children.push(child);
    });
    for (let i = children.length - 1; i >= 0; i--) {
      const child = children[i];
      if (child) waiting.push(child);
    }
  }
}

/** Calls `visit` for each command, process and arithmetic substitution in a node, but not for what is inside them. */
export function forEachSubstitution(top: SyntaxNode, visit: (script: Script) => void): void {
  forEachBelow(top, (node) => {
    const isSubstitution =
      node.type === "CommandExpansion" ||
      node.type === "ProcessSubstitution" ||
      node.type === "ArithmeticCommandExpansion";
    if (isSubstitution && node.script) visit(node.script);
    return !isSubstitution;
  });
}
