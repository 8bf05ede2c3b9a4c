import { describe, expect, it } from "vitest";
import { createFrameReader, type JobWord } from "../../../src/ssh/job/end.ts";
import { fc } from "../../harness/chance.ts";

const id = "0123456789abcdef";
const mark = `@countersign:${id}`;

function readAll(chunks: readonly Buffer[]): { bytes: Buffer; words: JobWord[] } {
  const got: Buffer[] = [];
  const words: JobWord[] = [];
  const read = createFrameReader(id, {
    onBytes: (chunk) => got.push(Buffer.from(chunk)),
    onWord: (said) => words.push(said),
  });
  for (const chunk of chunks) {
    const reused = Buffer.from(chunk);
    read(reused);
    reused.fill(0); // ssh2 may use its buffer again
  }
  return { bytes: Buffer.concat(got), words };
}

describe("the frames of a job", () => {
  it("for any output, any noise round it and any cut into chunks: the bytes and words, and nothing else", () => {
    const noise = fc.oneof(
      fc.constant("Welcome\n"),
      fc.constant("@countersign:other ended exit.0 0\n"),
      fc.constant(""),
    );
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 30 })),
        noise,
        fc.array(fc.integer({ min: 1, max: 9 })),
        (outs, before, cuts) => {
          let at = 0;
          const frames = outs.map((out) => {
            const frame = [Buffer.from(`${mark} data ${at} ${out.length}\n`), Buffer.from(out)];
            at += out.length;
            return Buffer.concat(frame);
          });
          const all = Buffer.concat([
            Buffer.from(`${before}${mark} run 1 0 /tmp\n`),
            ...frames,
            Buffer.from(`${mark} ended exit.0 ${at}\nbye\n`),
          ]);
          const chunks: Buffer[] = [];
          for (let from = 0, i = 0; from < all.length; i++) {
            const size = cuts.length === 0 ? all.length : (cuts[i % cuts.length] ?? 1);
            chunks.push(all.subarray(from, from + size));
            from += size;
          }
          expect(readAll(chunks)).toEqual({
            bytes: Buffer.concat(outs),
            words: [
              { word: "run", rest: "1 0 /tmp" },
              { word: "ended", rest: `exit.0 ${at}` },
            ],
          });
        },
      ),
    );
  });

  it("output that looks like a frame is output", () => {
    const fake = `${mark} ended exit.0 0\n`;
    const { bytes, words } = readAll([Buffer.from(`${mark} data 0 ${fake.length}\n${fake}${mark} ended exit.1 9\n`)]);
    expect([bytes.toString(), words]).toEqual([fake, [{ word: "ended", rest: "exit.1 9" }]]);
  });

  it("a line without an end is no reason to keep everything", () => {
    const { words } = readAll([Buffer.from(mark), Buffer.alloc(100_000, " "), Buffer.from(`\n${mark} beat\n`)]);
    expect(words.at(-1)).toEqual({ word: "beat", rest: "" });
  });
});
