/**
 * A small API server over TLS for the real kubectl: discovery, who one is, pods as a table, and one deployment that can be changed.
 * It counts what reached it, and fails as it is told to.
 */

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server as HttpsServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listenAt } from "../../src/base/listen.ts";
import type { ToldRule } from "../../src/kubernetes/rights.ts";

/** What becomes of a change: it is made and answered, or one of the ways in which it is not. */
export type Fault = "none" | "silent" | "broken-off" | number;

export interface ApiServer {
  readonly url: string;
  readonly folder: string;
  readonly caFile: string;
  /** `PATCH /apis/…` of every request but discovery, in order. */
  readonly requests: string[];
  /** Who listed pods, in order. */
  readonly users: string[];
  /** How often the deployment was changed. */
  readonly changes: () => number;
  readonly set: (fault: Fault) => void;
  /** Whoever asks who one is waits from now on until it is let go; `asked` resolves when somebody does. */
  readonly holdWhoami: () => { readonly asked: Promise<void>; readonly letGo: () => void };
  /** What the identity may do in every namespace, as the answer to a SelfSubjectRulesReview has it. */
  readonly allow: (resourceRules: readonly ToldRule[], incomplete?: boolean) => void;
  /** A kubeconfig with a context `prod`, and others with other clusters and users beside it. */
  readonly kubeconfig: (user?: string) => string;
  readonly close: () => Promise<void>;
}

const json = (response: ServerResponse, body: unknown, status = 200): void => {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
};

const resource = (name: string, kind: string, verbs = ["get", "list", "watch", "patch", "delete"]) => ({
  name,
  singularName: kind.toLowerCase(),
  namespaced: true,
  kind,
  verbs,
});
const group = (name: string) => {
  const version = { groupVersion: `${name}/v1`, version: "v1" };
  return { name, versions: [version], preferredVersion: version };
};
const lists: Readonly<Record<string, unknown>> = {
  "/version": { major: "1", minor: "32", gitVersion: "v1.32.4" },
  "/api": { kind: "APIVersions", versions: ["v1"] },
  "/apis": { kind: "APIGroupList", apiVersion: "v1", groups: [group("apps"), group("authentication.k8s.io")] },
  "/api/v1": {
    kind: "APIResourceList",
    groupVersion: "v1",
    resources: [{ ...resource("pods", "Pod"), shortNames: ["po"] }],
  },
  "/apis/apps/v1": {
    kind: "APIResourceList",
    groupVersion: "apps/v1",
    resources: [{ ...resource("deployments", "Deployment"), shortNames: ["deploy"] }],
  },
  "/apis/authentication.k8s.io/v1": {
    kind: "APIResourceList",
    groupVersion: "authentication.k8s.io/v1",
    resources: [{ ...resource("selfsubjectreviews", "SelfSubjectReview", ["create"]), namespaced: false }],
  },
};

const podsOf = (namespace: string) => ({
  kind: "Table",
  apiVersion: "meta.k8s.io/v1",
  metadata: {},
  columnDefinitions: ["Name", "Status"].map((name) => ({
    name,
    type: "string",
    format: "",
    description: "",
    priority: 0,
  })),
  rows: [
    ["web-1", "Running"],
    ["web-2", "CrashLoopBackOff"],
  ].map(([name, status]) => ({
    cells: [name, status],
    object: { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata: { name, namespace } },
  })),
});

const reviewOf = (username: string) => ({
  apiVersion: "authentication.k8s.io/v1",
  kind: "SelfSubjectReview",
  metadata: {},
  status: { userInfo: { username } },
});

const deploymentAt = (resourceVersion: string) => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web", namespace: "shop", resourceVersion },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: "web" } },
    template: { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "web", image: "web:1" }] } },
  },
});

const refusals: Readonly<Record<number, readonly [reason: string, message: string]>> = {
  403: ["Forbidden", 'deployments.apps "web" is forbidden: User "bot" cannot patch resource "deployments"'],
  404: ["NotFound", "the server could not find the requested resource"],
  409: ["Conflict", 'Operation cannot be fulfilled on deployments.apps "web": the object has been modified'],
  500: ["InternalError", "an error on the server has prevented the request from succeeding"],
};
const refuse = (response: ServerResponse, code: number): void => {
  const [reason, message] = refusals[code] ?? ["Unknown", "told to fail"];
  json(response, { kind: "Status", apiVersion: "v1", status: "Failure", message, reason, code }, code);
};

