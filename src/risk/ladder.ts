/** The ladder of a record: patterns over the words of a call, of which the first that fits gives its level. */
import type { Risk } from "../base/risk.ts";
import { type Arg, inWords, shown } from "./engine/arg.ts";
import { words } from "./engine/options.ts";
import type { Scan } from "./engine/scan.ts";
import type { CompiledRule } from "./table.ts";

export const defaultWhy: Readonly<Record<Risk, string>> = {
  low: "only reads",
  medium: "changes something",
  high: "destroys something or causes downtime",
  block: "must never run",
};

/** Reports the first rung that fits. */
export function climb(
  { ladder, id }: CompiledRule,
  call: { readonly args: readonly Arg[]; readonly operands: readonly Arg[] },
  { program, scan, name }: { readonly program: string; readonly scan: Scan; readonly name: Arg },
): void {
  if (ladder.length === 0) return;
  const [all, operands] = [inWords(call.args), inWords(call.operands)];
  const fits = ladder.find(({ rung, met, unmet }) => {
    const text = rung.operands ? operands : all;
    const isMeant = rung.names === undefined || words(rung.names).includes(program);
    return isMeant && met.test(text) && !unmet?.test(text);
  });
  if (!fits) return;
  const { level, why } = fits.rung;
  scan.report(
    level,
    id,
    `${program}${why || level === "low" ? "" : shown(all.trimEnd())}: ${why ?? defaultWhy[level]}`,
    name,
  );
}
