import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Server } from "../../src/base/server.ts";
import { findProgram } from "../../src/kubernetes/place.ts";
import type { Kubernetes } from "../../src/kubernetes/run.ts";
import { type ApiServer, startApiServer } from "../kubernetes/api-server.ts";
import { clusterServer, hasKubectl, runnerFor, run as runOn } from "../kubernetes/world.ts";
import { compete } from "./compete.ts";
import type { Row } from "./row.ts";

const many = 32;

/** `kubectl get pods` on API servers on loopback: through a runner that has been there, on one cluster and on 32 at once, beside kubectl. */
export async function run(): Promise<Row[]> {
  const kubectl = findProgram("kubectl");
  if (!hasKubectl || kubectl === undefined) return [];
  const apis: ApiServer[] = [];
  for (let i = 0; i < many; i++) apis.push(await startApiServer());
  const files = apis.map((api) => api.kubeconfig());
  const home = mkdtempSync(join(tmpdir(), "kubectl-bench-"));
  const kubernetes = runnerFor();
  try {
    const servers = files.map((file, i) => ({ ...clusterServer(file), name: `prod-${i}` }));
    const contest = (all: readonly Server[], kubeconfigs: readonly string[]) => ({
      ours: async () => void (await Promise.all(all.map((on) => ours(kubernetes, on)))),
      peers: [
        {
          name: "kubectl, its discovery cached",
          once: async () => void (await Promise.all(kubeconfigs.map((file) => bare(kubectl, file, home)))),
        },
      ],
    });
    const one = contest(servers.slice(0, 1), files.slice(0, 1));
    return [
      ...(await compete({ case: "`kubectl get pods` through a warm runner", runs: 40, ...one })),
      ...(await compete({
        case: `\`kubectl get pods\` on ${many} clusters at once`,
        runs: 5,
        ...contest(servers, files),
      })),
    ];
  } finally {
    kubernetes.close();
    rmSync(home, { recursive: true });
    for (const api of apis) await api.close();
  }
}

async function ours(kubernetes: Kubernetes, on: Server): Promise<void> {
  const { ending } = await runOn(on, "kubectl get pods", { kubernetes });
  if (ending.kind !== "exited" || ending.code !== 0) throw new Error(`it ended as ${JSON.stringify(ending)}`);
}

const bare = (kubectl: string, file: string, home: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const words = [`--kubeconfig=${file}`, "--context=prod", "--namespace=shop", "get", "pods"];
    const child = spawn(kubectl, words, { stdio: ["ignore", "pipe", "pipe"], env: { HOME: home, PATH: home } });
    child.stdout.resume();
    child.stderr.resume();
    child.once("close", (code) => (code === 0 ? resolve() : reject(new Error(`kubectl ended with ${code}`))));
  });
