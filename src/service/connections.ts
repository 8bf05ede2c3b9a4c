/** How the servers of an inventory are reached. */

import { readFileSync } from "node:fs";
import type { Server } from "../base/server.ts";
import { readKubeContext } from "../config/kubeconfig.ts";
import { type Config, environment, storedOutputBytes } from "../config/load.ts";
import { createKubernetes } from "../kubernetes/run.ts";
import { createSources } from "../sources/run.ts";
import { createCapture } from "../ssh/capture.ts";
import { defaultLimits } from "../ssh/limits.ts";
import { createSsh, type Ssh } from "../ssh/run.ts";
import type { Outside, Parts } from "./parts.ts";

/** The boxes that run commands on the servers of one inventory; clusters and sources are reached without SSH. */
function boxesOf(config: Config, { learn, kubectl }: Pick<Outside, "learn" | "kubectl">) {
  const createOutput = () => createCapture(storedOutputBytes(config));
  const kubernetes = createKubernetes({
    readContext: (cluster) => {
      const read = readKubeContext(cluster, environment());
      // A token in a file is replaced while the bot runs: it is known before it can be in an output.
      if (read.ok) learn(read.secrets);
      return read;
    },
    createCapture: createOutput,
    freshMs: defaultLimits.freshMs,
    kubectl,
  });
  const sources = createSources({
    readToken: (tokenFile) => {
      const token = readFileSync(tokenFile, "utf8").trim();
      learn([token]);
      return token;
    },
    createCapture: createOutput,
    freshMs: defaultLimits.freshMs,
  });
  const ssh = createSsh({
    servers: config.servers,
    agentSocket: environment().SSH_AUTH_SOCK,
    maxOutputBytes: storedOutputBytes(config),
  });
  return { kubernetes, sources, ssh };
}

/** Connections to the servers of one inventory. */
export function connectionsTo(config: Config, outside: Pick<Outside, "learn" | "kubectl">): Parts["ssh"] {
  const { kubernetes, sources, ssh } = boxesOf(config, outside);
  const boxOf = ({ cluster, source }: Server): Pick<Ssh, "reserve"> => (source ? sources : cluster ? kubernetes : ssh);
  let running = 0;
  let isRetired = false;
  const closeWhenFree = (): void => {
    if (isRetired && running === 0) void close();
  };
  const close = (): Promise<void> => {
    kubernetes.close();
    sources.close();
    return ssh.close();
  };
  return {
    close,
    retire: () => {
      isRetired = true;
      closeWhenFree();
    },
    reserve: async (order, signal) => {
      running++;
      const leave = once(() => {
        running--;
        closeWhenFree();
      });
      const reservation = await boxOf(order.server).reserve(order, signal);
      return {
        ...reservation,
        send: (asOf, watch) => {
          const sent = reservation.send(asOf, watch);
          return sent === "stale" ? sent : sent.finally(leave);
        },
        release: () => {
          reservation.release();
          leave();
        },
      };
    },
  };
}

function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    act();
  };
}
