import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createLog } from "../src/log.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "countersign-log-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** What a log writes to its file by the given work, a record a line. */
async function logged(
  work: (log: Awaited<ReturnType<typeof createLog>>["log"]) => void,
  options: { readonly level?: string; readonly redact?: (line: string) => string | undefined } = {},
): Promise<readonly Record<string, unknown>[]> {
  const { log, close } = await createLog({
    level: options.level ?? "debug",
    stdout: false,
    file: join(folder, "logs", "countersign.log"),
    rotation: { maxDays: 30, maxSizeMb: 100 },
    redact: options.redact ?? ((line) => line),
  });
  work(log);
  await close();
  const read = () =>
    readdirSync(join(folder, "logs"))
      .map((name) => readFileSync(join(folder, "logs", name), "utf8"))
      .join("");
  await vi.waitFor(() => expect(read()).toContain("\n"), { timeout: 5_000 });
  return read()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

describe("the log", () => {
  it("S14 a line has ts in ISO 8601, the level as a word, module, event and its fields", async () => {
    const [line] = await logged((log) => log.warn({ module: "worker", event: "job_failed", attempt: 2 }));
    expect(line).toEqual({
      level: "warn",
      ts: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      module: "worker",
      event: "job_failed",
      attempt: 2,
    });
  });

  it("S14 levels below the one asked for are left out", async () => {
    const lines = await logged(
      (log) => {
        log.debug({ event: "a" });
        log.info({ event: "b" });
        log.error({ event: "c" });
      },
      { level: "info" },
    );
    expect(lines.map(({ event }) => event)).toEqual(["b", "c"]);
  });

  it("SR-45 every line passes the redactor as a whole, children's and messages too", async () => {
    const lines = await logged(
      (log) => log.child({ token: "hunter2" }).info({ nested: { deep: "hunter2" } }, "said hunter2"),
      { redact: (line) => line.replaceAll("hunter2", "[REDACTED]") },
    );
    expect(lines).toEqual([
      expect.objectContaining({ token: "[REDACTED]", nested: { deep: "[REDACTED]" }, msg: "said [REDACTED]" }),
    ]);
  });

  it("SR-48 a line that the redactor cannot vouch for is withheld, and that is logged", async () => {
    const lines = await logged((log) => log.info({ event: "secret" }), { redact: () => undefined });
    expect(lines).toEqual([{ level: "warn", event: "log_line_withheld" }]);
  });

  it("SR-45 of an error the words and the place are kept, and none of the values that hang on it", async () => {
    const cause = Object.assign(new Error("duplicate key"), { parameters: ["canary-1"], detail: "canary-2" });
    const [line] = await logged((log) => log.error({ event: "x", err: new Error("failed", { cause }) }));
    expect(line?.err).toMatchObject({
      type: "Error",
      message: "failed",
      stack: expect.stringContaining("log.test.ts"),
    });
    expect(JSON.stringify(line)).not.toContain("canary");
  });
});
