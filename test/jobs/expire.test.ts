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
    const { db } = bot.world.store;
    const { id: _, ...first } = await db.selectFrom("incident").selectAll().executeTakeFirstOrThrow();
    const gone = { id: crypto.randomUUID(), ...first, repoId: 1, repo: "acme/gone", labels: "[]" };
    await db.insertInto("incident").values(gone).execute();
    const { spec, findings, ...action } = await db.selectFrom("action").selectAll().executeTakeFirstOrThrow();
    await db
      .insertInto("action")
      .values({
        ...action,
        id: "00000000-0000-7000-8000-000000000000",
        incidentId: gone.id,
        spec: JSON.stringify(spec),
        findings: JSON.stringify(findings),
      })
      .execute();
    // Of this repository GitHub shows nothing any more.
    await expireOverdue({ ...bot.world, now: inTwoHours });
    expect(playground.log.filter(({ event }) => event === "expiry_late")).toMatchObject([{ incidentId: gone.id }]);
    await thread.waitFor((body) => body.includes("~~ expired"), "the marked card");
    await thread.say("lee", "/approve 1");
    const answer = await thread.waitFor((body) => body.includes("**1** has expired"), "the answer");
    expect(answer.body).toContain("`/retry 1`");
    await quiet();
    expect(host.seen.commands).toEqual([]);
  });
});
