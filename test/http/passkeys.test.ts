import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPasskeyDoor } from "../../src/http/passkeys.ts";

const id = "0a".repeat(32);

describe("the door of passkeys", () => {
  let isOn = true;
  const taken: unknown[] = [];
  const waiting: (() => void)[] = [];
  const door = createPasskeyDoor({
    isOn: () => isOn,
    view: async (asked) => {
      if (asked !== id) await new Promise<void>((go) => void waiting.push(go));
      return { kind: "shut", reason: "<b>over</b>" };
    },
    take: async (_, body) => {
      taken.push(body);
      return { ok: false, words: "no" };
    },
    log: () => {},
  });
  const server = createServer(async (request, response) => {
    if (!(await door(request, response))) response.writeHead(404).end("somebody else's");
  });
  let url = "";
  beforeAll(async () => {
    await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((done) => void server.close(done)));

  it("PK-03 shows nothing while it is off, and leaves other addresses to others", async () => {
    isOn = false;
    expect(await (await fetch(`${url}/k/${id}`)).text()).toBe("somebody else's");
    isOn = true;
    expect(await (await fetch(`${url}/livez`)).text()).toBe("somebody else's");
  });

  it("PK-03 a page that is over says so, with nothing to press, escaped, and with the strict policy", async () => {
    const response = await fetch(`${url}/k/${id}`);
    expect(response.status).toBe(410);
    expect(response.headers.get("content-security-policy")).toMatch(/^default-src 'none'; .*frame-ancestors 'none'$/);
    expect(await response.text()).not.toMatch(/<b>|<button|<script/);
  });

  it("PK-03 takes no body over its cap, and no other address or method", async () => {
    const post = (body: string) => fetch(`${url}/k/${id}`, { method: "POST", body });
    expect((await post("x".repeat(40_000))).status).toBe(400);
    expect(taken).toEqual([]);
    expect((await post("no JSON")).status).toBe(400);
    expect(taken).toEqual([undefined]);
    const others = [
      fetch(`${url}/k/${id.slice(2)}`),
      fetch(`${url}/k/${id}`, { method: "PUT" }),
      fetch(`${url}/k/../x`),
    ];
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual([404, 404, 404]);
  });

  it("PK-03 whoever sends a body slowly keeps nobody else waiting", async () => {
    const slow = Array.from({ length: 20 }, () => {
      const asked = request(`${url}/k/${id}`, { method: "POST", headers: { "content-length": 9 } });
      asked.on("error", () => {}).write("{");
      return asked;
    });
    await Promise.all(slow.map((asked) => once(asked, "socket").then(([socket]) => once(socket, "connect"))));
    const statuses = await Promise.all(slow.map(() => fetch(`${url}/k/${id}`).then(({ status }) => status)));
    for (const asked of slow) asked.destroy();
    expect(statuses.filter((status) => status !== 410)).toEqual([]);
  });

  it("PK-03 SR-62 who comes while others are served waits for a turn", async () => {
    const all = Array.from({ length: 40 }, () => fetch(`${url}/k/${"0b".repeat(32)}`));
    for (let served = 0; served < 40; served++) {
      await expect.poll(() => waiting.length).toBeGreaterThan(0);
      waiting.shift()?.();
    }
    expect((await Promise.all(all)).map(({ status }) => status)).toEqual(Array(40).fill(410));
  });

  it("PK-03 serves a few at once, and the rest is told to come back", { tags: ["long"] }, async () => {
    const slow = Array.from({ length: 9 }, () => fetch(`${url}/k/${"0b".repeat(32)}`));
    expect((await Promise.race(slow)).status).toBe(503);
    for (const go of waiting) go();
    expect((await Promise.all(slow)).filter(({ status }) => status === 410)).toHaveLength(8);
  });
});
