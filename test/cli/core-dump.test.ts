import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { keepOutOfCoreDumps } from "../../src/cli/start.ts";
import { missing } from "../harness/missing.ts";
import { useFolder } from "../harness/use-started.ts";

const folder = useFolder();

/** A process that holds a key, written by no program as a whole, and is ended by a fault of its own. */
function dumpOf(name: string, before: string): { readonly holdsKey: boolean } | undefined {
  const cwd = join(folder, name);
  mkdirSync(cwd);
  const program = `${before}; globalThis.key = Buffer.from(["held", "in", "memory", "5f2c91"].join("-")).toString("latin1"); process.abort();`;
  // The system's default filter first: a process inherits its parent's, and a test before this one may have run `start` in here.
  const shell = 'echo 0x33 >/proc/self/coredump_filter; ulimit -c unlimited && exec "$0" --input-type=module -e "$1"';
  spawnSync("sh", ["-c", shell, process.execPath, program], { cwd });
  const core = join(cwd, "core");
  if (!existsSync(core)) return undefined;
  return { holdsKey: spawnSync("grep", ["-aqF", "held-in-memory-5f2c91", core]).status === 0 };
}

/** What a kernel tells of a process. */
function proc(name: string, files: Readonly<Record<string, string | undefined>>): string {
  const path = join(folder, name);
  mkdirSync(path);
  for (const [file, text] of Object.entries(files))
    if (text === undefined) mkdirSync(join(path, file));
    else writeFileSync(join(path, file), text);
  return path;
}
const limits = (soft: string): string =>
  `Limit  Soft Limit  Hard Limit\nMax core file size        ${soft}    unlimited    bytes\n`;

describe("SR-56 a core dump", () => {
  const careless = dumpOf("careless", "");
  if (!careless) missing("core dumps", "this machine writes none beside the program, so none was searched for a key");

  it.runIf(careless !== undefined)(
    "of a process that kept its memory out of it holds no key; else it does",
    { tags: ["long"] },
    () => {
      const module = new URL("../../src/cli/start.ts", import.meta.url).href;
      const careful = dumpOf("careful", `(await import(${JSON.stringify(module)})).keepOutOfCoreDumps()`);
      expect({ careless, careful }).toEqual({ careless: { holdsKey: true }, careful: { holdsKey: false } });
    },
  );

  it("that cannot be switched off is told with a remedy where it would be written, and where that is not known", () => {
    const told = {
      place: "core dumps",
      message: expect.stringMatching(/hold keys/),
      remedy: expect.stringMatching(/ulimit/),
    };
    expect(keepOutOfCoreDumps(proc("on", { coredump_filter: undefined, limits: limits("unlimited") }))).toEqual(told);
    expect(keepOutOfCoreDumps(proc("unknown", { coredump_filter: undefined }))).toEqual(told);
    expect(keepOutOfCoreDumps(proc("off", { coredump_filter: undefined, limits: limits("0") }))).toBeUndefined();
    expect(keepOutOfCoreDumps(join(folder, "no-such-system"))).toBeUndefined();
  });
});
