import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createCapture } from "../../src/ssh/capture.ts";
import { fc } from "../chance.ts";

function captureOf(chunks: readonly Uint8Array[], maxBytes: number) {
  const sink = createCapture(maxBytes);
  for (const chunk of chunks) {
    const reused = Uint8Array.from(chunk);
    sink.push(reused);
    reused.fill(0); // a caller may reuse its buffer
  }
  return sink.finish();
}

describe("capture", () => {
  it("SR-54 for any output and any cut into chunks: first and last bytes, exact counts, hash of everything", () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 20 }),
        fc.integer({ min: 2, max: 60 }),
        (chunks, cap) => {
          const all = Buffer.concat(chunks);
          const half = Math.ceil(cap / 2);
          const fits = all.length <= cap;
          const capture = captureOf(chunks, cap);
          expect({ ...capture, head: Buffer.from(capture.head), tail: Buffer.from(capture.tail) }).toEqual({
            head: fits ? all : all.subarray(0, half),
            tail: fits ? Buffer.alloc(0) : all.subarray(all.length - (cap - half)),
            bytes: all.length,
            dropped: fits ? 0 : all.length - cap,
            sha256: createHash("sha256").update(all).digest("hex"),
          });
        },
      ),
    );
  });

  it("what could not be read is counted and dropped, and head and tail are never joined over it", () => {
    const sink = createCapture(16);
    sink.push(Buffer.from("0123456789"));
    sink.skip(100);
    sink.push(Buffer.from("ab"));
    const { head, tail, bytes, dropped } = sink.finish();
    const kept = [head, tail].map((part) => Buffer.from(part).toString());
    expect([...kept, bytes, dropped]).toEqual(["01234567", "ab", 112, 102]);
  });

  it("RR-19 keeps no more than the cap however much is pushed", () => {
    const sink = createCapture(1024);
    const chunk = new Uint8Array(100_000);
    const before = process.memoryUsage().arrayBuffers;
    for (let i = 0; i < 1_000; i++) sink.push(chunk);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1_000_000);
    expect(sink.finish()).toMatchObject({ bytes: 100_000_000, dropped: 100_000_000 - 1024 });
  });
});
