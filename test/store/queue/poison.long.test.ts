import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { openStore } from "../../../src/store/database/open.ts";
import { usePlaces } from "../use-places.ts";

const child = fileURLToPath(new URL("poison-child.ts", import.meta.url));
const here = await usePlaces("the test of a job that ends its process on a PostgreSQL server");

describe.each(here)("a job that ends its process each time ($kind)", ({ create }) => {
  it.each([
    ["takes no other job along", "poison", 40],
    // Nothing else is written that would bring its claim to the disk.
    ["counts also where nothing comes after its claim", "sudden", 0],
  ])("RR-17 ends five processes and no more, is given up once, and %s", async (_, poison, length) => {
    const url = await create();
    const others = Array.from({ length }, (_, n) => `other-${n}`);
    const store = await openStore(url);
    await store.transaction(async (tx) => {
      for (const key of [...others.slice(0, 4), poison, ...others.slice(4)])
        await store.queue.enqueue(tx, "delivery", key, {});
    });
    await store.close();

    const folder = mkdtempSync(join(tmpdir(), "countersign-poison-"));
    const report = join(folder, "report");
    const ends: string[] = [];
    do {
      const served = spawn(process.execPath, [child, url, report], { stdio: "inherit" });
      const [code, signal] = await once(served, "exit");
      ends.push(String(signal ?? code));
    } while (ends.at(-1) === "SIGKILL" && ends.length < 20);
    const lines = readFileSync(report, "utf8").trim().split("\n");
    rmSync(folder, { recursive: true });

    expect(ends).toEqual([...Array(5).fill("SIGKILL"), "0"]);
    const said = (what: string) =>
      lines.filter((line) => line.startsWith(`${what} `)).map((line) => line.split(" ")[1]);
    expect(said("begun").filter((key) => key === poison)).toHaveLength(5);
    expect(said("given-up")).toEqual([poison]);
    expect(new Set(said("ended"))).toEqual(new Set(others));
  });
});
