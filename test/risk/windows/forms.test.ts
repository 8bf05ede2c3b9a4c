import { describe, expect, test } from "vitest";
import { createEvaluator } from "../../../src/risk/evaluate.ts";

const evaluate = createEvaluator();
const riskIn = (shell: "powershell" | "cmd") => (command: string) => evaluate(command, { os: "windows", shell }).risk;
const powershell = riskIn("powershell");
const cmd = riskIn("cmd");

/** Where a command may stand; X is the command. */
const places =
  '@(X)§@{a=X}§@{a={X}}§@{a=1\nb=X}§@{(X)=1}§"$(X)"§"$("$(X)")"§(X).Foo§$a[(X)]§$a.b(1,(X))§[int](X)§Get-Date -Date:(X)§gps|%{X}§. {X}§&{X}§if((X)){1}§if(0){}elseif((X)){}§switch(1){{X}{2}}§switch(1){a{X}}§try{1}catch [a.b]{X}§function f($x=(X)){}§$x = if(1){2}else{X}§return X§1 + (X)§$x.y=X§$a=$b=X§param($p)\nX§do{1}until((X))§for($i=0;(X);){}§foreach($i in X){}§X &§gps && X§gps\n| % {X}§<# c\n #> X§gps <# c #> ; X§@\'\na\n\'@;X§gps\r\nX§[void](X)§gps 2>&1;X§class A{[void]F(){X}}§gps a$(X)b§gps -a $x.b((X))§$x.foreach{X}§gps | select @{n=\'a\';e={X}}§foreach($i in 1){2} X§$x = {X}; & $x§{X}.Invoke()§$x ?? (X)§Start-Job {1} -ArgumentList (X)§powershell -c {X}§$y = gps -Name\nX§gps $x#;X\nX'.split(
    "§",
  );
const blocked = [
  "Remove-Item C:\\ -Recurse",
  "vssadmin delete shadows /all",
  "& ('i'+'ex') 1",
  "Clear-EventLog System",
];

describe("PowerShell is followed wherever a command may stand", () => {
  test.each(places)("AR-01 %j", (place) => {
    const missed = blocked
      .map((one) => place.replaceAll("X", () => one))
      .filter((text) => !/block|high/.test(powershell(text)));
    expect(missed).toEqual([]);
  });
});

describe("what is known only when it runs may be any word of the text", () => {
  test.each([
    ["function zap($d) { ri $d -r -fo }; zap C:\\Windows", "block"],
    ["icm web01 { & $args[0] delete shadows /all } -ArgumentList vssadmin", "block"],
    ["$p = 'C:\\', 'x'; foreach ($one in Get-Content list) { Remove-Item $one -Recurse }", "block"],
    ["Remove-Item $folder", "high"],
    ["Get-ChildItem C:\\Users -Recurse -Filter *.tmp | Remove-Item", "high"],
    ["foreach ($f in Get-ChildItem C:\\Users -Recurse -Filter *.tmp) { Remove-Item $f.FullName }", "high"],
    ["& (Join-Path $dir 'tool.exe')", "high"],
    ["$exe = $env:ProgramFiles + '\\App\\tool.exe'; & $exe -v", "high"],
  ] as const)("AR-01 %s is %s", (command, risk) => {
    expect(powershell(command)).toBe(risk);
  });

  test.each([
    ["%comspec:~0,1%md /c dir", "block"],
    ["set x=d& call %x:d=rd% /s /q D:\\old", "block"],
    ["rd /s /q %x:~0,2%\\old", "block"],
    ["copy a.log b-%date:~-4%.log", "medium"],
    ["for /f %i in ('echo C:\\Windows') do rd /s /q %i", "block"],
  ] as const)("AR-01 in cmd %s is %s", (command, risk) => {
    expect(cmd(command)).toBe(risk);
  });
});

describe("PA-7 what only an attacker looks at is more than low", () => {
  test.each([
    "Get-Acl HKLM:\\SYSTEM\\CurrentControlSet\\Services\\*",
    "Get-ChildItem E:\\ -Recurse -Include *.docx,*.pdf",
    "Get-CimInstance -Query \"SELECT * FROM Win32_PnPEntity WHERE PNPClass = 'Camera'\"",
  ])("%s", (command) => expect(powershell(command)).toBe("medium"));
});

test("SR-33 values with no operator between them are no PowerShell that can be read", () => {
  const texts = ["'a' 'b'", "$C:\\x\\y.exe -debug", "[IO.File]::Read$x('a')", "$x -foo 1", "gps < a"];
  expect(texts.filter((text) => powershell(text) !== "block")).toEqual([]);
  expect(powershell("(gps).$x('a')")).toBe("high");
});
