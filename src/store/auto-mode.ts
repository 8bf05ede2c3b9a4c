import { type Selectable, sql } from "kysely";
import type { Person } from "../base/github.ts";
import type { Db, Tx } from "./database/open.ts";
import type { Tables } from "./database/schema.ts";

export type AutoMode = Selectable<Tables["autoMode"]>;

/** Whether and by whom agent mode was last switched on for an incident; nothing where it never was. */
export async function autoModeOf(db: Db | Tx, incidentId: string): Promise<AutoMode | undefined> {
  return db.selectFrom("autoMode").selectAll().where("incidentId", "=", incidentId).executeTakeFirst();
}

/** What somebody said of agent mode on an incident. */
interface Word {
  readonly incidentId: string;
  readonly person: Person;
  readonly role: string;
  readonly comment: { readonly id: number; readonly nodeId: string; readonly sha256: string };
}

/** Switches agent mode on for an incident, in place of whatever was said of it before. */
export async function switchOn(
  tx: Tx,
  given: Word & {
    readonly fromStep: number;
    /** Where the person was told that it holds, by name. */
    readonly servers: readonly string[];
  },
): Promise<AutoMode> {
  const { incidentId, fromStep } = given;
  const servers = JSON.stringify(given.servers);
  const said = { ...columnsOf(given), fromStep, servers, offAt: null, offWhy: null };
  return tx
    .insertInto("autoMode")
    .values({ incidentId, ...said })
    .onConflict((conflict) => conflict.column("incidentId").doUpdateSet({ ...said, onAt: sql<Date>`now()` }))
    .returningAll()
    .executeTakeFirstOrThrow();
}

const columnsOf = ({ person, role, comment }: Word) => ({
  personId: person.id,
  login: person.login,
  role,
  commentId: comment.id,
  commentNodeId: comment.nodeId,
  commentSha256: comment.sha256,
  lastComment: comment.id,
});

/** Remembers that somebody wanted it off, also where it never was on; what is on stays so. */
export async function hearOff(tx: Tx, given: Word): Promise<void> {
  const { incidentId, comment } = given;
  const off = { fromStep: 0, servers: "[]", offAt: sql<Date>`now()`, offWhy: "it was switched off" };
  await tx
    .insertInto("autoMode")
    .values({ incidentId, ...columnsOf(given), ...off })
    .onConflict((conflict) =>
      conflict
        .column("incidentId")
        .doUpdateSet({ lastComment: sql<number>`greatest(auto_mode.last_comment, ${comment.id})` }),
    )
    .execute();
}

/** Switches agent mode off; nothing is returned where it was not on. */
export async function switchOff(tx: Tx, incidentId: string, why: string): Promise<AutoMode | undefined> {
  return tx
    .updateTable("autoMode")
    .set({ offAt: sql<Date>`now()`, offWhy: why })
    .where("incidentId", "=", incidentId)
    .where("offAt", "is", null)
    .returningAll()
    .executeTakeFirst();
}
