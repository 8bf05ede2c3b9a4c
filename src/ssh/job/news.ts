import { plainReason } from "../failure.ts";
import { type JobEnd, type JobFacts, parseJobEnd } from "./end.ts";
import { createFrameReader, type JobWord } from "./frames.ts";

/** What is known of a job so far, over all the sessions it was followed in. */
export interface JobNews {
  begun: JobFacts["begun"];
  end: JobEnd | undefined;
  /** Bytes of output it has come to; the next session goes on from here. */
  offset: number;
  /** Bytes the server did not keep long enough to be read. */
  missed: number;
  /** Grows with whatever the server says. */
  heard: number;
}

export interface NewsSink {
  readonly onData: (chunk: Uint8Array) => void;
  readonly onMissed: (count: number) => void;
  /** Once, as soon as the job is known to have begun, so many milliseconds ago. */
  readonly onBegun: (agoMs: number) => void;
  readonly onEnd: () => void;
}

export const createJobNews = (): JobNews => ({ begun: undefined, end: undefined, offset: 0, missed: 0, heard: 0 });

/** Reads one session of a job into its news. */
export function createNewsReader(jobId: string, news: JobNews, sink: NewsSink): (chunk: Buffer) => void {
  const onBegun = (rest: string): void => {
    if (news.begun !== undefined) return;
    const [pid = "", ageS = "", ...folder] = plainReason(rest, 500).split(" ");
    news.begun = { pid, folder: `${folder.join(" ")}/${jobId}` };
    sink.onBegun((Number.parseInt(ageS, 10) || 0) * 1000);
  };
  const onGap = (rest: string): void => {
    const [from = 0, to = 0] = rest.split(" ").map(Number);
    if (from !== news.offset || !(to > from)) return;
    news.missed += to - from;
    news.offset = to;
    sink.onMissed(to - from);
  };
  const onWord = (said: JobWord): void => {
    news.heard++;
    if (said.word === "run") onBegun(said.rest);
    if (said.word === "gap") onGap(said.rest);
    if (news.end !== undefined) return;
    news.end = parseJobEnd(said);
    if (news.end !== undefined) sink.onEnd();
  };
  const onBytes = (chunk: Uint8Array): void => {
    news.heard++;
    news.offset += chunk.length;
    sink.onData(chunk);
  };
  return createFrameReader(jobId, { onBytes, onWord });
}

/** What of the output could not be read, in a sentence; `undefined` where nothing is missing. Pure. */
export function describeMissing({ end, missed, offset }: JobNews): string | undefined {
  const notes: string[] = [];
  if (missed > 0) {
    notes.push(`${missed} bytes in the middle came faster than they could be read; they are counted, not hashed.`);
  }
  if (end?.kind === "ended" && end.outputLost) {
    notes.push(`The server's disk was full: output after byte ${offset} is lost.`);
  }
  if (end?.kind === "ended" && end.stillOpen) {
    notes.push("A background process still has the output open; what it writes from now on is not shown.");
  }
  return notes.length === 0 ? undefined : notes.join(" ");
}
