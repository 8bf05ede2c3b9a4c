import { connect } from "node:net";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { addressOf, type Caller, createNetworks } from "../../src/base/networks.ts";
import { openStore } from "../../src/store/database/open.ts";
import { createInbox } from "../../src/store/queue/arrival.ts";
import { until } from "../harness/until.ts";
import { usePlaces } from "../store/use-places.ts";
import { headersFor, payload, secrets, sign, start } from "./front.ts";

const here = await usePlaces("the front's test on a locked PostgreSQL database");

/** Sends bytes over a bare connection and returns all that comes back until the server closes it. */
function sendRaw(url: string, text: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  let answer = "";
  socket.on("data", (chunk) => {
    answer += chunk.toString();
  });
  socket.on("error", () => {});
  socket.on("close", () => resolve(answer));
  socket.write(text);
  return promise;
}

describe("the front", () => {
  it("takes an echo of our own, and keeps nothing of it", async () => {
    const { post, arrivals, events } = await start({ appId: 77 });
    const bot = { id: 500, type: "Bot" };
    const by = (id: number) =>
      JSON.stringify({ comment: { user: bot, performed_via_github_app: { id } }, sender: bot });
    const send = (body: string) => post(body, { ...headersFor(body), "x-github-event": "issue_comment" });
    expect([await send(by(77)), await send(by(78))]).toEqual([202, 202]);
    expect(arrivals.map(({ payload: body }) => body)).toEqual([by(78)]);
    expect(events).toMatchObject([{ outcome: "echo" }, { outcome: "stored" }]);
    expect(await post(by(77), headersFor("{}"))).toBe(401);
  });

  it("RR-01 answers 202 once the delivery is stored, with the body as it came", async () => {
    const { arrivals, events, post } = await start();
    expect(await post(payload)).toBe(202);
    expect(await post(payload, headersFor(payload), "/api/github/webhooks")).toBe(202);
    const guid = headersFor(payload)["x-github-delivery"];
    const arrival = { guid, line: "issue:7:42", event: "issues", action: "opened", semanticKey: null, payload };
    expect(arrivals).toEqual([arrival, arrival]);
    const accepted = { kind: "accepted", guid, event: "issues", outcome: "stored" };
    expect(events).toEqual([accepted, accepted]);
  });

  it("SR-02 takes either of two secrets", async () => {
    const { post } = await start();
    expect(await post(payload, { ...headersFor(payload), "x-hub-signature-256": sign(payload, secrets[1]) })).toBe(202);
  });

  const signature = sign(payload);
  const flipped = signature.slice(0, -1) + (signature.endsWith("0") ? "1" : "0");
  it.each([
    ["none", {}],
    ["an empty one", { "x-hub-signature-256": "" }],
    ["one that is too short", { "x-hub-signature-256": signature.slice(0, -1) }],
    ["one with a bit flipped", { "x-hub-signature-256": flipped }],
    ["another secret's", { "x-hub-signature-256": sign(payload, "development") }],
    ["an empty secret's", { "x-hub-signature-256": sign(payload, "") }],
    ["a SHA-1 one", { "x-hub-signature": sign(payload, secrets[0], "sha1") }],
    ["a SHA-1 one under the other name", { "x-hub-signature-256": sign(payload, secrets[0], "sha1") }],
    ["one in capitals", { "x-hub-signature-256": signature.toUpperCase() }],
    ["two", { "x-hub-signature-256": `${signature}, ${signature}` }],
  ])(
    "SR-02 answers 401 to a signature that is %s, and stores nothing",
    async (_name, given: Record<string, string>) => {
      const { arrivals, post } = await start();
      const { "x-hub-signature-256": _, ...others } = headersFor(payload);
      expect(await post(payload, { ...others, ...given })).toBe(401);
      expect(arrivals).toEqual([]);
    },
  );

  it("SR-02 verifies the bytes as they came, not the JSON they mean", async () => {
    const { post } = await start();
    const spaced = JSON.stringify(JSON.parse(payload), null, 1);
    expect(await post(spaced, headersFor(payload))).toBe(401);
    expect(await post(spaced, headersFor(spaced))).toBe(202);
  });

  it.each([
    ["no JSON", "payload=1", {}],
    ["a JSON list", "[]", {}],
    ["no GUID", payload, { "x-github-delivery": "" }],
    ["a GUID that is none", payload, { "x-github-delivery": "a b\tc" }],
    ["no event", payload, { "x-github-event": "" }],
  ])("answers 400 to %s", async (_name, body, headers: Record<string, string>) => {
    const { arrivals, post } = await start();
    expect(await post(body, { ...headersFor(body), ...headers })).toBe(400);
    expect(arrivals).toEqual([]);
  });

  it.each(["", "development", "secret", "x".repeat(31)])("SR-01 does not start with the secret %j", async (weak) => {
    await expect(start({ secrets: () => [weak] })).rejects.toThrow("the webhook secret is missing or shorter than 32");
    await expect(start({ secrets: () => [secrets[0], weak] })).rejects.toThrow("webhook secret");
  });

  it("SR-01 does not start without any secret", async () => {
    await expect(start({ secrets: () => [] })).rejects.toThrow("webhook secret");
  });
});

