import { readdirSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { forgetMissing, missingSoFar } from "../missing.ts";
import type { Row } from "./row.ts";

/**
 * `npm run bench` runs every benchmark of this folder, `npm run bench -- NAME…` those, with `--json` as an array
 * (CONFIG.md "Benchmarks"). A benchmark is a file that exports `run(): Promise<Row[]>`. What is not installed is named.
 */

const folder = new URL("./", import.meta.url);

/** Programs that a benchmark starts stand here too; they must not be loaded, so the text tells. */
const known = readdirSync(folder)
  .filter((file) => /^export (async )?function run\(/m.test(readFileSync(new URL(file, folder), "utf8")))
  .map((file) => file.replace(/\.ts$/, ""))
  .sort();

const { values, positionals } = parseArgs({ options: { json: { type: "boolean" } }, allowPositionals: true });
const unknown = positionals.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`there is no benchmark ${unknown.join(", ")}; there are ${known.join(", ")}`);
  process.exitCode = 1;
} else {
  forgetMissing();
  const rows: Row[] = [];
  for (const name of positionals.length > 0 ? positionals : known) {
    console.error(`${name} …`);
    rows.push(...(await run(name)));
  }
  console.log(values.json ? JSON.stringify(rows, null, 2) : table(rows));
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

function table(rows: readonly Row[]): string {
  const head = ["case", "ours", "peer", "", "ratio", "better", "runs"];
  const cells = rows.map(({ case: title, unit, ours, peer, peerName, ratio, better, runs }) => [
    title,
    `${ours} ${unit}`,
    peer === null ? "–" : `${peer} ${unit}`,
    peerName,
    ratio === null ? "–" : `${ratio}×`,
    better,
    String(runs),
  ]);
  const lines = [head, ...cells];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
