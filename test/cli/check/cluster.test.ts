import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clusterRunner, lookAtCluster } from "../../../src/cli/check/cluster.ts";
import { type ApiServer, startApiServer } from "../../kubernetes/api-server.ts";
import { clusterServer, hasKubectl } from "../../kubernetes/world.ts";

describe.runIf(hasKubectl)("check of a cluster", () => {
  let api: ApiServer;
  beforeAll(async () => {
    api = await startApiServer();
  });
  afterAll(() => api.close());

  it("CONFIG says API server, identity and the version of kubectl", async () => {
    const look = await lookAtCluster(clusterRunner(), clusterServer(api.kubeconfig()));
    expect(look.problems ?? []).toEqual([]);
    expect(look.said).toMatch(/^https:\/\/127\.0\.0\.1:\d+, as system:serviceaccount:ops:countersign, kubectl v1\.\d+/);
  });

  it("CONFIG says who the bot is where that is not what was written, and what to write", async () => {
    const look = await lookAtCluster(clusterRunner(), clusterServer(api.kubeconfig("somebody")));
    expect(look.problems).toEqual([
      {
        place: "servers.prod-eu",
        message: "the bot is somebody on prod-eu, not system:serviceaccount:ops:countersign",
        remedy: 'if that is meant, write `identity: "somebody"`; if not, correct the kubeconfig',
      },
    ]);
  });

  it("CONFIG says that an API server cannot be reached", async () => {
    const gone = await startApiServer();
    const server = clusterServer(gone.kubeconfig());
    const kubernetes = clusterRunner();
    const closed = clusterServer(api.kubeconfig());
    await gone.close();
    expect((await lookAtCluster(kubernetes, server)).problems).toHaveLength(1);
    expect((await lookAtCluster(kubernetes, closed)).problems ?? []).toEqual([]);
  });
});
