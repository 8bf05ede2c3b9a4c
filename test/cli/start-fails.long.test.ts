import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { freePort } from "../../demo/free-port.ts";
import { lockFolder } from "../../src/store/database/embedded.ts";
import { prepareGround } from "../harness/playground.ts";
import { useFolder, useStarted } from "../harness/use-started.ts";
import { countersign } from "./countersign.ts";

/** A start that fails ends by itself: main.ts cuts off what is left open only after ten seconds, and says so. */
const cutOff = "something did not let itself be closed";

/** Somebody else's program. */
async function occupied(): Promise<{ readonly port: number; readonly server: Server }> {
  const port = await freePort();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return { port, server };
}

describe("a start that fails", () => {
  const folder = mkdtempSync(join(tmpdir(), "countersign-fails-"));
  const ground = useStarted(() => prepareGround());
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
  });

  /** Starts it with a change of its config, which lies beside the store. */
  async function started(change: object) {
    const config = JSON.parse(readFileSync(ground.configFile, "utf8"));
    config.logging.file = join(folder, "log/countersign.log");
    Object.assign(config, change);
    const file = join(dirname(ground.configFile), "broken.yml");
    writeFileSync(file, JSON.stringify(config), { mode: 0o600 });
    return countersign(["start", "--config", file]);
  }

  it("RR-20 with a port that is taken ends with 2 and says what to do", async () => {
    const { port, server } = await occupied();
    const { code, err } = await started({ server: { host: "127.0.0.1", port } });
    server.close();
    expect(err).toBe(
      `✗ server.port: 127.0.0.1:${port} is taken: something listens there already (\`ss -ltnp\` names it) — \`countersign check\` says whether it is this bot; if not, end it or set another \`server.port\`\n`,
    );
    expect(code).toBe(2);
  });

  const damaged = join(folder, "damaged");
  mkdirSync(join(damaged, "store"), { recursive: true });
  const noKey = join(folder, "audit.key");
  writeFileSync(noKey, "no key", { mode: 0o600 });
  it.each([
    [
      "a damaged store",
      { store: { url: `file:${damaged}` } },
      /the store cannot be read: its database files are gone — restore a backup/,
    ],
    [
      "a PostgreSQL that cannot be reached",
      { store: { url: "postgres://nobody@127.0.0.1:1/none" } },
      /the database cannot be reached: .* — start the server/,
    ],
    ["a signing key that is none", { audit: { signing_key_file: noKey } }, /^✗ audit\.signing_key_file: .* — /],
    ["a config that is none", { sever: {} }, /`sever` is not a known key — did you mean `server`\?/],
    [
      "an address that this machine does not have",
      { server: { host: "192.0.2.7", port: 3000 } },
      /^✗ server\.host: 192\.0\.2\.7:3000 is no address of this machine — /,
    ],
  ])("RR-20 with %s ends with 2 and a remedy", async (_, change, says) => {
    const { code, err } = await started(change);
    expect(err).toMatch(says);
    expect(err).not.toContain(cutOff);
    expect(code).toBe(2);
  });

  it("RR-18 with an embedded store that another process has ends with 2 and names it", async () => {
    const store = join(folder, "locked");
    mkdirSync(store);
    const lock = lockFolder(store);
    const { code, err } = await started({ store: { url: `file:${store}` } });
    lock.release();
    expect(err).toMatch(new RegExp(`in use by another process \\(pid ${process.pid}\\) — end that process`));
    expect(err).not.toContain(cutOff);
    expect(code).toBe(2);
  });
});

describe("the demo", () => {
  const temporary = useFolder();
  const demo = (args: readonly string[], env = {}) =>
    countersign(["demo", ...args], { env: { TMPDIR: temporary, ...env } });

  it("RR-20 on a port that is taken ends with 2 and what to type", async () => {
    const { port, server } = await occupied();
    const { code, err } = await demo(["--port", String(port)]);
    server.close();
    expect(err).toMatch(new RegExp(`^✗ --port: 127\\.0\\.0\\.1:${port} is taken .* \`--port \\d+\``));
    expect(code).toBe(2);
  });

  it.each(["abc", "70000", "-1", "80.5", ""])("RR-20 refuses --port '%s' by name", async (port) => {
    for (const command of [["demo"], ["register", "--url", "https://bot.acme.example"]]) {
      const { code, err } = await countersign([...command, `--port=${port}`]);
      expect(err).toContain(`✗ --port: \`${port}\` is not a port — write a number from 1 to 65535`);
      expect(code).toBe(2);
    }
  });

  it("RR-20 closes everything and leaves no folder behind, whichever of its parts cannot be started", async () => {
    const preload = `--import=${fileURLToPath(new URL("./listen-fault.ts", import.meta.url))}`;
    // After one look for a free port: GitHub's two servers, the three imagined ones and the cluster's; then the bot's own, behind its local door.
    for (const n of [2, 3, 4, 5, 6, 7, 9]) {
      const { code, err } = await demo(["--port", "0", "--once"], {
        NODE_OPTIONS: preload,
        COUNTERSIGN_LISTEN_FAULT: String(n),
      });
      expect({ n, code }).not.toEqual({ n, code: 0 });
      expect(err).not.toContain(cutOff);
      expect(readdirSync(temporary).filter((name) => name.startsWith("countersign-"))).toEqual([]);
    }
  });
});
