import { describe, expect, it } from "vitest";
import { repo } from "../../harness/playground.ts";
import { boardOf, useStage } from "../../harness/stage.ts";

const stage = useStage();
const pins = () => stage.github.requests().filter(({ method, path }) => method === "PUT" && path.endsWith("/pin"));

describe("a board", () => {
  it("AL-7 is pinned once; where GitHub refuses, everything else is as without", async () => {
    const thread = await stage.incident("uptime");
    const board = (await thread.comments()).find(({ body }) => body.includes("Board of this incident"));
    expect(pins().map(({ path, status }) => `${status} ${path}`)).toEqual([
      `200 /repos/${repo}/issues/comments/${board?.id}/pin`,
    ]);
    await stage.ask(thread, "lee", "/approve 1", { text: "CONFIRMED by 1: fine." });
    expect(pins()).toHaveLength(1);

    stage.github.resetCounts();
    stage.github.fault({ method: "PUT", path: /\/pin$/, times: 10 }, { status: 404 });
    const plain = await stage.incident("uptime");
    const { isMarked } = await stage.ask(plain, "lee", "/approve 1", { text: "CONFIRMED by 1: fine." });
    expect(isMarked("rocket")).toBe(true);
    expect(await boardOf(plain)).toMatch(/\*\*1\*\*: ✅ /);
    expect(pins().map(({ status }) => status)).toEqual([404]);
    expect(stage.log.filter(({ event }) => event === "pin_refused")).toHaveLength(1);
    stage.github.clearFaults();
  });
});
