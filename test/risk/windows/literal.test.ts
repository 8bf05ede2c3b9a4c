import { describe, expect, it } from "vitest";
import { createEvaluator } from "../../../src/risk/evaluate.ts";

const evaluate = createEvaluator({ egress: ["*.example.com"] });
const powershell = (command: string) => evaluate(command, { os: "windows", shell: "powershell" });
const cmd = (command: string) => evaluate(command, { os: "windows", shell: "cmd" });

describe("PA-7 a word that is not literal makes a Windows command high", () => {
  it.each([
    "Restart-Service $name",
    "Restart-Service ('W3' + 'SVC')",
    "Set-Content C:\\x.txt (Get-Date)",
    "$p = @{Name = 'W3SVC'}; Restart-Service @p",
    "Get-Content list.txt | % { Stop-Service $_ }",
    "Get-ChildItem $folder",
    "Get-ItemProperty $key",
    "Set-Location $folder; Get-ChildItem",
    "Get-Service $unset",
    "netstat $x",
    "sc.exe query $x",
    "ping $x",
    "Write-Output $env:AWS_SECRET_ACCESS_KEY",
    "Get-Process | Where-Object $filter",
    "Get-Process | ForEach-Object $script",
    "Get-Process | ForEach-Object -MemberName $member",
    "Get-Process | ForEach-Object -MemberName Kill",
    "using module C:\\x.psm1",
    "[IO.File]::ReadAllText($x)",
  ])("%s", (command) => expect(powershell(command).risk).toBe("high"));

  it("says which word it is", () => {
    expect(powershell("Restart-Service $name").findings[0]?.text).toBe(
      "$name of restart-service is not literal, so it cannot be read",
    );
  });

  it.each([
    "tool.exe %x%",
    "for /f %Z in (f) do ping %Z",
    "netstat %x%",
    "copy %x% b",
    'tasklist /fi "pid eq %x%"',
    "type %x%",
    "for /f %i in (f) do ping %i",
  ])("in cmd %s", (command) => expect(cmd(command).risk).toBe("high"));

  it.each([
    "$name = 'W3SVC'; Get-Service $name",
    "foreach ($s in 'a', 'b') { Get-Service $s }",
    "Get-Process | Where-Object { $_.CPU -gt 10 } | Sort-Object CPU | Select-Object Name, @{n='MB';e={$_.WS / 1MB}}",
    "Get-WinEvent -FilterHashtable @{LogName='System'; StartTime=(Get-Date).AddHours(-1)} -MaxEvents 20",
    "gci C:\\logs -Filter *.log | % { Get-Content $_.FullName -Tail 5 }",
    "ping -n 2 $env:COMPUTERNAME",
    "$c = Get-NetTCPConnection -LocalPort 80; Get-Process -Id $c.OwningProcess",
  ])("what stands in full, and what a read is told about another read, stays low: %s", (command) =>
    expect(powershell(command).risk).toBe("low"),
  );

  it.each([
    "for %s in (web1 web2) do ping -n 1 %s",
    "echo %COMPUTERNAME% %DATE%",
    'set x=80& netstat -ano | find "%x%"',
  ])("in cmd %s stays low or is a change of a variable alone", (command) =>
    expect(cmd(command).risk).not.toMatch(/high|block/),
  );
});

describe("AR-06 a secret of Windows is found behind a wildcard, a listing and another folder", () => {
  it.each([
    "gc C:\\Windows\\System32\\config\\S*",
    "gc C:\\Windows\\System32\\conf*\\SAM",
    "gc C:\\Users\\*\\.ssh\\*",
    "gci C:\\Users\\bob\\.ssh | gc",
    "gci C:\\Users\\bob\\.ssh -Filter id_* | gc",
    "gci C:\\Windows\\System32\\config | ? Name -eq SAM | gc",
    "foreach ($f in gci C:\\Users\\bob\\.aws) { gc $f.FullName }",
    "cd C:\\Windows\\System32\\config; gc SAM",
    "$d = 'C:\\Windows\\System32\\config'; $f = 'SAM'; gc \"$d\\$f\"",
    "gc ('C:\\Windows\\System32\\con' + 'fig\\SAM')",
    "gc C:\\Windows\\System32\\config\\[S]*",
    "gci C:\\Users\\bob\\.ssh\\id_rsa | select -expand FullName | gc",
    "(Get-Item C:\\Users\\bob\\.ssh\\id_rsa).OpenText().ReadToEnd()",
    "[IO.StreamReader]::new('C:\\Users\\bob\\.ssh\\id_rsa').ReadToEnd()",
  ])("%s", (command) => expect(powershell(command).risk).toBe("block"));

  it.each([
    "type C:\\Windows\\System32\\config\\S*",
    "type %userprofile%\\.ssh\\*",
    "cd C:\\Windows\\System32\\config & type SAM",
  ])("in cmd %s", (command) => expect(cmd(command).risk).toBe("block"));

  it.each(["gc C:\\logs\\*", "gc C:\\inetpub\\logs\\LogFiles\\*\\*.log", "gc C:\\x\\[z-a", "gci C:\\app | gc"])(
    "other wildcards are no secret: %s",
    (command) => expect(powershell(command).risk).toBe("low"),
  );
});

describe("PA-7 a look that shows a password is more than low", () => {
  it.each([
    "(Get-WebConfiguration /system.applicationHost/applicationPools/add).processModel.password",
    "Get-WebConfigurationProperty -Filter connectionStrings -Name .",
    "Get-ADComputer web1 -Properties *",
    "$c.Password",
    "Get-GPOReport -All -ReportType Xml -Path C:\\x.xml",
  ])("%s", (command) => expect(powershell(command).risk).not.toBe("low"));
});

describe("AR-01 a root is seen behind an object, a type and a folder", () => {
  it.each([
    "(New-Object -ComObject Scripting.FileSystemObject).DeleteFolder('C:\\Windows', $true)",
    "([Type]('IO.Dir' + 'ectory'))::Delete('C:\\', $true)",
    "sl /; ri .\\* -Recurse -Force",
    "$p = @{Path = 'C:\\'; Recurse = $true}; Remove-Item @p",
  ])("%s", (command) => expect(powershell(command).risk).toBe("block"));
});

describe("PA-7 help of a program of Windows is low", () => {
  it.each(["shutdown /?", "cmdkey /?", "net /?", "reg -?"])("%s", (command) => expect(cmd(command).risk).toBe("low"));
  it.each(["shutdown /? /r", "mshta /?", "format /?"])("%s is not known to be help", (command) =>
    expect(cmd(command).risk).not.toBe("low"),
  );
});
