import { type Arg, hole } from "./arg.ts";
import type { Option } from "./options.ts";

const off = /^(?:none|false|no|off|0)$/;

/** Options that take no value wherever they are found, so that what stands behind them is an option of its own. */
const usualFlags = new Set(
  (
    "--all --all-namespaces --archive --atomic --checksum --compress --debug --delete --force --global --human-readable --ignore-not-found " +
    "--install --itemize-changes --json --now --overwrite --progress --prune --purge --quiet --recursive --server-side --stats --update --upgrade " +
    "--verbose --wait --yes"
  ).split(" "),
);

/**
 * Whether a call only says what it would do. Not where one of several such options says no, since the last one counts, nor where it may be
 * the value of the option before it.
 */
export function isDryRun(
  {
    args,
    options,
    known,
  }: { readonly args: readonly Arg[]; readonly options: readonly Option[]; readonly known: ReadonlySet<string> },
  isDry: (name: string) => boolean,
): boolean {
  const said = options.filter(({ name }) => isDry(name));
  const mayTakeNext = (before: string): boolean =>
    (/^--[^=]+$/.test(before) || /^-[mFoeCiO]$/.test(before)) &&
    !usualFlags.has(before) &&
    !before.startsWith("--no-") &&
    !known.has(before);
  const isValue = args.some(
    ({ text }, at) => isDry(text.split("=", 1)[0] ?? "") && mayTakeNext(args[at - 1]?.text ?? ""),
  );
  return (
    said.length > 0 &&
    !isValue &&
    said.every(({ value }) => !off.test(value?.text ?? "") && !value?.text.includes(hole))
  );
}
