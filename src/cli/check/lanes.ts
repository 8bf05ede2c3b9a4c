/**
 * Does `work` for each item, for at most `lanes` of them at once, and gives a promise for each in their order: whoever awaits the
 * first need not wait for the last.
 */
export function inLanes<T, R>(
  items: readonly T[],
  lanes: number,
  work: (item: T) => Promise<R>,
): readonly { readonly item: T; readonly done: Promise<R> }[] {
  const slots = items.map((item) => ({ item, ...Promise.withResolvers<R>() }));
  // One iterator for all lanes: who is done takes the next.
  const queue = slots.values();
  const lane = async (): Promise<void> => {
    for (const { item, promise, resolve } of queue) {
      resolve(work(item));
      // A failure is for whoever awaits that item; the lane goes on.
      await promise.catch(() => {});
    }
  };
  for (let i = 0; i < lanes; i++) void lane();
  return slots.map(({ item, promise: done }) => ({ item, done }));
}
