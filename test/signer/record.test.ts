import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openRecord, type SignedEntry } from "../../src/signer/record.ts";

const entry = (change: Partial<SignedEntry> = {}): SignedEntry => ({
  at: "2026-01-01T00:00:00.000Z",
  issue: "acme/web#7",
  issueNodeId: "I_7",
  number: 1,
  digest: "d1",
  server: "web-1",
  host: "10.0.0.5",
  port: 22,
  jobId: "a".repeat(33),
  risk: "low",
  command: "uptime",
  approvals: [{ id: 71, login: "lee", comment: 5 }],
  ...change,
});

function recordFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "countersign-record-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "record.jsonl");
}

/** Opens it, and is the process that has it until the work is done. */
async function withRecord<T>(
  file: string,
  work: (record: Awaited<ReturnType<typeof openRecord>>) => T | Promise<T>,
): Promise<T> {
  const record = await openRecord(file);
  try {
    return await work(record);
  } finally {
    await record.close();
  }
}

describe("the signer's record", () => {
  it.each([
    ["the same", {}, /signed for web-1/],
    ["another digest of the number", { digest: "d2", jobId: "b".repeat(33) }, /signed for web-1/],
    ["another number of the digest", { number: 2, jobId: "b".repeat(33) }, /signed for web-1/],
    ["the job of another action", { number: 2, digest: "d2" }, /another action's/],
  ])("SR-71 takes no second line for %s, also after a restart", async (_, change, words) => {
    const file = recordFile();
    await withRecord(file, (record) => expect(record.add(entry())).toBeUndefined());
    await withRecord(file, (record) => expect(record.add(entry(change))).toMatch(words));
    expect(readFileSync(file, "utf8").split("\n")).toHaveLength(2);
  });

  it.each([
    ["another server", { server: "web-2" }],
    ["another command of the set", { step: 1, jobId: "b".repeat(33) }],
    ["another issue", { issueNodeId: "I_8", digest: "d2", jobId: "b".repeat(33) }],
  ])("takes the number once for %s", async (_, change) => {
    await withRecord(recordFile(), (record) => {
      expect([record.add(entry()), record.add(entry(change))]).toEqual([undefined, undefined]);
      expect(record.add(entry(change))).toMatch(/signed for/);
    });
  });

  it("SR-71 a comment that says a command itself approves one number", async () => {
    await withRecord(recordFile(), (record) => {
      expect(record.add(entry({ ownWord: "5 run" }))).toBeUndefined();
      expect(record.add(entry({ server: "web-2", ownWord: "5 run" }))).toBeUndefined();
      expect(record.add(entry({ number: 2, digest: "d2", jobId: "b".repeat(33), ownWord: "5 run" }))).toMatch(
        /another number/,
      );
    });
  });

  it("SR-71 a job that was told as never begun is not signed any more, also after a restart", async () => {
    const file = recordFile();
    const lost = { server: "web-1", jobId: "c".repeat(33) };
    await withRecord(file, (record) => {
      expect(record.giveUp(lost)).toBeUndefined();
      expect(record.add(entry())).toBeUndefined();
      expect([record.giveUp(lost), record.giveUp(lost)]).toEqual([entry().at, entry().at]);
    });
    await withRecord(file, (record) => {
      expect(record.add(entry({ number: 2, digest: "d2", jobId: lost.jobId }))).toMatch(/never began/);
      expect(record.add(entry({ number: 2, digest: "d2", jobId: lost.jobId, server: "web-2" }))).toBeUndefined();
      expect(record.giveUp({ server: "web-1", jobId: entry().jobId })).toBeUndefined();
    });
    expect(readFileSync(file, "utf8").match(/givenUp/g)).toHaveLength(1);
  });

  it("SR-71 a line that a crash cut off is none, and what was signed before stays signed", async () => {
    const file = recordFile();
    await withRecord(file, (record) => record.add(entry()));
    appendFileSync(file, '{"seq":2,"prev":"x","sig');
    await withRecord(file, (record) => {
      expect(record.add(entry())).toMatch(/signed for/);
      expect(record.add(entry({ number: 2, digest: "d2", jobId: "b".repeat(33) }))).toBeUndefined();
    });
    await withRecord(file, (record) => expect(record.entries().map(({ number }) => number)).toEqual([1, 2]));
  });

  it.each([
    ["a line is gone", (lines: string[]) => lines.toSpliced(1, 1)],
    ["the first line is gone", (lines: string[]) => lines.slice(1)],
    ["a line is another", (lines: string[]) => lines.with(1, (lines[1] ?? "").replace("web-1", "web-9"))],
    ["a line is not one", (lines: string[]) => lines.with(1, "{}")],
  ])("SR-71 does not open where %s", async (_, damage) => {
    const file = recordFile();
    await withRecord(file, (record) => {
      for (const [at, id] of ["a", "b", "c"].entries())
        record.add(entry({ number: at + 1, digest: id, jobId: id.repeat(33) }));
    });
    writeFileSync(file, damage(readFileSync(file, "utf8").split("\n")).join("\n"));
    await expect(openRecord(file)).rejects.toThrow(/damaged/);
    await expect(openRecord(file)).rejects.toThrow(/damaged/);
  });

  it("SR-71 is one process's", async () => {
    const file = recordFile();
    await withRecord(file, async () => {
      await expect(openRecord(file)).rejects.toThrow(/another signer/);
    });
  });
});
