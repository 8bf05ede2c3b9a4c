import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll } from "vitest";

/** Starts something before the tests of a suite and closes it behind them. What is returned can be used once they run. */
export function useStarted<T extends object & { readonly close: () => unknown }>(start: () => Promise<T>): T {
  let started: T | undefined;
  beforeAll(async () => {
    started = await start();
  });
  afterAll(async () => {
    await started?.close();
  });
  const get = (_: T, name: string | symbol): unknown => {
    if (!started) throw new Error("it is started before the tests, and was used before them");
    const value: unknown = Reflect.get(started, name);
    // What a class has made keeps its state on itself.
    const isInstance = Object.getPrototypeOf(started) !== Object.prototype;
    return isInstance && typeof value === "function" ? value.bind(started) : value;
  };
  // Tests name it before it is there, so each use of it looks it up.
  return new Proxy({} as T, { get });
}

/** A folder of its own for the tests of a suite, there at once and removed behind them. */
export function useFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "countersign-test-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes a file of the folder, which none but its owner may read unless said otherwise; returns its path. */
export const writerIn =
  (folder: string) =>
  (name: string, text: string, mode = 0o600): string => {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    chmodSync(file, mode);
    return file;
  };
