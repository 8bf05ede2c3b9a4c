import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createThread } from "../../../demo/thread.ts";
import { startTalkingModel } from "../../agent/fake-model.ts";
import { alertmanagerBody, alertSources, headersFor } from "../../alert/payloads.ts";
import { endpointsOf, repo } from "../../harness/playground.ts";
import { boardOf, proposing } from "../../harness/stage.ts";
import { useFolder } from "../../harness/use-started.ts";
import { startWorld } from "../../harness/world.ts";
import { startSink } from "../../pager/sink.ts";
import { useBotPlaces } from "../../store/use-places.ts";

const here = await useBotPlaces("a pager that is told under kill -9 on a store of several processes");
const isTold = /📟 (?:PagerDuty was told|⚠️ PagerDuty may not know) that `@lee` is on it/;

/** Where the approval is stored, its job claimed, its audit written, and the pager has answered. */
const points = ["CP08", "CP04:2", "CP04:3", "CP16", "CP16:2", "CP16:3", "CP21"];

describe.each(here)(
  "AL-8 RR-07 an approval of whose pager the bot tells and is killed ($kind)",
  ({ kind, available, url }) => {
    const folder = useFolder();
    it.runIf(available).each(kind === "server" ? points : ["CP08", "CP21"])(
      "AL-8 RR-07 CP21 at %s has it told once at most, and the board says which",
      async (at) => {
        const sink = await startSink();
        sink.answer(202);
        const model = await startTalkingModel((messages) =>
          messages.some(({ role }) => role === "assistant")
            ? { text: "INCONCLUSIVE: that is all." }
            : proposing("LIKELY: on.", "cat /etc/hostname"),
        );
        const place = join(folder, at.replace(":", "-"));
        mkdirSync(place);
        writeFileSync(join(place, "key"), "0123456789abcdefABCDEF0123456789", { mode: 0o600 });
        const answer = { pager: "pagerduty", key_file: join(place, "key"), url: sink.url };
        const storeUrl = await url();
        const world = await startWorld({
          ...(storeUrl === undefined ? {} : { storeUrl }),
          config: {
            model: { endpoints: endpointsOf(model), deadline: "5s" },
            alerts: alertSources(place, repo, { answer }),
          },
        });
        try {
          await world.start();
          const posted = await fetch(`http://127.0.0.1:${world.port}/api/alerts/production`, {
            method: "POST",
            body: JSON.stringify(alertmanagerBody()),
            headers: headersFor.production(),
          });
          expect(posted.status).toBe(202);
          const listed = () => world.github.as("mona")("GET", `/repos/${repo}/issues?state=all`);
          await expect.poll(async () => (await listed()).body).toHaveLength(1);
          const thread = createThread(world.github, repo, 1);
          await thread.waitFor((body) => /^- \[ \] \*\*1\*\*/m.test(body), "the card");
          await world.github.settled();
          await world.end("SIGTERM");
          const first = await world.start({ env: { CRASH_AT: at }, mayEnd: true });
          const reborn = first.ended.then(async (end) => {
            await world.start();
            await world.redeliver();
            return end;
          });
          await thread.say("lee", "/approve 1");
          expect(await reborn).toBe("SIGKILL");
          await world.redeliver();
          await expect.poll(async () => (await boardOf(thread)) ?? "").toMatch(isTold);
          await thread.waitFor((body) => body.includes("**1** ✅") || body.includes("**1** ❓"), "the result", 240_000);
          await world.github.settled();
          // Without its answer nobody knows, so the board says so rather than have the pager told twice.
          expect(sink.received.length).toBeLessThanOrEqual(1);
          if (at === "CP21")
            expect(await boardOf(thread)).toContain("may not know that `@lee` is on it: the bot ended");
          else expect(sink.received).toHaveLength(1);
        } finally {
          await world.close();
          await model.close();
          await sink.close();
        }
      },
      150_000,
    );
  },
);
