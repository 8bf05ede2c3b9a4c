/**
 * What cmd.exe makes of a line that sshd hands it as `cmd.exe /c "<line>"`: the outer quotes go, a line feed ends it, then
 * `%NAME%` is replaced, and what stands outside quotes is split at `&` and `|` and loses its carets.
 */
export function afterCmd(line: string, variables: Readonly<Record<string, string>> = {}): readonly string[] {
  const [first = ""] = line.split(/\r?\n/);
  const expanded = first.replace(/%([^%]+)%/g, (whole, name: string) => variables[name.toUpperCase()] ?? whole);
  const commands = [""];
  let quoted = false;
  for (let at = 0; at < expanded.length; at++) {
    const character = expanded[at] ?? "";
    if (character === '"') quoted = !quoted;
    if (!quoted && character === "^") commands[commands.length - 1] += expanded[++at] ?? "";
    else if (!quoted && (character === "&" || character === "|")) commands.push("");
    else commands[commands.length - 1] += character;
  }
  return commands.map((command) => command.trim()).filter((command) => command !== "");
}

/**
 * What PowerShell makes of a line that sshd hands it as `powershell.exe -c "<line>"`: statements end at line feeds and
 * semicolons; within double quotes `$(…)` is evaluated, which comes first here, as a statement of its own.
 */
export function afterPowerShell(line: string): readonly string[] {
  const evaluated = [...line.matchAll(/\$\(([^)]*)\)/g)].map(([, inner = ""]) => inner);
  const statements = [""];
  let quote = "";
  for (const character of line) {
    if (quote === "" && (character === '"' || character === "'")) quote = character;
    else if (character === quote) quote = "";
    if (quote === "" && (character === "\n" || character === ";")) statements.push("");
    else statements[statements.length - 1] += character;
  }
  return [...evaluated, ...statements].map((statement) => statement.trim()).filter((statement) => statement !== "");
}
