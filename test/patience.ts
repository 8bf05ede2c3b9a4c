/**
 * What every run grants a machine that is shared and slow at times. A poll ends as soon as it holds. A test that has waited too long
 * is tried once more, and the run's last lines name it; one that has seen something wrong is not.
 */
export const patience = {
  expect: { poll: { timeout: 15_000 } },
  retry: { count: 1, condition: /^(Test timed out|waited \d+ ms for)/ },
};
