import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listenAt } from "../../src/base/listen.ts";
import { kubectlVerbs } from "../../src/kubernetes/kubectl-verbs.ts";
import { parseKubectl } from "../../src/kubernetes/parse-kubectl.ts";
import { type Right, rightsServing, verbRights } from "../../src/kubernetes/rights.ts";
import { hasKubectl } from "./world.ts";

const metadata = (name: string) => ({
  name,
  namespace: "shop",
  uid: "u",
  resourceVersion: "1",
  generation: 1,
  labels: { app: "web" },
});
const selector = { matchLabels: { app: "web" } };
const template = { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "web", image: "web:1" }] } };
const older = { ...template, spec: { containers: [{ name: "web", image: "web:0" }] } };
const running = {
  observedGeneration: 1,
  replicas: 1,
  updatedReplicas: 1,
  readyReplicas: 1,
  availableReplicas: 1,
  currentReplicas: 1,
};
const available = { ...running, conditions: [{ type: "Available", status: "True" }] };
/** `group resource`: kind, spec and status of the one object of it. */
const kinds: Readonly<Record<string, readonly [kind: string, spec: object, status?: object]>> = {
  "/pods": ["Pod", template.spec, { phase: "Running", conditions: [] }],
  "/services": ["Service", {}],
  "/endpoints": ["Endpoints", {}],
  "/events": ["Event", {}],
  "/configmaps": ["ConfigMap", {}],
  "/replicationcontrollers": ["ReplicationController", {}],
  "apps/deployments": ["Deployment", { replicas: 1, selector, template, paused: false }, available],
  "apps/daemonsets": ["DaemonSet", { selector, template }, { ...running, desiredNumberScheduled: 1 }],
  "apps/statefulsets": [
    "StatefulSet",
    { replicas: 1, selector, template, updateStrategy: { type: "RollingUpdate" } },
    running,
  ],
  "apps/replicasets": ["ReplicaSet", { replicas: 1, selector, template: older }, running],
  "apps/controllerrevisions": ["ControllerRevision", {}],
  "batch/jobs": ["Job", { template }, {}],
  "batch/cronjobs": ["CronJob", { schedule: "* * * * *", jobTemplate: { spec: { template } } }],
  "autoscaling/horizontalpodautoscalers": ["HorizontalPodAutoscaler", { maxReplicas: 3 }],
  "discovery.k8s.io/endpointslices": ["EndpointSlice", {}],
  "events.k8s.io/events": ["Event", {}],
  "metrics.k8s.io/pods": ["PodMetrics", {}],
};
const versionOf = (group: string): string => (group === "metrics.k8s.io" ? "v1beta1" : "v1");
const groups = [...new Set(Object.keys(kinds).map((key) => key.split("/")[0] ?? ""))];
const named = (group: string) => {
  const version = { groupVersion: `${group}/${versionOf(group)}`, version: versionOf(group) };
  return { name: group, versions: [version], preferredVersion: version };
};
const verbs = ["get", "list", "watch", "create", "patch", "update", "delete"];
const shortNames: Readonly<Record<string, string>> = {
  deployments: "deploy",
  statefulsets: "sts",
  pods: "po",
  daemonsets: "ds",
};

/** What every cluster answers to whoever logs in. */
function discovery(path: string): unknown {
  if (path === "/version") return { major: "1", minor: "32", gitVersion: "v1.32.4" };
  if (path === "/api") return { kind: "APIVersions", versions: ["v1"] };
  if (path === "/apis")
    return { kind: "APIGroupList", apiVersion: "v1", groups: groups.filter((one) => one !== "").map(named) };
  const [, group = ""] = /^\/apis\/([^/]+)\/[^/]+$/.exec(path) ?? [];
  if (path !== "/api/v1" && !groups.slice(1).includes(group)) return undefined;
  const own = Object.entries(kinds).filter(([key]) => key.split("/")[0] === group);
  const resources = own.flatMap(([key, [kind]]) => {
    const name = key.split("/")[1] ?? "";
    const one = {
      name,
      singularName: kind.toLowerCase(),
      namespaced: true,
      kind,
      verbs,
      shortNames: [shortNames[name]].flatMap((each) => each ?? []),
    };
    return name === "deployments" || name === "statefulsets"
      ? [one, { ...one, name: `${name}/scale`, kind: "Scale", group: "autoscaling", version: "v1" }]
      : [one];
  });
  return { kind: "APIResourceList", groupVersion: group === "" ? "v1" : `${group}/${versionOf(group)}`, resources };
}

const asked: Right[] = [];

/** A deployment is paused where it is to be resumed. */
let isPaused = false;
/** The one before the deployment's, to which it can be undone. */
const before = {
  annotations: { "deployment.kubernetes.io/revision": "1" },
  ownerReferences: [{ apiVersion: "apps/v1", kind: "Deployment", name: "web", uid: "u", controller: true }],
};

