import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * A port on 127.0.0.1 that nobody listened on a moment ago. It lies below the range from which systems give ports to
 * outgoing connections, so that none of those takes it before it is listened on.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const port = randomInt(10_240, 32_768);
    if (await isFree(port)) return port;
  }
  throw new Error("no free port on 127.0.0.1 between 10240 and 32768");
}

/** That port of 127.0.0.1, or the first one after it that nobody listens on. */
export async function nextFreePort(from: number): Promise<number> {
  for (let port = from; port < Math.min(from + 100, 65_536); port++) if (await isFree(port)) return port;
  return freePort();
}

/** Whether nobody listens on that port of 127.0.0.1 at this moment. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
      .once("error", () => resolve(false))
      .listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
