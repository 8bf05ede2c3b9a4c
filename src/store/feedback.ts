import type { Selectable } from "kysely";
import type { Person } from "../base/github.ts";
import type { Db, Tx } from "./database/connection.ts";
import type { Tables } from "./database/tables.ts";
import { newId } from "./ids.ts";

export type Feedback = Selectable<Tables["feedback"]>;

/**
 * Keeps what a person thinks of one of our comments in this session (AR-10, AR-11). Their last word on it counts: a later one
 * of the same source replaces it.
 */
export async function giveFeedback(
  tx: Tx,
  sessionId: string,
  given: {
    readonly source: Feedback["source"];
    /** The comment it is on, by its slot, e.g. `card:3`. */
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

/** Keeps the reactions on some comments of ours, by their slots, in place of those that were kept of them before. */
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

/**
 * What people thought in this session, oldest first; of other sessions nothing (AR-16). Each counts once a comment: of a
 * reaction and a word the later, since both are one person's.
 */
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
