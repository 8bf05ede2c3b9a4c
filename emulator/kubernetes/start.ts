import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server as HttpsServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listenAt } from "../../src/base/listen.ts";
import { answerTo, type KubeAnswer, type KubeCluster, type KubeRequest, refusal } from "./answer.ts";
import { createCertificate } from "./certificate.ts";
import { discoveryAt } from "./kinds.ts";
import { type ShopSeed, seedShop } from "./seed.ts";
import { createKubeWorld, type KubeWorld } from "./world.ts";

/**
 * What becomes of a request: `lost` is cut off before anything is done, `cut` after it was done, `silent` is done and never answered, `slow`
 * is not even begun. A number is a refusal with that status. A promise is waited for before anything is done.
 */
export type KubeFault = "lost" | "cut" | "silent" | "slow" | number | Promise<void>;

type FaultOf = (request: Pick<KubeRequest, "method" | "path" | "user">) => KubeFault | undefined;

export interface EmulatedCluster {
  readonly url: string;
  /** Where its certificate (`ca.pem`) and its kubeconfigs lie. */
  readonly folder: string;
  readonly world: KubeWorld;
  /** `PATCH /apis/…` of every request but discovery and reviews, in order. */
  readonly requests: string[];
  /** Every JSON that was answered, for whoever compares it with Kubernetes' description. */
  readonly answers: object[];
  /** How many changes were made; a dry run makes none. */
  readonly changes: () => number;
  /** Has requests fail, until told otherwise. */
  readonly fail: (faultOf: FaultOf) => void;
  /** No token is taken any more, until told otherwise. */
  readonly expireTokens: (isExpired: boolean) => void;
  /** Ends every connection and answers with another certificate. */
  readonly changeCertificate: () => void;
  readonly reset: () => void;
  /** A kubeconfig with a context `prod`, and others with other clusters and users beside it. */
  readonly kubeconfig: (user?: string) => string;
  readonly close: () => Promise<void>;
}

export interface EmulatedClusterOptions {
  readonly seed: ShopSeed;
  /** Everything, unless said otherwise. */
  readonly may?: KubeCluster["may"];
  readonly rules?: KubeCluster["rules"];
  /** Where its files go; whoever names it removes it. A temporary folder otherwise. */
  readonly folder?: string;
}

/** Who a token is: it is the user's name in hex. */
const tokenOf = (user: string): string => Buffer.from(user).toString("hex");
const userOf = ({ headers }: IncomingMessage): string | undefined => {
  const [, token] = /^Bearer (.+)$/.exec(headers.authorization ?? "") ?? [];
  const user = token === undefined ? undefined : Buffer.from(token, "hex").toString("utf8");
  return user === undefined || user === "" ? undefined : String(headers["impersonate-user"] ?? user);
};

/** Starts one on the loopback, with a certificate of its own. */
export async function startEmulatedCluster({
  seed,
  may = () => true,
  rules,
  folder: given,
}: EmulatedClusterOptions): Promise<EmulatedCluster> {
  const folder = given ?? mkdtempSync(join(tmpdir(), "emulated-cluster-"));
  const certificate = createCertificate();
  writeFileSync(join(folder, "ca.pem"), certificate.cert);
  const requests: string[] = [];
  const answers: object[] = [];
  let changes = 0;
  let faultOf: FaultOf = () => undefined;
  let isExpired = false;
  const world = createKubeWorld();
  seedShop(world, seed);
  const cluster: KubeCluster = { world, fateOf: seed.fateOf, may, rules };

  const serve = (request: KubeRequest, response: ServerResponse): void => {
    const isOfSubject = request.path.includes("/selfsubject");
    if (!discoveryAt(request.path) && !isOfSubject) requests.push(`${request.method} ${request.path}`);
    const fault = faultOf(request);
    if (fault instanceof Promise) {
      void fault.then(() => respond(request, response, undefined));
      return;
    }
    respond(request, response, fault);
  };
  const respond = (
    request: KubeRequest,
    response: ServerResponse,
    fault: Exclude<KubeFault, Promise<void>> | undefined,
  ): void => {
    if (fault === "slow") return;
    if (fault === "lost") {
      response.destroy();
      return;
    }
    if (typeof fault === "number") {
      send(world, refusal(fault, messages[fault] ?? "told to fail"), response);
      return;
    }
    const answer = answerTo(cluster, request);
    if (answer.kind === "json") {
      answers.push(answer.body);
      if (answer.isChange) changes++;
    }
    if (fault === "cut") response.destroy();
    else if (fault === undefined) send(world, answer, response);
  };
  const server: HttpsServer = createServer({ key: certificate.key, cert: certificate.cert }, (request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const user = isExpired ? undefined : userOf(request);
      if (user === undefined) {
        send(world, refusal(401, "Unauthorized"), response);
        return;
      }
      const { pathname, searchParams } = new URL(request.url ?? "", "https://api");
      const { accept = "", "content-type": contentType = "" } = request.headers;
      const body = Buffer.concat(parts);
      const { method = "GET" } = request;
      serve({ method, path: pathname, query: searchParams, accept, contentType, body, user }, response);
    });
  });
  const port = await listenAt(server, { host: "127.0.0.1", port: 0, place: "the emulated cluster", remedy: "" });
  const url = `https://127.0.0.1:${port}`;
  let files = 0;
  return {
    url,
    folder,
    world,
    requests,
    answers,
    changes: () => changes,
    fail: (next) => {
      faultOf = next;
    },
    expireTokens: (next) => {
      isExpired = next;
    },
    changeCertificate: () => {
      const { key, cert } = createCertificate();
      server.setSecureContext({ key, cert });
      server.closeAllConnections();
    },
    reset: () => seedShop(world, seed),
    kubeconfig: (user = "system:serviceaccount:ops:countersign") => {
      const file = join(folder, `kubeconfig-${files++}`);
      writeFileSync(file, JSON.stringify(kubeconfigFor(url, user)), { mode: 0o600 });
      return file;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      if (given === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

const kubeconfigFor = (url: string, user: string) => ({
  apiVersion: "v1",
  kind: "Config",
  "current-context": "other",
  clusters: [
    { name: "prod-cluster", cluster: { server: url, "certificate-authority": "ca.pem" } },
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
});

/** As the API server words them. */
const messages: Readonly<Record<number, string>> = {
  403: 'deployments.apps "web" is forbidden: User "bot" cannot patch resource "deployments"',
  409: 'Operation cannot be fulfilled on deployments.apps "web": the object has been modified',
  429: "The server has received too many requests and has asked us to try again later",
  500: "an error on the server has prevented the request from succeeding",
};

function send(world: KubeWorld, answer: KubeAnswer, response: ServerResponse): void {
  if (answer.kind === "text") {
    response.writeHead(200, { "content-type": "text/plain" }).end(answer.text);
    return;
  }
  response.writeHead(answer.kind === "json" ? answer.status : 200, { "content-type": "application/json" });
  if (answer.kind === "json") {
    response.end(JSON.stringify(answer.body));
    return;
  }
  response.flushHeaders();
  const write = (line: object | undefined): void => {
    if (line) response.write(`${JSON.stringify(line)}\n`);
  };
  for (const line of answer.first) write(line);
  response.once(
    "close",
    world.onChange((one) => write(answer.lineOf(one))),
  );
}
