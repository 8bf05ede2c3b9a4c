import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { seed } from "../harness/chance.ts";
import { useStarted } from "../harness/use-started.ts";
import { useWorld } from "../harness/world.ts";
import { live } from "../simulation/life.ts";
import { killing } from "../simulation/troubles.ts";
import { startApiServer } from "./api-server.ts";
import { hasKubectl } from "./world.ts";

const kills = 40;
const incidents = 16;

const pods = Array.from({ length: incidents }, (_, n) => [`token-${n}-a`, `token-${n}-b`]).flat();

describe.runIf(hasKubectl)(`the bot, killed ${kills} times with commands on a cluster`, () => {
  const api = useStarted(() => startApiServer(undefined, pods));
  const world = useWorld(() => {
    const entry = { kind: "kubernetes", kubeconfig_file: api.kubeconfig(), context: "prod", namespaces: ["shop"] };
    const identity = "system:serviceaccount:ops:countersign";
    return { servers: { "prod-eu": { ...entry, identity } } };
  });

  it("RR-06 I1 I5 makes no change twice and loses none", { timeout: 1_800_000 }, async () => {
    let onCommand: (() => void) | undefined;
    api.fail(({ path }) => {
      if (path.includes("/pods/token-")) onCommand?.();
      return undefined;
    });
    const { wrong, figures } = await live(world, {
      seed,
      incidents,
      // Spread over the kills, so that each finds something under way.
      everyMs: 1_500,
      places: [{ repo: "acme/web", server: "prod-eu" }],
      sayAgainMs: 15_000,
      // A change and a read.
      commandsOf: (n) => [
        `kubectl patch pod token-${n}-a -p '{"metadata":{"labels":{"seen":"yes"}}}'`,
        `kubectl get pod token-${n}-b`,
      ],
      // A change is a PATCH, a read of ours the GET of what is not changed.
      begun: () => api.requests.filter((line) => /^(?:PATCH .*-a|GET .*-b)$/.test(line)),
      troubles: [
        killing(({ chance }, done) => {
          // Every third time when the API server has just got a command, if one comes.
          const moment =
            done % 3 === 0 ? new Promise<void>((resolve) => (onCommand = resolve)) : sleep(chance.below(1_700));
          return Promise.race([moment, sleep(6_000)]);
        }, kills),
      ],
    });
    expect(wrong).toEqual([]);
    console.log(figures);
  });
});
