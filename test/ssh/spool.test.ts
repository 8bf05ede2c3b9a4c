import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { createSpool, type Spool } from "../../src/ssh/capture.ts";
import { useFolder } from "../harness/use-started.ts";

const folder = useFolder();

const secret = Buffer.from("the password is hunter2 ".repeat(40));
const readBack = (spool: Spool): string => {
  const into = Buffer.alloc(secret.length);
  spool.read(0, 0, into);
  return into.toString();
};

describe("what is kept of an output outside of memory", () => {
  it.runIf(process.platform === "linux")("SR-50 has no name on the disk and cannot be read there", () => {
    const spool = createSpool(10_000, { folder, inMemoryBytes: 100 });
    spool.write(0, 0, secret);
    expect(readdirSync(folder)).toEqual([]);
    const files = readdirSync("/proc/self/fd").flatMap((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`).startsWith(folder) ? [readFileSync(`/proc/self/fd/${fd}`)] : [];
      } catch {
        return []; // the folder's own descriptor, closed by now
      }
    });
    expect(files.map((file) => file.length)).toEqual([secret.length]);
    expect(files[0]?.toString("latin1")).not.toMatch(/pass|hunter/);
    expect(readBack(spool)).toBe(secret.toString());
    spool.close();
    expect(() => readBack(spool)).toThrow("let go");
  });

  it("SR-54 stays in memory where no file can be made", () => {
    const spool = createSpool(10_000, { folder: join(folder, "absent"), inMemoryBytes: 100 });
    spool.write(0, 0, secret);
    expect(readBack(spool)).toBe(secret.toString());
  });

  it.runIf(process.platform === "linux")("SR-54 comes back into memory, whole, when the disk is full", () => {
    const program = fileURLToPath(new URL("./spool-full.ts", import.meta.url));
    const limited = ["-c", 'ulimit -f 300; exec "$0" "$1"', process.execPath, program];
    const { stdout, stderr } = spawnSync("bash", limited, { encoding: "utf8" });
    const letters = [..."abcdefghijkl"].map((letter) => `${letter}50000 `).join("");
    expect({ stdout: stdout.trim(), stderr }).toEqual({ stdout: letters.trim(), stderr: "" });
  });
});
