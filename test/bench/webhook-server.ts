import { createHmac, generateKeyPairSync, timingSafeEqual } from "node:crypto";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { createNodeMiddleware, Probot } from "probot";
import { startFront } from "../../src/http/server.ts";
import { openStore } from "../../src/store/database/open.ts";
import { createInbox } from "../../src/store/queue/arrival.ts";
import { secret } from "./webhook-load.ts";

/** One contestant in a process of its own: `countersign <store url>`, `probot` or `plain`. Prints its address. */
const [, , contestant = "", storeUrl = ""] = process.argv;

const contestants: Record<string, () => Promise<string>> = {
  countersign: async () => {
    const { receive } = createInbox(await openStore(storeUrl));
    const ready = async () => ({ ok: true, able: true, checks: {} });
    const front = await startFront({
      host: "127.0.0.1",
      port: 0,
      secrets: () => [secret],
      receive,
      ready,
      log: () => {},
      onFault: () => {},
    });
    return front.url;
  },
  probot: async () => {
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const pem = privateKey.export({ type: "pkcs1", format: "pem" }).toString();
    const probot = new Probot({ appId: 1, privateKey: pem, secret, logLevel: "fatal" });
    const middleware = await createNodeMiddleware((app) => app.on("issue_comment.created", async () => {}), {
      probot,
      webhooksPath: "/",
    });
    return listen((request, response) => void middleware(request, response));
  },
  /** The floor: reads, verifies, answers. Keeps nothing. */
  plain: () =>
    listen((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const expected = Buffer.from(
          `sha256=${createHmac("sha256", secret).update(Buffer.concat(chunks)).digest("hex")}`,
        );
        const given = Buffer.from(String(request.headers["x-hub-signature-256"]));
        response.statusCode = given.length === expected.length && timingSafeEqual(given, expected) ? 202 : 401;
        response.end();
      });
    }),
};

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

if (contestant) {
  process.stdout.write(`${await contestants[contestant]?.()}\n`);
  process.stdin.resume().on("end", () => process.exit(0));
}
