import type { Server } from "../../base/server.ts";
import { refuse, type SshRefusal } from "../failure.ts";

/**
 * The most cmd.exe takes as one line. sshd hands our line to the account's DefaultShell, cmd.exe unless it was changed
 * it, and we cannot know: so it must fit there. CreateProcess (32,767) lies behind it and is never reached.
 */
const cmdLineMaxCharacters = 8_191;

/** `"C:\Windows\System32\cmd.exe" /c "…"`, which sshd puts round our line, and some room for another system folder. */
const aroundLineCharacters = 64;

/**
 * A line that does the same below cmd.exe and below PowerShell: base64 and plain words, which neither reads anything into.
 * The second line is for PowerShell alone (cmd.exe stops at a line feed): without it any failure is exit code 1 there.
 */
export const encodePowerShell = (script: string): string => {
  const encoded = Buffer.from(script, "utf16le").toString("base64");
  return `powershell.exe -NoProfile -NonInteractive -EncodedCommand ${encoded}\nexit $LASTEXITCODE`;
};

/**
 * The line for a Windows server (docs/windows.md), for any DefaultShell. Pure. Throws for a cmd text of several lines,
 * which {@link windowsRefusal} refuses kindly: cmd.exe would run the first one only.
 */
export function wrapWindows(server: Server, command: string): string {
  if (server.shell !== "cmd") return encodePowerShell(command + exitCodeOfCommand);
  if (/[\r\n]/.test(command)) throw new Error(`${server.name} runs cmd.exe, which runs the first line of a text only`);
  return encodePowerShell(startCmd(command));
}

/** Why a command cannot be sent to a Windows server; undefined if it can. Pure. */
export function windowsRefusal(server: Server, command: string): SshRefusal | undefined {
  if (server.shell === "cmd" && /[\r\n]/.test(command)) {
    return refuse(
      `${server.name} runs its commands in cmd.exe, which would run the first line only`,
      "write it on one line, with `&&` between the commands",
    );
  }
  return lineRefusal(server, wrapWindows(server, command));
}

/** Why a wrapped line is too long for Windows, which would cut it or fail half-way; undefined if it fits. Pure. */
export function lineRefusal(server: Server, wrapped: string): SshRefusal | undefined {
  const room = cmdLineMaxCharacters - aroundLineCharacters;
  if (wrapped.length <= room) return undefined;
  const says = (count: number): string => count.toLocaleString("en-US");
  return refuse(
    `the command is too long for ${server.name}: ${says(wrapped.length)} characters as it is sent, and Windows takes ${says(room)}. Nothing was run`,
    "put it into a script file on the server and run that, or do it in several commands",
  );
}

/**
 * PowerShell's own exit code is 1 for every failure: this hands on a native program's code. A blank line and a semicolon
 * first, so that no backtick, pipe or operator at the command's end draws it in: such a text is a syntax error with and
 * without it. `SetShouldExit`, not `exit`, which would lose tables that PowerShell has not printed yet.
 */
const exitCodeOfCommand = "\n\n;if(!$?){$host.SetShouldExit($(if($LASTEXITCODE){$LASTEXITCODE}else{1}))}";

/**
 * `cmd.exe /d /s /c "<text>"` as CreateProcess gets it: with /s cmd takes off the outer quotes and reads the rest as it is.
 * Sent bare, a DefaultShell would read the text first: cmd.exe would split it at an `&` between its quotes, PowerShell
 * would evaluate its `$(…)`.
 */
const startCmd = (command: string): string =>
  [
    "$i=New-Object Diagnostics.ProcessStartInfo",
    "$i.FileName=[Environment]::SystemDirectory+'\\cmd.exe'",
    `$i.Arguments=${quotePowerShell(`/d /s /c "${command}"`)}`,
    "$i.UseShellExecute=$false",
    "$p=[Diagnostics.Process]::Start($i)",
    "$p.WaitForExit()",
    "exit $p.ExitCode",
  ].join(";");

/** PowerShell ends a single-quoted string at curly single quotes too. */
const quotePowerShell = (text: string): string => `'${text.replace(/['\u2018-\u201b]/g, "$&$&")}'`;
