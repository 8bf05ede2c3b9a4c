import type { Db, Tx } from "./connection.ts";

/** Characters of one part: what is read at once of an output, whatever its size. */
export const partLength = 65_536;

/** What is kept of an output. What was never redacted is never stored (SR-50). */
export interface KeptOutput {
  /** Cleaned and redacted, whole. */
  readonly text: string;
  /** Why nothing of it may be shown; the text is empty then. */
  readonly withheld: string | null;
  /** Head and tail, as the agent reads it at once. */
  readonly excerpt: string;
}

/** Keeps a run's output, once, in parts. */
export async function storeOutput(tx: Tx, runId: string, { text, withheld, excerpt }: KeptOutput): Promise<void> {
  await tx.insertInto("output").values({ runId, withheld, excerpt }).execute();
  for (const [part, piece] of partsOf(text).entries()) {
    await tx.insertInto("outputPart").values({ runId, part, text: piece }).execute();
  }
}

/** Cut after a line end where one is near, and never inside of a character. */
function partsOf(text: string): readonly string[] {
  const parts: string[] = [];
  for (let at = 0; at < text.length; ) {
    const newline = text.lastIndexOf("\n", at + partLength - 1);
    const full = at + partLength;
    const end = newline > at + partLength / 2 ? newline + 1 : isHighHalf(text, full - 1) ? full - 1 : full;
    parts.push(text.slice(at, end));
    at = end;
  }
  return parts;
}

const isHighHalf = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xd800;

/** An output without its text; nothing where the run has stored none. */
export async function outputOf(db: Db | Tx, runId: string): Promise<Omit<KeptOutput, "text"> | undefined> {
  return db.selectFrom("output").select(["withheld", "excerpt"]).where("runId", "=", runId).executeTakeFirst();
}

/** The stored text from its beginning, a part at a time: memory does not grow with the output. */
export async function* outputParts(db: Db | Tx, runId: string): AsyncGenerator<string> {
  for (let part = 0; ; part++) {
    const row = await db
      .selectFrom("outputPart")
      .select("text")
      .where("runId", "=", runId)
      .where("part", "=", part)
      .executeTakeFirst();
    if (!row) return;
    yield row.text;
  }
}
