/** What of a Windows command nothing ends or bounds. */
import { secondsOf } from "../engine/bounds.ts";
import type { Scan } from "../engine/scan.ts";
import { type Argument, has, operandsOf, valueAt } from "./context.ts";

const maxSeconds = 600;
const maxRounds = 1000;
const wholeDrive = /^(filesystem::)?[a-z]:[\\/]*(\*(\.\*)?)?$|^[\\/](\*(\.\*)?)?$|^\$env:systemdrive[\\/]*$/i;
const walks: Readonly<Record<string, RegExp | undefined>> = {
  dir: /^\/s$/i,
  tree: /^/,
  where: /^\/r$/i,
  findstr: /^\/[a-z]*s[a-z]*$/i,
  forfiles: /^\/s$/i,
  icacls: /^\/t$/i,
};

/** Notes what in the call of a program has no end of its own. */
export function boundNative(program: string, args: readonly string[], scan: Scan): void {
  const numbers = (): number[] => args.filter((arg) => /^-?\d+$/.test(arg)).map(Number);
  const isGiven = (option: RegExp): boolean => args.some((arg) => option.test(arg));
  const root = walks[program] && isGiven(walks[program]) && args.find((arg) => wholeDrive.test(arg));
  if (root) scan.unbound(`it reads everything under ${root}`, `${program} … in one folder`);
  if (program === "ping" && (isGiven(/^[-/]t$/i) || numbers().some((one) => one > maxRounds)))
    scan.unbound("ping goes on until it is ended", "ping -n 4 HOST");
  if (program === "typeperf" && !isGiven(/^[-/](sc|qx?)$/i))
    scan.unbound("typeperf goes on until it is ended", "typeperf … -sc 5");
  if (program === "netstat" && numbers().length > 0)
    scan.unbound("netstat with an interval never ends", "netstat -ano");
  if (/^(timeout|sleep)$/.test(program) && numbers().some((one) => one < 0 || one > maxSeconds))
    scan.unbound("it waits for longer than ten minutes");
  if (program === "nvidia-smi" && isGiven(/^(-l|--loop)/)) scan.unbound("nvidia-smi -l never ends", "nvidia-smi");
  if (program === "goto" && !/^:?eof$/i.test(args[0] ?? "")) scan.unbound("a loop by goto may never end");
}

/** Notes what in the call of a cmdlet has no end of its own. */
export function boundCmdlet(name: string, words: readonly Argument[], scan: Scan): void {
  const number = (whole: string): number => Number(valueAt(words, whole, 1)?.texts[0]);
  if (name === "get-content" && has(words, "wait", 1)) scan.unbound("-Wait never ends", "Get-Content … -Tail 100");
  if (name === "get-counter" && (has(words, "continuous", 2) || number("maxsamples") > maxRounds))
    scan.unbound("-Continuous never ends", "Get-Counter … -MaxSamples 5");
  if (
    name === "test-connection" &&
    (has(words, "repeat", 3) || has(words, "continuous", 4) || number("count") > maxRounds)
  )
    scan.unbound("it goes on until it is ended", "Test-Connection … -Count 4");
  if (/^wait-(event|process|job|debugger)$/.test(name) && !has(words, "timeout", 1))
    scan.unbound(`${name} may wait for ever`, `${name} … -Timeout 60`);
  if (name === "start-sleep") {
    const [first] = operandsOf(words);
    const seconds = (valueAt(words, "seconds", 1) ?? first)?.texts[0] ?? "0";
    if (/^\d/.test(seconds) && !has(words, "milliseconds", 1) && !(secondsOf(seconds) <= maxSeconds))
      scan.unbound("it sleeps for longer than ten minutes");
  }
  if (has(words, "recurse", 1) && !has(words, "depth", 3)) {
    const root = words.flatMap(({ texts }) => texts).find((text) => wholeDrive.test(text));
    if (root !== undefined) scan.unbound(`it reads everything under ${root}`, `${name} … -Depth 2`);
  }
}
