import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { patienceMs } from "./test/harness/patience.ts";
import { reportMissing } from "./test/harness/report-missing.ts";
import { tags } from "./vitest.config.ts";

/** Files that take minutes, the longest first: begun last, one of them would keep one core busy and leave the other idle. */
const minutes = [
  "crash-points.long",
  "weeks.long",
  "/poll.long",
  "last-look",
  "press.long",
  "kubernetes/killed.long",
  "cluster.long",
  "clock.long",
  "/model.long",
  "grammar.long",
  "faults/github.long",
  "risk/fuzz.long",
  "injection.long",
  "/crash.long",
  "/night.long",
];

/** Measures a process's memory: begun last, when its neighbors have little left to do. */
const quiet = "backpressure.long";

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      if (moduleId.includes(quiet)) return minutes.length + 1;
      const place = minutes.findIndex((name) => moduleId.includes(name));
      return place < 0 ? minutes.length : place;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

/** Everything: the tests of `npm test` and the long ones (faults, crash points, model tests, fuzzing). */
export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    tags,
    pool: "forks",
    // A process serves many files: loading the program anew for each cost as much as the tests.
    isolate: false,
    // Three for two cores: most of a long test is waiting.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    sequence: { sequencer: LongestFirst },
    testTimeout: 600_000,
    hookTimeout: patienceMs,
    expect: { poll: { timeout: patienceMs } },
    reporters: ["default", reportMissing()],
    // `npm run coverage`; what decides has to be covered nearly whole.
    coverage: {
      provider: "v8",
      // A run takes more than half an hour; one failure must not cost its figures.
      reportOnFailure: true,
      include: ["src/**/*.ts"],
      reporter: ["text-summary", "json-summary"],
      thresholds: {
        lines: 90,
        "src/{approval,risk,slash}/**": { lines: 95 },
        "src/text/**": { lines: 95 },
        "src/commands/**": { lines: 95 },
        "src/store/actions.ts": { lines: 95 },
      },
    },
  },
});
