import { expect, it } from "vitest";
import { toUtf8 } from "../../src/ssh/decode.ts";

it("AR-06 a megabyte of what looks like something else is read in the time that its length takes", () => {
  const begun = process.cpuUsage().user;
  for (const piece of ["\x84", "├─", "a\x84", "\x93 ", "<Objs ", "#< CLIXML\n<Objs "])
    toUtf8(Buffer.from(piece.repeat(300_000), "latin1"));
  // Backtracking would take hours; half a second is usual.
  expect(process.cpuUsage().user - begun).toBeLessThan(60_000_000);
});
