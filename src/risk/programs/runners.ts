/** Scripts that only carry another program's words: `php artisan …`. */
import { type Arg, literal } from "../engine/arg.ts";
import type { Scan } from "../engine/scan.ts";
import { isKnown } from "../table.ts";

/**
 * `python manage.py flush`, `sh kafka-topics.sh --delete`: a script with the name of a program the rules know does at least
 * what that program does with these words. Never milder than the script itself: a name is no proof.
 */
export function judgeNamesake(path: string, words: readonly Arg[], scan: Scan): void {
  const name = path.split("/").pop() ?? "";
  if (isKnown(name, scan.table)) scan.runArgs([literal(name), ...words], { present: true });
}
