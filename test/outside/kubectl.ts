/**
 * The kubectl and oc lines of public runbooks through the parser for clusters: how many run as argv, and what is refused with which
 * remedy.
 *
 *     node --import ./check-node.mjs test/outside/kubectl.ts FOLDER [--list]
 *
 * FOLDER is a checkout of openshift/runbooks or prometheus-operator/runbooks, which are no part of this repository. A line is one of a
 * fenced block that begins with `oc` or `kubectl`, after a prompt or not; one that ends in a backslash or inside of quotes goes on.
 * Placeholders and variables are filled in as a person would, and each line counts once. A line is parsed for a server that lists every
 * namespace, and one that names none for a server that lists one alone.
 */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { parseKubectl } from "../../src/kubernetes/parse-kubectl.ts";

const { values, positionals } = parseArgs({ allowPositionals: true, options: { list: { type: "boolean" } } });
const [folder] = positionals;
if (folder === undefined) throw new Error("name the folder of a checkout, e.g. ../openshift-runbooks");

const texts = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".md") && !path.startsWith(".git"))
  .map((path) => readFileSync(join(folder, path), "utf8"));
const lines = [...new Set(texts.flatMap(linesOf))];

const parse = (line: string) => {
  const parsed = parseKubectl(line, ["*"]);
  return !parsed.ok && parsed.reason === "it names no namespace" ? parseKubectl(line, ["shop"]) : parsed;
};
const judged = lines.map((line) => ({ line, parsed: parse(line) }));
const refused = judged.flatMap(({ line, parsed }) => (parsed.ok ? [] : [{ line, ...parsed }]));
const share = (count: number): string => `${count}/${lines.length} ${((100 * count) / lines.length).toFixed(1)} %`;
const asked = judged.filter(({ parsed }) => parsed.ok && parsed.plan.unproven).length;
console.log(`run as argv: ${share(lines.length - refused.length)}; refused with a remedy: ${share(refused.length)}`);
console.log(`of those that run, ${asked} do so where the API server says that their kind belongs to a namespace`);
const byReason = Map.groupBy(refused, ({ reason }) => reason.replace(/the namespace `.*?`/, "the namespace"));
for (const [reason, all] of [...byReason].toSorted(([, a], [, b]) => b.length - a.length)) {
  console.log(`${String(all.length).padStart(5)}  ${reason}: ${all[0]?.remedy}`);
  if (values.list) for (const { line } of all) console.log(`         ${line}`);
}

/** The commands of a text's fenced blocks, filled in. */
function linesOf(text: string): readonly string[] {
  const blocks = [...text.matchAll(/^[ \t]*```.*\n([\s\S]*?)^[ \t]*```/gm)].map(([, block = ""]) => block);
  return blocks.flatMap((block) =>
    [...block.matchAll(/^[ \t]*(?:[$#] )?((?:oc|kubectl) (?:'[^']*'|"(?:\\[\s\S]|[^"\\])*"|\\\n|[^\n'"])*)/gm)].map(
      ([, line = ""]) => fillIn(line.trim()),
    ),
  );
}

/** What a person would write: a name for `<pod>`, `$POD` and `${POD}`; an inner command, `$(…)`, stays as it is. */
function fillIn(line: string): string {
  return line.replaceAll(/<[A-Za-z][\w .-]*>/g, "name").replaceAll(/\$\{?[A-Za-z_]\w*\}?/g, "name");
}
