import { expect, it } from "vitest";
import { useStarted } from "../../harness/use-started.ts";
import {
  claimAtOnce,
  disguise,
  forge,
  forgeriesOn,
  leasedRead,
  places,
  startLeaseGround,
  ways,
} from "./lease-attacks.ts";

const stage = useStarted(() => startLeaseGround());
/** Each way and each place once; the long test has all of them, on both stores. */
const kinds = ways.map((way, index) => ({ way, place: places[index] ?? "web-1" }));

it.each(kinds)(
  "AR-03 SR-24 SR-41 nothing of what is tried on a lease gets through: $way on $place",
  { tags: ["long"] },
  async (kind) => {
    const read = await leasedRead(stage, kind.way, kind.place);
    const some = forgeriesOn(read).filter((_, index) => index % 5 === ways.indexOf(kind.way));
    expect(await forge(read, some)).toEqual([]);
    expect(await disguise(read)).toEqual([]);
    expect(await claimAtOnce(read)).toEqual({ taken: 2, used: 2 });
  },
);
