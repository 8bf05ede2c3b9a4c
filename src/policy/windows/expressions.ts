/** PowerShell expressions: types, static members and methods, whatever they stand in. */
import { shown } from "../arg.ts";
import { harmlessTypes } from "../rules/windows.ts";
import type { Scan } from "../scan.ts";
import type { Context } from "./context.ts";
import { deleteWindows, readWindows, writeWindows } from "./paths.ts";

const fetching =
  /downloadstring|downloadfile|downloaddata|openread\(|start-bitstransfer|invoke-webrequest|invoke-restmethod|\b(iwr|irm|curl|wget)\b|net\.webclient|httpclient|msxml2\.xmlhttp|bitsadmin/i;

/** Types and methods in an expression, whatever it stands in. */
export function checkExpression(text: string, { scan, state }: Context) {
  if (!/[[.$]/.test(text)) return;
  if (fetching.test(text)) state.fetched = true;
  if (
    /scriptblock\]::create|\.invokescript\(|executioncontext.*invokecommand|\[powershell\]::create|addscript\(/i.test(
      text,
    )
  ) {
    scan.report("block", "windows.eval", "runs text as a program");
  }
  if (
    /reflection\.assembly\]::load|frombase64string.*(\||;).*iex|amsiutils|virtualalloc|createremotethread|dllimport|getdelegateforfunctionpointer|\[runtime\.interopservices/i.test(
      text,
    )
  ) {
    scan.report("block", "windows.inject", "loads code into memory");
  }
  if (/net\.sockets\.tcpclient|tcplistener/i.test(text)) {
    scan.report(
      /getstream|streamreader|iex|invoke-expression/i.test(text) ? "block" : "medium",
      "windows.socket",
      "opens a network connection",
    );
  }
  for (const match of text.matchAll(/\[([a-z_][\w.]*)(?:\[\])?\]::(\w+)\s*\(([^)]*)/gi)) checkStatic(match, scan);
  if (
    /\.(delete|clear|kill|terminate|shutdown|reboot|win32shutdown|format|uninstall|remove|removeall|reset|changestartmode|stopservice|invokemethod|dismount)\s*\(/i.test(
      text,
    )
  ) {
    const isLog = /eventlog/i.test(text) && /clear|delete/i.test(text);
    const isShadow = /shadowcopy/i.test(text) && /delete|remove/i.test(text);
    scan.report(isLog || isShadow ? "block" : "high", "windows.method", `calls a method that destroys: ${shown(text)}`);
  }
  if (
    /\.(create|start|stop|invoke|execute|run|shellexecute|save|recycle|set\w+|downloadfile|copyto|moveto|upload\w+)\s*\(/i.test(
      text,
    )
  )
    scan.report("medium", "windows.method", `calls a method that changes something: ${shown(text)}`);
  if (/\.(shellexecute|exec|run)\s*\(/i.test(text) && /wscript|shell\.application|-com/i.test(text))
    scan.report("high", "windows.com", "runs a program through COM");
}

function checkStatic(match: RegExpMatchArray, scan: Scan) {
  const [, type = "", method = "", args = ""] = match;
  const path = args.replace(/["']/g, "").split(",")[0]?.trim() ?? "";
  if (/^(system\.)?io\.(file|directory)$/i.test(type)) {
    if (/^delete/i.test(method)) deleteWindows(path, scan);
    else if (/^(read|exists|get|open(read|text))/i.test(method)) {
      scan.report("low", "windows.read", `${type}.${method}: only reads`);
      readWindows(path, scan);
    } else writeWindows(path, scan);
  } else if (harmlessTypes.test(type)) {
    if (/^(start|exit|failfast|setenvironmentvariable)$/i.test(method))
      scan.report("high", "windows.static", `calls ${type}.${method}`);
  } else scan.report("high", "windows.static", `calls ${type}.${method}, which the rules do not know`);
}
