import type { RecordedRun } from "../../../src/agent/reply/claims.ts";

/** A read of web-1 that went well, unless `change` says otherwise. */
export const run = (
  number: number,
  command: string,
  output: string,
  change: Partial<RecordedRun> = {},
): RecordedRun => ({
  number,
  servers: ["web-1"],
  command,
  output,
  reads: true,
  ending: { kind: "exited", code: 0 },
  isWell: true,
  ...change,
});
