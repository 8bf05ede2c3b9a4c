/** What of a command would have to go for it to be low: found by trying, never promised without a classification. */
import type { Risk } from "../base/risk.ts";
import { forEachBelow, parseShell, type SyntaxNode } from "./shell/parse.ts";

/** More parts than that are not tried. */
const maxTries = 40;

/**
 * The parts of a bash command (a redirection, an option, one command of several) that make it low if they are left out.
 * Nothing where the command is low already, or where no single part decides.
 */
export function whatToDrop(command: string, riskOf: (command: string) => Risk): readonly string[] {
  const script = parseShell(command);
  if (script.errors?.length || riskOf(command) === "low") return [];
  const parts = new Map<string, string>();
  const consider = ({ pos, end }: { readonly pos: number; readonly end: number }): void => {
    const part = command.slice(pos, end).trim();
    const rest = `${command.slice(0, pos).trimEnd()} ${command.slice(end).trimStart()}`.trim();
    if (part !== "" && rest !== "" && parts.size < maxTries) parts.set(part, rest);
  };
  forEachBelow(script, (node) => {
    removable(node).forEach(consider);
    return true;
  });
  return [...parts]
    .filter(([, rest]) => !parseShell(rest).errors?.length && riskOf(rest) === "low")
    .map(([part]) => part);
}

/** The parts a person would cross out. A command of a list goes with the sign before or after it. */
function removable(node: SyntaxNode): readonly { readonly pos: number; readonly end: number }[] {
  switch (node.type) {
    case "Command":
      // Without its option, what follows it would mean something else.
      return [
        ...node.redirects,
        ...node.suffix.filter((_, i) => isOption(node.suffix[i]) && isLastOrOption(node.suffix[i + 1])),
      ];
    case "Redirected":
      return node.redirects;
    case "Script":
    case "CompoundList":
      return node.commands.length > 1 ? gaps(node.commands) : [];
    case "AndOr":
    case "Pipeline":
      return gaps(node.commands);
    default:
      return [];
  }
}

type Part = Extract<SyntaxNode, { type: "Command" }>["suffix"][number] | undefined;

const isOption = (part: Part): boolean => part?.type === "Word" && part.text.startsWith("-");
const isLastOrOption = (part: Part): boolean => part === undefined || isOption(part);

/** Each with what joins it to the one before; the first with what joins it to the next. */
function gaps(nodes: readonly SyntaxNode[]): readonly { readonly pos: number; readonly end: number }[] {
  return nodes.flatMap((node, i) => {
    const [before, after] = [nodes[i - 1], nodes[i + 1]];
    if (before) return [{ pos: before.end, end: node.end }];
    return after ? [{ pos: node.pos, end: after.pos }] : [];
  });
}
