import { expect, it } from "vitest";
import { stopsRest } from "../../../src/base/run.ts";
import { partsOf } from "../../../src/store/incident-rows.ts";
import { fc } from "../../harness/chance.ts";
import { incidentIdOf, startStage } from "../../harness/stage.ts";
import { useStarted } from "../../harness/use-started.ts";
import { faultsOfOpenRows } from "../../store/open-rows.ts";

const stage = useStarted(() =>
  startStage({
    // No runbook: once the model's script is over nothing more is proposed.
    files: { "AGENTS.md": "# Web\n" },
    config: { policy: { lease: { allowed: true, servers: ["web-1"] } } },
  }),
);

const kinds = { read: "ls /tmp/", change: "touch /tmp/", high: "rm -r /srv/app/cache/" } as const;

const entry = fc.record({
  kind: fc.oneof(
    { weight: 3, arbitrary: fc.constant("change" as const) },
    { weight: 2, arbitrary: fc.constant("read" as const) },
    { weight: 1, arbitrary: fc.constant("high" as const) },
  ),
  fails: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
});
const some = fc.shuffledSubarray([1, 2, 3], { minLength: 1 });
const comment = fc.oneof(
  { weight: 6, arbitrary: some.map((numbers) => `/approve ${numbers.join(" ")}`) },
  { weight: 1, arbitrary: some.map((numbers) => `/approve --keep-going ${numbers.join(" ")}`) },
  { weight: 1, arbitrary: fc.constant("/approve all") },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 3 }).map((n) => `/reject ${n} not now`) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 3 }).map((n) => `/cancel ${n}`) },
  { weight: 1, arbitrary: fc.constant("/auto on") },
);
const cases = fc.sample(
  fc.record({
    list: fc.array(entry, { minLength: 3, maxLength: 3 }),
    comments: fc.array(fc.record({ body: comment, waits: fc.boolean() }), { minLength: 2, maxLength: 6 }),
  }),
  { numRuns: 16, seed: 18 },
);

it.each(cases)(
  "DC-4 AR-03 nothing runs before what stands before it in its list has ended well, been decided, or is a read, play %#",
  async ({ list, comments }) => {
    const failing = list.flatMap(({ fails }, at) => (fails ? [`entry${at + 1}`] : []));
    stage.play(async (command) => (failing.some((name) => command.includes(name)) ? 1 : 0));
    const thread = await stage.incident(...list.map(({ kind }, at) => `${kinds[kind]}entry${at + 1}`));
    const { db } = stage.bot.deps.store;
    const id = await incidentIdOf(db, thread.number);
    for (const { body, waits } of comments) {
      await thread.say(body.startsWith("/reject") ? "mona" : "lee", body);
      if (waits) await stage.quiet();
      expect(await faultsOfOpenRows(db, id)).toEqual([]);
    }
    await stage.quiet();
    const { actions, runs, batches } = await partsOf(db, id, "actions", "runs", "batches");
    const approvals = await db.selectFrom("approval").selectAll().where("verdict", "=", "approve").execute();
    for (const run of runs) {
      const action = actions.find((one) => one.id === run.actionId);
      const batch = batches.find((one) => one.id === run.batchId);
      if (!action || !batch || run.startedAt === null) continue;
      const { startedAt } = run;
      for (const before of actions.filter(({ card, number }) => card === action.card && number < action.number)) {
        if (before.spec.risk === "low" || before.state === "rejected") continue;
        const own = runs.filter(({ actionId }) => actionId === before.id);
        const ends = own.flatMap(({ endedAt }) => endedAt ?? []);
        const isOver = own.length > 0 && ends.length === own.length && ends.every((end) => end <= startedAt);
        const isWell = own.every((one) => !stopsRest(before.spec.risk, one));
        const isKnown =
          (batch.keepGoing && batch.numbers.includes(before.number)) ||
          approvals.some(({ actionId, createdAt }) => actionId === action.id && ends.every((end) => end <= createdAt));
        const said = `${action.number} ran, and ${before.number} before it is ${before.state}`;
        expect({ said, inOrder: isOver && (isWell || isKnown) }).toEqual({ said, inOrder: true });
      }
    }
    expect(batches.every(({ endedAt }) => endedAt !== null)).toBe(true);
    ran += runs.length;
  },
);

let ran = 0;
it("of these plays enough runs for that to mean something", () => expect(ran).toBeGreaterThan(12));
