/** Programs of Windows, called from cmd or PowerShell alike. */
import type { Risk } from "../../base/risk.ts";
import { hole, literal, nothing, shown, unknownFlow } from "../engine/arg.ts";
import { maxDepth, type Scan } from "../engine/scan.ts";
import { windowsSecretPrints } from "../knowledge/reveals.ts";
import { type NativeRule, windowsPrograms } from "../knowledge/windows/programs.ts";
import { revealing, secretSearch, settingsFiles } from "../knowledge/windows/rules.ts";
import { boundNative } from "./bounds.ts";
import { findOpen, findUnread } from "./closed.ts";
import { deleteWindows, isDownloaded, noteDownload, readWindows, scriptText } from "./paths.ts";
import { argOf, reachNative } from "./reach.ts";

const byName = new Map(windowsPrograms.flatMap((rule) => rule.names.split(" ").map((name) => [name, rule] as const)));

export const isProgramListed = (name: string): boolean => byName.has(name);

/** How the other languages are run; passed in, since they call back here. */
export interface Languages {
  readonly powershell: (text: string, seen: string) => void;
  readonly cmd: (text: string, seen: string) => void;
}

/** `C:\Windows\System32\sc.exe` is `sc`. */
export const baseName = (text: string): string =>
  (text.split(/[\\/]/).pop() ?? text).toLowerCase().replace(/\.(exe|com|cmd|bat|msc)$/, "");

/** Programs that fetch a file, and those that run what they are given. */
const fetchers = /^(curl|wget|bitsadmin|certutil|aria2c|desktopimgdownldr|certreq|ftp|tftp)$/;
const runners =
  /^(msiexec|rundll32|regsvr32|wscript|cscript|mshta|python\w*|py|node|perl|java|javaw|dotnet|installutil|regasm|regsvcs|msbuild|wmic|forfiles|pcalua|sc|schtasks|at|psexec\w*|odbcconf|cmstp|control|hh|explorer|wsl|bash|mmc|appinstaller|ieexec|conhost|xwizard|start|reg|runas|wusa|pnputil|dism|ruby|php)$/;

/** Programs that print their help for `/?`, and do nothing else then. */
const helps =
  /^(arp|at|attrib|bcdedit|bitsadmin|certutil|chkdsk|cipher|cmdkey|copy|diskshadow|dism|driverquery|findstr|fsutil|gpresult|icacls|ipconfig|logman|move|net|netsh|netstat|nltest|powercfg|reg|repadmin|robocopy|route|sc|schtasks|sfc|shutdown|systeminfo|takeown|taskkill|tasklist|typeperf|vssadmin|w32tm|wbadmin|wevtutil|wmic|xcopy)$/;