/** Who a token is: it is the user's name in hex. */
const tokenOf = (user: string): string => Buffer.from(user).toString("hex");
const userOf = ({ headers }: IncomingMessage): string =>
  String(headers["impersonate-user"] ?? Buffer.from(headers.authorization?.replace("Bearer ", "") ?? "", "hex"));

/** Starts one on the loopback, with a certificate of its own. */
export async function startApiServer(): Promise<ApiServer> {
  const folder = mkdtempSync(join(tmpdir(), "api-server-"));
  const [keyFile, caFile] = [join(folder, "key.pem"), join(folder, "ca.pem")];
  const subject = ["-subj", "/CN=api", "-addext", "subjectAltName=IP:127.0.0.1"];
  const made = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-keyout", keyFile, "-out", caFile];
  execFileSync("openssl", [...made, ...subject], { stdio: "ignore" });
  const requests: string[] = [];
  const users: string[] = [];
  let fault: Fault = "none";
  let changes = 0;
  let held: { readonly asked: () => void; readonly gate: Promise<void> } | undefined;
  let review: unknown;
  const change = (response: ServerResponse): void => {
    if (typeof fault === "number") {
      refuse(response, fault);
      return;
    }
    changes++;
    if (fault === "broken-off") response.destroy();
    else if (fault === "none") json(response, deploymentAt("2"));
  };
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const { pathname, searchParams } = new URL(request.url ?? "", "https://api");
    const pods = /^\/api\/v1\/namespaces\/([^/]+)\/pods$/.exec(pathname);
    if (pods) users.push(userOf(request));
    if (!Object.hasOwn(lists, pathname)) requests.push(`${request.method} ${pathname}`);
    if (Object.hasOwn(lists, pathname)) json(response, lists[pathname]);
    else if (pathname.endsWith("/selfsubjectreviews")) {
      held?.asked();
      void Promise.resolve(held?.gate).then(() => json(response, reviewOf(userOf(request)), 201));
    } else if (pathname.endsWith("/selfsubjectrulesreviews") && review !== undefined) json(response, review, 201);
    else if (searchParams.get("watch")) response.writeHead(200, { "content-type": "application/json" }).flushHeaders();
    else if (pods && fault !== "silent") json(response, podsOf(pods[1] ?? ""));
    else if (pods) return;
    else if (pathname !== "/apis/apps/v1/namespaces/shop/deployments/web") refuse(response, 404);
    else if (request.method === "GET") json(response, deploymentAt("1"));
    else change(response);
  };
  const server: HttpsServer = createServer(
    { key: readFileSync(keyFile), cert: readFileSync(caFile) },
    (request, response) => {
      request.resume().on("end", () => answer(request, response));
    },
  );
  const port = await listenAt(server, { host: "127.0.0.1", port: 0, place: "test", remedy: "" });
  const url = `https://127.0.0.1:${port}`;
  let files = 0;
  return {
    url,
    folder,
    caFile,
    requests,
    users,
    changes: () => changes,
    set: (next) => {
      fault = next;
    },
    holdWhoami: () => {
      const [asked, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      held = { asked: asked.resolve, gate: gate.promise };
      return { asked: asked.promise, letGo: gate.resolve };
    },
    allow: (resourceRules, incomplete = false) => {
      const status = { resourceRules, nonResourceRules: [], incomplete };
      review = { kind: "SelfSubjectRulesReview", apiVersion: "authorization.k8s.io/v1", spec: {}, status };
    },
    kubeconfig: (user = "system:serviceaccount:ops:countersign") => {
      const file = join(folder, `kubeconfig-${files++}`);
      const cluster = { server: url, "certificate-authority": "ca.pem" };
      const config = {
        "current-context": "other",
        clusters: [
          { name: "prod-cluster", cluster },
          { name: "other", cluster: { server: "https://127.0.0.1:1", "certificate-authority": "ca.pem" } },
        ],
        users: [
          { name: "bot", user: { token: tokenOf(user) } },
          { name: "admin", user: { token: tokenOf("admin") } },
        ],
        contexts: [
          { name: "prod", context: { cluster: "prod-cluster", user: "bot", namespace: "kube-system" } },
          { name: "other", context: { cluster: "other", user: "admin" } },
        ],
      };
      writeFileSync(file, JSON.stringify(config), { mode: 0o600 });
      return file;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
