import { createServer as createTcpServer } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Pager, pagerNames, pagerOf, pagers } from "../../src/alert/pagers.ts";
import { listenAt } from "../../src/base/listen.ts";
import { tellPager } from "../../src/pager/tell.ts";
import { endWire, fakeWire } from "../harness/wire.ts";
import { startSink } from "./sink.ts";

const secret = "R0ut1ngKeyR0ut1ngKeyR0ut1ngKey32";
const word = {
  event: "acknowledge",
  pagerKey: "a-group",
  link: { href: "https://github.com/acme/web/issues/12", text: "acme/web#12" },
} as const;
const now = new Date("2026-03-01T10:05:00Z");
const eventFor = (url: string, { body, secret: { name }, isSecretRefused }: Pager = pagers.pagerduty) => ({
  ...{ url, body: body(word, secret), secretName: name, isSecretRefused },
});

describe("a pager that hears back", () => {
  beforeEach(() => void fakeWire());
  afterEach(() => expect(endWire()).toEqual([]));

  const tell = () => tellPager(eventFor(pagers.pagerduty.urls[0]), now);
  const answering = (status: number, body: object | string = {}, headers: Record<string, string> = {}) =>
    fakeWire()("https://events.pagerduty.com").post("/v2/enqueue").reply(status, body, headers);

  it("AL-8 is sent what it documents, with a link to the issue, and nothing else", async () => {
    let sent: unknown;
    fakeWire()("https://events.pagerduty.com")
      .post("/v2/enqueue", (body) => {
        sent = body;
        return true;
      })
      .reply(202, { status: "success" });
    expect(await tell()).toEqual({ kind: "done" });
    expect(sent).toEqual({
      routing_key: secret,
      event_action: "acknowledge",
      dedup_key: "a-group",
      links: [{ href: "https://github.com/acme/web/issues/12", text: "acme/web#12" }],
    });
  });

  it.each([
    [400, { errors: ["Invalid routing key"] }, {}, { kind: "failed", fault: "HTTP 400, it refuses the routing key" }],
    [403, "no JSON", {}, { kind: "failed", fault: "HTTP 403, it refuses the routing key" }],
    [400, { errors: ["dedup_key is too long", secret] }, {}, { kind: "failed", fault: "HTTP 400" }],
    [404, "<html>", {}, { kind: "failed", fault: "HTTP 404" }],
    [302, "", { location: "http://127.0.0.1:1/" }, { kind: "failed", fault: "HTTP 302" }],
    [429, {}, { "retry-after": "90" }, { kind: "later", fault: "HTTP 429", afterMs: 90_000 }],
    [
      429,
      {},
      { "retry-after": "Sun, 01 Mar 2026 10:06:00 GMT" },
      { kind: "later", fault: "HTTP 429", afterMs: 60_000 },
    ],
    [429, {}, { "retry-after": "soon" }, { kind: "later", fault: "HTTP 429", afterMs: 0 }],
    [503, "x".repeat(100_000), {}, { kind: "later", fault: "HTTP 503", afterMs: 0 }],
  ])("AL-8 that answers %i %j is told apart, in our words alone", async (status, body, headers, outcome) => {
    answering(status, body, headers as Record<string, string>);
    expect(await tell()).toEqual(outcome);
  });

  it.each(pagerNames)("AL-8 %s goes to its own hosts alone, over TLS, with a secret of one form", (name) => {
    const { urls, secret: form, longestKey, body } = pagerOf(name);
    expect(urls.filter((url) => !url.startsWith("https://"))).toEqual([]);
    expect([form.form.test(secret), form.form.test(`${secret}0`), form.form.test("")]).toEqual([true, false, false]);
    expect(JSON.stringify(body({ ...word, event: "resolve" }, secret))).toContain(secret);
    expect(longestKey).toBeGreaterThan(63);
  });
});

describe("a pager on a wire that breaks", () => {
  const local = (url: string, limitMs?: number) => tellPager(eventFor(url), now, limitMs);

  it("AL-8 has surely not heard where nobody listens", async () => {
    const gone = await startSink();
    await gone.close();
    expect(await local(gone.url)).toEqual({ kind: "later", fault: "ECONNREFUSED", afterMs: 0 });
  });

  it("AL-8 may have heard where its answer is lost", async () => {
    const server = createTcpServer((socket) => void socket.resume());
    const port = await listenAt(server, { host: "127.0.0.1", port: 0, place: "test", remedy: "" });
    expect(await local(`http://127.0.0.1:${port}/`, 300)).toEqual({ kind: "unsure", fault: "no answer within 0.3 s" });
    server.close();
    const cut = createTcpServer((socket) => socket.once("data", () => socket.destroy()));
    const at = await listenAt(cut, { host: "127.0.0.1", port: 0, place: "test", remedy: "" });
    expect(await local(`http://127.0.0.1:${at}/`)).toEqual({ kind: "unsure", fault: "ECONNRESET" });
    cut.close();
  });
});
