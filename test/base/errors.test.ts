import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { messageOf, sentences } from "../../src/base/errors.ts";

const messageFor = (work: () => unknown, known?: string): string => {
  try {
    work();
    return "no error";
  } catch (error) {
    return messageOf(error, known);
  }
};

test("CONFIG trouble with a file is told in words, with its path unless that is known, and with its code", () => {
  const folder = mkdtempSync(join(tmpdir(), "countersign-errors-"));
  const file = join(folder, "file");
  writeFileSync(file, "");
  const missing = join(folder, "nope");
  expect(messageFor(() => readFileSync(missing))).toBe(`${missing}: there is no such file or folder (ENOENT)`);
  expect(messageFor(() => readFileSync(missing), missing)).toBe("there is no such file or folder (ENOENT)");
  expect(messageFor(() => readFileSync(folder))).toBe("it is a folder, not a file (EISDIR)");
  expect(messageFor(() => readFileSync(join(file, "x")), "")).toBe(
    `${join(file, "x")}: a part of its path is a file, not a folder (ENOTDIR)`,
  );
  rmSync(folder, { recursive: true });
});

test("CONFIG any other error is told by its own message", () => {
  expect(messageOf(new Error("odd"))).toBe("odd");
  expect(messageOf("text")).toBe("text");
  const code = Object.assign(new Error("refused by the server"), { code: "ENOENT" });
  expect(messageOf(code)).toBe("refused by the server");
});

test("PRODUCT a reason and its remedy are two sentences", () => {
  expect(sentences("web-2 did not answer", "check that it is up")).toBe("web-2 did not answer. Check that it is up.");
  expect(sentences("Not started: halted.", undefined, "`/retry 2`")).toBe("Not started: halted. `/retry 2`.");
});
