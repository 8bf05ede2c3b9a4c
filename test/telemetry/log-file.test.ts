import { spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createLog, openLogFile, outdated } from "../../src/telemetry/log.ts";

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
const day = (offset = 0): string => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
const rotation = { maxDays: 30, maxSizeMb: 100 };

describe("the log's file", () => {
  const at = (name: string): string => readFileSync(join(folder, name), "utf8");

  it("S14.9 the newest lines stand under the configured name; a full one is renamed with its day and number, only its owner's", () => {
    const file = openLogFile(join(folder, "bot.log"), { maxDays: 30, maxSizeMb: 0.01 }, fail);
    for (let line = 0; line < 35; line++) file.write(`${String(line).padStart(999)}\n`);
    file.close();
    expect(readdirSync(folder).sort()).toEqual([
      `bot.${day()}.1.log`,
      `bot.${day()}.2.log`,
      `bot.${day()}.log`,
      "bot.log",
    ]);
    const whole = [`bot.${day()}.log`, `bot.${day()}.1.log`, `bot.${day()}.2.log`, "bot.log"].map(at);
    expect(whole.map((text) => Buffer.byteLength(text))).toEqual([10_000, 10_000, 10_000, 5_000]);
    expect(whole.join("").trim().split(/\s+/).map(Number)).toEqual(Array.from({ length: 35 }, (_, line) => line));
    expect(statSync(join(folder, "bot.log")).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, `bot.${day()}.log`)).mode & 0o777).toBe(0o600);
  });

  it("S14.9 a day's lines are renamed with its date when the next day's first is written", () => {
    vi.useFakeTimers({ toFake: ["Date"], now: new Date("2025-02-11T23:59:50Z") });
    const file = openLogFile(join(folder, "bot.log"), rotation, fail);
    file.write("before\n");
    vi.setSystemTime(new Date("2025-02-12T00:00:10Z"));
    file.write("after\n");
    file.close();
    expect([at("bot.2025-02-11.log"), at("bot.log")]).toEqual(["before\n", "after\n"]);
    expect(readdirSync(folder)).toHaveLength(2);
  });

  it("S14.9 what an earlier start has left goes on, and is renamed with its own day where that is over", () => {
    writeFileSync(join(folder, "bot.log"), "of today\n");
    const first = openLogFile(join(folder, "bot.log"), rotation, fail);
    first.write("more\n");
    first.close();
    expect(at("bot.log")).toBe("of today\nmore\n");
    utimesSync(join(folder, "bot.log"), new Date(), new Date("2025-02-11T12:00:00Z"));
    const second = openLogFile(join(folder, "bot.log"), rotation, fail);
    second.write("new\n");
    second.close();
    expect([at("bot.2025-02-11.log"), at("bot.log")]).toEqual(["of today\nmore\n", "new\n"]);
  });

  it("S14.9 two processes with one file lose no line when both see that it is full", () => {
    const open = () => openLogFile(join(folder, "bot.log"), { maxDays: 30, maxSizeMb: 0.001 }, fail);
    const [one, other] = [open(), open()];
    for (let line = 0; line < 40; line++) (line % 2 === 0 ? one : other).write(`${String(line).padStart(99)}\n`);
    one.close();
    other.close();
    const lines = readdirSync(folder).flatMap((name) => at(name).trim().split(/\s+/).map(Number));
    expect(lines.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, line) => line));
    expect(readdirSync(folder)).toContain("bot.log");
  });

  it("S14.9 those older than max_days go, also those of earlier starts; others stay", () => {
    for (const name of [
      `bot.${day(-40)}.1.log`,
      `bot.${day(-40)}.log`,
      `bot.${day(-3)}.2.log`,
      `other.${day(-40)}.log`,
      "bot.pem",
    ])
      writeFileSync(join(folder, name), "");
    openLogFile(join(folder, "bot.log"), rotation, fail).close();
    expect(readdirSync(folder).sort()).toEqual([`bot.${day(-3)}.2.log`, "bot.log", "bot.pem", `other.${day(-40)}.log`]);
  });

  it.each([
    { name: "bot.2025-01-12.1.log", old: true },
    { name: "bot.2025-01-12.log", old: true },
    { name: "bot.2025-01-13.log", old: false },
    { name: "bot.2025-02-11.7.log", old: false },
    { name: "bot.2025-01-12.1.log.gz", old: false },
    { name: "bot.log", old: false },
    { name: "bot.2024-13-77.1.log", old: false },
    { name: "robot.2020-01-01.1.log", old: false },
  ])("S14.9 with 30 days kept on 2025-02-11, $name goes: $old", ({ name, old }) => {
    expect(outdated("/var/log/bot.log", [name], 30, new Date("2025-02-11T12:00:00Z"))).toEqual(old ? [name] : []);
  });

  it("S14 a file that cannot be written is told once, and nothing is thrown", () => {
    mkdirSync(join(folder, "bot.log"));
    const told: string[] = [];
    const file = openLogFile(join(folder, "bot.log"), rotation, (reason) => void told.push(reason));
    file.write("lost\n");
    file.write("lost\n");
    expect(told).toEqual([expect.stringMatching(/EISDIR/)]);
    // It is looked for again, since a disk may have room again.
    rmSync(join(folder, "bot.log"), { recursive: true });
    file.write("found\n");
    expect(at("bot.log")).toBe("found\n");
    file.close();
  });

  it("S14.9 a file that cannot be renamed goes on under its name, and that is told once a day", () => {
    vi.useFakeTimers({ toFake: ["Date"], now: new Date("2025-02-11T12:00:00Z") });
    // With its date the name is longer than a file system takes, as in a folder where the bot may write this one file alone.
    const long = `${"b".repeat(245)}.log`;
    const told: string[] = [];
    const file = openLogFile(join(folder, long), { maxDays: 30, maxSizeMb: 0.001 }, (reason) => void told.push(reason));
    const lines = Array.from({ length: 30 }, (_, line) => `${String(line).padStart(99)}\n`);
    for (const line of lines.slice(0, 15)) file.write(line);
    vi.setSystemTime(new Date("2025-02-12T00:00:10Z"));
    for (const line of lines.slice(15)) file.write(line);
    file.close();
    expect(at(long)).toBe(lines.join(""));
    expect(told).toEqual([expect.stringMatching(/ENAMETOOLONG.*02-11/), expect.stringMatching(/ENAMETOOLONG.*02-12/)]);
  });

  it("S14 the same lines go to the file and to stdout", async () => {
    const script = `
      const { createLog } = await import(${JSON.stringify(fileURLToPath(new URL("../../src/telemetry/log.ts", import.meta.url)))});
      const { log, close } = await createLog({ level: "info", stdout: true, file: ${JSON.stringify(join(folder, "bot.log"))},
        rotation: { maxDays: 30, maxSizeMb: 100 }, redact: (line) => line });
      log.info({ module: "test", event: "both" });
      await close();`;
    const child = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
    expect(child.stdout).toContain('"event":"both"');
    expect(at("bot.log")).toBe(child.stdout);
  });
});

