import { describe, expect, it } from "vitest";
import { startTalkingModel } from "../../agent/fake-model.ts";
import { endpointsOf } from "../../harness/playground.ts";
import { proposing } from "../../harness/stage.ts";
import { startWorld } from "../../harness/world.ts";
import { commandsOf, saying } from "../../ssh/fake-host.ts";
import { usePlaces } from "../../store/use-places.ts";

const here = await usePlaces("a guard's repeats under kill -9 on a PostgreSQL server");
const check = "cat /etc/hostname";
const change = "touch /tmp/restarted";
/** From the approval of the change, whose check ran before and is repeated, to both results. */
const points = [
  ...["CP04", "CP04:2", "CP04:3", "CP08", "CP16", "CP16:2", "CP16:3", "CP16:4", "CP16:5", "CP16:6"],
  ...["CP07", "CP09", "CP09:2", "CP10", "CP10:2", "CP11", "CP11:2", "CP12", "CP13", "CP13:2", "CP14", "CP14:2", "CP15"],
];

describe.each(here)("AR-26 RR-06 a guarded change in whose midst the process is killed ($kind)", ({ create }) => {
  it.each(points)(
    "AR-26 RR-06 at %s is sent once, behind a check that ran since its approval, or is open again",
    async (at) => {
      const model = await startTalkingModel((messages) =>
        messages.some(({ role }) => role === "assistant")
          ? { text: "INCONCLUSIVE: that is all." }
          : proposing("LIKELY: on.", check, { command: change, when: { check: 1, shows: "web" } }),
      );
      const world = await startWorld({
        play: saying("web\n"),
        storeUrl: await create(),
        config: { model: { endpoints: endpointsOf(model), deadline: "5s" } },
      });
      try {
        await world.start();
        const thread = await world.open({ title: "Something is odd on web-1", body: "It is slow since 14:02Z." });
        await thread.waitFor((body) => /^- \[ \] \*\*2\*\*/m.test(body), "the card");
        await thread.say("lee", "/approve 1");
        await thread.waitFor((body) => body.includes("**1** ✅"), "the check");
        await world.end("SIGTERM");
        const begun = commandsOf(world.host).length;
        const first = await world.start({ env: { CRASH_AT: at }, mayEnd: true });
        const reborn = first.ended.then(async (end) => {
          await world.start();
          await world.redeliver();
          return end;
        });
        await thread.say("lee", "/approve 2");
        expect(await reborn).toBe("SIGKILL");
        await world.redeliver();
        const isOver = (body: string): boolean => /\*\*2\*\* [✅❓🔌]|Needs approval again: 2/u.test(body);
        const { body } = await thread.waitFor(isOver, "what became of the change", 60_000);
        if (body.includes("Needs approval again")) {
          expect(commandsOf(world.host).slice(begun).filter(isChange)).toEqual([]);
          await thread.say("lee", "/approve 2");
          await thread.waitFor((text) => text.includes("**2** ✅"), "the change", 60_000);
        }
        await world.github.settled();
        const sent = commandsOf(world.host).slice(begun);
        const all = (await thread.comments()).map((one) => one.body).join("\n");
        expect(sent.filter(isChange).length).toBeLessThanOrEqual(1);
        if (all.includes("**2** ✅")) expect(sent.filter(isChange)).toHaveLength(1);
        if (sent.some(isChange)) expect(sent.findIndex((one) => one.includes(check))).toBe(0);
        // No run of the check is sent twice.
        const checks = all.match(/^\*\*\d+\*\* [✅❓🔌]/gmu) ?? [];
        expect(sent.filter((one) => one.includes(check)).length).toBeLessThan(checks.length);
      } finally {
        await world.close();
        await model.close();
      }
    },
    150_000,
  );
});

/** A job's start; its other words only look after it. */
const isChange = (command: string): boolean => command.includes(change) && command.includes(" start ");
