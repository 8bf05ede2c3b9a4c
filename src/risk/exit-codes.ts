/** What an exit code other than 0 means where a program answers by it: data, and who said it last in a line of shell. Pure. */
import { type Assignment, parseShell, type SyntaxNode, type Word } from "./shell/parse.ts";

interface Codes {
  /** Only of a call that has one of these words. */
  readonly where?: readonly string[];
  readonly says: Readonly<Record<number, string>>;
}

const noMatch: readonly Codes[] = [{ says: { 1: "no match" } }];
const differ: readonly Codes[] = [{ says: { 1: "they differ" } }];
const isFalse: readonly Codes[] = [{ says: { 1: "false" } }];
const noProcess: readonly Codes[] = [{ says: { 1: "no such process" } }];
const notFound: readonly Codes[] = [{ says: { 1: "not found" } }];

/** By program. A code that is not here is an error of the program's, whatever it printed. */
const table: Readonly<Record<string, readonly Codes[]>> = {
  grep: noMatch,
  egrep: noMatch,
  fgrep: noMatch,
  zgrep: noMatch,
  rg: noMatch,
  findstr: noMatch,
  journalctl: [{ where: ["-g", "--grep"], says: { 1: "no match" } }],
  diff: differ,
  zdiff: differ,
  cmp: differ,
  git: [{ where: ["--exit-code", "--quiet"], says: { 1: "they differ" } }],
  pgrep: noProcess,
  pidof: noProcess,
  test: isFalse,
  "[": isFalse,
  "[[": isFalse,
  systemctl: [
    { where: ["status", "is-active"], says: { 3: "inactive", 4: "no such unit" } },
    { where: ["is-enabled"], says: { 1: "not enabled", 4: "no such unit" } },
    { where: ["is-failed"], says: { 1: "not failed" } },
  ],
  service: [{ where: ["status"], says: { 3: "inactive", 4: "no such service" } }],
  which: notFound,
  command: [{ where: ["-v", "-V"], says: { 1: "not found", 127: "not found" } }],
  getent: [{ says: { 2: "no such entry" } }],
  dpkg: [{ where: ["-s", "-l", "--status", "--list"], says: { 1: "not installed" } }],
  rpm: [{ where: ["-q", "--query"], says: { 1: "not installed" } }],
  findmnt: [{ says: { 1: "not mounted" } }],
  mountpoint: [{ says: { 1: "not a mount point", 32: "not a mount point" } }],
  fuser: [{ says: { 1: "nobody uses it" } }],
  ping: [{ says: { 1: "no answer" } }],
  pg_isready: [{ says: { 1: "rejects connections", 2: "no answer" } }],
  nc: [{ where: ["-z", "-zv", "-vz"], says: { 1: "not open" } }],
  crontab: [{ where: ["-l"], says: { 1: "no crontab" } }],
  curl: [
    {
      says: {
        6: "no such host",
        7: "could not connect",
        22: "an HTTP error",
        28: "no answer in time",
        35: "no TLS connection",
        52: "an empty answer",
        60: "certificate not trusted",
      },
    },
  ],
};

/** What runs another command and ends as that does; `timeout` takes a duration first. */
const wrappers = ["sudo", "nice", "command", "env", "time", "timeout"];

/** Returns what the program that ended a command means by its exit code: "no match"; undefined where that is not certain. */
export function exitMeaning(command: string, code: number): string | undefined {
  if (command.includes("pipefail")) return undefined;
  const script = parseShell(command);
  if (script.errors && script.errors.length > 0) return undefined;
  const words = lastWords(script.commands.at(-1)?.command);
  const name = words[0]?.split("/").at(-1) ?? "";
  const codes = Object.hasOwn(table, name) ? (table[name] ?? []) : [];
  const fits = ({ where }: Codes): boolean => where === undefined || words.some((word) => where.includes(word));
  return codes.find((one) => fits(one) && one.says[code] !== undefined)?.says[code];
}

/** The words of the simple command whose exit code is the whole one's; none where another one's may be. */
function lastWords(node: SyntaxNode | undefined): readonly string[] {
  switch (node?.type) {
    case "Command":
      return unwrapped([...(node.name ? [node.name] : []), ...node.args].flatMap((word) => textOf(word)));
    case "TestCommand":
      return ["[["];
    case "Pipeline":
      return node.prefixes.some(({ type }) => type !== "Time") ? [] : lastWords(node.commands.at(-1));
    case "Redirected":
    case "Statement":
      return lastWords(node.command);
    case "AndOr":
      // After a `||` only the last can have failed; before an `&&` any of them.
      return node.operators.every((operator) => operator === "||") ? lastWords(node.commands.at(-1)) : [];
    default:
      return [];
  }
}

const textOf = (word: Word | Assignment): readonly string[] => (word.type === "Word" ? [word.value] : [word.text]);

function unwrapped(words: readonly string[]): readonly string[] {
  const [first = "", ...rest] = words;
  const isLookUp = first === "command" && /^-[vV]$/.test(rest[0] ?? "");
  if (!wrappers.includes(first) || isLookUp) return words;
  const start = rest.findIndex((word) => !/^-|^[A-Za-z_]\w*=|^[\d.]+[smhd]?$/.test(word));
  return start === -1 ? [] : unwrapped(rest.slice(start));
}
