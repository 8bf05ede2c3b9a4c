import type { Selectable } from "kysely";
import type { Person } from "../types.ts";
import type { Db, Tx } from "./database.ts";
import { newId } from "./ids.ts";
import type { Tables } from "./schema.ts";

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

/** What people thought in this session, oldest first; of other sessions nothing (AR-16). */
export async function feedbackOf(db: Db | Tx, sessionId: string): Promise<readonly Feedback[]> {
  return db.selectFrom("feedback").selectAll().where("sessionId", "=", sessionId).orderBy("givenAt").execute();
}
