import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

/** What came to a sink. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A server on loopback that keeps what is posted to it, and answers everything as it was last told to. */
export interface Sink {
  readonly url: string;
  readonly received: readonly Received[];
  readonly answer: (status: number, headers?: Readonly<Record<string, string>>, body?: string) => void;
  readonly clear: () => void;
  readonly close: () => Promise<void>;
}

export async function startSink(): Promise<Sink> {
  const received: Received[] = [];
  let how: Parameters<Sink["answer"]> = [200];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      received.push({
        path: request.url ?? "",
        headers: request.headers,
        body: Buffer.concat(chunks).toString("utf8"),
      });
      const [status, headers = {}, body = ""] = how;
      response.writeHead(status, headers).end(body);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    answer: (...next) => {
      how = next;
    },
    clear: () => {
      received.length = 0;
      how = [200];
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
