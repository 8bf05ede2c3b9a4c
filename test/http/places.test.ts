import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { until } from "../harness/until.ts";
import { floods, startFlood } from "./flood.ts";
import { headersFor, payload, start } from "./front.ts";

const mebibyte = 1024 * 1024;

/** Signed webhooks, one after another and all at once; the status of each. */
async function sendSigned(post: (body: string) => Promise<number>): Promise<ReadonlySet<number>> {
  const all = Array.from({ length: 32 }, () => post(payload));
  for (let n = 0; n < 32; n++) all.push(Promise.resolve(await post(payload)));
  return new Set(await Promise.all(all));
}

/** A bare connection that has sent this. */
const sender = (url: string, text: string | Buffer, localAddress = "127.0.0.1") => {
  const socket = connect({ port: Number(new URL(url).port), host: "127.0.0.1", localAddress });
  let answer = "";
  socket.on("data", (chunk) => {
    answer += chunk.toString();
  });
  socket.on("error", () => {});
  socket.write(text);
  return { socket, answer: () => answer };
};

const announce = (bytes: number, more = ""): string =>
  `POST / HTTP/1.1\r\nhost: x\r\n${more}content-length: ${bytes}\r\n\r\n`;

describe("SR-62 SR-03 nobody shuts the front from outside", () => {
  it.each([
    { what: "bodies that lack their last byte", count: 512, addresses: 1 },
    { what: "bodies that lack their last byte", count: 2_200, addresses: 5 },
    { what: "nothing", count: 2_200, addresses: 1 },
  ] as const)("$what, $count of them from $addresses addresses", { tags: ["long"] }, async ({ what, ...from }) => {
    const { url, post, arrivals, failed } = await start();
    const attack = await startFlood(url, floods[what], from);
    try {
      expect(await sendSigned(post)).toEqual(new Set([202]));
      expect((await fetch(`${url}/livez`)).status).toBe(200);
      expect(arrivals).toHaveLength(64);
      expect(failed).toEqual([]);
    } finally {
      attack.stop();
    }
  });

  it("an address that fills its share takes no place from another, however slow", async () => {
    const { url } = await start();
    const slow = sender(url, `${announce(100)}x`, "127.0.0.9");
    const attack = await startFlood(url, floods["bodies that lack their last byte"], { count: 700 });
    try {
      await expect.poll(attack.ended).toBeGreaterThan(500);
      expect([slow.socket.closed, slow.answer()]).toEqual([false, ""]);
    } finally {
      attack.stop();
      slow.socket.destroy();
    }
  });

  it("the slowest goes first, is answered 503, and the log counts it", { tags: ["long"] }, async () => {
    const { url, events } = await start();
    const big = Buffer.concat([Buffer.from(announce(5 * mebibyte)), Buffer.alloc(4 * mebibyte)]);
    const [fast, slow] = [sender(url, big), sender(url, `${announce(100)}x`)];
    await Promise.all([fast, slow].map(({ socket }) => new Promise((sent) => socket.write("x", sent))));
    const rest = Array.from({ length: 255 }, () => sender(url, ""));
    await until(() => expect(slow.answer()).toMatch(/^HTTP\/1.1 503 .*too many at once$/s));
    expect(fast.socket.closed).toBe(false);
    for (const { socket } of [fast, ...rest]) socket.destroy();
    await until(() => expect(events).toEqual([{ kind: "ended", crowded: 1, late: 0, scattered: 0 }]));
  });

  it("bodies that fill the memory give it to the next, and are answered 503", { tags: ["long"] }, async () => {
    const { url, post } = await start();
    const large = Buffer.concat([Buffer.from(announce(24 * mebibyte)), Buffer.alloc(24 * mebibyte - 1)]);
    const holders = Array.from({ length: 4 }, () => sender(url, large));
    await until(() => expect(holders.some(({ answer }) => answer().startsWith("HTTP/1.1 503"))).toBe(true));
    expect(await sendSigned(post)).toEqual(new Set([202]));
    const body = JSON.stringify({ repository: { id: 7 }, text: "x".repeat(20 * mebibyte) });
    expect(await post(body, headersFor(body))).toBe(202);
    for (const { socket } of holders) socket.destroy();
  });

  it("behind a proxy of ours the share is the sender's, not the proxy's", async () => {
    const { url } = await start({ trustedProxies: () => 1 });
    const from = (address: string) => announce(100, `x-forwarded-for: ${address}\r\n`);
    const other = sender(url, from("192.0.2.7"));
    const attack = await startFlood(url, { first: `${from("2001:db8::1")}x`.replace("::1", "::2") }, { count: 700 });
    try {
      await expect.poll(attack.ended).toBeGreaterThan(500);
      expect(other.socket.closed).toBe(false);
    } finally {
      attack.stop();
      other.socket.destroy();
    }
  });
});

describe("SR-03 F-07 a body has a deadline by its size", () => {
  it("one that has sent a lot has longer than one that has not, and neither for ever", { tags: ["long"] }, async () => {
    const { url } = await start({ bodyTimeoutMs: 100 });
    const large = sender(url, Buffer.concat([Buffer.from(announce(5 * mebibyte)), Buffer.alloc(4 * mebibyte)]));
    const small = sender(url, `${announce(100)}x`);
    const order: string[] = [];
    const ended = [large, small].map(
      ({ socket }, at) => new Promise<void>((done) => socket.once("close", () => done(void order.push(`${at}`)))),
    );
    await Promise.all(ended);
    expect(order).toEqual(["1", "0"]);
    for (const { answer } of [large, small]) expect(answer()).toMatch(/^HTTP\/1.1 408 .*too slow$/s);
  });

  it("who sends nothing, or no end of its headers, is answered 408", { tags: ["long"] }, async () => {
    const { url } = await start({ bodyTimeoutMs: 100 });
    const senders = [sender(url, ""), sender(url, "POST / HTTP/1.1\r\nx: y")];
    await until(() => {
      for (const { answer } of senders) expect(answer()).toMatch(/^HTTP\/1.1 408 /);
    });
  });

  it("a body in pieces of a byte is answered 413 early, and one in pieces of a kilobyte is taken", {
    tags: ["long"],
  }, async () => {
    const { url, events } = await start();
    const head = "POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n";
    const scattered = sender(url, head + "1\r\nx\r\n".repeat(20_000));
    await until(() => expect(scattered.answer()).toMatch(/^HTTP\/1.1 413 .*too many pieces$/s));
    const usual = sender(url, `${head}${`400\r\n${"x".repeat(1024)}\r\n`.repeat(2_000)}0\r\n\r\n`);
    await until(() => expect(usual.answer()).toMatch(/^HTTP\/1.1 401 /));
    usual.socket.destroy();
    await until(() => expect(events).toContainEqual({ kind: "ended", crowded: 0, late: 0, scattered: 1 }));
  });

  it("who asks seventeen times without an answer is not heard further", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let asked = 0;
    const ready = async () => {
      asked++;
      await promise;
      return { ok: true, able: true, checks: {} };
    };
    const { url } = await start({ ready });
    const many = sender(url, "GET /readyz HTTP/1.1\r\nhost: x\r\n\r\n".repeat(17));
    await expect.poll(() => many.socket.closed).toBe(true);
    expect(asked).toBe(1);
    resolve();
  });
});
