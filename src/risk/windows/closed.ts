/** Low is a closed world: what nothing raised is low only if each word of it is known to only read. */
import { cmdletReads, commonReads, lookReads } from "../knowledge/windows/cmdlet-reads.ts";
import { type NativeReads, nativeReads } from "../knowledge/windows/native-reads.ts";
import { harmlessVariables } from "../knowledge/windows/rules.ts";
import { argOf } from "./reach.ts";
import type { Argument } from "./words.ts";

interface ListedOptions {
  readonly reads: NativeReads;
  readonly flags: ReadonlySet<string>;
  readonly takes: ReadonlySet<string>;
  readonly starred: readonly string[];
}

const natives = new Map(
  Object.entries(nativeReads).flatMap(([names, reads]) => {
    const options = (reads.options ?? "").split(" ").filter(Boolean);
    const listed: ListedOptions = {
      reads,
      flags: new Set(options.filter((word) => !word.endsWith("=")).map((word) => word.replace(/\?$/, ""))),
      takes: new Set(options.flatMap((word) => /^(.+)[=?]$/.exec(word)?.[1] ?? [])),
      starred: options.flatMap((word) => (word.endsWith("*") ? [word.slice(0, -1)] : [])),
    };
    return names.split(" ").map((name) => [name, listed] as const);
  }),
);

/** The first word of a program's call that is not known to only read; the program's name if nothing of it is listed. */
export function findUnread(program: string, args: readonly string[]): string | undefined {
  const listed = natives.get(program);
  if (!listed) return program;
  const { flags, takes, starred, reads } = listed;
  const { operands, letters = "", whole } = reads;
  let isValue = false;
  return args.find((arg) => {
    const wasValue = isValue;
    isValue = false;
    // Of some programs a value stands behind the colon alone: what looks like an option is one.
    if (whole || (wasValue && !/^[-/][a-z]/i.test(arg))) return false;
    const [, name, colon] = /^[-/](?!\d+$)(-?[^:=]*)([:=])?/s.exec(arg) ?? [];
    if (name === undefined) return !(operands === true || operands?.test(arg));
    const option = `/${name.toLowerCase()}`;
    const isTaking = takes.has(option);
    isValue = isTaking && colon === undefined && !flags.has(option);
    if (isTaking || (flags.has(option) && !/[:=]./.test(arg))) return false;
    // `/a:h`, `/ad`: a letter with its value in the same word.
    if (/^\/\w./.test(option) && takes.has(option.slice(0, 2))) return false;
    return (
      !starred.some((start) => option.startsWith(start)) &&
      ![...name.toLowerCase()].every((one) => letters.includes(one))
    );
  });
}

/** The first word of a program's call that is known only when it runs, in part or as a whole; what is only printed is none. */
export const findOpen = (program: string, args: readonly string[]): string | undefined =>
  natives.get(program)?.reads.prints
    ? undefined
    : args.find((arg) => argOf(arg.replace(harmlessVariables, "x")).dynamic);

const common = new Set(commonReads.split(" "));
const looking = new Set(lookReads.split(" "));
const cmdlets = new Map(
  Object.entries(cmdletReads).flatMap(([names, reads]) =>
    names.split(" ").map((name) => [name, reads.split(" ")] as const),
  ),
);

/** The first parameter of a cmdlet that is not known to only read. */
export function findUnreadParameter(cmdlet: string, words: readonly Argument[]): string | undefined {
  const own = cmdlets.get(cmdlet);
  const isRead = (name: string): boolean =>
    common.has(name) ||
    (own ? own.includes(name) || own.filter((one) => one.startsWith(name)).length === 1 : looking.has(name));
  // What is spread out may hold parameters; what is put together from literals hides what it is.
  return words.find(
    ({ parameter, origin, source }) =>
      (parameter !== undefined && !isRead(parameter)) || origin === "made" || /^@\w/.test(source),
  )?.source;
}
