import type { IncomingMessage } from "node:http";
import { countBody } from "./places.ts";

const lingerMs = 2_000;
/** The least that is allocated for a body: as many bytes as a usual webhook has. */
const firstBytes = 16 * 1024;

/** Reads a body under a cap, enforced while reading (SR-03). "cut off" if its connection has ended meanwhile. */
export async function readBody(
  request: IncomingMessage,
  capBytes: number,
): Promise<Buffer | "body too large" | "cut off"> {
  if (Number(request.headers["content-length"] ?? 0) > capBytes) return "body too large";
  // One buffer that grows: a sender of one byte at a time would make us keep an object for each.
  let kept = Buffer.alloc(0);
  let bytes = 0;
  const keep = (chunk: Buffer): void => {
    const needed = bytes + chunk.length;
    const room =
      needed <= kept.length ? kept.length : Math.max(needed, Math.min(2 * kept.length, capBytes), firstBytes);
    countBody(request, { received: chunk.length, held: room - kept.length });
    if (room > kept.length) {
      const larger = Buffer.allocUnsafeSlow(room);
      kept.copy(larger, 0, 0, bytes);
      kept = larger;
    }
    chunk.copy(kept, bytes);
    bytes = needed;
  };
  try {
    return await new Promise((resolve) => {
      request.on("data", (chunk: Buffer) => {
        if (bytes + chunk.length > capBytes) resolve("body too large");
        else if (!request.destroyed) keep(chunk);
      });
      request.on("end", () => resolve(kept.subarray(0, bytes)));
      request.on("error", () => resolve("cut off"));
      request.on("close", () => resolve("cut off"));
    });
  } finally {
    request.removeAllListeners("data");
    countBody(request, { received: 0, held: -kept.length });
  }
}

/** Lets a refused sender read its answer, then cuts off a body that nobody wants. */
export function discardRest(request: IncomingMessage): void {
  request.resume();
  const cut = setTimeout(() => request.socket.destroy(), lingerMs).unref();
  request.on("end", () => clearTimeout(cut));
}
