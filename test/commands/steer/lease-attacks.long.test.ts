import { afterEach, describe, expect, it } from "vitest";
import { useStarted } from "../../harness/use-started.ts";
import { usePlaces } from "../../store/use-places.ts";
import {
  claimAtOnce,
  disguise,
  disguisesAt,
  forge,
  forgeriesOn,
  leasedRead,
  narrow,
  places,
  playsOn,
  serve,
  startLeaseGround,
  ways,
} from "./lease-attacks.ts";

const here = await usePlaces("leases under attack on a PostgreSQL server");
// One bot opens no more incidents than so many in an hour, so each kind has its own.
const kinds = here.flatMap((store) => ways.flatMap((way) => places.map((place) => ({ ...store, way, place }))));

describe.each(kinds)("AR-03 a lease under attack: $way on $place ($kind)", ({ create, way, place }) => {
  const stage = useStarted(async () => startLeaseGround(await create()));
  let before: typeof stage.bot.deps.config | undefined;
  // What a play changed for all is as it was.
  afterEach(async () => {
    if (!before) return;
    stage.bot.reload(before);
    before = undefined;
    await narrow(stage, "{}\n");
    await stage.bot.deps.store.db.deleteFrom("hold").execute();
  });

  it("AR-03 SR-24 SR-41 nothing of 150 attacks gets through", async () => {
    const read = await leasedRead(stage, way, place);
    const forgeries = forgeriesOn(read);
    const attacks = forgeries.length + disguisesAt[place].length + playsOn(way).length;
    expect(attacks).toBeGreaterThanOrEqual(150);
    expect(await forge(read, forgeries)).toEqual([]);
    expect(await disguise(read)).toEqual([]);
    console.info(`lease: ${attacks} attacks on ${way}, ${place}`);
  });

  it("AR-03 RR-06 runs once though it is served twice, and its count is exact with twenty claims at once", async () => {
    const read = await leasedRead(stage, way, place);
    expect(await Promise.all([serve(read), serve(read)])).toEqual([1, 1]);
    expect(await claimAtOnce(read)).toEqual({ taken: 1, used: 2 });
  });

  it.each(playsOn(way))("AR-03 RR-04 nothing is sent behind: %s", async (_, play) => {
    before = stage.bot.deps.config;
    const read = await leasedRead(stage, way, place);
    await play(read);
    expect(await serve(read)).toBe(0);
  });
});
