import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { useStarted } from "../../harness/use-started.ts";
import { type Fact, facts, lostEvents } from "./last-look-facts.ts";
import { type Cell, type LookGround, soon, startLookGround } from "./last-look-ground.ts";
import { type Moment, moments, tooOldMs, type Waiting } from "./last-look-moments.ts";

interface Played extends Waiting {
  readonly moment: Moment;
  readonly cell: Cell;
}

/** One command for each moment, proposed, approved, and waiting there. */
async function waitEverywhere(ground: LookGround, fact: Fact | undefined): Promise<readonly Played[]> {
  const taken = moments.filter(({ server }) => fact?.not?.[server] === undefined);
  const cells = await Promise.all(taken.map((moment) => moment.propose(ground)));
  await ground.quiet();
  const wait = async (index: number): Promise<Played> => {
    const [moment, cell] = [taken[index] as Moment, cells[index] as Cell];
    const waiting = await moment.prepare(ground, cell);
    cell.approvedBy = await cell.thread.say("lee", cell.approval);
    await waiting.waits().catch(async (error: unknown) => {
      throw new Error(`at ${moment.name}; known is:\n${await ground.against(cell)}`, { cause: error });
    });
    return { moment, cell, ...waiting };
  };
  const patient: Played[] = [];
  const short: number[] = [];
  // One after the other, since all at once keep GitHub's answers waiting for each other; at last those that wait for seconds only.
  for (const [index, { isShort }] of taken.entries())
    if (isShort) short.push(index);
    else patient.push(await wait(index));
  return [...patient, ...(await Promise.all(short.map(wait)))];
}

const sentOf = (ground: LookGround, { cell }: Played): number => ground.begun(cell.token) - cell.begunBefore;

/** Waits until it was sent, or `words` are said of it. */
async function settled(ground: LookGround, played: Played, words?: RegExp): Promise<void> {
  const { cell, moment } = played;
  const found = soon("", async () => {
    if (sentOf(ground, played) > 0 || words?.test(await ground.against(cell))) return true;
    await sleep(100);
    return undefined;
  });
  await found.catch(async () => {
    throw new Error(
      `waited in vain at ${moment.name} for ${words ?? "its start"}; known is:\n${await ground.against(cell)}`,
    );
  });
}

/** What tells at this moment that a fact kept a command from being sent. */
function wordsOf({ moment }: Played, { told }: Fact): RegExp {
  // Nothing that was approved before a hold is ever sent after it, whatever else has changed.
  if (moment.server === "hold") return new RegExp(`${told.source}|hold was lifted|held by`);
  // GitHub's answer may come too late even for /approve, which then asks once more and says no itself.
  if (moment.server === "own") return new RegExp(`${told.source}|Nothing was run`);
  return told;
}

/** Every fact an approval rests on, flipped at every moment at which its command can wait, on a store of a kind where there is one. */
export function proveLastLook(kind: string, url: (() => Promise<string | undefined>) | undefined): void {
  describe.runIf(url)(`between an approval and its command, at every moment at which it can wait (${kind})`, () => {
    const all: Played[] = [];
    const table: string[] = [];
    const ground = useStarted(async () => startLookGround(await url?.()));
    afterAll(async () => {
      const legend = moments.map(({ name }, n) => `${n + 1} ${name}`).join(" · ");
      console.log([`sent, of one command each (${kind}); ${legend}`, ...table].join("\n"));
    });

    const draw = (name: string, cellOf: (moment: Moment) => string): void => {
      table.push(`${name.padEnd(38)} ${moments.map((moment) => cellOf(moment).padStart(3)).join("")}`);
    };

    it("SR-24 with nothing changed it is sent, once", async () => {
      const played = await waitEverywhere(ground, undefined);
      await sleep(tooOldMs);
      for (const { letGo } of played) await letGo();
      for (const one of played) {
        if (one.moment.server === "hold") {
          await soon(
            "the hold is over",
            async () => /hold was lifted/.test(await ground.against(one.cell)) || undefined,
          );
          expect(sentOf(ground, one)).toBe(0);
          await one.cell.thread.say("lee", one.cell.approval);
        }
        await settled(ground, one);
      }
      await ground.quiet();
      draw("nothing", (moment) =>
        String(played.filter((one) => one.moment === moment).map((one) => sentOf(ground, one))),
      );
      expect(played.map((one) => [one.moment.name, sentOf(ground, one)])).toEqual(moments.map(({ name }) => [name, 1]));
    });

    it.each(facts)("SR-24 $name: nothing is sent", async (fact) => {
      try {
        const played = await waitEverywhere(ground, fact);
        all.push(...played);
        for (const event of lostEvents) ground.github.fault({ event, times: 1_000_000 }, { drop: "before" });
        const cells = played.map(({ cell }) => cell);
        if (!fact.late) await fact.flip(ground, cells);
        const early = played.filter((one) => sentOf(ground, one) > 0).map(({ moment }) => moment.name);
        if (early.length > 0) throw new Error(`this machine is too slow to hold up: ${early.join(", ")}`);
        await sleep(tooOldMs);
        if (fact.late) await fact.flip(ground, cells);
        for (const { letGo } of played) await letGo();
        for (const one of played) await settled(ground, one, wordsOf(one, fact));
        draw(fact.name, (moment) => {
          const one = played.find((candidate) => candidate.moment === moment);
          return one ? String(sentOf(ground, one)) : "–";
        });
        for (const [server, why] of Object.entries(fact.not ?? {})) {
          const place = moments.findIndex((moment) => moment.server === server) + 1;
          table.push(`  – at ${place}: ${why}`);
        }
        expect(played.filter((one) => sentOf(ground, one) > 0).map(({ moment }) => moment.name)).toEqual([]);
      } finally {
        await ground.retire();
        await fact.undo?.(ground);
        // A webhook of this fact must not void what is proposed for the next.
        await ground.quiet();
      }
    });

    it("SR-24 and nothing of it later either, when all is as it was again", async () => {
      await sleep(2_000);
      await ground.quiet();
      expect(all.filter((one) => sentOf(ground, one) > 0).map(({ moment, cell }) => [moment.name, cell.token])).toEqual(
        [],
      );
      expect(ground.github.invalid()).toEqual([]);
    });
  });
}
