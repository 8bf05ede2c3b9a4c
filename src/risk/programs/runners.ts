/** Programs and scripts that only carry another program's words: `bundle exec rake …`, `php artisan …`. */
import type { Check } from "../engine/apply.ts";
import { type Arg, literal } from "../engine/arg.ts";
import type { Scan } from "../engine/scan.ts";
import { isKnown } from "../table.ts";

/** `bundle exec`, `poetry run`, `npx`: what stands after their own options is a command of its own. */
export const hands: Check = ({ args, operands: [first], scan, stdin }) =>
  first ? scan.runArgs(args.slice(args.indexOf(first)), stdin) : undefined;

/**
 * `python manage.py flush`, `sh kafka-topics.sh --delete`: a script with the name of a program the rules know does at least
 * what that program does with these words. Never milder than the script itself: a name is no proof.
 */
export function judgeNamesake(path: string, words: readonly Arg[], scan: Scan): void {
  const name = path.split("/").pop() ?? "";
  if (isKnown(name, scan.table)) scan.runArgs([literal(name), ...words], { present: true });
}
