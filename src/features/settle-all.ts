/**
 * `Promise.all` for work that must not outlive its job: it waits for all and then throws the first error. Otherwise running work would meet
 * the next attempt, and its unhandled error would end the process.
 */
export async function settleAll<T>(works: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(works);
  return Promise.all(works);
}
