import { readFileSync, writeFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { startFakeModel } from "../agent/fake-model.ts";
import { prepareGround } from "../harness/playground.ts";
import { useStarted } from "../harness/use-started.ts";
import { startBotProcess } from "../harness/world.ts";
import { startCompany } from "./connect-proxy.ts";
import { countersign } from "./countersign.ts";

describe("behind a company's proxy and authority", () => {
  let config: string;
  let env: Readonly<Record<string, string>>;
  const model = useStarted(() => startFakeModel());
  const ground = useStarted(() => prepareGround());
  const company = useStarted(() => startCompany({ "api.github.test": ground.github.url, "model.test": model.url }));
  beforeAll(() => {
    const written = JSON.parse(readFileSync(ground.configFile, "utf8"));
    written.github.api_url = "https://api.github.test";
    written.model = { endpoints: [{ url: "https://model.test/v1", model: "m" }], deadline: "5s" };
    config = ground.configFile.replace(/\.yml$/, "-proxy.yml");
    writeFileSync(config, JSON.stringify(written), { mode: 0o600 });
    env = { HTTPS_PROXY: company.proxy, NODE_EXTRA_CA_CERTS: company.authority };
  });
  const check = async (more: Readonly<Record<string, string>>) => {
    const before = company.tunnels.length;
    const { out, err } = await countersign(["check", "--config", config], { env: more });
    return { out, err, tunnels: [...new Set(company.tunnels.slice(before))].sort() };
  };

  it("CONFIG check reaches GitHub and the model through HTTPS_PROXY, and the servers and this machine directly", async () => {
    const { out, tunnels } = await check(env);
    expect(out).toMatch(/^GitHub +✓ App countersign at https:\/\/api\.github\.test$/m);
    expect(out).toMatch(/^installed +✓ /m);
    expect(out).toMatch(/^web-1 +/m);
    expect(tunnels).toEqual(["api.github.test:443", "model.test:443"]);
  });

  it("CONFIG what NO_PROXY names is not asked of the proxy, in either spelling", async () => {
    for (const name of ["NO_PROXY", "no_proxy"]) {
      const { err, tunnels } = await check({ ...env, [name]: "api.github.test" });
      expect(err).toMatch(/^✗ github\.api_url: api\.github\.test cannot be reached: .* — /m);
      expect(tunnels).toEqual(["model.test:443"]);
    }
  });

  it("CONFIG an authority that is not known is called that, and the remedy is NODE_EXTRA_CA_CERTS", async () => {
    const { err } = await check({ HTTPS_PROXY: company.proxy });
    expect(err).toMatch(
      /^✗ github\.api_url: api\.github\.test cannot be reached: its certificate is signed by an authority that is not known here — .*NODE_EXTRA_CA_CERTS=\/path\/ca\.pem$/m,
    );
  });

  it("CONFIG an address that is no proxy's is refused without being shown", async () => {
    const { code, err } = await countersign(["check", "--config", config], { env: { HTTPS_PROXY: "hunter2@nowhere" } });
    expect(err).toMatch(/^✗ HTTPS_PROXY, HTTP_PROXY: is no proxy's address .* — write http:\/\/proxy/);
    expect(err).not.toContain("hunter2");
    expect(code).toBe(2);
  });

  it("CONFIG a bot behind it takes an incident in and posts its card, asking the model first", async () => {
    const bot = await startBotProcess({ configFile: config, port: ground.port }, { env });
    const thread = await ground.open();
    await thread.waitFor((body) => body.includes("echo spool is at 97 percent"), "the card");
    await bot.signal("SIGTERM");
    expect(model.requests.length).toBeGreaterThan(0);
    expect(ground.github.invalid()).toEqual([]);
  });
});
