import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { compareFolders } from "./compare.ts";
import { type Folders, runNode } from "./files.ts";

/**
 * `npm run oracle -- write FOLDER` writes down what the product does: answers, messages, digests, rows. `npm run oracle -- compare FOLDER`
 * writes the same of this tree, from the inputs of that folder, and compares byte for byte. README.md says how to use it.
 */
const parts: Readonly<Record<string, (folders: Folders) => Promise<void>>> = {
  answers: async (folders) => (await import("./answers.ts")).writeAnswers(folders),
  messages: async (folders) => (await import("./messages.ts")).writeMessages(folders),
  specs: async (folders) => (await import("./specs.ts")).writeSpecs(folders),
  "rows-embedded": async (folders) => (await import("./night.ts")).writeNight(folders, "embedded"),
  "rows-server": async (folders) => (await import("./night.ts")).writeNight(folders, "server"),
};

const { values, positionals } = parseArgs({
  options: { part: { type: "string", multiple: true }, baseline: { type: "string" }, keep: { type: "string" } },
  allowPositionals: true,
});
const [verb, folder] = positionals;
const wanted = values.part ?? Object.keys(parts);

/** Each part is a process of its own; two at a time, because most of a bot's time is waiting. */
async function writeAll({ out, baseline }: Folders): Promise<readonly string[]> {
  const waiting = [...wanted];
  const failed: string[] = [];
  const work = async (): Promise<void> => {
    for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
      const began = performance.now();
      const more = baseline === undefined ? [] : ["--baseline", baseline];
      try {
        await runNode([fileURLToPath(import.meta.url), "part", out, "--part", part, ...more]);
        console.error(`${part}: ${((performance.now() - began) / 1000).toFixed(0)} s`);
      } catch (error) {
        failed.push(part);
        console.error(`${part} FAILED: ${error instanceof Error ? error.message : error}`);
      }
    }
  };
  await Promise.all(Array.from({ length: 2 }, work));
  return failed;
}

const unknown = wanted.filter((part) => !parts[part]);
if (!folder || !["write", "compare", "part"].includes(verb ?? "") || unknown.length > 0) {
  console.error(`oracle write|compare FOLDER [--part ${Object.keys(parts).join("|")}]… [--keep FOLDER]`);
  process.exit(2);
}
const place = resolve(folder);
if (verb === "part") {
  for (const part of wanted) await parts[part]?.({ out: place, baseline: values.baseline });
  process.exit(0);
} else if (verb === "write") {
  const failed = await writeAll({ out: place, baseline: undefined });
  process.exitCode = failed.length === 0 ? 0 : 1;
} else {
  const out = values.keep ? resolve(values.keep) : mkdtempSync(join(tmpdir(), "countersign-oracle-"));
  const failed = await writeAll({ out, baseline: place });
  const differences = compareFolders(place, out);
  console.log(differences.join("\n"));
  if (!values.keep) rmSync(out, { recursive: true });
  process.exitCode = failed.length === 0 && differences.length === 0 ? 0 : 1;
}
