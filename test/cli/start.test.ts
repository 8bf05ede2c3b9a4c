import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { entryOf, type Ground, prepareGround } from "../playground.ts";
import { type FakeHost, startFakeHost } from "../ssh/fake-host.ts";
import { countersign } from "./countersign.ts";

describe("start", () => {
  let ground: Ground;
  let host: FakeHost;
  beforeAll(async () => {
    host = await startFakeHost(async () => 0);
    ground = await prepareGround({ servers: { "web-1": entryOf(host) } });
  });
  afterAll(async () => {
    await ground.close();
    await host.close();
  });

  it("SR-08 refuses to start where the App may do more than the bot needs: nothing listens", async () => {
    ground.github.setAppPermissions({ issues: "write", metadata: "read", contents: "write", administration: "write" });
    const { code, err } = await countersign(["start", "--config", ground.configFile]);
    expect(code).toBe(2);
    expect(err).toMatch(/contents: write is more than the bot needs/);
    expect(err).toMatch(/administration: write is more than the bot needs/);
    await expect(fetch(`http://127.0.0.1:${ground.port}/livez`)).rejects.toThrow();
  });

  it.each([
    { role: "web,agents", says: /no role `agents`/ },
    { role: "web", says: /cannot share an embedded store/ },
  ])("SR-55 --role $role is refused with a remedy", async ({ role, says }) => {
    const { code, err } = await countersign(["start", "--role", role, "--config", ground.configFile]);
    expect(code).toBe(2);
    expect(err).toMatch(says);
  });
});