/** Judges a program by its words, found from cmd or PowerShell. */
export function judgeNative(words: readonly string[], scan: Scan, languages: Languages, isPiped = false) {
  const [name = "", ...args] = words;
  const program = baseName(name);
  const line = args.join(" ");
  if (isDownloaded(name, scan))
    return scan.report("block", "windows.download", `runs ${shown(name)}, which was downloaded just before`);
  const script = scriptText(name, scan);
  if (script !== undefined) {
    scan.report("high", "windows.script", `runs ${shown(name)}, which it wrote just before`);
    return languages[/\.ps1$/i.test(name) ? "powershell" : "cmd"](script, "in what it writes");
  }
  if (/^\\\\(\d+\.|[^\\]+@|[^\\]+\\davwww)/i.test(name))
    return scan.report("block", "windows.download", `runs ${shown(name)}, a program of another host`);
  if (runners.test(program) && args.some((arg) => isDownloaded(arg, scan)))
    scan.report("block", "windows.download", `runs what was downloaded just before: ${program} ${shown(line)}`);
  if (fetchers.test(program))
    for (const arg of args) if (/\.\w{1,5}$/.test(arg) && !/^https?:\/\/[^/]+$/i.test(arg)) noteDownload(arg, scan);
  if (args.length === 1 && /^[-/]\?$/.test(args[0] ?? "") && isProgramListed(program) && helps.test(program))
    return scan.report("low", `windows.${program}`, `${program}: only prints its help`);
  const isJoined = (arg: string): boolean => /^(-[a-z]*[ce]|--(sh-|lua-)?exec)$|^exec:/i.test(arg) && arg !== "-C";
  if (/^(nc|nc64|ncat|netcat|socat)$/.test(program) && args.some(isJoined))
    return scan.report("block", "windows.reverse", `connects a program to the network: ${program} ${shown(line)}`);
  if (program === "cmd") {
    const at = args.findIndex((arg) => /^\/[ckr]/i.test(arg));
    if (at < 0) return scan.report("medium", "windows.cmd", "opens a command prompt");
    return languages.cmd([args[at]?.slice(2), ...args.slice(at + 1)].join(" ").trim(), "in cmd /c");
  }
  if (program === "powershell" || program === "pwsh") return runPowerShell(args, scan, languages);
  if (program === "bash") reachDrives(args, scan);
  if (program === "robocopy" && /\/(mir|purge)\b/i.test(line) && !/\/l\b/i.test(line))
    deleteWindows(args.filter((arg) => !/^[-/]\w/.test(arg))[1] ?? "", scan, "empties");
  if (program === "wsl") return runWsl(args, scan);
  if (program === "start" || program === "call") return runStart(program, args, scan, languages);
  if (/^(del|erase|rd|rmdir)$/.test(program)) {
    for (const target of args) if (!/^\/[a-z](:\S*)?$/i.test(target)) deleteWindows(target, scan);
    return scan.report("high", "windows.delete", `${program} ${shown(line)}`);
  }
  for (const arg of args) readWindows(arg, scan);
  reachNative(program, args, isPiped, scan);
  boundNative(program, args, scan);
  const rule = byName.get(program);
  if (!rule) return judgeElsewhere(words, isPiped, scan);
  const lower = line.toLowerCase();
  const risk = levelOf(rule, lower);
  if (windowsSecretPrints.test(`${program} ${line}`)) scan.reveal("prints settings, which may hold secrets");
  const isRevealed =
    risk === "low" &&
    (revealing.test(lower) ||
      ((isSearch(program, line) || (isPiped && /^find(str)?$/.test(program) && settingsFiles.test(scan.text))) &&
        secretSearch.test(line)));
  if (isRevealed) return scan.report("medium", "windows.reveals", `${program} ${shown(line)}: may reveal secrets`);
  const open = risk === "block" ? undefined : findOpen(program, args);
  const unread = risk === "low" ? findUnread(program, args) : undefined;
  if (open !== undefined)
    scan.report("high", `windows.${program}`, `${shown(open)} of ${program} is not literal, so it cannot be read`);
  else if (unread !== undefined)
    scan.report("medium", `windows.${program}`, `${shown(unread)} of ${program} is not known to only read`);
  else scan.report(risk, `windows.${program}`, `${program} ${shown(line)}${risk === "low" ? ": only reads" : ""}`);
  const given = risk === "low" && !/forfiles/.test(program) ? "" : commandIn(args, rule.runs);
  const inner = program === "forfiles" ? ofFiles(given, args) : given;
  if (inner !== "") runLine(inner, scan, languages);
}

function levelOf({ block, low, high, other = "medium" }: NativeRule, line: string): Risk {
  if (block?.test(line)) return "block";
  return low?.test(line) ? "low" : high?.test(line) ? "high" : other;
}

/** A search through files or the registry, which shows what it finds; one that only narrows what comes by a pipe does not. */
const isSearch = (program: string, line: string): boolean =>
  (program === "findstr" && /(^|\s)\/\w*[sm]|[*?]\.|[a-z]:[\\/]|\\/i.test(line)) ||
  (/^(dir|where|forfiles)$/.test(program) && /[*?]/.test(line)) ||
  (program === "reg" && /\/[fv]\b/i.test(line));

