import { describe, expect, test } from "vitest";
import { addressOf, createNetworks } from "../../src/base/networks.ts";

const proxy = "10.0.0.1";
const github = "192.0.2.7";
const liar = "198.51.100.9";

describe("SR-05 who calls", () => {
  test.each([
    { what: "the connection's other end", proxies: 0, remote: liar, forwarded: undefined, is: liar },
    { what: "that, whatever the header says, without a proxy", proxies: 0, remote: liar, forwarded: github, is: liar },
    { what: "whom our proxy heard", proxies: 1, remote: proxy, forwarded: github, is: github },
    { what: "that, whatever was written before", proxies: 1, remote: proxy, forwarded: `${github}, ${liar}`, is: liar },
    { what: "whom the first of two heard", proxies: 2, remote: proxy, forwarded: `x, ${liar}, 10.0.0.2`, is: liar },
    { what: "nobody, where a proxy said nothing", proxies: 1, remote: proxy, forwarded: undefined, is: undefined },
    { what: "nobody, past the way's beginning", proxies: 3, remote: proxy, forwarded: github, is: undefined },
    { what: "nobody, where no address stands", proxies: 1, remote: proxy, forwarded: "unknown", is: undefined },
    { what: "an address with its port", proxies: 1, remote: proxy, forwarded: `${github}:4711`, is: github },
    {
      what: "an IPv6 address with its port",
      proxies: 1,
      remote: proxy,
      forwarded: "[2001:db8::1]:443",
      is: "2001:db8::1",
    },
    {
      what: "an IPv4 address on an IPv6 socket",
      proxies: 0,
      remote: `::ffff:${github}`,
      forwarded: undefined,
      is: github,
    },
    { what: "an address of one link", proxies: 0, remote: "fe80::1%eth0", forwarded: undefined, is: "fe80::1" },
  ])("is $what", ({ proxies, remote, forwarded, is }) => {
    expect(addressOf({ remote, forwarded }, proxies)).toBe(is);
  });

  test("is in a network or not, of either kind", () => {
    const has = createNetworks(["192.0.2.0/24", "198.51.100.9", "2001:db8::/32", "no network"]);
    const asked = ["192.0.2.255", "192.0.3.0", "198.51.100.9", "198.51.100.8", "2001:db8:1::1", "2001:db9::1"];
    expect(asked.filter(has)).toEqual(["192.0.2.255", "198.51.100.9", "2001:db8:1::1"]);
    expect(createNetworks([])("192.0.2.1")).toBe(false);
  });
});
