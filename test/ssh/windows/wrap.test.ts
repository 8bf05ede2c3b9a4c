import { describe, expect, it } from "vitest";
import { lineRefusal, windowsRefusal, wrapWindows } from "../../../src/ssh/windows/wrap.ts";
import { wrap } from "../../../src/ssh/wrap.ts";
import { fc } from "../../harness/chance.ts";
import { server } from "../inventory-entry.ts";
import { afterCmd, afterPowerShell } from "../windows-shells.ts";

const powershell = server({ name: "win-1", os: "windows", shell: "powershell" });
const cmd = server({ name: "win-1", os: "windows", shell: "cmd" });

const scriptOf = (wrapped: string): string => {
  const encoded = /-EncodedCommand (\S+)/.exec(wrapped)?.[1] ?? "";
  return Buffer.from(encoded, "base64").toString("utf16le");
};

const hostile = [
  'findstr "a&b" log.txt | more',
  'echo "$(Remove-Item x)"',
  "echo %PATH% ^& dir",
  "it's ‘curly’ ‚low‛ and 'straight'",
  'type "C:\\Program Files\\a b\\x.txt" && echo ok || echo "no"',
  "echo `whoami` ; exit 3 # not a comment",
  "dir C:\\",
  'echo " unbalanced',
];

describe("the line for Windows", () => {
  it("AR-06 PowerShell gets the classified text as UTF-16LE base64, and then hands on the exit code", () => {
    const wrapped = wrap(powershell, 'Get-Item "C:\\ä"', "windows");
    expect(wrapped).toMatch(
      /^powershell\.exe -NoProfile -NonInteractive -EncodedCommand [A-Za-z0-9+/=]+\nexit \$LASTEXITCODE$/,
    );
    expect(scriptOf(wrapped)).toBe(
      'Get-Item "C:\\ä"\n\n;if(!$?){$host.SetShouldExit($(if($LASTEXITCODE){$LASTEXITCODE}else{1}))}',
    );
  });

  it("AR-06 cmd gets the text as it is, by /d /s /c as CreateProcess takes it", () => {
    expect(scriptOf(wrap(cmd, "dir C:\\", "windows"))).toBe(
      "$i=New-Object Diagnostics.ProcessStartInfo;$i.FileName=[Environment]::SystemDirectory+'\\cmd.exe';" +
        `$i.Arguments='/d /s /c "dir C:\\"';$i.UseShellExecute=$false;$p=[Diagnostics.Process]::Start($i);` +
        "$p.WaitForExit();exit $p.ExitCode",
    );
  });

  it.each(hostile)("SR-53 neither DefaultShell reads anything into %j", (text) => {
    for (const entry of [powershell, cmd]) {
      const wrapped = wrapWindows(entry, text);
      const [sent = ""] = wrapped.split("\n");
      expect(afterCmd(wrapped, { PATH: "C:\\evil & del" })).toEqual([sent]);
      expect(afterPowerShell(wrapped)).toEqual([sent, "exit $LASTEXITCODE"]);
    }
  });

  it("SR-53 sent bare, the same texts would fall apart: what the encoding is for", () => {
    const bare = (text: string): string => `cmd.exe /d /s /c "${text}"`;
    expect(afterCmd(bare('findstr "a&b" x'))).toHaveLength(2);
    expect(afterPowerShell(bare("echo $(Remove-Item x)"))[0]).toBe("Remove-Item x");
  });

  it("SR-53 no text of cmd ends PowerShell's string, whatever quotes it holds", () => {
    const quotes = fc.string({
      unit: fc.constantFrom("'", "‘", "’", "‚", "‛", '"', "a", " ", ";", "$", "`"),
      maxLength: 30,
    });
    fc.assert(
      fc.property(quotes, (text) => {
        const script = scriptOf(wrapWindows(cmd, text));
        const literal = script.slice(script.indexOf("Arguments='") + 10, script.indexOf(";$i.UseShell"));
        // PowerShell's own rule: any two single quotes, straight or curly, are one; any one alone ends the string.
        const inner = literal.slice(1, -1).replace(/['\u2018-\u201b]{2}/g, "");
        expect(inner).not.toMatch(/['\u2018-\u201b]/);
        expect(literal.slice(1, -1).replace(/(['\u2018-\u201b])\1/g, "$1")).toBe(`/d /s /c "${text}"`);
      }),
    );
  });

  it("a line longer than cmd.exe takes is refused with what to do, not cut", () => {
    const fits = "x".repeat(2_900);
    expect(windowsRefusal(powershell, fits)).toBeUndefined();
    expect(windowsRefusal(powershell, "x".repeat(3_100))).toEqual({
      ok: false,
      reason:
        "the command is too long for win-1: 8,545 characters as it is sent, and Windows takes 8,127. Nothing was run",
      remedy: "put it into a script file on the server and run that, or do it in several commands",
    });
    expect(lineRefusal(powershell, "x".repeat(8_127))).toBeUndefined();
    expect(lineRefusal(powershell, "x".repeat(8_128))).toMatchObject({ ok: false });
  });

  it("several lines for cmd.exe are refused, since it would run the first only; PowerShell takes them", () => {
    expect(windowsRefusal(cmd, "dir\r\ndel x")).toMatchObject({ ok: false, remedy: expect.stringContaining("&&") });
    expect(() => wrapWindows(cmd, "dir\ndel x")).toThrow("first line");
    expect(windowsRefusal(powershell, "Get-Date\nGet-Item x")).toBeUndefined();
  });
});
