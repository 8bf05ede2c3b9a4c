import { generateKeyPairSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { freePort } from "../../../demo/free-port.ts";
import { lookAtFiles, lookAtPort } from "../../../src/cli/check/machine.ts";
import { useFolder } from "../../harness/use-started.ts";
import { start } from "../../http/front.ts";

const folder = useFolder();
const host = "127.0.0.1";
const logging = { level: "info", stdout: true, payloads: false, rotation: { maxDays: 1, maxSizeMb: 1 } } as const;
const faultsOf = ([look]: ReturnType<typeof lookAtFiles>) =>
  look?.problems?.map(({ place, message }) => `${place} ${message}`);

describe("what the bot needs of its own machine", () => {
  it("CONFIG SR-66 a signing key that is none, and folders that are not there or none", () => {
    const key = join(folder, "audit.key");
    writeFileSync(key, "no key", { mode: 0o600 });
    const audit = { signingKeyFile: key, checkpointFile: join(folder, "gone/audit.checkpoint") };
    expect(
      faultsOf(lookAtFiles({ roles: ["runner"], audit, logging: { ...logging, file: join(key, "x.log") } })),
    ).toEqual([
      expect.stringMatching(/^audit\.signing_key_file /),
      expect.stringMatching(/^audit\.checkpoint_file cannot be written: .*ENOENT/),
      `logging.file ${key} is no folder`,
    ]);
    writeFileSync(key, generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }));
    const whole = { signingKeyFile: key, checkpointFile: join(folder, "audit.checkpoint") };
    // The log makes its folder.
    const file = join(folder, "logs/bot/countersign.log");
    expect(faultsOf(lookAtFiles({ roles: ["runner"], audit: whole, logging: { ...logging, file } }))).toEqual([]);
  });

  it("CONFIG SR-66 a folder where a file is to be written is a fault: no command would be sent, and no line kept", () => {
    const audit = { signingKeyFile: undefined, checkpointFile: folder };
    expect(faultsOf(lookAtFiles({ roles: ["runner"], audit, logging: { ...logging, file: folder } }))).toEqual([
      `audit.checkpoint_file ${folder} is a folder`,
      `logging.file ${folder} is a folder`,
    ]);
  });

  it("SR-55 of a process that only takes webhooks nothing is asked that only others need", () => {
    const audit = { signingKeyFile: join(folder, "none.key"), checkpointFile: join(folder, "none/checkpoint") };
    expect(faultsOf(lookAtFiles({ roles: ["web"], audit, logging }))).toEqual([]);
    expect(faultsOf(lookAtFiles({ roles: ["web", "agent"], audit, logging }))).toHaveLength(2);
  });

  it("CONFIG a port that this bot has is no fault; one that another program or another bot has is", async () => {
    const port = await freePort();
    const at = (port: number, appId = 7) => ({ server: { host, port } as never, github: { appId } as never });
    expect(await lookAtPort(at(port))).toEqual([{ name: "port", said: `${host}:${port} is free` }]);
    const { url } = await start({ appId: 7, ready: () => new Promise(() => {}) });
    const ours = Number(new URL(url).port);
    // Also while its store does not answer.
    expect(await lookAtPort(at(ours))).toEqual([
      { name: "port", said: `${host}:${ours}: this bot is already running here` },
    ]);
    expect((await lookAtPort(at(ours, 8)))[0]?.problems).toEqual([
      {
        place: "server.port",
        message: `${host}:${ours} is taken by another Countersign bot, of App 7`,
        remedy: "set another `server.port` for one of the two",
      },
    ]);
    const server = createServer((_, response) => response.end('{"ok":true,"able":true,"checks":{"store":"writable"}}'));
    await new Promise<void>((resolve) => server.listen(0, host, resolve));
    const { port: taken } = server.address() as AddressInfo;
    expect((await lookAtPort(at(taken)))[0]?.problems).toEqual([
      expect.objectContaining({
        place: "server.port",
        message: `${host}:${taken} is taken by another program`,
        remedy: expect.stringMatching(/ss -ltnp/),
      }),
    ]);
    await new Promise((resolve) => server.close(resolve));
    const [elsewhere] = await lookAtPort({ ...at(port), server: { host: "192.0.2.1", port } as never });
    expect(elsewhere?.problems).toEqual([
      expect.objectContaining({ message: expect.stringMatching(/is no address of this machine/) }),
    ]);
  });
});
