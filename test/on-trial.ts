/**
 * Long tests that want the machine to themselves, or have not yet been seen to pass whole on a quiet one: no landing hangs on them,
 * and each run of the others names them in its last lines. `npm run test:trial` runs them.
 */
export const onTrial: readonly string[] = [
  "test/whole/backpressure.long.test.ts",
  "test/whole/cluster.long.test.ts",
  "test/features/run/last-look.long.test.ts",
  "test/features/run/last-look-server.long.test.ts",
  "test/whole/soak.long.test.ts",
  "test/kubernetes/killed.long.test.ts",
];
