/** Does `work`, which takes so many bytes of memory, once there is room for it. */
export type InRoom = <T>(bytes: number, work: () => Promise<T>) => Promise<T>;

/**
 * Lets as much work go on at once as fits into `totalBytes` (RR-19). Who fits goes in, so the small need not wait for the large;
 * what is larger than all the room goes alone.
 */
export function createRoom(totalBytes: number): InRoom {
  let taken = 0;
  let waiting: (() => void)[] = [];
  return async (bytes, work) => {
    const asked = Math.min(bytes, totalBytes);
    while (taken + asked > totalBytes) await new Promise<void>((again) => waiting.push(again));
    taken += asked;
    try {
      return await work();
    } finally {
      taken -= asked;
      const woken = waiting;
      waiting = [];
      for (const again of woken) again();
    }
  };
}
