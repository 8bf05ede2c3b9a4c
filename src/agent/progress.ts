/** As far apart as the board is edited, and no sooner than a person begins to wonder. */
const apartMs = 5_000;

/**
 * Says how far an answer has come while it is still being written, now and then: how long it is and not what it says, which
 * nobody has read or redacted yet. `now` is a monotonic clock in milliseconds.
 */
export function createProgress(onStatus: (text: string) => void, now: () => number): (text: string) => void {
  let toldAt = now();
  return (text) => {
    const at = now();
    if (at - toldAt < apartMs) return;
    toldAt = at;
    const words = text.trim().split(/\s+/).length;
    onStatus(`writing its answer, ${words} words so far`);
  };
}
