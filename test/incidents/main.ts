import { parseArgs } from "node:util";
import { incidents } from "./incidents.ts";
import { play } from "./play.ts";
import { markdownOf, sumOf } from "./table.ts";

/**
 * `npm run incidents` plays every incident of this folder whole, by a scripted engineer behind the model's endpoint and two scripted
 * people, once with each command asked for and once with a lease, and prints what each took; `-- NAME…` those, `--json` for machines, `--issue` prints each issue as it reads at its end.
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
  const playAll = async (leased: boolean) => {
    const all = [];
    for (const incident of chosen) {
      console.error(`${incident.name}${leased ? ", with a lease" : ""} …`);
      const { figures, issue } = await play(incident, { leased });
      if (values.issue) console.log(issue);
      all.push(figures);
    }
    return [...all, sumOf(all)];
  };
  const asked = await playAll(false);
  const leased = await playAll(true);
  if (values.json) console.log(JSON.stringify({ asked, leased }, null, 2));
  else
    console.log(
      `Each command asked for\n\n${markdownOf(asked)}\n\nWith a lease from the start\n\n${markdownOf(leased)}`,
    );
}
