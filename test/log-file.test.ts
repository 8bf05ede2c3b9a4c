import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createLog } from "../src/log.ts";
import { openLogFile, outdated } from "../src/log-file.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "countersign-log-file-"));
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

const fail = (reason: string) => {
  throw new Error(reason);
};
const day = (offset = 0): string => {
  const at = new Date(Date.now() + offset * 86_400_000);
  const two = (n: number) => String(n).padStart(2, "0");
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
};

describe("the log's file", () => {
  it("S14.9 a new one when the size is reached, each named by its day and number and only its owner's", async () => {
    const file = await openLogFile(join(folder, "bot.log"), { maxDays: 30, maxSizeMb: 0.01 }, fail);
    for (let part = 1; part <= 3; part++) {
      for (let line = 0; line < 12; line++) file.write(`${"x".repeat(999)}\n`);
      await vi.waitFor(() => expect(readdirSync(folder)).toHaveLength(part + 1), { timeout: 5_000 });
    }
    await file.close();
    expect(readdirSync(folder).sort()).toEqual([1, 2, 3, 4].map((n) => `bot.${day()}.${n}.log`));
    expect(statSync(join(folder, `bot.${day()}.1.log`)).mode & 0o777).toBe(0o600);
  });

  it("S14.9 a new one when the date changes", async () => {
    vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"], now: new Date(2025, 1, 11, 23, 59, 50) });
    const file = await openLogFile(join(folder, "bot.log"), { maxDays: 30, maxSizeMb: 100 }, fail);
    file.write("before\n");
    await vi.waitFor(() => expect(readFileSync(join(folder, "bot.2025-02-11.1.log"), "utf8")).toBe("before\n"));
    await vi.advanceTimersByTimeAsync(20_000);
    vi.useRealTimers();
    await vi.waitFor(() => expect(existsSync(join(folder, "bot.2025-02-12.1.log"))).toBe(true), { timeout: 5_000 });
    file.write("after\n");
    await file.close();
    expect(readFileSync(join(folder, "bot.2025-02-11.1.log"), "utf8")).toBe("before\n");
    expect(readFileSync(join(folder, "bot.2025-02-12.1.log"), "utf8")).toBe("after\n");
  });

  it("S14.9 of its own files those older than max_days go, also those of earlier starts; others stay", async () => {
    for (const name of [`bot.${day(-40)}.1.log`, `bot.${day(-3)}.2.log`, `other.${day(-40)}.1.log`, "bot.pem"])
      writeFileSync(join(folder, name), "");
    await (await openLogFile(join(folder, "bot.log"), { maxDays: 30, maxSizeMb: 100 }, fail)).close();
    expect(readdirSync(folder).sort()).toEqual([
      `bot.${day(-3)}.2.log`,
      expect.stringContaining(`bot.${day()}.`),
      "bot.pem",
      `other.${day(-40)}.1.log`,
    ]);
  });

  it.each([
    { name: "bot.2025-01-12.1.log", old: true },
    { name: "bot.2025-01-13.1.log", old: false },
    { name: "bot.2025-02-11.7.log", old: false },
    { name: "bot.2025-01-12.1.log.gz", old: false },
    { name: "bot.log", old: false },
    { name: "bot.2024-13-77.1.log", old: false },
    { name: "robot.2020-01-01.1.log", old: false },
  ])("S14.9 with 30 days kept on 2025-02-11, $name goes: $old", ({ name, old }) => {
    expect(outdated("/var/log/bot.log", [name], 30, new Date(2025, 1, 11, 12))).toEqual(old ? [name] : []);
  });

  it("S14 a file that cannot be written is told once, and nothing is thrown", async () => {
    mkdirSync(join(folder, `bot.${day()}.1.log`));
    const told: string[] = [];
    const file = await openLogFile(join(folder, "bot.log"), { maxDays: 30, maxSizeMb: 100 }, (reason) => {
      told.push(reason);
    });
    await vi.waitFor(() => expect(told).toHaveLength(1), { timeout: 5_000 });
    file.write("lost\n");
    file.write("lost\n");
    expect(told[0]).toMatch(/EISDIR/);
  });

  it("S14 the same lines go to the file and to stdout", async () => {
    const script = `
      const { createLog } = await import(${JSON.stringify(fileURLToPath(new URL("../src/log.ts", import.meta.url)))});
      const { log, close } = await createLog({ level: "info", stdout: true, file: ${JSON.stringify(join(folder, "bot.log"))},
        rotation: { maxDays: 30, maxSizeMb: 100 }, redact: (line) => line });
      log.info({ module: "test", event: "both" });
      await close();`;
    const child = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
    expect(child.stdout).toContain('"event":"both"');
    expect(readFileSync(join(folder, `bot.${day()}.1.log`), "utf8")).toBe(child.stdout);
  });
});

describe("a log whose file is lost", () => {
  it("S14 goes on in its other places, and says so there", async () => {
    mkdirSync(join(folder, `bot.${day()}.1.log`));
    const lines: string[] = [];
    const { log } = await createLog({
      level: "info",
      stdout: false,
      file: join(folder, "bot.log"),
      rotation: { maxDays: 30, maxSizeMb: 100 },
      redact: (line) => line,
      also: (line) => void lines.push(line),
    });
    await vi.waitFor(() => expect(lines.join()).toContain("log_file_failed"), { timeout: 5_000 });
    log.info({ module: "test", event: "goes_on" });
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ level: "error", module: "log", event: "log_file_failed" }),
      expect.objectContaining({ event: "goes_on" }),
    ]);
  });
});
