import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { hand } from "./by-hand.ts";
import { incidents } from "./incidents.ts";
import { play } from "./play.ts";
import { markdownOf, sumOf } from "./table.ts";

/**
 * `npm run incidents` plays every incident of this folder whole, by a scripted engineer behind the model's endpoint and two scripted
 * people, once with each command asked for and once with a lease, and prints what each took; `-- NAME…` those, `--json` for machines, `--issue` prints each issue as it reads at its end.
 * `--by-hand FOLDER` has somebody answer for the model, all incidents at once: each request is FOLDER/NAME/request-N.json and `.md`, and
 * the answer is put beside it as `reply-N.json` (`{"text": "…", "toolCalls": [{"name": "…", "arguments": {}}]}`); `--leased` gives a lease first, `--opening` has the operator's file give one.
 */
const { values, positionals } = parseArgs({
  options: {
    json: { type: "boolean" },
    issue: { type: "boolean" },
    "by-hand": { type: "string" },
    leased: { type: "boolean" },
    opening: { type: "boolean" },
  },
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
  const folder = values["by-hand"];
  const playByHand = (to: string) =>
    Promise.all(
      chosen.map(async (incident) => {
        const own = join(to, incident.name.replaceAll(" ", "-"));
        mkdirSync(own, { recursive: true });
        const { figures, issue, ...more } = await play(incident, {
          leased: values.leased ?? false,
          opening: values.opening ?? false,
          byHand: hand(own),
        });
        writeFileSync(join(own, "issue.md"), issue);
        writeFileSync(join(own, "played.json"), JSON.stringify({ figures, ...more }, null, 2));
        console.error(`${incident.name}: ${more.isSolved ? "solved" : "not solved"}`);
        return figures;
      }),
    );
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
  const byHand = folder === undefined ? undefined : await playByHand(folder);
  const asked = byHand ? [...byHand, sumOf(byHand)] : await playAll(false);
  const leased = byHand ? [] : await playAll(true);
  if (byHand) console.log(markdownOf(asked));
  else if (values.json) console.log(JSON.stringify({ asked, leased }, null, 2));
  else
    console.log(
      `Each command asked for\n\n${markdownOf(asked)}\n\nWith a lease from the start\n\n${markdownOf(leased)}`,
    );
}
