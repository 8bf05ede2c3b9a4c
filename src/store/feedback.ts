import type { Selectable } from "kysely";
import type { Person } from "../base/github.ts";
import type { Db, Tx } from "./database/connection.ts";
import type { Tables } from "./database/tables.ts";
import { newId } from "./ids.ts";

export type Feedback = Selectable<Tables["feedback"]>;

/** Replaces the person's earlier verdict on the comment from the same source (AR-10, AR-11). */
export async function giveFeedback(
  tx: Tx,
  sessionId: string,
  given: {
    readonly source: Feedback["source"];
    /** E.g. `card:3`. */
    readonly slot: string;
    readonly verdict: Feedback["verdict"];
    readonly note: string;
    readonly person: Person;
    readonly at: Date;
  },
): Promise<void> {
  const { source, slot, verdict, note, person, at } = given;
  await tx
    .insertInto("feedback")
    .values({
      id: newId(),
      sessionId,
      source,
      slot,
      verdict,
      note,
      personId: person.id,
      login: person.login,
      givenAt: at,
    })
    .onConflict((conflict) =>
      conflict
        .columns(["sessionId", "source", "slot", "personId"])
        .doUpdateSet({ verdict, note, login: person.login, givenAt: at }),
    )
    .execute();
}

/** Replaces all reactions in these slots. */
export async function replaceReactions(
  tx: Tx,
  sessionId: string,
  slots: readonly string[],
  given: readonly Omit<Parameters<typeof giveFeedback>[2], "source" | "note">[],
): Promise<void> {
  if (slots.length === 0) return;
  await tx
    .deleteFrom("feedback")
    .where("sessionId", "=", sessionId)
    .where("source", "=", "reaction")
    .where("slot", "in", slots)
    .execute();
  for (const one of given) await giveFeedback(tx, sessionId, { ...one, source: "reaction", note: "" });
}

/** Oldest first (AR-16). Of a person's reaction and command on a comment, the later counts. */
export async function feedbackOf(db: Db | Tx, sessionId: string): Promise<readonly Feedback[]> {
  const all = await db
    .selectFrom("feedback")
    .selectAll()
    .where("sessionId", "=", sessionId)
    .orderBy("givenAt")
    .execute();
  return [...Map.groupBy(all, ({ slot, personId }) => `${personId} ${slot}`).values()]
    .flatMap((own) => own.at(-1) ?? [])
    .sort((a, b) => a.givenAt.getTime() - b.givenAt.getTime());
}
