/**
 * Long tests that want the machine to themselves, or have not yet been seen to pass whole on a quiet one: no landing hangs on them,
 * and each run of the others names them in its last lines. `npm run test:trial` runs them.
 */
export const onTrial: readonly string[] = [
  "test/backpressure.long.test.ts",
  "test/cluster.long.test.ts",
  "test/jobs/last-look.long.test.ts",
  "test/jobs/last-look-server.long.test.ts",
  "test/soak.long.test.ts",
];
