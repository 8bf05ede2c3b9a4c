/** What one PowerShell classification carries along, and a cmdlet call as the checks see it. */
import type { Risk } from "../../base/types.ts";
import type { Scan } from "../engine/scan.ts";
import { fold, readVariable, type Scope } from "./fold.ts";
import type { Languages } from "./native.ts";
import type { Expr, Script, Word } from "./syntax.ts";
import { isList, isThing, listOf, toText, type Value } from "./values.ts";

export interface PsFunction {
  readonly parameters: readonly string[];
  readonly body: Script;
}

export interface PsState extends Scope {
  readonly aliases: Map<string, string>;
  readonly functions: Map<string, PsFunction>;
  /** What is known of a variable's text where its value is not: `$().example.com`. */
  readonly partial: Map<string, string>;
  /** Variables whose value is made of constants in a way that is not followed. */
  readonly made: Set<string>;
  /** Set once anything was fetched from the network: what is written after that may be it. */
  fetched: boolean;
  /** How many scripts are around the one walked just now. */
  nesting: number;
}

export interface Context {
  readonly scan: Scan;
  readonly languages: Languages;
  readonly state: PsState;
  /** Walks a nested script; passed in, since it calls back here. */
  readonly walk: (script: Script, context: Context) => void;
  /** Judges a command by its name and words. */
  readonly run: (named: Named, context: Context) => void;
}

/** A word of a command, resolved. */
export interface Argument {
  /** Its values as texts; several for a list. What is not known is as written. */
  readonly texts: readonly string[];
  readonly dynamic: boolean;
  /** True where it could have been written out, and is put together in a way that is not followed. */
  readonly made: boolean;
  readonly value: Value | undefined;
  /** `-Name`, in lower case. */
  readonly parameter?: string | undefined;
  readonly attached: boolean;
  readonly source: string;
}

export interface Named {
  readonly name: string;
  /** Without the name. */
  readonly words: readonly Argument[];
  readonly isPiped: boolean;
  /** What comes through the pipe, where it is known. */
  readonly input: Value | undefined;
}

/** What a cmdlet's name and verb cannot say: another level, or undefined where it reports by itself. */
export type Special = (named: Named, context: Context) => Risk | undefined;

export function textsOf(expr: Expr, source: string, state: PsState): { texts: readonly string[]; dynamic: boolean } {
  const value = fold(expr, state);
  const isPart = isThing(value) && value.is === "found" && value.narrow;
  if (value !== undefined && !isPart && value !== null && !(isThing(value) && value.is === "object"))
    return { texts: isList(value) ? value.map(toText) : [toText(value)], dynamic: false };
  if (expr.kind === "array")
    return { texts: expr.items.flatMap((item) => textsOf(item, source, state).texts), dynamic: true };
  if (expr.kind === "binary" && expr.operator === "+") {
    const parts = [expr.left, expr.right].map((part) => textsOf(part, "$()", state).texts.join(""));
    return { texts: [parts.join("")], dynamic: true };
  }
  if (expr.kind === "variable") return { texts: [state.partial.get(expr.name) ?? `$${expr.name}`], dynamic: true };
  if (expr.kind === "group") {
    const [statement, ...others] = expr.script.statements;
    const [stage, next] = statement?.kind === "pipeline" ? statement.stages : [];
    const [word] = stage?.kind === "expression" && !next && others.length === 0 ? stage.words : [];
    if (word) return textsOf(word.expr, source, state);
  }
  if (expr.kind !== "expand") return { texts: [source], dynamic: true };
  return { texts: [expr.parts.map((part) => textsOf(part, "$()", state).texts.join(" ")).join("")], dynamic: true };
}

/** Tells whether an expression whose value is not known holds constants alone: nobody computes those but to hide something. */
export function isMade(expr: Expr, state: PsState): boolean {
  const all = (...of: readonly Expr[]): boolean => of.every((one) => isMade(one, state));
  switch (expr.kind) {
    case "text":
    case "number":
    case "type":
      return true;
    case "variable": {
      const value = readVariable(expr.name, state);
      return state.made.has(expr.name) || (value !== undefined && !isThing(value));
    }
    case "expand":
      return all(...expr.parts);
    case "array":
      return all(...expr.items);
    case "unary":
    case "cast":
      return all(expr.of);
    case "binary":
      return all(expr.left, expr.right);
    case "index":
      return all(expr.of, expr.at);
    case "call":
      return (
        all(expr.of, ...expr.args) &&
        !(expr.of.kind === "type" && /^(environment|datetime|net\.dns|guid|io\.\w+)$/.test(expr.of.name))
      );
    case "group": {
      const [statement, ...others] = expr.script.statements;
      const [stage, next] = statement?.kind === "pipeline" ? statement.stages : [];
      return (
        stage?.kind === "expression" && !next && others.length === 0 && all(...stage.words.map((word) => word.expr))
      );
    }
    default:
      return false;
  }
}

/** The words of a call with their values; a splatted table or list is spread out. */
export function resolveWords(words: readonly Word[], state: PsState): Argument[] {
  return words.flatMap((word): Argument[] => {
    const value = fold(word.expr, state);
    if (word.expr.kind === "variable" && word.expr.splat) return spread(value, word.source);
    const { texts, dynamic } = textsOf(word.expr, word.source, state);
    const { parameter, attached = false, source } = word;
    const made = dynamic && isMade(word.expr, state);
    return [{ texts, dynamic, made, value, parameter, attached, source }];
  });
}

function spread(value: Value | undefined, source: string): Argument[] {
  const plain = (of: Value | undefined): Argument => ({
    texts: of === undefined ? [source] : listOf(of).map(toText),
    dynamic: of === undefined,
    made: false,
    value: of,
    attached: false,
    source,
  });
  if (isList(value)) return value.map(plain);
  if (!isThing(value) || value.is !== "hash") return [plain(undefined)];
  return [...value.entries].map(([name, of]) => ({ ...plain(of), parameter: name, attached: true }));
}

/** Words that are no parameter and no value of one; a switch takes none, but the text does not say which are switches. */
export const operandsOf = (words: readonly Argument[]): readonly Argument[] =>
  words.filter(
    ({ parameter }, i) =>
      parameter === undefined && (words[i - 1]?.parameter === undefined || words[i - 1]?.attached === true),
  );

/** Operands and values: whatever is no parameter's name. */
export const values = (words: readonly Argument[]): string[] =>
  words.filter((word) => word.parameter === undefined || word.attached).flatMap(({ texts }) => texts);

/** True where a parameter is given, by any prefix of at least `least` letters. */
export const has = (words: readonly Argument[], whole: string, least = 1): boolean =>
  words.some(({ parameter }) => parameter !== undefined && parameter.length >= least && whole.startsWith(parameter));

/** The value of a parameter, by any prefix of at least `least` letters. */
export function valueAt(words: readonly Argument[], whole: string, least = 1): Argument | undefined {
  const at = words.findIndex(
    ({ parameter }) => parameter !== undefined && parameter.length >= least && whole.startsWith(parameter),
  );
  const word = words[at];
  return word?.attached ? word : at < 0 ? undefined : words[at + 1];
}

/** All words of a call as one text, for patterns. */
export const textOf = (words: readonly Argument[]): string =>
  words
    .map(({ parameter, attached, texts }) =>
      parameter === undefined ? texts.join(",") : `-${parameter}${attached ? ` ${texts.join(",")}` : ""}`,
    )
    .join(" ");
