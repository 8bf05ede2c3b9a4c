import { describe, expect, it } from "vitest";
import { startStage } from "./harness/stage.ts";
import { useStarted } from "./harness/use-started.ts";
import { files, playAnswers } from "./rendered/answers.ts";
import { rendered } from "./rendered/cards.ts";
import { clusters, replayed } from "./rendered/clusters.ts";
import { playNotices, playRunning } from "./rendered/notices.ts";
import { renderPage } from "./rendered/page.ts";

const stage = useStarted(() => startStage({ files }));
const alone = useStarted(() =>
  startStage({
    files,
    config: { policy: { lease: { allowed: true, servers: ["web-1"] } }, agent: { max_steps: 4 } },
  }),
);

describe("what can be posted on GitHub", () => {
  it("PRODUCT stands in docs/messages.md, written by the real renderers and a bot that was asked everything", async () => {
    const answers = await playAnswers(stage, alone);
    const page = renderPage([
      ...rendered,
      clusters,
      await playNotices(stage),
      await playRunning(),
      ...answers,
      replayed(),
    ]);
    await expect(page).toMatchFileSnapshot("../docs/messages.md");
  });
});
