import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expireOverdue } from "../../src/jobs/expire.ts";
import { entryOf, type Playground, startPlayground } from "../playground.ts";
import { type FakeHost, startFakeHost } from "../ssh/fake-host.ts";

describe("proposals whose time is over", () => {
  let host: FakeHost;
  let playground: Playground;

  beforeAll(async () => {
    host = await startFakeHost(async () => 0);
    playground = await startPlayground({
      servers: {
        "web-1": entryOf(host),
      },
    });
  });
  afterAll(async () => {
    await playground.close();
    await host.close();
  });

  it("RR-16 are marked on the card, and an /approve of one is answered with the next thing to type", async () => {
    const { bot, open, quiet } = playground;
    const thread = await open();
    await thread.waitFor((body) => body.includes("- [ ] **1**"), "the card");
    await quiet();
    await expireOverdue(bot.world);
    await quiet();
    expect((await thread.comments())[0]?.body).not.toContain("expired");

    const inTwoHours = () => new Date(Date.now() + 2 * 3_600_000);
    await expireOverdue({ ...bot.world, now: inTwoHours });
    await thread.waitFor((body) => body.includes("~~ expired"), "the marked card");
    await thread.say("lee", "/approve 1");
    const answer = await thread.waitFor((body) => body.includes("**1** has expired"), "the answer");
    expect(answer.body).toContain("`/retry 1`");
    await quiet();
    expect(host.seen.commands).toEqual([]);
  });
});
