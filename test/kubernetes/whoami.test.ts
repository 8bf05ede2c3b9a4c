import { readFileSync, writeFileSync } from "node:fs";
import { Agent, createServer } from "node:https";
import { createServer as createPlainServer } from "node:tls";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { createCertificate } from "../../emulator/kubernetes/certificate.ts";
import { listenAt } from "../../src/base/listen.ts";
import { askWhoWeAre } from "../../src/kubernetes/place.ts";
import { useStarted } from "../harness/use-started.ts";
import { startApiServer } from "./api-server.ts";
import { clusterServer, hasKubectl, runnerFor } from "./world.ts";

const { key, cert } = createCertificate();

describe("who the bot is on a cluster", () => {
  const asked: string[] = [];
  let answer: { status: number; body: string } | "reset" = "reset";
  let isFirst = true;
  const server = createServer({ key, cert }, (request, response) => {
    asked.push(
      `${request.method} ${request.url} ${request.headers.authorization} as ${request.headers["impersonate-user"]}`,
    );
    request.resume();
    if (answer === "reset") request.socket.destroy();
    else if (isFirst && answer.status === 404) {
      isFirst = false;
      response.writeHead(404).end();
    } else response.writeHead(answer.status === 404 ? 201 : answer.status).end(answer.body);
  });
  const agent = new Agent({ keepAlive: true });
  let apiServer: string;
  beforeAll(async () => {
    apiServer = `https://127.0.0.1:${await listenAt(server, { host: "127.0.0.1", port: 0, place: "test", remedy: "" })}`;
  });
  afterEach(() => {
    asked.length = 0;
    isFirst = true;
  });
  afterAll(() => {
    agent.destroy();
    server.close();
  });
  const ask = (given: { ca?: string; token?: string; as?: string; at?: string } = {}) =>
    askWhoWeAre({
      apiServer: `${given.at ?? apiServer}/`,
      connection: { ca: given.ca ?? cert, isProxied: false, token: given.token ?? "secret" },
      as: given.as,
      agent,
      signal: AbortSignal.timeout(5_000),
    });

  it("is asked with the token, and as whom it acts", async () => {
    answer = { status: 201, body: "{}" };
    expect(await ask({ as: "reader" })).toEqual({ ok: true, text: "{}" });
    expect(asked).toEqual(["POST /apis/authentication.k8s.io/v1/selfsubjectreviews Bearer secret as reader"]);
  });

  it("is asked in an older way of an API server that does not have the newest", async () => {
    answer = { status: 404, body: "{}" };
    expect(await ask()).toEqual({ ok: true, text: "{}" });
    expect(asked.map((line) => line.split("/")[3])).toEqual(["v1", "v1beta1"]);
  });

  it("SR-51 another certificate authority, a broken one, a broken token or connection are no answer", async () => {
    answer = { status: 201, body: "{}" };
    expect(await ask({ ca: createCertificate().cert })).toMatchObject({
      ok: false,
      why: expect.stringMatching(/certificate|self-signed/),
    });
    expect(await ask({ ca: "no PEM" })).toMatchObject({ ok: false });
    expect(await ask({ token: "a\nb" })).toMatchObject({
      ok: false,
      why: expect.stringContaining("Invalid character"),
    });
    expect(asked).toEqual([]);
    answer = "reset";
    expect(await ask()).toMatchObject({ ok: false, isAbsent: false });
    answer = { status: 500, body: "" };
    expect(await ask()).toMatchObject({ ok: false, why: "500 Internal Server Error" });
  });

  it("SR-54 an answer that goes over to another protocol is none, and is not waited for", async () => {
    const other = "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n";
    const stranger = createPlainServer({ key, cert }, (socket) => socket.once("data", () => socket.write(other)));
    const port = await listenAt(stranger, { host: "127.0.0.1", port: 0, place: "test", remedy: "" });
    const asking = ask({ at: `https://127.0.0.1:${port}` });
    expect(await asking).toEqual({ ok: false, why: "it is no HTTP answer", isAbsent: false });
    stranger.close();
  });

  it("SR-51 an environment that trusts every certificate gets no token out", async () => {
    answer = { status: 201, body: "{}" };
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
    expect(await ask({ ca: createCertificate().cert })).toMatchObject({ ok: false });
    vi.unstubAllEnvs();
    expect(asked).toEqual([]);
  });

  it("a kept connection that was closed meanwhile is no fault", async () => {
    answer = { status: 201, body: "{}" };
    expect(await ask()).toMatchObject({ ok: true });
    server.closeAllConnections();
    expect(await ask()).toMatchObject({ ok: true });
  });
});

describe.runIf(hasKubectl)("who the bot is behind a proxy", () => {
  const api = useStarted(() => startApiServer());

  it("is kubectl's to ask: it alone knows the way", async () => {
    const file = api.kubeconfig();
    const proxied = readFileSync(file, "utf8").replace(
      '"certificate-authority"',
      '"proxy-url":"http://127.0.0.1:1","certificate-authority"',
    );
    writeFileSync(file, proxied);
    const kubernetes = runnerFor();
    expect(await kubernetes.probe(clusterServer(file))).toMatchObject({
      ok: false,
      reason: expect.stringContaining("was refused - did you specify the right host or port?"),
    });
    kubernetes.close();
  });
});
