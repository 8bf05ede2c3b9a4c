export interface JobWord {
  readonly word: string;
  readonly rest: string;
}

export interface FrameSink {
  /** In order; the buffer stays the caller's. */
  readonly onBytes: (chunk: Uint8Array) => void;
  readonly onWord: (said: JobWord) => void;
}

const lineMaxBytes = 1024;

/**
 * Reads what src/ssh/job/job.sh prints: lines `@countersign:<job id> word …`, and after `data <offset> <count>` that many raw bytes; skips
 * other text. A command cannot fake a line: the id is a nonce, and output is counted, never searched.
 */
export function createFrameReader(jobId: string, sink: FrameSink): (chunk: Buffer) => void {
  const mark = Buffer.from(`@countersign:${jobId} `);
  let pending: Buffer = Buffer.alloc(0);
  let due = 0;

  const readLine = (): boolean => {
    const from = pending.indexOf(mark);
    if (from < 0) {
      pending = pending.subarray(Math.max(0, pending.length - mark.length + 1));
      return false;
    }
    const end = pending.indexOf("\n", from + mark.length);
    if (end < 0) {
      pending = pending.subarray(from);
      if (pending.length > lineMaxBytes) pending = pending.subarray(mark.length);
      return false;
    }
    const [, word = "", rest = ""] = /^(\S*) ?(.*)$/s.exec(pending.toString("latin1", from + mark.length, end)) ?? [];
    pending = pending.subarray(end + 1);
    if (word === "data") due = Number(/^\d+ (\d{1,15})$/.exec(rest)?.[1] ?? 0);
    else sink.onWord({ word, rest });
    return true;
  };

  return (chunk) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    do {
      const bytes = pending.subarray(0, due);
      due -= bytes.length;
      pending = pending.subarray(bytes.length);
      if (bytes.length > 0) sink.onBytes(bytes);
    } while (due === 0 && readLine());
    // ssh2 may reuse the buffer.
    pending = Buffer.from(pending);
  };
}
