import { startStage } from "../harness/stage.ts";
import { useStarted } from "../harness/use-started.ts";
import { files, playAnswers } from "./answers.ts";
import { rendered } from "./cards.ts";
import { clusters, replayed } from "./clusters.ts";
import { playNotices, playRunning } from "./notices.ts";
import { renderPage } from "./page.ts";

/** Starts two bots for the tests of a file; the function plays every message and returns the page of them. */
export function usePage(): () => Promise<string> {
  const stage = useStarted(() => startStage({ files }));
  const alone = useStarted(() =>
    startStage({
      files,
      config: { policy: { lease: { allowed: true, servers: ["web-1"] } }, agent: { max_steps: 4 } },
    }),
  );
  return async () => {
    const answers = await playAnswers(stage, alone);
    return renderPage([...rendered, clusters, await playNotices(stage), await playRunning(), ...answers, replayed()]);
  };
}
