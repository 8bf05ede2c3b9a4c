import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { forgetMissing, missingSoFar } from "../harness/missing.ts";
import type { Row } from "./row.ts";
import { markdownTable, plainTable } from "./table.ts";

/**
 * `npm run bench` runs every benchmark of this folder, `npm run bench -- NAME…` those, with `--json` as an array
 * (docs/measured.md), with `--markdown` as a table for a document, with the date and the commit. A benchmark is a file that exports `run(): Promise<Row[]>`. What is not installed is named.
 */

const folder = new URL("./", import.meta.url);

/** Programs that a benchmark starts stand here too; they must not be loaded, so the text tells. */
const known = readdirSync(folder)
  .filter((file) => /^export (async )?function run\(/m.test(readFileSync(new URL(file, folder), "utf8")))
  .map((file) => file.replace(/\.ts$/, ""))
  .sort();

const { values, positionals } = parseArgs({
  options: { json: { type: "boolean" }, markdown: { type: "boolean" } },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`there is no benchmark ${unknown.join(", ")}; there are ${known.join(", ")}`);
  process.exitCode = 1;
} else {
  forgetMissing();
  const rows: Row[] = [];
  for (const name of positionals.length > 0 ? positionals : known) {
    console.error(`${name} …`);
    // Of a run of minutes the others' rows are not lost.
    await run(name).then(
      (found) => rows.push(...found),
      (error) => {
        console.error(`${name} failed:`, error);
        process.exitCode = 1;
      },
    );
  }
  const commit = spawnSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).stdout?.trim();
  const when = { date: new Date().toISOString().slice(0, 10), commit: commit || "an unknown commit" };
  console.log(
    values.json ? JSON.stringify(rows, null, 2) : values.markdown ? markdownTable(rows, when) : plainTable(rows),
  );
  for (const line of missingSoFar()) console.error(`missing: ${line}`);
}

async function run(name: string): Promise<readonly Row[]> {
  const module: { readonly run: () => Promise<Row[]> } = await import(new URL(`${name}.ts`, folder).href);
  const rows = await module.run();
  return rows.map((row) => ({
    ...row,
    ours: rounded(row.ours),
    peer: row.peer === null ? null : rounded(row.peer),
    ratio: row.ratio === null ? null : rounded(row.ratio),
  }));
}

/** Four digits are more than any of these can tell. */
function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