describe("what the front does not let in", () => {
  const mebibyte = 1024 * 1024;

  it("SR-03 F-07 answers 413 to 60 MB by their announced length, before it reads any of them", {
    tags: ["long"],
  }, async () => {
    const { url, arrivals, events } = await start();
    const head = `POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${60 * mebibyte}\r\n\r\n`;
    expect(await sendRaw(url, head)).toMatch(/^HTTP\/1.1 413 /);
    expect(events).toEqual([{ kind: "refused", status: 413, reason: "body too large" }]);
    expect(arrivals).toEqual([]);
  });

  it("SR-03 F-07 answers 413 to a body in pieces as soon as it is over the cap", { tags: ["long"] }, async () => {
    const { url, arrivals } = await start({ bodyCapBytes: mebibyte });
    const piece = "x".repeat(0x40000);
    const pieces = `40000\r\n${piece}\r\n`.repeat(5);
    const head = "POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n";
    expect(await sendRaw(url, head + pieces)).toMatch(/^HTTP\/1.1 413 /);
    expect(arrivals).toEqual([]);
  });

  it("SR-03 F-07 answers 408 to a body that never ends, and closes", { tags: ["long"] }, async () => {
    const { url, arrivals } = await start({ bodyTimeoutMs: 200 });
    const head = "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nab";
    expect(await sendRaw(url, head)).toMatch(/^HTTP\/1.1 408 /);
    expect(arrivals).toEqual([]);
  });

  it("SR-05 answers 403 to who may not send webhooks before any of the body is read, and to nobody else", {
    tags: ["long"],
  }, async () => {
    const networks = createNetworks(["192.0.2.0/24"]);
    const admits = (caller: Caller) => networks(addressOf(caller, 1) ?? "");
    const { url, arrivals, events, post } = await start({ admits });
    const through = (forwarded: string) => post(payload, { ...headersFor(payload), "x-forwarded-for": forwarded });
    expect(await through("192.0.2.7")).toBe(202);
    // Whoever calls writes GitHub's address first; our proxy adds the true one behind it.
    expect(await through("192.0.2.7, 198.51.100.9")).toBe(403);
    expect(await post(payload)).toBe(403);
    const announced = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 60000000\r\n\r\n";
    expect(await sendRaw(url, announced)).toMatch(/^HTTP\/1\.1 403 /);
    expect(arrivals).toHaveLength(1);
    const refused = { kind: "refused", status: 403, reason: "not an allowed address" };
    expect(events.slice(1)).toEqual([refused, refused, refused]);
    expect((await fetch(`${url}/livez`)).status).toBe(200);
  });

  it("SR-04 logs nothing that an unverified sender wrote", async () => {
    const { events, post } = await start();
    const canary = "canary-7f3a";
    const body = JSON.stringify({ action: canary });
    await post(body, { "x-hub-signature-256": canary, "x-github-event": canary, "x-github-delivery": canary });
    await post(body, { ...headersFor("other"), "user-agent": canary }, `/?${canary}`);
    expect(events).toEqual([
      { kind: "refused", status: 401, reason: "bad signature" },
      { kind: "refused", status: 401, reason: "bad signature" },
    ]);
  });

  it.each(["/probot", "/probot/setup", "/ping", "/metrics", "/.env", "/api/github/webhooks/x", "//"])(
    "SR-70 answers 404 at %s",
    async (path) => {
      const { url, post } = await start();
      expect((await fetch(url + path)).status).toBe(404);
      expect(await post(payload, headersFor(payload), path)).toBe(404);
    },
  );

  it("SR-70 takes webhooks nowhere but at the path it was given", async () => {
    const { url, post } = await start({ path: "/hook" });
    expect(await post(payload, headersFor(payload), "/hook")).toBe(202);
    expect(await post(payload)).toBe(404);
    expect((await fetch(`${url}/hook`)).status).toBe(404);
  });
});

