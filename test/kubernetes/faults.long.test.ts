import { describe, expect, it } from "vitest";
import type { KubeFault } from "../../emulator/kubernetes/start.ts";
import { parseKubectl } from "../../src/kubernetes/parse-kubectl.ts";
import { type ApiServer, startApiServer } from "./api-server.ts";
import { clusterServer, hasKubectl, run, runnerFor } from "./world.ts";

const changes = [
  "kubectl rollout restart deploy/web",
  "kubectl rollout undo deploy/web",
  "kubectl set image deploy/web web=web:3",
  "kubectl scale deploy web --replicas=3",
  "kubectl delete pod batch-1 --timeout=1s",
  'kubectl patch vm vm-1 --type=merge -p \'{"spec":{"running":false}}\'',
];
/** `down`: from this request on; `other CA`: from here on another certificate; the rest befall one request. */
const faults: readonly (KubeFault | "down" | "other CA")[] = [
  "lost",
  "cut",
  "silent",
  "slow",
  "down",
  "other CA",
  401,
  409,
  429,
  500,
];

/** Fails the request of this number, counted without discovery and reviews; undoes it when it is over. */
function failAt(api: ApiServer, point: number, fault: (typeof faults)[number]): void {
  let seen = 0;
  api.fail(({ path }) => {
    if (path.includes("/selfsubject") || !/\/(?:namespaces|nodes)\//.test(path)) return undefined;
    const at = seen++;
    if (fault === "down") return at >= point ? "lost" : undefined;
    if (at !== point) return undefined;
    if (fault !== "other CA") return fault;
    api.changeCertificate();
    return "lost";
  });
}

/** Runs a change with a fault at one of its requests, and returns what is wrong with how that is told. */
async function playFault(
  command: string,
  point: number,
  fault: (typeof faults)[number],
): Promise<{ wrong: string[]; isReached: boolean }> {
  const api = await startApiServer();
  const kubernetes = runnerFor();
  try {
    const on = { ...clusterServer(api.kubeconfig()), hardTimeoutMs: 1_500 };
    await run(on, "kubectl get pods", { kubernetes });
    api.requests.length = 0;
    failAt(api, point, fault);
    const { ending, text } = await run(on, command, { kubernetes });
    const made = api.changes();
    const title = `${command}, ${fault} at ${point} (${made} made): ${JSON.stringify(ending)} ${text}`;
    const parsed = parseKubectl(command, ["shop"]);
    const read = parsed.ok ? parsed.plan.settledBy : undefined;
    const isOk = ending.kind === "exited" && ending.code === 0;
    const wrong = [
      ...(made > 1 ? [`made twice: ${title}`] : []),
      ...(isOk && made === 0 ? [`told as done, and is not: ${title}`] : []),
      ...(!isOk && made === 1 && ending.kind !== "unknown" ? [`told as not done, and is: ${title}`] : []),
      ...(ending.kind === "unknown" && !(read && ending.reason.includes(read)) ? [`no read settles it: ${title}`] : []),
    ];
    return { wrong, isReached: api.requests.length > point };
  } finally {
    kubernetes.close();
    await api.close();
  }
}

describe.runIf(hasKubectl)("an API server that fails at each point of a change", () => {
  it.each(changes)("RR-06 %s is made at most once, and never told otherwise than it is", async (command) => {
    const wrong: string[] = [];
    let played = 0;
    for (let point = 0; point < 6; point++) {
      const all = await Promise.all(faults.map((fault) => playFault(command, point, fault)));
      const reached = all.filter(({ isReached }) => isReached);
      played += reached.length;
      wrong.push(...reached.flatMap((one) => one.wrong));
      if (reached.length === 0) break;
    }
    expect(wrong).toEqual([]);
    expect(played).toBeGreaterThanOrEqual(faults.length);
  });

  it("RR-06 SR-51 a token that expired and a certificate of another authority are seen before anything is sent", async () => {
    const api = await startApiServer();
    const on = clusterServer(api.kubeconfig());
    const change = "kubectl rollout restart deploy/web";
    api.expireTokens(true);
    await expect(run(on, change)).rejects.toThrow("does not say who the bot is there: 401 Unauthorized");
    api.expireTokens(false);
    api.changeCertificate();
    await expect(run(on, change)).rejects.toThrow(/does not say who the bot is there: .*(?:certificate|self-signed)/);
    expect(api.requests).toEqual([]);
    await api.close();
  });
});
