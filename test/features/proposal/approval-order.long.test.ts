import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { repo } from "../../harness/playground.ts";
import { cardOf, type Stage, sayUnheard, startStage, statesOf } from "../../harness/stage.ts";
import { useBotPlaces } from "../../store/use-places.ts";

const places = await useBotPlaces("approvals that were written before their cards, on a server's store");

describe.each(places)("what GitHub's clock does not tell, since it has whole seconds ($kind)", ({ available, url }) => {
  describe.runIf(available)("and ids do", () => {
    let stage: Stage;
    beforeAll(async () => {
      const storeUrl = await url();
      stage = await startStage(storeUrl === undefined ? {} : { storeUrl });
    });
    afterEach(() => {
      vi.useRealTimers();
      stage.model.verify();
    });
    afterAll(() => stage.close());

    const writtenAt = async (id: number): Promise<unknown> => {
      const { body } = await stage.github.as("mona")("GET", `/repos/${repo}/issues/comments/${id}`);
      return (body as { readonly created_at: string }).created_at;
    };

    it("SR-25 an approval that was written before its card within a second, and comes after it, runs nothing", async () => {
      const thread = await stage.incident("uptime");
      const before = stage.ran().length;
      await stage.quiet();
      vi.useFakeTimers({ toFake: ["Date"] });
      const early = await sayUnheard(stage, thread, "lee", "/approve 2");
      await thread.say("sam", "/run web-1\n```sh\ndf -h\n```");
      await thread.waitFor((body) => body.includes("- [ ] **2**"), "the card");
      await stage.quiet();
      vi.useRealTimers();
      const approval = (await thread.comments()).find(({ body }) => body === "/approve 2");
      const card = await cardOf(thread, 2);
      expect(await writtenAt(card.id)).toBe(await writtenAt(approval?.id ?? 0));
      expect(card.id).toBeGreaterThan(approval?.id ?? Number.POSITIVE_INFINITY);
      await early.deliver();
      expect(stage.ran()).toHaveLength(before);
      expect(await statesOf(stage, thread.number)).toEqual({ 1: "proposed", 2: "proposed" });
      const said = (await thread.comments()).map(({ body }) => body).join("\n");
      expect(said).toContain("**2** was not on the issue yet when you wrote this. Read it, and approve it then.");
      stage.model.play({ text: "CONFIRMED by 2: nothing more to do." });
      await thread.say("lee", "/approve 2");
      await thread.waitFor((body) => body.includes("othing more to do"), "the reading");
      expect(stage.ran()).toHaveLength(before + 1);
    });
  });
});
