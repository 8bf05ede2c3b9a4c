import { sql } from "kysely";
import { beforeCommit, countOf } from "./database/commit.ts";
import type { Db, Tx } from "./database/connection.ts";
import type { Store } from "./database/open.ts";
import { newId } from "./ids.ts";

/** Characters of one part: how much of an output is read at once. */
export const partLength = 65_536;

/** How many parts are in memory while an output is written. */
const partsAtOnce = 8;

/** The stored part of an output. Text that was not redacted is never stored (SR-50). */
export interface KeptOutput {
  /** The whole text, cleaned and redacted; undefined if there is none. */
  readonly text: OutputDraft | undefined;
  /** Why it may not be shown; there is no text then. */
  readonly withheld: string | null;
  /** Head and tail, as the agent first reads it. */
  readonly excerpt: string;
}

interface OutputPiece {
  readonly runId: string;
  readonly draft: string;
  readonly part: number;
  readonly text: string;
}

/** The text of an output on its way into the store; it cannot be read before `storeOutput` has named it. */
export interface OutputDraft {
  readonly id: string;
  /** Adds to the text. Writes in transactions of its own, so it must not be called inside one. */
  readonly push: (text: string) => Promise<void>;
  /** Returns the parts that are not written yet. Nothing is pushed after it. */
  readonly rest: () => readonly OutputPiece[];
  /** Deletes the parts that were written. */
  readonly discard: () => Promise<void>;
}

/** Begins to write a run's output: a few parts at most are in memory, and a small output is written at its end. */
export function createDraft(store: Pick<Store, "transaction">, runId: string): OutputDraft {
  const id = newId();
  let open = "";
  let waiting: OutputPiece[] = [];
  let count = 0;
  let isWritten = false;
  const add = (text: string): void => {
    waiting.push({ runId, draft: id, part: count++, text });
  };
  return {
    id,
    push: async (given) => {
      let text = given;
      // A part is a view of the text: joining the open part to a large text would copy all of it.
      if (open !== "" && open.length + text.length > partLength) {
        const end = wholeEnd(open, open.length);
        add(open.slice(0, end));
        text = open.slice(end) + text;
        open = "";
      }
      let from = 0;
      while (text.length - from > partLength) {
        const end = partEnd(text, from);
        add(text.slice(from, end));
        from = end;
      }
      open += text.slice(from);
      if (waiting.length < partsAtOnce) return;
      const full = waiting;
      waiting = [];
      isWritten = true;
      await store.transaction((tx) => write(tx, full));
    },
    rest: () => {
      if (open !== "") add(open);
      open = "";
      return waiting;
    },
    discard: async () => {
      if (isWritten) await store.transaction((tx) => tx.deleteFrom("outputPart").where("draft", "=", id).execute());
    },
  };
}

/** Writes parts as bytes, which the embedded store takes as they are: it goes through each character of a text twice. */
async function write(tx: Tx, parts: readonly OutputPiece[]): Promise<void> {
  if (parts.length === 0) return;
  const rows = parts.map((part) => ({ ...part, text: sql<string>`${Buffer.from(part.text)}` }));
  await tx.insertInto("outputPart").values(rows).execute();
}

/** The end of the part that begins at `from`: after a line end if one is near, and never inside a character. */
function partEnd(text: string, from: number): number {
  const most = from + partLength;
  const newline = text.lastIndexOf("\n", most - 1);
  if (newline > from + partLength / 2) return newline + 1;
  return wholeEnd(text, most);
}

/** `end`, or the place before it if `end` is inside a character. */
const wholeEnd = (text: string, end: number): number =>
  (text.charCodeAt(end - 1) & 0xfc00) === 0xd800 ? end - 1 : end;

/** Stores a run's output, once, when the transaction ends; deletes the parts that other processes began and could not finish. */
export async function storeOutput(tx: Tx, runId: string, { text, withheld, excerpt }: KeptOutput): Promise<void> {
  if (text) await write(tx, text.rest());
  await keep(tx, { runId, draft: text?.id ?? null, withheld, excerpt });
}

const keep = beforeCommit<{ runId: string; draft: string | null; withheld: string | null; excerpt: string }>(
  "outputs",
  (all) => ({
    steps: all.flatMap(({ runId, draft, withheld, excerpt }, index) => [
      sql`${sql.raw(`kept_${index}`)} as (insert into output (run_id, draft, withheld, excerpt)
        values (${runId}::uuid, ${draft}::uuid, ${withheld}, ${excerpt}) returning run_id)`,
      sql`${sql.raw(`undone_${index}`)} as (
        delete from output_part where run_id = ${runId}::uuid and draft is distinct from ${draft}::uuid)`,
    ]),
    outcome: countOf("kept", all),
  }),
);

/** An output without its text; undefined if the run has stored none. */
export async function outputOf(db: Db | Tx, runId: string): Promise<Omit<KeptOutput, "text"> | undefined> {
  return (await outputsOf(db, [runId])).get(runId);
}

/** The outputs of these runs, by run, without their text. */
export async function outputsOf(
  db: Db | Tx,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, Omit<KeptOutput, "text">>> {
  if (runIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("output")
    .select(["runId", "withheld", "excerpt"])
    // One statement for any number of runs, so it is planned once.
    .where(sql<boolean>`run_id = any (${runIds}::uuid[])`)
    .execute();
  return new Map(rows.map(({ runId, ...output }) => [runId, output]));
}

/** The stored text from its beginning, a part at a time, so that memory does not grow with the output. */
export async function* outputParts(db: Db | Tx, runId: string): AsyncGenerator<string> {
  for (let part = 0; ; part++) {
    const row = await db
      .selectFrom("output")
      .innerJoin("outputPart", (join) =>
        join.onRef("outputPart.runId", "=", "output.runId").onRef("outputPart.draft", "=", "output.draft"),
      )
      .select("outputPart.text")
      .where("output.runId", "=", runId)
      .where("part", "=", part)
      .executeTakeFirst();
    if (!row) return;
    yield row.text;
  }
}
