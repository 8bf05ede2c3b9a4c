import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Stage, startStage } from "./jobs/stage.ts";
import { files, playAnswers } from "./rendered/answers.ts";
import { rendered } from "./rendered/cards.ts";
import { playNotices, playRunning } from "./rendered/notices.ts";
import { renderPage } from "./rendered/page.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await startStage({ files });
});
afterAll(() => stage.close());

describe("what can be posted on GitHub", () => {
  it("PRODUCT stands in docs/messages.md, written by the real renderers and a bot that was asked everything", async () => {
    const answers = await playAnswers(stage);
    const page = renderPage([...rendered, await playNotices(stage), await playRunning(), ...answers]);
    await expect(page).toMatchFileSnapshot("../docs/messages.md");
  });
});
