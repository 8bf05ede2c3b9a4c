import type { Generated, Selectable } from "kysely";
import type { Person } from "../../base/github.ts";
import type { Db, Tx } from "../database/connection.ts";

/** A passkey of a person, by its WebAuthn credential id (WebAuthn Level 3, §4). */
export interface PasskeyTable {
  /** base64url, as is the public key in its COSE form. */
  id: string;
  personId: number;
  login: string;
  publicKey: string;
  /** SHA-256, hex, over key and owner; its beginning is what people read to each other. */
  digest: string;
  counter: number;
  addedAt: Generated<Date>;
  /** Null while another approver has to confirm it. */
  inForceAt: Date | null;
  revokedAt: Date | null;
}
export type Passkey = Selectable<PasskeyTable>;

/** All keys that were never revoked, or those of one person, oldest first. */
export async function passkeysOf(db: Db | Tx, personId?: number): Promise<readonly Passkey[]> {
  return db
    .selectFrom("passkey")
    .selectAll()
    .where("revokedAt", "is", null)
    .$if(personId !== undefined, (query) => query.where("personId", "=", personId ?? 0))
    .orderBy("addedAt")
    .orderBy("id")
    .execute();
}

/** Returns the key, revoked or not; undefined where there is none. */
export async function passkeyOf(db: Db | Tx, id: string): Promise<Passkey | undefined> {
  return db.selectFrom("passkey").selectAll().where("id", "=", id).executeTakeFirst();
}

/** Adds a key; false where that credential is known already, whoever's it is. */
export async function addPasskey(
  tx: Tx,
  key: { readonly id: string; readonly publicKey: string; readonly digest: string; readonly counter: number },
  { owner, inForceAt }: { readonly owner: Person; readonly inForceAt: Date | null },
): Promise<boolean> {
  const { id, publicKey, digest, counter } = key;
  const added = await tx
    .insertInto("passkey")
    .values({ id, publicKey, digest, counter, personId: owner.id, login: owner.login, inForceAt, revokedAt: null })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return added.numInsertedOrUpdatedRows === 1n;
}

/** Puts a key in force; false where it is already, or was revoked. */
export async function confirmPasskey(tx: Tx, id: string, at: Date): Promise<boolean> {
  const done = await tx
    .updateTable("passkey")
    .set({ inForceAt: at })
    .where("id", "=", id)
    .where("inForceAt", "is", null)
    .where("revokedAt", "is", null)
    .executeTakeFirst();
  return done.numUpdatedRows === 1n;
}

/** Revokes a key for good; false where it was revoked before. */
export async function revokePasskey(tx: Tx, id: string, at: Date): Promise<boolean> {
  const done = await tx
    .updateTable("passkey")
    .set({ revokedAt: at })
    .where("id", "=", id)
    .where("revokedAt", "is", null)
    .executeTakeFirst();
  return done.numUpdatedRows === 1n;
}
