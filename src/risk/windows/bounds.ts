/** What of a Windows command nothing ends or bounds. */
import { secondsOf } from "../engine/bounds.ts";
import type { Scan } from "../engine/scan.ts";
import { type Argument, has, operandsOf, valueAt } from "./words.ts";

const maxSeconds = 600;
const wholeDrive = /^(filesystem::)?[a-z]:[\\/]*(\*(\.\*)?)?$|^[\\/](\*(\.\*)?)?$|^\$env:systemdrive[\\/]*$/i;
/** Programs that read a whole tree where this option stands among their words. */
const walks = /^(dir .*\/s|tree|where .*\/r|findstr .*\/[a-z]*s[a-z]*|forfiles .*\/s|icacls .*\/t)(?=\s|$)/i;

/** By the command as a line: what has no end of its own, and the form that has. */
const endless: readonly (readonly [line: RegExp, what: string, instead?: string])[] = [
  [/^ping .*([-/]t\b|\s\d{4,}(\s|$))/, "ping goes on until it is ended", "ping -n 4 HOST"],
  [/^w32tm .*\/stripchart(?!.*\/samples)/, "w32tm goes on until it is ended", "w32tm … /samples:3"],
  [/^typeperf(?!.*\s[-/](sc|qx?)\b)/, "typeperf goes on until it is ended", "typeperf … -sc 5"],
  [/^netstat .*(?<=\s)\d+(\s|$)/, "netstat with an interval never ends", "netstat -ano"],
  [/^nvidia-smi .*(-l|--loop)/, "nvidia-smi -l never ends", "nvidia-smi"],
  [/^(pause|out-gridview|read-host)\b|^choice\b(?!.*\/t)/, "it waits for somebody"],
  [/^portqry .*[-/]w(port|pid)\b/, "it watches until it is ended"],
  [/^pslist .*[-/]s\b/, "it repeats until it is ended"],
  [/^goto (?!:?eof$)/, "a loop by goto may never end"],
  [/^get-content .*-w/, "-Wait never ends", "Get-Content … -Tail 100"],
  [/^get-counter .*-(co|m\w* \d{4,})/, "-Continuous never ends", "Get-Counter … -MaxSamples 5"],
  [/^test-connection .*-(rep|cont|cou?n?t? \d{4,})/, "it goes on until it is ended", "Test-Connection … -Count 4"],
  [/^wait-(event|process|job|debugger)\b(?!.* -t)/, "it may wait for ever", "… -Timeout 60"],
];

function bound(line: string, scan: Scan) {
  const fitting = endless.find(([pattern]) => pattern.test(line));
  if (fitting) scan.unbound(fitting[1], fitting[2]);
}

/** Notes what in the call of a program has no end of its own. */
export function boundNative(program: string, args: readonly string[], scan: Scan) {
  const line = [program, ...args].join(" ").toLowerCase();
  const root = walks.test(line) && args.find((arg) => wholeDrive.test(arg));
  if (root) scan.unbound(`it reads everything under ${root}`, `${program} … in one folder`);
  const waits = /^(timeout|sleep)$/.test(program) ? args.map(Number) : [];
  if (waits.some((one) => one < 0 || one > maxSeconds)) scan.unbound("it waits for longer than ten minutes");
  bound(line, scan);
}

/** Notes what in the call of a cmdlet has no end of its own. */
export function boundCmdlet(name: string, words: readonly Argument[], text: string, scan: Scan) {
  bound(`${name} ${text}`, scan);
  if (name === "start-sleep") {
    const [seconds = "0"] = (valueAt(words, "seconds", 1) ?? operandsOf(words)[0])?.texts ?? [];
    if (/^\d/.test(seconds) && !has(words, "milliseconds", 1) && !(secondsOf(seconds) <= maxSeconds))
      scan.unbound("it sleeps for longer than ten minutes");
  }
  const root =
    has(words, "recurse", 1) &&
    !has(words, "depth", 3) &&
    words.flatMap(({ texts }) => texts).find((one) => wholeDrive.test(one));
  if (root) scan.unbound(`it reads everything under ${root}`, `${name} … -Depth 2`);
}