/** The command line among the arguments: one argument where it has spaces, all the rest otherwise. */
function commandIn(args: readonly string[], where: RegExp | "operands" | undefined): string {
  if (where === undefined) return "";
  const at =
    where === "operands"
      ? args.findIndex((arg) => !/^[-/]|^\\\\/.test(arg)) - 1
      : args.findIndex((arg) => where.test(arg));
  if (at < 0 && where !== "operands") return "";
  const [first = "", ...rest] = args.slice(at + 1);
  return /\s/.test(first) ? first : [first, ...rest].join(" ");
}

/** `@path` is a file below the folder of `/p`, and may be all of them. */
function ofFiles(command: string, args: readonly string[]): string {
  const at = args.findIndex((arg) => /^[-/]p\b/i.test(arg));
  const folder = args[at]?.slice(3) || args[at + 1];
  return at < 0 || folder === undefined ? command : command.replace(/@(path|file|fname)\b/gi, () => `${folder}\\*`);
}

/** A command line as words; quotes are taken off. */
export const splitLine = (line: string): string[] =>
  (line.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? []).map((word) => word.replace(/["']/g, ""));

/** A command line that Windows starts itself, with no shell between. */
export const runLine = (line: string, scan: Scan, languages: Languages): void =>
  deeper(splitLine(line), scan, languages);

function deeper(words: readonly string[], scan: Scan, languages: Languages) {
  if (words.length === 0 || !scan.spend()) return;
  if (scan.depth >= maxDepth) return scan.refuse("evaluate.depth", "nests commands too deeply to be classified");
  scan.depth++;
  judgeNative(words, scan, languages);
  scan.depth--;
}

/** `start "title" /b program …`, `call program …`. */
function runStart(program: string, args: readonly string[], scan: Scan, languages: Languages) {
  // A title is the first word where it is quoted: empty, or with spaces in it.
  let at = program === "start" && args.length > 1 && /\s|^$/.test(args[0] ?? "") ? 1 : 0;
  for (let arg = args[at]; arg !== undefined && /^$|^\/\w+$/.test(arg); arg = args[at])
    at += /^\/(d|node|affinity)$/i.test(arg) ? 2 : 1;
  deeper(args.slice(at), scan, languages);
}

/** `wsl -d Ubuntu -u root -- rm …`: the rest is a command of Linux, which sees the drives below /mnt. */
function runWsl(args: readonly string[], scan: Scan) {
  let at = 0;
  for (let arg = args[0] ?? ""; /^-/.test(arg) && !/^(-e|--exec|--)$/.test(arg); arg = args[at] ?? "") {
    if (/^--?(l|list|status|v|version|help)$/.test(arg)) return scan.report("low", "windows.wsl", "wsl: only reads");
    if (/^--(unregister|uninstall|import\w*|unmount)/.test(arg))
      return scan.report("high", "windows.wsl", `wsl ${arg}`);
    at += /^(-d|--distribution|-u|--user|--cd|--shell-type|--system)$/.test(arg) ? 2 : 1;
  }
  const rest = args.slice(/^-/.test(args[at] ?? "") ? at + 1 : at);
  if (rest.length === 0) return scan.report("medium", "windows.wsl", `wsl ${shown(args.join(" "))}`);
  scan.runArgs(rest.map(literal), nothing);
  reachDrives(rest, scan);
}

/** What a command of Linux deletes of Windows' drives. */
function reachDrives(args: readonly string[], scan: Scan) {
  const words = args.flatMap(splitLine);
  if (!words.some((word) => /^(.*\/)?(rm|shred|unlink|rmdir|find)$/.test(word))) return;
  for (const target of words) {
    const [, drive, path = ""] = /^\/mnt\/([a-z])(\/.*)?$/.exec(target) ?? [];
    if (drive !== undefined) deleteWindows(`${drive}:${path === "" ? "/" : path}`, scan);
  }
}

const shared =
  /^(git|docker|kubectl|helm|aws|az|gcloud|curl|psql|mysql|redis-cli|mongosh|sqlcmd|python|python3|node|perl|ruby|npm|pip|terraform|java|dotnet|ssh|scp|tar|rabbitmqctl|nginx|rclone|openssl|ansible|vault|consul|nmap|mvn|go|bash|sh)$/;

/** Programs that exist on both systems follow the common table; unknown ones are medium. */
function judgeElsewhere([name = "", ...args]: readonly string[], isPiped: boolean, scan: Scan) {
  const program = baseName(name);
  if (shared.test(program) && scan.table.has(program) && !/[\\/](temp|tmp|downloads|appdata)[\\/]/i.test(name)) {
    const words = args.map((arg) => (/^nul$/i.test(arg) ? literal("/dev/null") : argOf(arg)));
    scan.runArgs([literal(program), ...words], isPiped ? unknownFlow : nothing);
    return;
  }
  scan.markUnknown();
  if (argOf(name).text.startsWith(hole))
    return scan.report("high", "windows.dynamic", `runs ${shown(name)}, known only when it runs`);
  const isLoose = /\\(temp|tmp|downloads|appdata|public)\\/i.test(name);
  const isOpen = findOpen(program, args) !== undefined;
  scan.report(
    isLoose || isOpen ? "high" : "medium",
    "windows.unknown",
    `runs ${shown(name)}, a program the rules do not know`,
  );
}

const parameters =
  "encodedcommand command file executionpolicy noprofile noninteractive nologo windowstyle version inputformat outputformat sta mta noexit configurationname workingdirectory psconsolefile".split(
    " ",
  );
const shortened: Readonly<Record<string, string>> = {
  ec: "encodedcommand",
  ep: "executionpolicy",
  ex: "executionpolicy",
};

/** `powershell -e BASE64`, `-c text`, `-File x.ps1`; parameters by any unique prefix, with `-`, `/` or a dash look-alike. */
function runPowerShell(args: readonly string[], scan: Scan, languages: Languages) {
  for (let i = 0; i < args.length; i++) {
    const [, written, attached] = /^[-/\u2013\u2014\u2015]+(\w+)(?::(.*))?$/s.exec(args[i] ?? "") ?? [];
    const prefix = written?.toLowerCase();
    const value = attached ?? args[i + 1] ?? "";
    if (!prefix) return languages.powershell(args.slice(i).join(" "), "in powershell");
    const name = shortened[prefix] ?? parameters.find((one) => one.startsWith(prefix));
    if (name === "encodedcommand") {
      scan.report("high", "windows.encoded", "runs a command that is hidden in base64");
      return languages.powershell(Buffer.from(value, "base64").toString("utf16le"), "inside base64");
    }
    if (name === "command") {
      const text = [...(attached === undefined ? [] : [attached]), ...args.slice(i + 1)].join(" ");
      return languages.powershell(text.replace(/^\s*&?\s*\{([\s\S]*)\}\s*$/, "$1"), "in powershell");
    }
    if (name === "file") {
      const script = scriptText(value, scan);
      if (script !== undefined) languages.powershell(script, "in what it writes");
      const isFar = /\\te?mp\\|https?:|^\\\\/i.test(value);
      const risk = isDownloaded(value, scan) ? "block" : isFar ? "high" : "medium";
      return scan.report(risk, "windows.script", `runs the script ${shown(value)}`);
    }
    if (name === "executionpolicy")
      scan.report("medium", "windows.policy", "runs PowerShell with another execution policy");
    if (name === "windowstyle" && /^h/i.test(value))
      scan.report("high", "windows.hidden", "runs PowerShell in a hidden window");
    if (name && !/^(no|sta$|mta$)/.test(name)) i++;
  }
  scan.report("medium", "windows.powershell", "opens PowerShell");
}
