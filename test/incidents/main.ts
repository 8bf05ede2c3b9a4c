import { parseArgs } from "node:util";
import { incidents } from "./incidents.ts";
import { play } from "./play.ts";
import { markdownOf, sumOf } from "./table.ts";

/**
 * `npm run incidents` plays every incident of this folder whole, by a scripted engineer behind the model's endpoint and two scripted
 * people, and prints what each took; `-- NAME…` those, `--json` for machines, `--issue` prints each issue as it reads at its end.
 */
const { values, positionals } = parseArgs({
  options: { json: { type: "boolean" }, issue: { type: "boolean" } },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !incidents.some((incident) => incident.name === name));
if (unknown.length > 0) {
  console.error(
    `there is no incident ${unknown.join(", ")}; there are ${incidents.map(({ name }) => name).join(", ")}`,
  );
  process.exitCode = 1;
} else {
  const chosen = incidents.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  const all = [];
  for (const incident of chosen) {
    console.error(`${incident.name} …`);
    const { figures, issue } = await play(incident);
    if (values.issue) console.log(issue);
    all.push(figures);
  }
  const rows = [...all, sumOf(all)];
  console.log(values.json ? JSON.stringify(rows, null, 2) : markdownOf(rows));
}
