import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createCapture, createSpool, type Spool } from "../../src/ssh/capture.ts";
import { fc } from "../harness/chance.ts";

function captureOf(chunks: readonly Uint8Array[], maxBytes: number, spool?: Spool) {
  const sink = createCapture(maxBytes, spool);
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
        fc.integer({ min: 0, max: 80 }),
        (chunks, cap, inMemoryBytes) => {
          const all = Buffer.concat(chunks);
          const half = Math.ceil(cap / 2);
          const fits = all.length <= cap;
          const { release, pieces, ...capture } = captureOf(chunks, cap, createSpool(cap, { inMemoryBytes }));
          release?.();
          expect(capture).toEqual({
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

  it("SR-54 what is too long for memory comes back from its file as it came", () => {
    const cap = 2 ** 20;
    const chunk = Buffer.alloc(2 ** 16, "0123456789\n");
    const { head, tail, pieces, dropped, release } = captureOf(Array(20).fill(chunk), cap);
    expect([head.length, tail.length, dropped]).toEqual([cap / 2, cap / 2, 4 * 2 ** 16]);
    const kept = Buffer.concat(Array(16).fill(chunk));
    expect(Buffer.concat([head, tail]).equals(kept)).toBe(true);
    expect(Buffer.concat([...(pieces?.head ?? []), ...(pieces?.tail ?? [])]).equals(kept)).toBe(true);
    release?.();
  });
});
