import { parseArgs } from "node:util";
import { playCluster } from "./cluster-play.ts";

/**
 * `npm run kills -- --incidents 500 --seconds 300 --seed 7`: the long form of `cluster.long.test.ts`; with
 * `--crash-store 3000` two processes, whose database crashes every 3 s.
 */
const { values } = parseArgs({
  options: {
    incidents: { type: "string", default: "60" },
    seconds: { type: "string", default: "300" },
    seed: { type: "string", default: "7" },
    kill: { type: "string", default: "3000" },
    "crash-store": { type: "string" },
  },
});
const { wrong, figures } = await playCluster({
  incidents: Number(values.incidents),
  seconds: Number(values.seconds),
  seed: Number(values.seed),
  killEveryMs: Number(values.kill),
  ...(values["crash-store"] && { crashStoreEveryMs: Number(values["crash-store"]) }),
  // So many at once wait for minutes, and what each says again is served, too.
  sayAgainMs: 300_000,
  tell: (what) => console.log(`${process.uptime().toFixed(0).padStart(5)} s  ${what}`),
});
console.log({ seed: values.seed, incidents: values.incidents, ...figures });
for (const line of wrong) console.error(`✗ ${line}`);
process.exit(wrong.length === 0 ? 0 : 1);
