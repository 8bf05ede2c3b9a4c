import type { IncomingMessage } from "node:http";
import { countBody } from "./places.ts";

const firstBytes = 16 * 1024;

/** Reads a body under a cap, enforced while reading (SR-03). "cut off" if the connection ends. */
export async function readBody(
  request: IncomingMessage,
  capBytes: number,
): Promise<Buffer | "body too large" | "cut off"> {
  if (Number(request.headers["content-length"] ?? 0) > capBytes) return "body too large";
  // A sender of single bytes would otherwise cost an object each. The old buffer is freed at once, not by the garbage collector.
  let kept = new ArrayBuffer(0);
  let bytes = 0;
  const resize = (size: number): void => {
    countBody(request, { received: 0, held: size - kept.byteLength });
    kept = kept.transfer(size);
  };
  const keep = (chunk: Buffer): void => {
    const needed = bytes + chunk.length;
    countBody(request, { received: chunk.length, held: 0 });
    if (request.destroyed) return;
    if (needed > kept.byteLength) resize(Math.max(needed, Math.min(2 * kept.byteLength, capBytes), firstBytes));
    chunk.copy(Buffer.from(kept), bytes);
    bytes = needed;
  };
  const ending = await new Promise<"whole" | "body too large" | "cut off">((resolve) => {
    request.on("data", (chunk: Buffer) => {
      if (bytes + chunk.length > capBytes) resolve("body too large");
      else if (!request.destroyed) keep(chunk);
    });
    request.on("end", () => resolve("whole"));
    request.on("error", () => resolve("cut off"));
    request.on("close", () => resolve("cut off"));
  });
  request.removeAllListeners("data");
  const body = ending === "whole" ? Buffer.from(kept, 0, bytes) : ending;
  if (ending === "whole") countBody(request, { received: 0, held: -kept.byteLength });
  else resize(0);
  return body;
}
