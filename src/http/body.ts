import type { IncomingMessage } from "node:http";

const maxUnverifiedBytes = 64 * 1024 * 1024;
const maxUnverifiedBodies = 512;
const lingerMs = 2_000;

/** Reads bodies under a cap each and one for all that are not verified yet, both enforced while reading (SR-03). */
export function createBodyReader(capBytes: number) {
  let heldBytes = 0;
  let reading = 0;

  return async (request: IncomingMessage): Promise<Buffer | "body too large" | "too many at once" | "cut off"> => {
    if (Number(request.headers["content-length"] ?? 0) > capBytes) return "body too large";
    if (reading >= maxUnverifiedBodies) return "too many at once";
    const chunks: Buffer[] = [];
    let bytes = 0;
    reading++;
    try {
      return await new Promise((resolve) => {
        request.on("data", (chunk: Buffer) => {
          bytes += chunk.length;
          heldBytes += chunk.length;
          if (bytes > capBytes) resolve("body too large");
          else if (heldBytes > maxUnverifiedBytes) resolve("too many at once");
          else chunks.push(chunk);
        });
        request.on("end", () => resolve(Buffer.concat(chunks, bytes)));
        request.on("error", () => resolve("cut off"));
        request.on("close", () => resolve("cut off"));
      });
    } finally {
      request.removeAllListeners("data");
      heldBytes -= bytes;
      reading--;
    }
  };
}

/** Lets a refused sender read its answer, then cuts off a body that nobody wants. */
export function discardRest(request: IncomingMessage): void {
  request.resume();
  const cut = setTimeout(() => request.socket.destroy(), lingerMs).unref();
  request.on("end", () => clearTimeout(cut));
}
