import { messageOf } from "../base/errors.ts";
import { type Fields, isRecord, jsonLines } from "../base/json.ts";

/**
 * Answers each line of standard input with a line, in order: JSON in, JSON out (CONFIG). Errors become `{"error"}`. Ends when standard
 * output closes.
 */
export async function answerLines(answer: (record: Fields) => unknown): Promise<void> {
  let isRead = true;
  process.stdout.once("error", () => {
    isRead = false;
  });
  let batch: string[] = [];
  const flush = (): void => {
    if (batch.length > 0) process.stdout.write(batch.join(""));
    batch = [];
  };
  for await (const line of jsonLines(process.stdin)) {
    if (!isRead) return;
    if (line.trim() === "") continue;
    // Lines that arrive together are answered together.
    if (batch.length === 0) setImmediate(flush);
    let answered: unknown;
    try {
      const record: unknown = JSON.parse(line);
      answered = isRecord(record) ? answer(record) : { error: "not a JSON object" };
    } catch (error) {
      answered = { error: messageOf(error) };
    }
    batch.push(`${JSON.stringify(answered)}\n`);
  }
  flush();
}

export function textOfLine(record: Fields, field: string): string {
  const value = record[field];
  if (typeof value !== "string") throw new Error(`"${field}" must be a text`);
  return value;
}

export async function readInput(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}

/** A `head` that has read enough must not end a bot or work under way. */
export function throwUnlessUnread(error: unknown): void {
  if (!(error instanceof Error && "code" in error && error.code === "EPIPE")) throw error;
}
