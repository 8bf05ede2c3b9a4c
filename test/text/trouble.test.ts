import { expect, test } from "vitest";
import { findTrouble } from "../../src/text/trouble.ts";

test.each([
  "write /var/lib/wal: no space left on device",
  "Out of memory: Killed process 812 (java)",
  "Error: connect ECONNREFUSED: connection refused",
  "psql: FATAL: password authentication failed",
  "Permission denied (publickey).",
  "Traceback (most recent call last):",
  "java.lang.IllegalStateException: bucket empty",
  "curl: (28) Operation timed out",
  "Unit shop.service entered failed state",
  "bash: foo: command not found",
  "connect ECONNREFUSED 10.0.0.5:5432",
  "open /srv/app.pid: EACCES",
  "0 errors, then panic: runtime error",
  "Segmentation fault (core dumped)",
  "OOMKilled",
])("AR-15 %j is trouble", (line) => {
  expect(findTrouble(`fine\n${line}\nfine`)).toEqual([{ line: 2, text: line }]);
});

test.each([
  "tail -n 5 /var/log/error_log",
  "err=<nil>",
  "dead: 0",
  "killed=0",
  "critical: false",
  "timeout: 30s",
  "without error",
  "unreachable=0 failed=0",
  "0 errors",
  "failed=0",
  "no error found",
  "errors: 0",
  "all good",
  "Error: none",
])("AR-15 %j is none", (line) => {
  expect(findTrouble(line)).toEqual([]);
});

test("AR-15 at most five lines, most telling first, each once", () => {
  const text = ["error a", "error b", "error c", "error d", "error e", "error e", "No space left on device"].join("\n");
  expect(findTrouble(text).map(({ line }) => line)).toEqual([7, 1, 2, 3, 4]);
});
