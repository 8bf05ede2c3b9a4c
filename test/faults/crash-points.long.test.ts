import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { crashPoints } from "../../src/base/crash-point.ts";
import { useBotPlaces } from "../store/use-places.ts";
import { type CrashWorld, type commands, startCrashWorld } from "./crash-world.ts";

const places = await useBotPlaces("the crash points on a store of several processes (CP01 to CP20)");

/** How a run is told. */
const fine = "✅";
const unknown = "❓";
const notStarted = "🔌";

const endOf = (which: keyof typeof commands): RegExp =>
  new RegExp(`\\*\\*${which === "direct" ? 1 : 2}\\*\\* (${fine}|${unknown}|${notStarted})`);

/** While an incident is taken in: whatever was lost is made up for, and the incident goes on as any other. */
const opening = ["CP01", "CP02", "CP03", "CP04", "CP05", "CP06", "CP07", "CP07:2", "CP16"];
/** While an approval comes in, with the bot started for that: it counts, and once. */
const approving = ["CP01", "CP02", "CP03", "CP04", "CP16:2"];
/** On the way of one approved command: how often it ran, and what is told of it. */
const running = [
  { at: "CP08", direct: [1, fine], job: [1, fine] },
  { at: "CP09", direct: [0, unknown], job: [0, notStarted] },
  { at: "CP10", direct: [0, unknown], job: [0, notStarted] },
  { at: "CP11", direct: [1, unknown], job: [1, fine] },
  { at: "CP12", direct: [1, unknown], job: [1, fine] },
  { at: "CP13", direct: [1, unknown], job: [1, fine] },
  { at: "CP14", direct: [1, fine], job: [1, fine] },
  { at: "CP20", direct: [1, fine], job: [1, fine] },
] as const;
const jobsEmbedded: readonly string[] = ["CP08", "CP10", "CP12", "CP13"];
/** The second kill, in the recovery from the first (RR-15). */
const twice = [
  { at: "CP11", andThen: "CP19", which: "direct", ends: unknown },
  { at: "CP12", andThen: "CP19", which: "job", ends: fine },
  { at: "CP12", andThen: "CP13", which: "job", ends: fine },
  { at: "CP11", andThen: "CP14", which: "direct", ends: unknown },
  { at: "CP11", andThen: "CP15", which: "direct", ends: unknown },
] as const;

/** Of cases that differ in less than the store, the embedded one, which takes long to start, has a share that meets each point. */
const share = <T>(kind: "embedded" | "server", cases: readonly T[], isShared: (one: T) => boolean): readonly T[] =>
  kind === "server" ? cases : cases.filter(isShared);

