import { request as ask, createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A request of the App as it left the process. */
export interface Tapped {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** Stands between the bot and the emulated GitHub and keeps every body that passes, edits that are overwritten later included. */
export interface WireTap {
  readonly url: string;
  readonly passed: readonly Tapped[];
  /** Where requests are passed on to. */
  readonly lead: (url: string) => void;
  readonly close: () => Promise<void>;
}

export async function startWireTap(): Promise<WireTap> {
  const passed: Tapped[] = [];
  let target = "";
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const body = Buffer.concat(chunks);
      passed.push({ method: incoming.method ?? "", path: incoming.url ?? "", body: body.toString("utf8") });
      const { host: _, ...headers } = incoming.headers;
      const onward = ask(`${target}${incoming.url}`, { method: incoming.method ?? "GET", headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      onward.on("error", () => outgoing.destroy());
      onward.end(body);
    });
  });
  // As long as a busy machine may stand still: whoever asks on a connection that just ended is not heard.
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passed,
    lead: (url) => {
      target = url;
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
