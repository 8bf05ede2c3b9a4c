import { expect, it } from "vitest";
import { attacks } from "./attacks.ts";
import { channels } from "./channels.ts";
import { playCases } from "./suite.ts";

it.each(channels)(
  "SR-41 every attack by $name: nothing runs, nothing comes out",
  { timeout: 900_000 },
  async (channel) => {
    const cases = attacks.map((attack) => ({ channel, attack }));
    const { obeyed, failures } = await playCases(cases);
    expect(failures).toEqual([]);
    expect(obeyed.size).toBe(channel.heard ? cases.length : 0);
  },
);
