import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { createPresence } from "../../src/store/database/server-database.ts";

const message = (kind: string, body: string): Buffer => {
  const frame = Buffer.alloc(5);
  frame.write(kind);
  frame.writeInt32BE(4 + body.length, 1);
  return Buffer.concat([frame, Buffer.from(body)]);
};
const ready = message("Z", "I");

/** What of PostgreSQL's protocol a process's own connection needs; `refuses` what it is asked, as a standby does. */
async function startServer() {
  const open = new Set<net.Socket>();
  let refuses = false;
  const listener = net.createServer((socket) => {
    open.add(socket.once("close", () => open.delete(socket)).on("error", () => undefined));
    let isGreeted = false;
    socket.on("data", (bytes) => {
      const refusal = message("E", "SERROR\0C25006\0Mcannot execute LISTEN during recovery\0\0");
      if (!isGreeted) socket.write(Buffer.concat([message("R", "\0\0\0\0"), ready]));
      else if (bytes.includes("listen"))
        socket.write(Buffer.concat([refuses ? refusal : message("C", "LISTEN\0"), ready]));
      isGreeted = true;
    });
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  return {
    open,
    port: (listener.address() as net.AddressInfo).port,
    becomeStandby: () => {
      refuses = true;
      for (const socket of open) socket.destroy();
    },
    close: () => {
      for (const socket of open) socket.destroy();
      listener.close();
    },
  };
}

it("RR-12 a server that takes connections and refuses what a process needs of one is not left with one more each second", async () => {
  const server = await startServer();
  const said: string[] = [];
  const warn = (text: string): void => void said.push(text);
  const presence = await createPresence({ host: "127.0.0.1", port: server.port, channel: "queue", origin: "a", warn });
  server.becomeStandby();
  await expect.poll(() => said.filter((text) => text.includes("recovery")).length).toBe(3);
  await sleep(100);
  expect(server.open.size).toBe(0);
  await presence.close();
  server.close();
});