describe.each(places)("a bot that is killed ($kind)", ({ kind, available, url }) => {
  describe.runIf(available)("and started again", () => {
    let world: CrashWorld;
    afterEach(() => world.close());

    const approve = (which: keyof typeof commands) =>
      world.thread().say("lee", `/approve ${which === "direct" ? 1 : 2}`);
    /** The one comment that tells how the run ended. */
    const endingOn = async (which: keyof typeof commands): Promise<readonly string[]> =>
      (await world.thread().comments()).flatMap(({ body }) => endOf(which).exec(body)?.[1] ?? []);
    const told = async (which: keyof typeof commands): Promise<string> => {
      const ended = endOf(which);
      await world.thread().waitFor((body) => ended.test(body), "the result");
      await world.agrees();
      const all = await endingOn(which);
      expect(all).toHaveLength(1);
      return all[0] ?? "";
    };

    /** Killed at that place while the incident is opened, or once one of its commands is approved. */
    const killAt = async (at: string, which?: keyof typeof commands): Promise<void> => {
      world = await startCrashWorld(await url());
      const { ended } = await world.start(at);
      await world.open();
      if (which) {
        await world.card();
        await approve(which);
      }
      expect(await ended).toBe("SIGKILL");
    };
    const ranAndTold = async (which: keyof typeof commands, ends: string, runs = 1): Promise<void> => {
      expect(await told(which)).toBe(ends);
      expect(world.runs(which)).toBe(runs);
    };

    it.each(share(kind, opening, (at) => at !== "CP07:2"))(
      "%s while an incident is opened: it is taken in once, and its command runs once",
      async (at) => {
        await killAt(at);
        await world.start();
        await world.card();
        await approve("direct");
        await ranAndTold("direct", fine);
      },
    );

    it.each(share(kind, approving, (at) => at === "CP02"))(
      "%s while an approval comes in: it counts, and its command runs once",
      async (at) => {
        world = await startCrashWorld(await url());
        const before = await world.start();
        await world.open();
        await world.card();
        await before.signal("SIGTERM");
        const { ended } = await world.start(at);
        await approve("job");
        expect(await ended).toBe("SIGKILL");
        await world.start();
        await ranAndTold("job", fine);
      },
    );

    const both = (["direct", "job"] as const).flatMap((which) =>
      running.map(({ at, [which]: [runs, ends] }) => ({ at, which, runs, ends })),
    );
    it.each(share(kind, both, ({ at, which }) => (which === "job") === jobsEmbedded.includes(at)))(
      "$at a $which command: ran $runs times, told as $ends",
      async ({ at, which, runs, ends }) => {
        await killAt(at, which);
        await world.start();
        await ranAndTold(which, ends, runs);
      },
    );

    it.each(["direct", "job"] as const)(
      "CP15 a %s command: it ran once, its one card stays as it is",
      async (which) => {
        await killAt("CP15", which);
        // A quick command has ended when its card is first posted; of a slower one the card says that it runs.
        const [before = which === "job" ? fine : `${fine} or ${unknown}`] = await endingOn(which);
        await world.start();
        expect(before).toContain(await told(which));
        expect(world.runs(which)).toBe(1);
      },
    );

    it("CP17 a checkpoint that is half written is none, and nothing is void for it", async () => {
      const folder = mkdtempSync(join(tmpdir(), "countersign-checkpoint-"));
      const file = join(folder, "checkpoint");
      world = await startCrashWorld(await url(), file);
      const before = await world.start();
      await world.open();
      await world.card();
      expect(await before.signal("SIGTERM")).toBe(0);
      expect(await (await world.start("CP17")).ended).toBe("SIGKILL");
      const unfinished = readdirSync(folder).filter((name) => name !== "checkpoint");
      expect(unfinished).toHaveLength(1);
      const half = join(folder, unfinished[0] ?? "");
      const whole = readFileSync(half, "utf8");
      writeFileSync(half, whole.slice(0, whole.length / 2));
      const second = await world.start();
      await approve("direct");
      await ranAndTold("direct", fine);
      expect(second.log()).not.toContain("store_restored");
      expect(await second.signal("SIGTERM")).toBe(0);
      expect(readFileSync(file, "utf8")).toMatch(/^countersign\/audit\n\d+\n[0-9a-f]{64}\n$/);
      const third = await world.start();
      expect(third.log()).not.toContain("store_restored");
      expect(await third.signal("SIGTERM")).toBe(0);
      rmSync(folder, { recursive: true });
    });

    it("CP17 before a command is sent: it is not sent, and told as unknown", async () => {
      const folder = mkdtempSync(join(tmpdir(), "countersign-checkpoint-"));
      world = await startCrashWorld(await url(), join(folder, "checkpoint"));
      // The first is of its start.
      const { ended } = await world.start("CP17:2");
      await world.open();
      await world.card();
      await approve("direct");
      expect(await ended).toBe("SIGKILL");
      const second = await world.start();
      await ranAndTold("direct", unknown, 0);
      expect(second.log()).not.toContain("store_restored");
      rmSync(folder, { recursive: true });
    });

    const drained = [
      ["direct", unknown],
      ["job", fine],
    ] as const;
    it.each(share(kind, drained, ([which]) => which === "job"))(
      "CP18 while a %s command runs: it ran once, told as %s",
      async (which, ends) => {
        world = await startCrashWorld(await url());
        const goOn = world.holdEnd();
        const first = await world.start("CP18");
        await world.open();
        await world.card();
        await approve(which);
        await world.thread().waitFor((body) => body.includes("running since"), "the run card");
        expect(await first.signal("SIGTERM")).toBe("SIGKILL");
        goOn();
        await world.start();
        await ranAndTold(which, ends);
      },
    );

    it.each(share(kind, twice, ({ andThen }) => andThen === "CP19"))(
      "RR-15 CP19 a $which command: killed at $at, and at $andThen while that is settled",
      async (one) => {
        const { at, andThen, which, ends } = one;
        await killAt(at, which);
        const second = await world.start(andThen);
        expect(await second.ended).toBe("SIGKILL");
        expect(second.log()).toContain(`KILLS ITSELF at ${andThen}: ${crashPoints[andThen]}`);
        await world.start();
        await ranAndTold(which, ends);
      },
    );
  });
});
