/** The pieces of a PowerShell text, and what a row of them is: a command, a value, an assignment. */

/** A piece of a text; pieces with no gap between them belong together. */
export interface Token {
  readonly kind: "bare" | "text" | "variable" | "group" | "block" | "table" | "into";
  /** What it says; `\ue000x\ue001` stands for a variable, `\ue000#0\ue001` for the first script it holds. */
  readonly text: string;
  readonly gap: boolean;
  readonly source: string;
  readonly nested: readonly Script[];
}
/** A command or an expression; between pipes. */
export type Stage = readonly Token[];
/** Pipelines. */
export type Script = readonly (readonly Stage[])[];

/** Words that begin a statement, which ends with its block. */
export const keyword =
  /^(if|elseif|else|while|until|for|foreach|do|switch|default|try|catch|finally|trap|begin|process|end|clean|dynamicparam|parallel|sequence|inlinescript|function|filter|workflow|configuration|class|enum|data)$/i;
const startsNumber = /^[-+!,]*\.?\d[\w.]*([-+*/%=].*)?$/;
/** True where a stage is no command: it begins with a value or an operator. */
export const isExpression = ([first]: Stage): boolean =>
  first !== undefined &&
  (first.kind === "bare"
    ? /^(\[|-[ic]?(join|split|not|bnot)$|[!,]|\+\+|--|-$)/i.test(first.text) ||
      (startsNumber.test(first.text) && !/^\d+[a-z]/i.test(first.text.replace(/^\d+[kmgtp]b/i, "1")))
    : true);

export interface StageAssignment {
  readonly target: Stage;
  readonly value: Stage;
  readonly adds: boolean;
}

/** `target = …`: where the sign stands; what is behind it is a stage of its own. */
export function assignment(stage: Stage): StageAssignment | undefined {
  const at = stage.findIndex(({ kind, text }) => kind === "bare" && text.includes("="));
  const [, before = "", sign, after = ""] = /^(.*?)([-+*/%]?|\?\?)=(.*)$/s.exec(stage[at]?.text ?? "") ?? [];
  const token = stage[at];
  if (!token || sign === undefined) return undefined;
  const part = (text: string): Stage => (text === "" ? [] : [{ ...token, text, source: text }]);
  return {
    target: [...stage.slice(0, at), ...part(before)],
    value: [...part(after), ...stage.slice(at + 1)],
    adds: sign === "+",
  };
}

const operators =
  "[ic]?(?:eq|ne|[gl][te]|(?:not)?(?:like|match|contains|in)|replace|split|join)|and|or|xor|b?not|is|isnot|as|f|band|bor|bxor|shl|shr";
const operatorAtEnd = new RegExp(`(?:^|[^-+])[-+*/=]$|(?:^|[^\\w])[-\u2013-\u2015](?:${operators})$`, "i");
/** Operators, numbers, types and members: all that may stand between the values of an expression. */
const readable = new RegExp(
  `\\[[^\\]]*\\]|\\??\\.\\w*|::\\w*|[-\u2013-\u2015](?:${operators})(?!\\w)|[-+*/%!=?,:[\\]]|\\.?\\d[\\d.]*\\w{0,3}`,
  "gi",
);

/** True where an expression has words that are no operators, or values with no operator between them. */
export const isStray = (stage: Stage): boolean =>
  stage.some(({ kind, text, gap }, i) => {
    if (stage.slice(0, i).some((one) => one.kind === "into")) return false;
    if (kind === "bare") return text.replace(readable, "") !== "";
    const [far, before] = [stage[i - 2], stage[i - 1]];
    if (!before || kind === "into") return false;
    if (kind === "block" && stage.length === 2) return false;
    const isNamed = /(\.|::)$/.test(far?.text ?? "");
    if (before.kind !== "bare") return !(kind === "group" && !gap && isNamed);
    const isMember = !gap && /^(group|block)$/.test(kind) && /(\.|::)\w+$/.test(before.text);
    const isCast = before.text.startsWith("[") && (before.gap || far?.kind === "bare");
    return !isMember && !isCast && !operatorAtEnd.test(before.text) && !/[%!?,:[.+-]$/.test(before.text);
  });

/** True where the next line goes on with this one. */
export function goesOn(stage: Stage): boolean {
  const token = stage.at(-1);
  if (token?.kind !== "bare") return false;
  if (token.text === ",") return true;
  return operatorAtEnd.test(token.text) && isExpression(stage) && isExpression(assignment(stage)?.value ?? stage);
}

/** True where a command may begin. */
export function isOpenBracket(stage: Stage, isTable: boolean): boolean {
  const [first, second, third] = stage;
  const text = stage.at(-1)?.kind === "bare" ? (stage.at(-1)?.text ?? "") : "";
  if (text.endsWith("=") && (isTable || isExpression(stage))) return true;
  if (!second) return !first || /^(return|throw)$/i.test(text);
  return first?.kind === "variable" && !third && /^in$/i.test(text);
}
