import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { appendAudit, verifyAudit } from "../../src/store/audit/chain.ts";
import { openStore } from "../../src/store/database/open.ts";
import { freshFolder, removeFolder } from "../store/fresh.ts";

/** What a power cut leaves of the embedded store: five rows of the audit on the disk, and some of the write of a sixth. */
let folder: string;
let images: string;
let log: string;
let before: Buffer;
let after: Buffer;

beforeAll(async () => {
  folder = await freshFolder();
  images = mkdtempSync(join(tmpdir(), "countersign-torn-"));
  const store = await openStore(`file:${folder}`);
  const append = (n: number) =>
    store.transaction((tx) =>
      appendAudit(tx, { kind: "job_set_aside", body: { queue: "post", key: `${n}`, reason: "" } }),
    );
  for (const n of [1, 2, 3, 4, 5]) await append(n);
  const wal = join("pgdata-18", "pg_wal");
  log = join(
    wal,
    readdirSync(join(folder, wal))
      .filter((name) => /^[0-9A-F]{24}$/.test(name))
      .sort()
      .at(-1) ?? "",
  );
  cpSync(folder, join(images, "whole"), { recursive: true });
  before = readFileSync(join(folder, log));
  await append(6);
  after = readFileSync(join(folder, log));
  await store.close();
});
afterAll(() => {
  removeFolder(folder);
  rmSync(images, { recursive: true });
});

it.each([0.1, 0.5, 0.9])(
  "F-23 a write that the power cut tore at %d of it is gone, all before it is there, and the chain goes on",
  async (part) => {
    const image = join(images, `torn-${part}`);
    cpSync(join(images, "whole"), image, { recursive: true });
    const first = after.findIndex((byte, at) => byte !== before[at]);
    const last =
      after.length -
      1 -
      Buffer.from(after)
        .reverse()
        .findIndex((byte, at) => byte !== before[before.length - 1 - at]);
    expect(last - first).toBeGreaterThan(500);
    const cut = Math.round(first + (last - first) * part);
    writeFileSync(join(image, log), Buffer.concat([after.subarray(0, cut), before.subarray(cut)]));
    const store = await openStore(`file:${image}`);
    expect(await verifyAudit(store.db)).toMatchObject({ ok: true, rows: 5 });
    await store.transaction((tx) =>
      appendAudit(tx, { kind: "job_set_aside", body: { queue: "post", key: "after", reason: "" } }),
    );
    expect(await verifyAudit(store.db)).toMatchObject({ ok: true, rows: 6 });
    await store.close();
  },
);
