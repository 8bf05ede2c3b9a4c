import { join } from "node:path";
import { expect, it } from "vitest";
import { environment } from "../../src/config/load.ts";
import { startStage } from "../harness/stage.ts";
import { useStarted } from "../harness/use-started.ts";
import { files, playAnswers } from "../rendered/answers.ts";
import { rendered } from "../rendered/cards.ts";
import { clusters, replayed } from "../rendered/clusters.ts";
import { playNotices, playRunning } from "../rendered/notices.ts";
import { renderPage } from "../rendered/page.ts";
import { writeText } from "./files.ts";

const stage = useStarted(() => startStage({ files }));
const alone = useStarted(() =>
  startStage({
    files,
    config: { policy: { lease: { allowed: true, servers: ["web-1"] } }, agent: { max_steps: 4 } },
  }),
);

it("writes every comment that can be posted", async () => {
  const { ORACLE_OUT: out } = environment();
  if (out === undefined) throw new Error("ORACLE_OUT names the folder");
  const answers = await playAnswers(stage, alone);
  const page = renderPage([
    ...rendered,
    clusters,
    await playNotices(stage),
    await playRunning(),
    ...answers,
    replayed(),
  ]);
  writeText(join(out, "page.md"), page);
  expect(page).toContain("# Every message");
});
