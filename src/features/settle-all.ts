/**
 * `Promise.all` for works that must not outlive their job: it ends once all of them are over, and throws then what the first one
 * threw. What went on beside would meet the next attempt, and what it threw nobody would hear: that ends the process.
 */
export async function settleAll<T>(works: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(works);
  return Promise.all(works);
}
