import { type Refusal, refuse } from "../../base/errors.ts";
import type { Server } from "../../base/server.ts";

/** cmd.exe's limit, because sshd gives the line to the DefaultShell, and that may be cmd.exe. CreateProcess allows 32,767. */
const cmdLineMaxCharacters = 8_191;

/** `"C:\Windows\System32\cmd.exe" /c "…"`, which sshd puts around it, with room for another folder. */
const aroundLineCharacters = 64;

/**
 * Makes a line that works in cmd.exe and PowerShell: base64 and plain words, which neither interprets. Only PowerShell reads the second
 * line, because otherwise any failure is exit code 1 there.
 */
export const encodePowerShell = (script: string): string => {
  const encoded = Buffer.from(script, "utf16le").toString("base64");
  return `powershell.exe -NoProfile -NonInteractive -EncodedCommand ${encoded}\nexit $LASTEXITCODE`;
};

/**
 * The line for a Windows server with any DefaultShell (docs/windows.md). Throws for cmd text of several lines ({@link windowsRefusal}),
 * because cmd.exe runs only the first. Pure.
 */
export function wrapWindows(server: Server, command: string): string {
  if (server.shell !== "cmd") return encodePowerShell(command + exitCodeOfCommand);
  if (/[\r\n]/.test(command)) throw new Error(`${server.name} runs cmd.exe, which runs the first line of a text only`);
  // CreateProcess with `cmd.exe /d /s /c "<text>"`: with /s cmd drops only the outer quotes. A DefaultShell would interpret the bare text:
  // cmd.exe splits at an `&` between its quotes, PowerShell evaluates `$(…)`.
  return encodePowerShell(
    [
      "$i=New-Object Diagnostics.ProcessStartInfo",
      "$i.FileName=[Environment]::SystemDirectory+'\\cmd.exe'",
      // PowerShell ends a string at curly single quotes too.
      `$i.Arguments='${`/d /s /c "${command}"`.replace(/['\u2018-\u201b]/g, "$&$&")}'`,
      "$i.UseShellExecute=$false",
      "$p=[Diagnostics.Process]::Start($i)",
      "$p.WaitForExit()",
      "exit $p.ExitCode",
    ].join(";"),
  );
}

/** Why a command cannot be sent to Windows; undefined if it can. Pure. */
export function windowsRefusal(server: Server, command: string): Refusal | undefined {
  if (server.shell === "cmd" && /[\r\n]/.test(command)) {
    return refuse(
      `${server.name} runs its commands in cmd.exe, which would run the first line only`,
      "write it on one line, with `&&` between the commands",
    );
  }
  return lineRefusal(server, wrapWindows(server, command));
}

/** Why Windows would cut a line or fail; undefined if it fits. Pure. */
export function lineRefusal(server: Server, wrapped: string): Refusal | undefined {
  const room = cmdLineMaxCharacters - aroundLineCharacters;
  if (wrapped.length <= room) return undefined;
  const says = (count: number): string => count.toLocaleString("en-US");
  return refuse(
    `the command is too long for ${server.name}: ${says(wrapped.length)} characters as it is sent, and Windows takes ${says(room)}. Nothing was run`,
    "put it into a script file on the server and run that, or do it in several commands",
  );
}

/**
 * Passes on a program's code, because PowerShell's own is 1 for every failure. A blank line and a semicolon first, so that no backtick,
 * pipe or operator takes it in. `SetShouldExit`, because `exit` loses tables not yet printed.
 */
const exitCodeOfCommand = "\n\n;if(!$?){$host.SetShouldExit($(if($LASTEXITCODE){$LASTEXITCODE}else{1}))}";
