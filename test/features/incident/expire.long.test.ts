import { describe, expect, it } from "vitest";
import { expireOverdue, remindOfExpiry } from "../../../src/features/incident/open-close.ts";
import { usePlayground } from "../../harness/playground.ts";

describe("proposals whose time is over, or nearly", () => {
  const playground = usePlayground();

  it("RR-16 are marked on the card, and an /approve of one is answered with the next thing to type", async () => {
    const { bot, open, quiet } = playground;
    const thread = await open();
    await thread.waitFor((body) => body.includes("- [ ] **1**"), "the card");
    await quiet();
    await expireOverdue(bot.deps);
    await quiet();
    expect((await thread.comments())[0]?.body).not.toContain("expired");

    const inTwoHours = () => new Date(Date.now() + 2 * 3_600_000);
    await expireOverdue({ ...bot.deps, now: inTwoHours });
    await thread.waitFor((body) => body.includes("~~ expired"), "the marked card");
    await thread.say("lee", "/approve 1");
    const answer = await thread.waitFor((body) => body.includes("**1** has expired"), "the answer");
    expect(answer.body).toContain("`/retry 1`");
    await quiet();
    expect(playground.host.seen.commands).toEqual([]);
  });

  it("PRODUCT the team is called once on the first card, and once ten minutes before medium or high risk expires", async () => {
    const { bot, open, quiet, restart } = playground;
    const thread = await open();
    const first = await thread.waitFor((body) => body.includes("- [ ] **1**"), "the card");
    expect(first.body).toContain("\n\n📣 @acme/oncall\n");
    await thread.say("sam", "/run web-1\n```sh\nsystemctl restart web\n```");
    await thread.say("sam", "/run web-1\n```sh\nrm -r /srv/web\n```");
    await quiet();
    const at = (minutes: number) => ({ ...bot.deps, now: () => new Date(Date.now() + minutes * 60_000) });
    const told = async () =>
      (await thread.comments()).filter(({ body }) => body.startsWith("**Nobody has decided")).map(({ body }) => body);
    await remindOfExpiry(at(0));
    await quiet();
    expect(await told()).toEqual([]);
    // High risk has fifteen minutes, medium an hour.
    for (const minutes of [6, 7, 51, 52]) await remindOfExpiry(at(minutes));
    await restart();
    await remindOfExpiry({ ...playground.bot.deps, now: () => new Date(Date.now() + 53 * 60_000) });
    await quiet();
    const reminders = await told();
    expect(reminders).toHaveLength(2);
    expect(reminders[0]).toMatch(
      /^\*\*Nobody has decided, and it expires at \d\d:\d\dZ\.\*\* @acme\/oncall\n\n- \*\*3\*\* · 🔴 high · `web-1`[^\n]*\n\n`\/approve 3 web-1 <why>` · two approvers/,
    );
    expect(reminders[1]).toMatch(/@acme\/oncall\n\n- \*\*2\*\* · 🟡 medium[^\n]*\n\n`\/approve 2` · one approver/);
    const calls = (await thread.comments()).filter(({ body }) => body.includes("@acme/oncall"));
    expect(calls.map(({ id }) => id)).toEqual([first.id, ...calls.slice(1).map(({ id }) => id)]);
    expect(calls).toHaveLength(3);
  });
});
