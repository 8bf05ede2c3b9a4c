import { describe, expect, it } from "vitest";
import { alertmanagerBody, headersFor } from "../alert/payloads.ts";
import { startAlertStage } from "../alert/sender.ts";
import { useStarted } from "../harness/use-started.ts";
import { postWebhook } from "../harness/webhook.ts";
import { floods, startFlood } from "../http/flood.ts";

const stage = useStarted(() => startAlertStage());

/** Posts signed webhooks of another repository, all at once; their statuses. */
const postSigned = (count: number): Promise<readonly number[]> => {
  const push = { ref: "refs/heads/main", repository: { id: 8, full_name: "acme/other" } };
  return Promise.all(Array.from({ length: count }, () => postWebhook(stage, "push", push)));
};

const sizes = [
  { count: 512, addresses: 1 },
  { count: 2_000, addresses: 1 },
  { count: 2_000, addresses: 7 },
] as const;

describe("SR-62 a whole bot whose doors are wanted by thousands who show nobody who they are", () => {
  it.each(
    Object.entries(floods).map(([what, flood], index) => ({
      what,
      flood,
      ...(sizes[index % sizes.length] ?? sizes[0]),
    })),
  )(
    "takes every webhook, /hold --kill and alert: $what, $count from $addresses addresses",
    async ({ flood, ...from }) => {
      const thread = await stage.incident("uptime");
      const attack = await startFlood(stage.bot.url, flood, from);
      const before = stage.github.deliveries().length;
      try {
        expect(new Set(await postSigned(64))).toEqual(new Set([202]));
        const held = await stage.ask(thread, "lee", "/hold --kill");
        expect(held.isMarked("rocket")).toBe(true);
        expect(
          new Set(
            stage.github
              .deliveries()
              .slice(before)
              .map(({ status }) => status),
          ),
        ).toEqual(new Set([202]));
        const alert = JSON.stringify(alertmanagerBody({ status: "resolved" }));
        expect(await stage.post("/api/alerts/production", alert, headersFor.production())).toMatch(/^202 /);
        expect((await fetch(`${stage.bot.url}/readyz`)).status).toBe(200);
      } finally {
        attack.stop();
      }
      // Nothing lost, nothing twice, nothing left behind.
      await stage.ask(thread, "lee", "/resume");
      await stage.quiet();
      const { db } = stage.bot.deps.store;
      const left = db.selectFrom("delivery").select(["event", "state"]).where("state", "!=", "done");
      expect(await left.execute()).toEqual([]);
      const holds = (await thread.comments()).filter(({ body }) => body.includes("/hold --kill"));
      expect(holds).toHaveLength(1);
      const troubles = stage.log.filter(({ level, event }) => level === "error" || event === "job_failed");
      expect(troubles).toEqual([]);
    },
  );
});
