/** Starts `sleep | cat`, then asks a kubectl, where only so many files can be opened, and tells how that went. */

import { closeSync, openSync } from "node:fs";
import { askKubectl, type KubernetesMeans } from "../../src/kubernetes/place.ts";
import { startPipeline } from "../../src/kubernetes/run.ts";

const [, , left = "0"] = process.argv;
const files: number[] = [];
try {
  for (;;) files.push(openSync("/dev/null", "r"));
} catch {
  for (const file of files.splice(-Number(left))) closeSync(file);
}
const where = { cwd: "/tmp", env: {} };
const nothing = (): void => {};
const programs = [
  { file: "/bin/sleep", args: ["0"] },
  { file: "/bin/cat", args: [] },
];
const told: unknown[] = [];
try {
  const on = { onOutput: nothing, onErrors: nothing, onReported: nothing };
  told.push(await startPipeline(programs, { ...where, graceMs: 100, ...on }).done);
} catch (error) {
  told.push(String(error));
}
const means = { limits: { requestMs: 5_000, graceMs: 100 } } as KubernetesMeans;
told.push(await askKubectl("/bin/true", [], { ...where, signal: new AbortController().signal, means }));
for (const file of files) closeSync(file);
console.log(JSON.stringify(told));
