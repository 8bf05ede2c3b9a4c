import { pino } from "pino";
import { afterEach, expect, it, vi } from "vitest";
import { keepCatchUp } from "../../src/features/intake/catch-up.ts";
import { openStore } from "../../src/store/database/open.ts";
import { openIncident } from "../../src/store/incidents.ts";
import { freshFolder, removeFolder } from "../store/fresh.ts";

afterEach(() => vi.useRealTimers());

it("RR-03 F-04 what a look could not read because GitHub did not answer, the next one reads from the same time on, and soon", async () => {
  const folder = await freshFolder();
  const store = await openStore(`file:${folder}`);
  for (const [number, repo] of [
    [1, "acme/web"],
    [2, "acme/shop"],
  ] as const)
    await store.transaction((tx) =>
      openIncident(tx, {
        issue: { installationId: 1, repoId: number, repo, number, nodeId: `I_${number}` },
        title: "Disk full",
        body: "",
        public: false,
        labels: [],
        opener: { id: 1, login: "mona" },
        stepLimit: 20,
      }),
    );
  const asked: string[] = [];
  let down = true;
  const log = pino({ level: "silent" });
  vi.useFakeTimers({ toFake: ["setTimeout", "setInterval", "clearTimeout", "clearInterval"] });
  // The store's clock is not ours: this one is hours later, as after a night in which nothing was heard.
  const startedAt = Date.now() + 5 * 3_600_000;
  let passedMs = 0;
  const now = () => new Date(startedAt + passedMs);
  const repositories = ["acme/web", "acme/shop"].map((name) => ({ name, servers: [], allowPublic: false }));
  const config = { repositories };
  const catching = keepCatchUp(
    { config, store, log, now },
    {
      failedSince: async () => ({ attempts: [], isWhole: true }),
      redeliver: async () => {},
      issue: async () => ({}),
      receive: async () => "stored",
      commentsSince: async ({ repo }, since) => {
        asked.push(`${repo} ${since.getTime() < startedAt - 3_600_000 ? "from its opening" : "since the last look"}`);
        if (down && repo === "acme/web") throw new Error("502");
        return [];
      },
    },
  );
  const looks = async (count: number) => {
    while (asked.length < count) await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    return asked.splice(0);
  };
  const later = async (ms: number) => {
    passedMs += ms;
    await vi.advanceTimersByTimeAsync(ms);
  };
  expect(await looks(2)).toEqual(["acme/web from its opening", "acme/shop from its opening"]);
  down = false;
  await later(30_000);
  expect(await looks(2)).toEqual(["acme/web from its opening", "acme/shop since the last look"]);
  await later(270_000);
  expect(await looks(2)).toEqual(["acme/web since the last look", "acme/shop since the last look"]);
  vi.useRealTimers();
  await catching.stop();
  await store.close();
  removeFolder(folder);
});
