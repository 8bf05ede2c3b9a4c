import { describe, expect, it } from "vitest";
import { outputParts } from "../../../src/store/outputs.ts";
import { startStage } from "../../harness/stage.ts";
import { useStarted } from "../../harness/use-started.ts";
import { saying } from "../../ssh/fake-host.ts";

const token = `ghp_${"A1b2C3d4E5f6".repeat(3)}`;
const half = 8 * 2 ** 20;
const longMs = 300_000;

const stage = useStarted(() => startStage());

const line = (at: number): string => `12:00:${at % 60} order ${at} was accepted in ${at % 300} ms\n`;

/** A log of exactly so many bytes. */
function log(bytes: number): Buffer {
  const lines: string[] = [];
  for (let length = 0, at = 0; length < bytes; at++) {
    const next = line(at);
    lines.push(next);
    length += next.length;
  }
  return Buffer.from(lines.join("")).subarray(0, bytes);
}

/** 20 MB with the token at these places. */
function outputWith(places: readonly number[]): Buffer {
  const output = log(20 * 2 ** 20);
  for (const place of places) output.write(`\nusing ${token} now\n`, place);
  return output;
}

describe("an output that is larger than what is kept of it", () => {
  const size = 20 * 2 ** 20;
  const intoToken = "\nusing ghp_A1b2".length;
  // At the gap of what is kept, before and behind it; at cuts of store parts and of pieces; at those of the excerpt and of a page.
  const places = [half - intoToken, size - half - intoToken, 65_536 - intoToken, 512 * 1024 - intoToken, 1_950, 4_990];

  it("SR-46 SR-50 RR-19 shows no part of a secret, on the issue or in the store, and says what is missing", {
    timeout: longMs,
  }, async () => {
    const output = outputWith(places);
    stage.play(saying(output));
    const thread = await stage.incident("journalctl -u orders");
    await thread.say("lee", "/approve 1");
    const result = await thread.waitFor((body) => /\*\*1\*\* ✅/.test(body), "the result", longMs);
    expect(result.body).toContain("characters left out · /output 1 ⋯");
    await stage.quiet();
    for (const how of ["", " page 2", " page 14", " tail 50", " grep using"])
      await stage.ask(thread, "lee", `/output 1${how}`);
    const { db } = stage.bot.deps.store;
    const run = await db.selectFrom("run").select(["id", "dropped", "bytes"]).executeTakeFirstOrThrow();
    expect(run).toMatchObject({ bytes: size, dropped: size - 2 * half });
    const stored = (await Array.fromAsync(outputParts(db, run.id))).join("");
    expect(stored.length).toBeGreaterThan(2 * half - 1_000);
    expect(stored.match(/bytes in the middle were not kept/g)).toHaveLength(1);
    expect(stored.match(/using \[REDACTED\] now/g)).toHaveLength(places.length - 2);
    const shown = (await thread.comments()).map(({ body }) => body).join("\n");
    for (const seen of [stored, shown, JSON.stringify(stage.model.requests)])
      expect(seen).not.toMatch(/ghp_|A1b2|C3d4|E5f6/);
  });
});
