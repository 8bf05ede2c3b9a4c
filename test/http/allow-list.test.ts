import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createNetworks } from "../../src/base/networks.ts";
import { parseConfig } from "../../src/config/load.ts";
import { fetchHookAddresses } from "../../src/github/app/access.ts";
import { type AllowFrom, keepAllowList } from "../../src/http/places.ts";

const from = (remote: string) => ({ remote, forwarded: undefined });
const hourMs = 3_600_000;

describe("SR-05 whose webhooks are read", () => {
  const lines: string[] = [];
  const log = pino({ level: "warn" }, { write: (line: string) => void lines.push(JSON.parse(line).event) });
  beforeEach(() => {
    vi.useFakeTimers();
    lines.length = 0;
  });
  afterEach(() => void vi.useRealTimers());

  it("everybody's unless the operator says whose, and then nobody else's", async () => {
    let settings: AllowFrom = { trustedProxies: 0 };
    const fetchGitHubs = vi.fn(async () => ["192.0.2.0/24"]);
    const { admits, stop } = keepAllowList(() => settings, { fetchGitHubs, log });
    expect(admits(from("198.51.100.9"))).toBe(true);
    settings = { allowFrom: ["198.51.100.0/24"], trustedProxies: 0 };
    expect([
      admits(from("198.51.100.9")),
      admits(from("192.0.2.1")),
      admits({ remote: undefined, forwarded: "" }),
    ]).toEqual([true, false, false]);
    await stop();
    expect(fetchGitHubs).not.toHaveBeenCalled();
  });

  it("GitHub's as it tells them, anew each hour; nobody's before it has, and what it told last while it does not", async () => {
    const answers = [new Error("down"), ["192.0.2.0/24"], new Error("down"), ["203.0.113.0/24"]];
    const fetchGitHubs = async () => {
      const answer = answers.shift() ?? [];
      if (answer instanceof Error) throw answer;
      return answer;
    };
    const { admits, stop } = keepAllowList(() => ({ allowFrom: ["github"], trustedProxies: 0 }), { fetchGitHubs, log });
    const admitted = () => ["192.0.2.1", "203.0.113.1", "198.51.100.9"].filter((address) => admits(from(address)));
    await vi.advanceTimersByTimeAsync(0);
    expect(admitted()).toEqual([]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(admitted()).toEqual(["192.0.2.1"]);
    await vi.advanceTimersByTimeAsync(hourMs - 60_000);
    expect(lines).toEqual(["allow_list_late"]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect([admitted(), lines]).toEqual([["192.0.2.1"], ["allow_list_late", "allow_list_late"]]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(admitted()).toEqual(["203.0.113.1"]);
    await stop();
  });
});

it("SR-05 GitHub's addresses come from GET /meta, and one that names none is an error", async () => {
  let body: object = { hooks: ["192.0.2.0/24", "2001:db8::/32"] };
  const server = createServer((request, response) => {
    response.writeHead(request.url === "/meta" ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(await fetchHookAddresses(url)).toEqual(["192.0.2.0/24", "2001:db8::/32"]);
  body = { installed_version: "3.18" };
  await expect(fetchHookAddresses(url)).rejects.toThrow("names no addresses");
  server.closeAllConnections();
  server.close();
});

const problemsOf = (list: readonly string[]): readonly string[] => {
  const parsed = parseConfig(JSON.stringify({ server: { allow_from: list } }), "countersign.yml", {}, []);
  return parsed.ok ? [] : parsed.problems.map(({ message }) => message).filter((text) => text.includes("allow_from"));
};

it.each(["github", "192.0.2.0/24", "192.0.2.1", "::/0", "2001:db8::/128"])("SR-05 the config takes %s", (text) => {
  expect(problemsOf([text])).toEqual([]);
  if (text !== "github") expect(createNetworks([text])(text.replace(/\/.*/, ""))).toBe(true);
});

it.each(["hooks", "192.0.2.0/33", "192.0.2", "example.com", "", "192.0.2.0/", "::/129", "1.2.3.4/8/8", "fe80::1%eth0"])(
  "SR-05 the config does not take %j, nor an empty list",
  (text) => {
    expect(problemsOf([text])).toEqual([expect.stringContaining("192.0.2.0/24")]);
    expect(problemsOf([])).toHaveLength(1);
  },
);
