/**
 * `Promise.all` that waits for all before it throws. Otherwise running work would overlap the job's next attempt, and its unhandled error
 * would end the process.
 */
export async function settleAll<T>(works: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(works);
  return Promise.all(works);
}