function answer(request: IncomingMessage, response: ServerResponse): void {
  const json = (body: unknown, status = 200): void =>
    void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  const { pathname, searchParams } = new URL(request.url ?? "", "http://api");
  const known = discovery(pathname);
  if (known !== undefined) {
    json(known);
    return;
  }
  const [, group = "", resource = "", name, sub] =
    /^\/(?:api|apis\/([^/]+))\/v[^/]+\/(?:namespaces\/[^/]+\/)?([^/]+)(?:\/([^/]+))?(?:\/([^/]+))?$/.exec(pathname) ??
    [];
  const [kind, spec, status] = kinds[`${group}/${resource}`] ?? [];
  if (kind === undefined) {
    json({ kind: "Status", status: "Failure", reason: "NotFound", code: 404 }, 404);
    return;
  }
  const method = request.method ?? "";
  const isWatch = searchParams.get("watch") === "true" || searchParams.get("watch") === "1";
  const reading = name !== undefined ? "get" : isWatch ? "watch" : "list";
  const verb = {
    GET: reading,
    PATCH: "patch",
    PUT: "update",
    POST: "create",
    DELETE: name ? "delete" : "deletecollection",
  }[method];
  asked.push({ group, resource: sub === undefined ? resource : `${resource}/${sub}`, verb: verb ?? method });
  const apiVersion = group === "" ? "v1" : `${group}/${versionOf(group)}`;
  const object = {
    apiVersion,
    kind,
    metadata: { ...metadata(name ?? "web"), ...(resource === "replicasets" ? before : {}) },
    spec: { ...spec, ...(isPaused ? { paused: true } : {}) },
    ...(status ? { status } : {}),
  };
  if (sub === "log") response.end("a line\n");
  else if (sub === "scale")
    json({ apiVersion: "autoscaling/v1", kind: "Scale", metadata: metadata("web"), spec: { replicas: 1 } });
  else if (reading === "watch" && method === "GET") response.end();
  else if (reading === "list" && method === "GET")
    json({ apiVersion, kind: `${kind}List`, metadata: {}, items: [object] });
  else json(object, method === "POST" ? 201 : 200);
}

/** For each verb commands that are typical of it; what asks only discovery has none. */
const examples: Readonly<Record<string, readonly string[]>> = {
  get: ["get pods", "get deploy web", "get events -w"],
  describe: ["describe deploy web", "describe pod web", "describe svc web", "describe sts web"],
  logs: ["logs web", "logs deploy/web", "logs -l app=web"],
  "top pod": ["top pod", "top pod web"],
  events: ["events", "events --for=deployment/web"],
  wait: ["wait deploy/web --for=condition=Available --timeout=2s"],
  "rollout status": ["rollout status deploy/web --timeout=2s", "rollout status sts/web --timeout=2s"],
  "rollout history": ["rollout history deploy/web", "rollout history sts/web", "rollout history ds/web"],
  "rollout restart": ["rollout restart deploy/web", "rollout restart sts/web"],
  "rollout undo": ["rollout undo deploy/web --to-revision=1"],
  "rollout pause": ["rollout pause deploy/web"],
  "rollout resume": ["rollout resume deploy/web"],
  "set image": ["set image deploy/web web=web:2"],
  "set env": ["set env deploy/web A=b"],
  "set resources": ["set resources deploy/web --limits=cpu=1"],
  patch: [`patch deploy web -p '{"spec":{"replicas":2}}'`],
  label: ["label deploy web a=b"],
  annotate: ["annotate deploy web a=b"],
  scale: ["scale deploy web --replicas=2", "scale sts web --replicas=2 --current-replicas=1 --timeout=2s"],
  autoscale: ["autoscale deploy web --max=3"],
  delete: ["delete pod web --wait=false", "delete job web --wait=false"],
  "create job": ["create job y --from=cronjob/web"],
};
const changing = ["patch", "update", "create", "delete", "deletecollection"];

describe.runIf(hasKubectl)("what the real kubectl asks of an API server", () => {
  const folder = mkdtempSync(join(tmpdir(), "countersign-requests-"));
  let server: Server;
  let url: string;
  beforeAll(async () => {
    server = createServer((request, response) => void request.resume().on("end", () => answer(request, response)));
    url = `http://127.0.0.1:${await listenAt(server, { host: "127.0.0.1", port: 0, place: "test", remedy: "" })}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true });
  });

  it("SR-55 there is an example of every verb that needs a right", () => {
    const needing = Object.keys(verbRights).filter((name) => verbRights[name]?.length);
    expect(Object.keys(examples).sort()).toEqual(needing.sort());
  });

  it.each(Object.entries(examples))(
    "SR-55 `kubectl %s` asks for no right that it is not said to need",
    async (name, commands) => {
      for (const command of commands) {
        const parsed = parseKubectl(`kubectl ${command}`, ["shop"]);
        if (!parsed.ok) throw new Error(parsed.reason);
        asked.length = 0;
        isPaused = name === "rollout resume";
        const words = [`--server=${url}`, "--request-timeout=3s", ...parsed.plan.kubectl];
        const ran = promisify(execFile)("kubectl", words, {
          env: { HOME: folder, KUBECONFIG: "/dev/null" },
          timeout: 8_000,
        });
        const said = await ran.then(
          ({ stderr }) => stderr,
          (error: Error) => error.message,
        );
        const isChange = kubectlVerbs[name]?.effect === "changes";
        const granted = [...(verbRights[name] ?? []), ...(isChange ? rightsServing("reads") : [])];
        const inWords = ({ group, resource, verb }: Right): string => `${verb} ${group}/${resource}`;
        const allowed = new Set(granted.map(inWords));
        expect(
          asked.map(inWords).filter((one) => !allowed.has(one)),
          `${command}: ${said}`,
        ).toEqual([]);
        expect(
          asked.some(({ verb }) => changing.includes(verb)),
          `${command}: ${said}`,
        ).toBe(isChange);
      }
    },
  );
});
