import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createLog, logWith } from "../../src/telemetry/log.ts";
import { createRedactor } from "../../src/text/redact.ts";
import { keysTwice } from "../harness/playground.ts";

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
  close();
  return readdirSync(join(folder, "logs"))
    .map((name) => readFileSync(join(folder, "logs", name), "utf8"))
    .join("")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** Each event of docs/logs.md with its fields. */
const documented = [
  ...readFileSync(new URL("../../docs/logs.md", import.meta.url), "utf8").matchAll(
    /^\| `([^`]+)` \|[^|]*\|([^|]*)\|/gm,
  ),
].map(([, event = "", fields = ""]) => ({
  event,
  ...Object.fromEntries([...fields.matchAll(/`([^`]+)`/g)].map(([, name]) => [name ?? "", "its own"])),
}));

describe("the log", () => {
  it("S14.6 a key stands once in each line, whatever an event, its child logger and its job say", async () => {
    const texts: string[] = [];
    expect(documented.length).toBeGreaterThan(80);
    const lines = await logged(
      (log) => {
        for (const event of documented) {
          const all = { ...event, level: "critical", ts: "noon", module: "agent", msg: "words" };
          void logWith(all, async () => void log.child(all).child(all).warn(all, "the last words"));
        }
      },
      {
        redact: (line) => {
          texts.push(line);
          return line;
        },
      },
    );
    expect(lines).toHaveLength(documented.length);
    expect(texts).toHaveLength(documented.length);
    expect(texts.filter((text) => keysTwice(text).length > 0)).toEqual([]);
    for (const [index, { event }] of documented.entries())
      expect(lines[index]).toMatchObject({
        event,
        ...{ level: "warn", ts: expect.stringMatching(/^\d{4}-.*Z$/), module: "agent", msg: "the last words" },
      });
    expect(keysTwice('{"a":"\\"b\\":","b":{"a":[{"a":1},{"a":2}]},"a":"{"}')).toEqual(['"a"']);
  });

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

  it("S14 times are told in whole milliseconds, whatever clock they were taken by", async () => {
    const [line] = await logged((log) =>
      log.info({ event: "run_end", durationMs: 12.7431, retryAfterMs: 0.2, ratio: 0.5, waitMs: null }),
    );
    expect(line).toMatchObject({ durationMs: 13, retryAfterMs: 0, ratio: 0.5, waitMs: null });
  });

  it("S14.7 levels below the one asked for are left out", async () => {
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

  it("SR-45 a line of names, ids and numbers of ours is written as it is, and any other field has it redacted", async () => {
    const passed: unknown[] = [];
    const own = { module: "worker", event: "job_end", queue: "turn", key: "01a20b91-8e8f", attempt: 1, durationMs: 5 };
    const others = [
      ...["reason", "name", "by", "problems"].map((name) => ({ ...own, [name]: ["of others"] })),
      { ...own, key: "a sentence of others" },
      { ...own, outcome: { of: "others" } },
      { ...own, counts: { deep: { of: "others" } } },
      { ...own, counts: { "named by others": 1 } },
    ];
    const counted = { ...own, totalTokens: { inputTokens: 1, outputTokens: 2 }, cause: null };
    await logged((log) => [own, counted, ...others].forEach((fields) => void log.info(fields)), {
      redact: (line) => {
        passed.push(JSON.parse(line));
        return line;
      },
    });
    expect(passed).toEqual(others.map((fields) => expect.objectContaining(fields)));
  });

  it("S14.6 a line stays JSON where the redactor takes out more than a value", async () => {
    const greedy = (text: string) => text.replace(/password=.*/, "password=[REDACTED]");
    const lines = await logged((log) => log.info({ event: "x", note: 'a password="hunter2" b', n: 1 }), {
      redact: greedy,
    });
    expect(lines).toEqual([expect.objectContaining({ event: "x", note: "a password=[REDACTED]", n: 1 })]);
  });

  it("S14.6 S14.10 with the real redactor every line is JSON, and the secret in it reads [REDACTED]", async () => {
    const redact = createRedactor({ secrets: ["held-by-the-bot-0123456789"] });
    const secret = "Zx8Kq2mVb7Tn4Rw9Yc3L";
    const notes = [
      `export DB_PASSWORD="${secret}"`,
      `{"password": "${secret}", "user": "x"}`,
      `psql postgres://app:${secret}@db-1/app`,
      `curl -H 'Authorization: Bearer ${secret}' https://x`,
      `mysql -u root -p${secret}`,
      `password: ${secret}\nuser: me`,
      `a\\"token=${secret}\\"b`,
      "held-by-the-bot-0123456789",
    ];
    const lines = await logged((log) => notes.forEach((note) => void log.info({ event: "x", note })), {
      redact: (line) => {
        const redacted = redact(line);
        return redacted.ok ? redacted.text : undefined;
      },
    });
    expect(lines).toHaveLength(notes.length);
    for (const { note } of lines) {
      expect(note).toContain("[REDACTED]");
      expect(note).not.toMatch(/Zx8Kq2mVb7Tn4Rw9Yc3L|held-by-the-bot/);
    }
  });

  it("SR-48 a line that the redactor cannot vouch for is withheld, and that is logged", async () => {
    const lines = await logged((log) => log.info({ event: "x", note: "secret" }), { redact: () => undefined });
    expect(lines).toEqual([
      { level: "warn", ts: expect.stringMatching(/^\d{4}-.*Z$/), module: "log", event: "log_line_withheld" },
    ]);
  });

  it("S14.7 who observes hears of what happened though lines of its level are not written", async () => {
    const seen: object[] = [];
    const lines: string[] = [];
    const { log } = await createLog({
      level: "error",
      stdout: false,
      rotation: { maxDays: 30, maxSizeMb: 100 },
      redact: (line) => line,
      also: (line) => void lines.push(line),
      observe: (fields) => void seen.push(fields),
    });
    log.debug({ event: "a" });
    log.info({ event: "b" });
    log.error({ event: "c" });
    expect(seen).toEqual([{ event: "b" }, { event: "c" }]);
    expect(lines.map((line) => JSON.parse(line).event)).toEqual(["c"]);
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
