import { once } from "node:events";

/**
 * What a process that was started with `--inspect=127.0.0.1:0` still holds after its garbage is collected, in MB: what it takes of the
 * system tells little, since V8 gives hardly anything back. `said` is its standard error, where it tells the inspector's address.
 */
export async function attachHeap(said: string): Promise<{ readonly liveMb: () => Promise<number>; close: () => void }> {
  const address = /ws:\/\/\S+/.exec(said)?.[0];
  if (!address) throw new Error(`no inspector: ${said}`);
  const socket = new WebSocket(address);
  await once(socket, "open");
  let id = 0;
  const ask = async (method: string): Promise<{ readonly usedSize?: number }> => {
    const mine = ++id;
    const answered = new Promise<{ readonly usedSize?: number }>((resolve, reject) => {
      const hear = ({ data }: MessageEvent): void => {
        const answer = JSON.parse(String(data));
        if (answer.id !== mine) return;
        socket.removeEventListener("message", hear);
        resolve(answer.result);
      };
      socket.addEventListener("message", hear);
      socket.addEventListener("close", () => reject(new Error("the process has ended")), { once: true });
    });
    socket.send(JSON.stringify({ id: mine, method }));
    return answered;
  };
  return {
    liveMb: async () => {
      await ask("HeapProfiler.collectGarbage");
      return ((await ask("Runtime.getHeapUsage")).usedSize ?? Number.NaN) / 1_048_576;
    },
    close: () => socket.close(),
  };
}
