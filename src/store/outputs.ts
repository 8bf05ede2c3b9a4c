import { sql } from "kysely";
import { beforeCommit, countOf } from "./database/commit.ts";
import type { Db, Tx } from "./database/connection.ts";
import type { Store } from "./database/open.ts";
import { newId } from "./ids.ts";

/** How much is read at once, in characters. */
export const partLength = 65_536;

const partsAtOnce = 8;

/** Text that was not redacted is never stored (SR-50). */
export interface KeptOutput {
  /** Whole, cleaned and redacted. */
  readonly text: OutputDraft | undefined;
  /** Why it may not be shown; there is no text then. */
  readonly withheld: string | null;
  /** Head and tail, for the agent's first reading. */
  readonly excerpt: string;
}

interface OutputPiece {
  readonly runId: string;
  readonly draft: string;
  readonly part: number;
  readonly text: string;
}

/** Unreadable before `storeOutput` names it. */
export interface OutputDraft {
  readonly id: string;
  /** Writes in its own transactions; must not be called inside one. */
  readonly push: (text: string) => Promise<void>;
  /** The unwritten parts; nothing may be pushed after it. */
  readonly rest: () => readonly OutputPiece[];
  readonly discard: () => Promise<void>;
}

/** Few parts are in memory; a small output is written at its end. */
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
      // Parts are views of the text; joining would copy it all.
      if (open !== "" && open.length + text.length > partLength) {
        const end = wholeEnd(open, open.length);
        add(open.slice(0, end));
        text = open.slice(end) + text;
        open = "";
      }
      let from = 0;
      while (text.length - from > partLength) {
        // After a line end if one is near, and never inside a character.
        const most = from + partLength;
        const newline = text.lastIndexOf("\n", most - 1);
        const end = newline > from + partLength / 2 ? newline + 1 : wholeEnd(text, most);
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

/** The embedded store walks a text's characters twice, but takes bytes as they are. */
async function write(tx: Tx, parts: readonly OutputPiece[]): Promise<void> {
  if (parts.length === 0) return;
  const rows = parts.map((part) => ({ ...part, text: sql<string>`${Buffer.from(part.text)}` }));
  await tx.insertInto("outputPart").values(rows).execute();
}

const wholeEnd = (text: string, end: number): number =>
  (text.charCodeAt(end - 1) & 0xfc00) === 0xd800 ? end - 1 : end;

/** Once, when the transaction ends; deletes parts that dead processes left. */
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

/** Without the text. */
export async function outputOf(db: Db | Tx, runId: string): Promise<Omit<KeptOutput, "text"> | undefined> {
  return (await outputsOf(db, [runId])).get(runId);
}

/** By run, without the text. */
export async function outputsOf(
  db: Db | Tx,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, Omit<KeptOutput, "text">>> {
  if (runIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("output")
    .select(["runId", "withheld", "excerpt"])
    // One statement for any number, planned once.
    .where(sql<boolean>`run_id = any (${runIds}::uuid[])`)
    .execute();
  return new Map(rows.map(({ runId, ...output }) => [runId, output]));
}

/** Part by part, so that memory does not grow with the output. */
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
