/** What a shell makes of the word at a place of a command, by what stands before it. In doubt it is the worse. Pure. */

import { placeIn } from "./quote.ts";

/** What starts the program that it is given, with the arguments that stand before it. */
const wrappers: Readonly<Record<string, "program" | "host" | "inside">> = {
  ...Object.fromEntries(
    "sudo doas env exec eval command builtin xargs nohup time timeout nice ionice setsid stdbuf chroot watch parallel strace unshare nsenter flock runuser su sh bash dash zsh ksh ash source . powershell pwsh cmd iex invoke-expression start-process"
      .split(" ")
      .map((name) => [name, "program"]),
  ),
  ssh: "host",
  ...Object.fromEntries("kubectl oc docker podman nerdctl crictl".split(" ").map((name) => [name, "inside"])),
};
const keyword = /^(?:!|then|do|else|elif|if|while|until|time|\{|&)$/;
const setsVariable = /^[A-Za-z_]\w*\+?=/;
/** The options that take a word of their own; of a wrapper that is not named here any of one letter might. */
const takesWord: ReadonlyMap<string, RegExp> = new Map([
  ["sudo", /^-[A-Za-z]*[ugpCrthUDRT]$/],
  ["xargs", /^-[A-Za-z0]*[nPILdasE]$/],
]);
const wordOfWrapper = /^(?:\d+(?:\.\d+)?[smhd]?|\S*=\S*)$/;

const wordsOf = (before: string): readonly string[] =>
  (/[^;|&(){`\n]*$/.exec(before)?.[0] ?? "").replace(/["'\\]/g, "").split(/[ \t]+/);

/** Whether it names the program that runs, be it behind `sudo -n`, `timeout 5` or `kubectl exec … --`. */
export function isProgram(before: string): boolean {
  const words = wordsOf(before)
    .slice(0, -1)
    .filter((word) => word !== "");
  let at = 0;
  for (;;) {
    while (keyword.test(words[at] ?? "") || setsVariable.test(words[at] ?? "")) at += 1;
    const word = words[at];
    if (word === undefined) return true;
    const name = word.replace(/^.*\//, "").toLowerCase();
    const kind = Object.hasOwn(wrappers, name) ? wrappers[name] : undefined;
    if (kind === undefined) return false;
    at += 1;
    if (kind === "inside") {
      const inner = words.findIndex((one, index) => index >= at && /^(?:exec|debug|run|rsh)$/.test(one));
      if (inner < 0) return false;
      const dashes = words.indexOf("--", inner);
      const rest = words.slice(inner + 1).filter((one) => !one.startsWith("-"));
      // Without `--` the program comes right behind the name of where it runs.
      if (dashes < 0) return rest.length > 0 && rest.length <= 2;
      at = dashes + 1;
      continue;
    }
    let mayTake = false;
    for (let next = words[at]; next !== undefined; next = words[at]) {
      if (next.startsWith("-")) mayTake = (takesWord.get(name) ?? /^-[A-Za-z]$/).test(next);
      else if (mayTake || wordOfWrapper.test(next)) mayTake = false;
      else break;
      at += 1;
    }
    if (kind === "host" && words[at] !== undefined) at += 1;
    else if (kind === "host") return false;
  }
}

/** Whether it makes an option: `-<flag>`, `--<name>`, `-n<value>`; what stands behind its `=` is a value. */
export const isOption = (before: string): boolean => /(?:^|\s)["']?-[^\s=]*$/.test(before);

const readers =
  /(?:^|[\s;&|(){}`"'=/])(?:(?:ba|da|z|k|a)?sh|ssh|rsh|eval|su|runuser|source|xargs|parallel|watch|iex|invoke-\w+|powershell|pwsh|cmd)(?:\.exe)?\s/i;
const inside = /\b(?:kubectl|oc|docker|podman|nerdctl|crictl)\s[^;|&\n]*\b(?:exec|debug|run|rsh)\b/;

/** Whether it is in quotes, or goes to another shell or program that may read it once more. */
export const isReadAgain = (before: string): boolean =>
  placeIn(before) !== "bare" || readers.test(before) || inside.test(before);
