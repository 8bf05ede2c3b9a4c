/** The parameters of a PowerShell function or script. */
import { readExpression } from "./parse-expression.ts";
import { looksAt, peek, type Reader, readVariable, skip, take } from "./reader.ts";
import { type Statement, statementOf } from "./syntax.ts";

/** `(…)` after `param` or a function's name: the names in order; defaults and attributes are walked as statements. */
export function readParameters(reader: Reader, statements: Statement[]): string[] {
  const names: string[] = [];
  reader.at++;
  for (;;) {
    skip(reader, true);
    if (take(reader, /\)/y)) return names;
    if (peek(reader) === "") {
      reader.broken = true;
      return names;
    }
    const before = reader.at;
    if (looksAt(reader, /\$\w/y)) {
      const variable = readVariable(reader);
      if (variable.kind === "variable") names.push(variable.name);
      skip(reader, true);
      if (take(reader, /=/y)) {
        skip(reader, true);
        reader.inArguments = true;
        const value = readExpression(reader);
        reader.inArguments = false;
        statements.push({ kind: "assign", target: variable, operator: "=", value: statementOf(value) });
      }
    } else if (peek(reader) === "[") readAttribute(reader);
    take(reader, /\s*,/y);
    if (reader.at === before) reader.at++;
  }
}

/** `[Parameter(…)]`, `[string[]]`: read over. */
export function readAttribute(reader: Reader): void {
  let open = 0;
  do {
    const char = peek(reader);
    if (char === "") break;
    if (char === "[") open++;
    else if (char === "]") open--;
    reader.at++;
  } while (open > 0);
}
