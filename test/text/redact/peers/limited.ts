import { Worker } from "node:worker_threads";

/** What a peer made of a text, and the processor time of its thread. */
type Tried = { readonly text: string; readonly cpuMs: number };

export interface LimitedPeer {
  readonly name: string;
  /** Nothing where the text took it longer than the limit: it is stopped and begins anew with the next. */
  readonly hide: (text: string, limitMs: number) => Promise<Tried | undefined>;
  readonly close: () => Promise<void>;
}

/** A peer in a thread of its own: patterns that take the square of a text's length cannot be stopped in any other way. */
export async function startPeer(name: string, kind: "gitleaks" | "secretlint"): Promise<LimitedPeer> {
  const file = new URL("./worker.ts", import.meta.url);
  const begin = async (): Promise<Worker> => {
    const worker = new Worker(file, { workerData: kind });
    await nextMessage(worker, undefined);
    return worker;
  };
  let worker = await begin();
  return {
    name,
    hide: async (text, limitMs) => {
      worker.postMessage(text);
      const tried = await nextMessage(worker, limitMs);
      if (tried !== undefined) return tried as Tried;
      await worker.terminate();
      worker = await begin();
      return undefined;
    },
    close: async () => void (await worker.terminate()),
  };
}

function nextMessage(worker: Worker, limitMs: number | undefined): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const timer = limitMs === undefined ? undefined : setTimeout(() => settle(() => resolve(undefined)), limitMs);
    const onMessage = (message: unknown): void => settle(() => resolve(message));
    const onError = (error: unknown): void => settle(() => reject(error));
    const settle = (then: () => void): void => {
      clearTimeout(timer);
      worker.off("message", onMessage);
      worker.off("error", onError);
      then();
    };
    worker.on("message", onMessage);
    worker.on("error", onError);
  });
}
