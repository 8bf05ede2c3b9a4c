import { describe, expect, it } from "vitest";
import { checkInventory, jumpChain } from "../../src/ssh/inventory.ts";
import { inventory, server } from "./inventory-entry.ts";

const named = (name: string, jump?: string, given = {}) =>
  server({ name, keyFile: "key", ...(jump ? { jump } : {}), ...given });

describe("checkInventory", () => {
  it("a sound inventory has no problems", () => {
    expect(checkInventory(inventory(named("bastion"), named("web-1", "bastion")))).toEqual([]);
  });

  it("an unknown jump host is named with those there are", () => {
    expect(checkInventory(inventory(named("bastion"), named("web-1", "bastian")))).toEqual([
      {
        place: "servers.web-1.jump",
        message: "the jump host bastian of web-1 is not in the inventory",
        remedy: "use one of: bastion",
      },
    ]);
  });

  it("a circle of jump hosts is shown as the way it goes", () => {
    const problems = checkInventory(inventory(named("a", "b"), named("b", "c"), named("c", "a")));
    expect(problems.map(({ message }) => message)).toEqual([
      "the jump hosts of a go in a circle: a → b → c → a",
      "the jump hosts of b go in a circle: b → c → a → b",
      "the jump hosts of c go in a circle: c → a → b → c",
    ]);
  });

  it("a server that jumps into a circle it is not part of ends too", () => {
    expect(jumpChain(named("x", "a"), inventory(named("a", "b"), named("b", "a"), named("x", "a")))).toMatchObject({
      ok: false,
    });
  });

  it("several jump hosts are gone through from the nearest", () => {
    const chain = jumpChain(named("c", "b"), inventory(named("a"), named("b", "a"), named("c", "b")));
    expect(chain.ok && chain.chain.map(({ name }) => name)).toEqual(["a", "b"]);
  });

  it.each(["-oProxyCommand=x", "a b", "web;id", "wéb", "UPPER", "", "a\nb", "$(id)"])(
    "SR-53 refuses %j as host and as user",
    (text) => {
      const problems = checkInventory(inventory(named("web-1", undefined, { host: text, user: "ops" })));
      expect(problems.map(({ message }) => message)).toEqual(["host of web-1 is not a plain name"]);
      const users = checkInventory(inventory(named("web-1", undefined, { user: text })));
      expect(users.map(({ message }) => message)).toEqual(["user of web-1 is not a plain name"]);
    },
  );

  it("a server with no way to log in is a problem, the backend openssh is none", () => {
    const problems = checkInventory(inventory(server(), named("web-2", undefined, { backend: "openssh" })));
    expect(problems.map(({ message }) => message)).toEqual(["no key to log in with"]);
  });
});
