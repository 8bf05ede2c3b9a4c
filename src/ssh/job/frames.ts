/** What a job's server says between the bytes of output: a word and what belongs to it. */
export interface JobWord {
  readonly word: string;
  readonly rest: string;
}

export interface FrameSink {
  /** Output, in order; the buffer is the caller's. */
  readonly onBytes: (chunk: Uint8Array) => void;
  readonly onWord: (said: JobWord) => void;
}

/** Longer is no line of ours. */
const lineMaxBytes = 1024;

/**
 * Reads what src/ssh/job/job.sh prints: lines `@countersign:<job id> word …`, and after `data <offset> <count>` that many
 * bytes as they are. Skips everything else between the lines, for example the output of a noisy login. The id is a
 * nonce, so a command cannot print such a line beforehand, and its own output is counted and never searched.
 */
export function createFrameReader(jobId: string, sink: FrameSink): (chunk: Buffer) => void {
  const mark = Buffer.from(`@countersign:${jobId} `);
  let pending: Buffer = Buffer.alloc(0);
  let due = 0;

  /** Reads one line at the front of what is pending; false if more must come first. */
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
    // What waits for its other half must not share the buffer ssh2 may use again.
    pending = Buffer.from(pending);
  };
}
