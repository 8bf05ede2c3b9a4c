import { describe, expect, it } from "vitest";
import { usePage } from "./rendered/play-page.ts";

const playPage = usePage();

describe("what can be posted on GitHub", () => {
  it("PRODUCT stands in docs/messages.md, written by the real renderers and a bot that was asked everything (after a change: npm run texts)", async () => {
    await expect(await playPage()).toMatchFileSnapshot("../docs/messages.md");
  });
});
