import { parseArgs } from "node:util";
import { liveInCluster, soak } from "./schedules.ts";

/**
 * The long forms of `soak.long.test.ts` and `cluster.long.test.ts`; each prints what happens, and figures and what was found wrong at its
 * end; exit 1 if anything was.
 *
 * `npm run soak -- --minutes 30 --seed 7` (RR-23): handles and memory, too, each half minute; neither may have grown by more than 5 %
 * since the warm-up. `npm run kills -- --incidents 500 --seconds 300 --seed 7`; with `--crash-store 3000` two processes, whose database
 * crashes every 3 s.
 */
const { values, positionals } = parseArgs({
  options: {
    minutes: { type: "string", default: "30" },
    "every-ms": { type: "string", default: "1500" },
    incidents: { type: "string", default: "60" },
    seconds: { type: "string", default: "300" },
    seed: { type: "string", default: "7" },
    kill: { type: "string", default: "3000" },
    "crash-store": { type: "string" },
  },
  allowPositionals: true,
});
const seed = Number(values.seed);
const mostGrowth = 0.05;

async function play(): Promise<{ readonly wrong: readonly string[]; readonly figures: object } | undefined> {
  if (positionals[0] === "soak") {
    const soaked = await soak({
      minutes: Number(values.minutes),
      seed,
      everyMs: Number(values["every-ms"]),
      tell: console.log,
    });
    const grown = (["handlesGrown", "heapGrown"] as const).filter((what) => (soaked?.figures[what] ?? 0) > mostGrowth);
    return soaked && { ...soaked, wrong: [...soaked.wrong, ...grown.map((what) => `${what}: more than 5 %`)] };
  }
  return liveInCluster({
    incidents: Number(values.incidents),
    seconds: Number(values.seconds),
    seed,
    killEveryMs: Number(values.kill),
    ...(values["crash-store"] && { crashStoreEveryMs: Number(values["crash-store"]) }),
    // So many at once wait for minutes, and what each says again is served, too.
    sayAgainMs: 300_000,
    tell: (what) => console.log(`${process.uptime().toFixed(0).padStart(5)} s  ${what}`),
  });
}

const lived = await play();
if (!lived) throw new Error("PostgreSQL is not installed");
console.log({ seed, ...lived.figures });
for (const line of lived.wrong) console.error(`✗ ${line}`);
console.log(
  lived.wrong.length === 0 ? "nothing lost, nothing twice, all in order" : `${lived.wrong.length} things are wrong`,
);
process.exit(lived.wrong.length === 0 ? 0 : 1);
