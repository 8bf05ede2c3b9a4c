import { readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { FakeModel } from "../agent/fake-model.ts";
import { attachHeap } from "../harness/live-heap.ts";
import { memoryOf, type World } from "../harness/world.ts";
import type { Stand, Trouble } from "./life.ts";

/** Kills a process at random and starts it again, `times` times or as long as incidents are opened. */
export const killing =
  (nextMoment: (stand: Stand, kills: number) => Promise<unknown>, times?: number): Trouble =>
  async (stand) => {
    const { world, chance, spared, isOpening, count } = stand;
    const starting: Promise<unknown>[] = [];
    for (let kills = 0; times === undefined ? isOpening() : kills < times; ) {
      await nextMoment(stand, kills);
      const up = world.members.filter((member) => member.bot && !spared.has(member));
      if (up.length === 0) continue;
      const victim = chance.pick(up);
      await victim.end("SIGKILL");
      kills++;
      count("kill");
      const start = victim.start();
      starting.push(start);
      // The others go on meanwhile.
      if (world.members.length === 1) await start;
    }
    await Promise.all(starting);
  };

/** Longer than the 15 s after which what a process holds is another's (F-35). */
const frozenMs = 20_000;
const cutMs = 8_000;

/** The last process is frozen for longer than its lease while the first has lost its way to the database; both must live on. */
export const freezingAndCutting =
  (afterMs: number): Trouble =>
  async ({ world, spared, tell, count }) => {
    const [cutOff, frozen] = [world.members.at(0), world.members.at(-1)];
    if (!cutOff || !frozen) return;
    spared.add(cutOff).add(frozen);
    await sleep(afterMs);
    while (!(frozen.bot && cutOff.bot)) await sleep(50);
    tell("one is frozen, one is cut off");
    frozen.bot.child.kill("SIGSTOP");
    world.cable.cut();
    await sleep(cutMs);
    world.cable.mend();
    await sleep(frozenMs - cutMs);
    frozen.bot.child.kill("SIGCONT");
    // What it held is another's now: whether it notices is seen by what it does next.
    await sleep(5_000);
    tell("both are back");
    count("frozen and cut off");
    spared.clear();
  };

/** Has the database crash every so often. */
export const crashingStore =
  (crash: () => Promise<void>, everyMs: number): Trouble =>
  async ({ isOpening, count }) => {
    for (await sleep(everyMs); isOpening(); await sleep(everyMs)) {
      await crash();
      count("crash of the database");
    }
  };

const faultEveryMs = 2_000;

/** A random fault every two seconds; each is over by itself. */
export const striking =
  (model: FakeModel): Trouble =>
  async ({ world, chance: { below, pick }, isOpening, count }) => {
    const { github, host, cable } = world;
    const faults: Readonly<Record<string, () => void | Promise<void>>> = {
      "GitHub 5xx": () => github.fault({ times: 5 }, { status: pick([500, 502, 503]) }),
      "GitHub secondary limit": () =>
        github.fault({ method: "POST", path: /comments/, times: 1 }, { status: 403, headers: { "retry-after": "3" } }),
      "answer lost": () => github.fault({ method: "POST", path: /comments/, times: 2 }, { drop: "after" }),
      "request lost": () => github.fault({ times: 3 }, { drop: "before" }),
      "webhook lost": () => github.fault({ event: "issue_comment", times: 2 }, { drop: "before" }),
      "webhook twice": () => github.fault({ event: "issue_comment.created", times: 3 }, { duplicate: 2 }),
      "tokens revoked": () => github.revokeTokens(),
      "SSH reset": () => host.resetAll(),
      "database cut off": async () => {
        cable.cut();
        await sleep(500 + below(2_500));
        cable.mend();
      },
      "model fails": () =>
        model.play(
          pick([{ status: 529 }, { fault: "reset" }, { fault: "half-body" }, { status: 200, body: "<html>" }] as const),
        ),
      nothing: () => undefined,
    };
    for (await sleep(faultEveryMs); isOpening(); await sleep(faultEveryMs)) {
      const [name, strike] = pick(Object.entries(faults));
      count(name);
      await strike();
    }
    github.clearFaults();
    cable.mend();
  };

interface Measured {
  readonly atMs: number;
  readonly handles: number;
  readonly heapMb: number;
  readonly memoryMb: number;
}

/** Measures a world's one process, which was started with `--inspect=127.0.0.1:0`, every half minute (RR-23). */
export async function startMeasuring(world: World, tell: (what: string) => void) {
  const heap = await attachHeap(world.bot.said());
  const measured: Measured[] = [];
  const started = performance.now();
  const measure = async (): Promise<void> => {
    if (world.lost.length > 0) return;
    const heapMb = await heap.liveMb().catch(() => Number.NaN);
    const memoryMb = memoryOf(world.bot).nowMb;
    const handles = readdirSync(`/proc/${world.bot.child.pid}/fd`).length;
    const atMs = performance.now() - started;
    measured.push({ atMs, handles, heapMb, memoryMb });
    tell(
      `${(atMs / 60_000).toFixed(1).padStart(5)} min  ${handles} handles  ${heapMb.toFixed(1)} MB of ${memoryMb.toFixed(0)}`,
    );
  };
  const trouble: Trouble = async ({ isOpening }) => {
    for (let nextAt = started + 30_000; isOpening(); await sleep(250)) {
      if (performance.now() < nextAt) continue;
      nextAt += 30_000;
      await measure();
    }
  };
  return {
    trouble,
    measure,
    /** Grown since the warm-up of `playedMs`, as parts of 1; not a number if that was too short to tell. */
    growth: (playedMs: number) => {
      heap.close();
      const warm = measured.filter(({ atMs }) => atMs > Math.max(60_000, playedMs / 4));
      const { heapMb = Number.NaN, memoryMb = Number.NaN } = measured.at(-1) ?? {};
      return {
        handlesGrown: grown(warm.map(({ handles }) => handles)),
        heapGrown: grown(warm.map((one) => one.heapMb)),
        heapMb,
        memoryMb,
      };
    },
  };
}

/** From the first third to the last: a single look says little of a process that collects its garbage when it likes. */
function grown(looks: readonly number[]): number {
  const third = Math.floor(looks.length / 3);
  const median = (part: readonly number[]): number =>
    part.toSorted((a, b) => a - b)[Math.floor(part.length / 2)] ?? Number.NaN;
  return third === 0 ? Number.NaN : median(looks.slice(-third)) / median(looks.slice(0, third)) - 1;
}
