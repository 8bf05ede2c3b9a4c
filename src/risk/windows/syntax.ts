/** What a PowerShell text is made of, after `parse-script.ts` has read it. */

export type Expr =
  | { readonly kind: "text"; readonly value: string }
  | { readonly kind: "number"; readonly value: number }
  /** A text with variables and sub-expressions in it. */
  | { readonly kind: "expand"; readonly parts: readonly Expr[] }
  /** Lower case, with its scope only where that is a drive (`env:path`). */
  | { readonly kind: "variable"; readonly name: string; readonly splat: boolean }
  | { readonly kind: "array"; readonly items: readonly Expr[] }
  /** `(…)`, `$(…)` and `@(…)`. */
  | { readonly kind: "group"; readonly script: Script; readonly list: boolean }
  | { readonly kind: "block"; readonly script: Script; readonly source: string }
  | { readonly kind: "hash"; readonly entries: readonly (readonly [key: Expr, value: Script])[] }
  | { readonly kind: "type"; readonly name: string }
  | { readonly kind: "cast"; readonly type: string; readonly of: Expr }
  | { readonly kind: "unary"; readonly operator: string; readonly of: Expr }
  | { readonly kind: "binary"; readonly operator: string; readonly left: Expr; readonly right: Expr }
  | { readonly kind: "member"; readonly of: Expr; readonly name: Expr; readonly isStatic: boolean }
  | {
      readonly kind: "call";
      readonly of: Expr;
      readonly name: Expr;
      readonly isStatic: boolean;
      readonly args: readonly Expr[];
    }
  | { readonly kind: "index"; readonly of: Expr; readonly at: Expr };

export interface Word {
  readonly expr: Expr;
  /** As written. */
  readonly source: string;
  /** `-Name` and `-Name:value`: the name in lower case. */
  readonly parameter?: string | undefined;
  /** `-Name:value`: the expression is the value. */
  readonly attached?: boolean;
}

export interface Stage {
  readonly kind: "command" | "expression";
  /** `&` or `.` before the name. */
  readonly invoked: boolean;
  /** The name first; for an expression, that alone. */
  readonly words: readonly Word[];
  /** Targets of `>` and `>>`. */
  readonly redirects: readonly Expr[];
}

export type Statement =
  | { readonly kind: "pipeline"; readonly stages: readonly Stage[] }
  | { readonly kind: "assign"; readonly target: Expr; readonly operator: string; readonly value: Statement }
  /** Loops and branches: everything in them is walked. */
  | {
      readonly kind: "flow";
      readonly parts: readonly Script[];
      readonly variable?: string | undefined;
      /** What a loop goes on by, as it is written. */
      readonly until?: string | undefined;
    }
  | {
      readonly kind: "function";
      readonly name: string;
      readonly parameters: readonly string[];
      readonly body: Script;
    }
  /** What is read over: `class`, `using` and what no rule reads. */
  | { readonly kind: "unread"; readonly source: string };

export interface Script {
  readonly parameters: readonly string[];
  readonly statements: readonly Statement[];
}

export const text = (value: string): Expr => ({ kind: "text", value });

/** An expression that stands alone. */
export const statementOf = (expr: Expr): Statement => ({
  kind: "pipeline",
  stages: [{ kind: "expression", invoked: false, words: [{ expr, source: "" }], redirects: [] }],
});