describe("the front when the store does not keep up", () => {
  it("RR-12 answers 503 where the delivery could not be stored", async () => {
    const receive = async (): Promise<never> => {
      throw new Error("disk full");
    };
    const { events, post } = await start({ receive });
    expect(await post(payload)).toBe(503);
    expect(events).toEqual([
      { kind: "not-stored", guid: headersFor(payload)["x-github-delivery"], event: "issues", reason: "disk full" },
    ]);
  });

  it("F-19 answers 503 when the store takes too long, and 202 again when it is back", async () => {
    let back = false;
    const receive = () => (back ? Promise.resolve("stored" as const) : new Promise<never>(() => {}));
    const { post } = await start({ receive, storeTimeoutMs: 50 });
    expect(await post(payload)).toBe(503);
    back = true;
    expect(await post(payload)).toBe(202);
  });

  it("SR-62 lets one repository wait with so many only, and takes another's meanwhile", async () => {
    const goOn = Promise.withResolvers<void>();
    const receive = async () => {
      await goOn.promise;
      return "stored" as const;
    };
    const { events, post } = await start({ receive });
    const other = JSON.stringify({ repository: { id: 8 } });
    const flood = Array.from({ length: 510 }, () => post(payload));
    const tooMany = { kind: "refused", status: 503, reason: "too many at once" };
    await until(() => expect(events).toEqual(Array(10).fill(tooMany)));
    const others = post(other);
    goOn.resolve();
    expect(await others).toBe(202);
    const answers = await Promise.all(flood);
    expect(answers.filter((status) => status === 202)).toHaveLength(500);
    expect(answers.filter((status) => status === 503)).toHaveLength(10);
  });
});

describe("the front's other answers", () => {
  it("RR-20 says that it lives, and whether it is ready", async () => {
    let ok = true;
    const { url } = await start({
      appId: 7,
      ready: async () => ({ ok, able: false, checks: { store: ok ? "ok" : "disk full" } }),
    });
    const ask = async (path: string) => {
      const response = await fetch(url + path);
      expect(response.headers.get("countersign-app")).toBe("7");
      return [response.status, await response.text()];
    };
    expect(await ask("/livez")).toEqual([200, "ok"]);
    expect(await ask("/readyz")).toEqual([200, '{"ok":true,"able":false,"checks":{"store":"ok"}}']);
    ok = false;
    expect(await ask("/readyz")).toEqual([503, '{"ok":false,"able":false,"checks":{"store":"disk full"}}']);
  });

  it("serves what the extra handler knows, and answers 404 to the rest", async () => {
    const { url } = await start({
      extra: async (request, response) => {
        if (request.url !== "/metrics") return false;
        response.end("metrics");
        return true;
      },
    });
    expect(await (await fetch(`${url}/metrics`)).text()).toBe("metrics");
    expect((await fetch(`${url}/other`)).status).toBe(404);
  });

  it("S14 answers 500 where a handler fails, tells of it, and goes on", async () => {
    const extra = async () => {
      throw new Error("broken page");
    };
    const { url, post, failed } = await start({ extra });
    expect((await fetch(`${url}/page`)).status).toBe(500);
    expect(failed).toEqual([new Error("broken page")]);
    expect(await post(payload)).toBe(202);
  });
});

describe.each(here.filter(({ kind }) => kind === "server"))("the front before a locked database", ({ create }) => {
  it("F-19 RR-01 answers 503 without a row, and takes the redelivery once the lock is gone", async () => {
    const store = await openStore(await create());
    const { receive } = createInbox(store);
    const { post } = await start({ receive, storeTimeoutMs: 300 });
    const locked = Promise.withResolvers<void>();
    const unlock = Promise.withResolvers<void>();
    const lock = store.transaction(async (tx) => {
      await sql`lock table delivery`.execute(tx);
      locked.resolve();
      await unlock.promise;
    });
    await locked.promise;
    expect(await post(payload)).toBe(503);
    unlock.resolve();
    await lock;
    expect(await post(payload)).toBe(202);
    const rows = await store.db.selectFrom("delivery").select(["guid", "payload"]).execute();
    expect(rows).toEqual([{ guid: headersFor(payload)["x-github-delivery"], payload }]);
    await store.close();
  });
});
