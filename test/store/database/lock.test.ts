import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { lockFolder } from "../../../src/store/database/embedded.ts";

test("RR-12 a folder that another holds is told apart from one that cannot be written to, as on a full disk", () => {
  const folder = mkdtempSync(join(tmpdir(), "countersign-lock-"));
  const { release } = lockFolder(folder);
  expect(() => lockFolder(folder)).toThrow(/in use by another process \(pid \d+\)/);
  release();
  rmSync(join(folder, "lock.pid"));
  mkdirSync(join(folder, "lock.pid"));
  expect(() => lockFolder(folder)).toThrow(/cannot be written to: .*it is a folder.* — make room/);
  rmSync(join(folder, "lock.pid"), { recursive: true });
  lockFolder(folder).release();
  rmSync(folder, { recursive: true });
});
