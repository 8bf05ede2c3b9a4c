import { setTimeout as sleep } from "node:timers/promises";
import { proposing, startStage } from "../harness/stage.ts";
import { percentile, type Row } from "./row.ts";

const incidents = 20;
const answerMs = 10_000;

/** Twenty incidents at once while the model takes ten seconds for an answer; the peer lets four turns wait for it, as an agent with a small pool does. */
export async function run(): Promise<Row[]> {
  const [ours, peer] = [await cardTimes(32), await cardTimes(4)];
  return [0.5, 1].map((part) => {
    const [mine, other] = [percentile(ours, part) / 1_000, percentile(peer, part) / 1_000];
    return {
      case: `${incidents} incidents at once, a model that takes ${answerMs / 1_000} s: ${part === 1 ? "last card" : "card, median"}`,
      unit: "s",
      ours: mine,
      peer: other,
      peerName: "the same with model.at_once: 4",
      ratio: other / mine,
      better: "lower",
      runs: incidents,
    };
  });
}

/** From the opened issue to its card, in ms. */
async function cardTimes(atOnce: number): Promise<readonly number[]> {
  const stage = await startStage({
    configure: (config) => {
      config.model = { ...(config.model as object), deadline: "1m", at_once: atOnce };
    },
  });
  stage.model.otherwise(async () => {
    await sleep(answerMs);
    return proposing("LIKELY: looking.", "uptime");
  });
  try {
    return await Promise.all(
      Array.from({ length: incidents }, async () => {
        const began = performance.now();
        const thread = await stage.open();
        await thread.waitFor((body) => body.includes("- [ ] **1**"), "the card");
        return performance.now() - began;
      }),
    );
  } finally {
    await stage.close();
  }
}
