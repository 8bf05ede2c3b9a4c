import { type Program, say } from "../program.ts";

/** `ls` as the library has it, with the owner a server would show. */
export const ls: Program = async (args, { original }) => {
  const outcome = await original(args);
  const owned = outcome.stdout.replace(/^([bcdlps-][rwxstST-]{9}\s+\d+) user user /gm, "$1 root root ");
  // Between files named one by one the library leaves a blank line that only belongs before a folder's heading.
  return { ...outcome, stdout: /:$/m.test(owned) ? owned : owned.replaceAll("\n\n", "\n") };
};

/** `bash` and `sh` with the start-up options the library does not know; a login shell reads no profile here. */
export const bash: Program = (args, { original }) => {
  const command = args.findIndex((arg) => /^-[a-z]*c$/.test(arg));
  const own = command < 0 ? args : args.slice(0, command);
  const kept = own.filter((arg) => !["--noprofile", "--norc", "--login", "--posix", "-l", "-i", "--"].includes(arg));
  if (command >= 0) {
    const options =
      `${own.filter((a) => /^-[eux]+$/.test(a)).join("")}${args[command]?.slice(1, -1).replace(/[li]/g, "") ?? ""}`.replaceAll(
        "-",
        "",
      );
    const script = args[command + 1] ?? "";
    return original(["-c", options === "" ? script : `set -${options}\n${script}`, ...args.slice(command + 2)]);
  }
  return original(kept.filter((arg) => arg !== "-s"));
};

/** `tail`, with -f and -F, which the library lacks. */
export const tail: Program = async (args, { original, fs, cwd, pause, show }) => {
  const follows = args.some((a) => /^-[a-z0-9]*[fF]$/.test(a) || a.startsWith("--follow"));
  if (!follows) return original(args);
  const rest = args
    .filter((a) => !a.startsWith("--follow"))
    .flatMap((a) => (/^-[a-z0-9]*[fF]$/.test(a) ? (a.length > 2 ? [a.slice(0, -1)] : []) : [a]));
  const first = await original(rest);
  if (!show || first.exitCode !== 0) return first;
  show(first.stdout);
  const path = fs.resolvePath(cwd, args.at(-1) ?? "");
  let seen = (await fs.readFile(path)).length;
  while (!(await pause(250))) {
    const text = await fs.readFile(path).catch(() => "");
    if (text.length > seen) show(text.slice(seen));
    seen = text.length;
  }
  return say("");
};

const magnitudes = "KMGTP";
const measured = (line: string): number => {
  const [, number = "0", unit = ""] = /^\s*([\d.]+)([KMGTP]?)/.exec(line) ?? [];
  return Number(number) * 1024 ** (unit === "" ? 0 : magnitudes.indexOf(unit) + 1);
};

/** `sort` with -h, which the library takes but orders as plain numbers. */
export const sort: Program = async (args, { original, stdin }) => {
  const flags = args.filter((a) => /^-[a-z]+$/i.test(a)).join("");
  if (!flags.includes("h") || args.some((a) => !a.startsWith("-") || /^-[kto]/.test(a))) return original(args);
  const ordered = stdin
    .split("\n")
    .filter((line) => line !== "")
    .sort((a, b) => measured(a) - measured(b));
  return say((flags.includes("r") ? ordered.reverse() : ordered).join("\n"));
};
