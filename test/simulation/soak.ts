import { parseArgs } from "node:util";
import { playSoak } from "./soak-play.ts";

/**
 * `npm run soak -- --minutes 30 --seed 7` (RR-23): the long form of `soak.long.test.ts`. Prints handles and memory each half minute,
 * and at the end how they have grown since the warm-up and what was found wrong; exit 1 where anything was, or where either has grown
 * by more than 5 %.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "30" },
    seed: { type: "string", default: "7" },
    "every-ms": { type: "string", default: "1500" },
  },
});
const mostGrowth = 0.05;

const soaked = await playSoak({
  minutes: Number(values.minutes),
  seed: Number(values.seed),
  everyMs: Number(values["every-ms"]),
  tell: console.log,
});
if (!soaked) throw new Error("PostgreSQL is not installed");
const { figures } = soaked;
const { handlesGrown, heapGrown, heapMb, memoryMb } = figures;
const wrong = [
  ...soaked.wrong,
  ...(handlesGrown > mostGrowth ? ["handles have grown"] : []),
  ...(heapGrown > mostGrowth ? ["what it holds in memory has grown"] : []),
];
const counted = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(", ");
const percent = (part: number): string => `${(part * 100).toFixed(1)} %`;
console.log(`seed ${values.seed}, ${figures.incidents} incidents, faults: ${counted(figures.faults)}`);
console.log(`commands: ${counted(figures.endings)}`);
console.log(
  `since the warm-up: handles ${percent(handlesGrown)}, live heap ${percent(heapGrown)} (now ${heapMb.toFixed(1)} MB, of ${memoryMb.toFixed(0)} MB that the process takes)`,
);
for (const line of wrong) console.error(`✗ ${line}`);
console.log(wrong.length === 0 ? "nothing lost, nothing twice, all in order" : `${wrong.length} things are wrong`);
process.exit(wrong.length === 0 ? 0 : 1);