describe("a log whose file is lost", () => {
  it("S14 says so once, and once more when it is lost again", () => {
    const told: string[] = [];
    const inside = join(folder, "inside");
    const full = `${"x".repeat(1024 * 1024)}\n`;
    mkdirSync(inside);
    const log = openLogFile(join(inside, "bot.log"), { maxDays: 1, maxSizeMb: 1 }, (reason) => told.push(reason));
    for (const times of [1, 2]) {
      rmSync(inside, { recursive: true });
      for (const line of [full, full, "lost\n"]) log.write(line);
      expect(told).toHaveLength(times);
      mkdirSync(inside);
      log.write("kept\n");
      expect(readFileSync(join(inside, "bot.log"), "utf8")).toBe("kept\n");
    }
    log.close();
  });

  it("S14 goes on in its other places, and says so there", async () => {
    mkdirSync(join(folder, "bot.log"));
    const lines: string[] = [];
    const { log } = await createLog({
      level: "info",
      stdout: false,
      file: join(folder, "bot.log"),
      rotation: { maxDays: 30, maxSizeMb: 100 },
      redact: (line) => line,
      also: (line) => void lines.push(line),
    });
    log.info({ module: "test", event: "goes_on" });
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ level: "error", module: "log", event: "log_file_failed" }),
      expect.objectContaining({ event: "goes_on" }),
    ]);
  });
});
