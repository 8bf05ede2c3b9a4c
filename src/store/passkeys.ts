import { randomBytes } from "node:crypto";
import { type Selectable, sql } from "kysely";
import type { Person } from "../base/github.ts";
import type { Assertion } from "./audit/kinds.ts";
import { writeNow } from "./database/commit.ts";
import { type Db, hasAdded, hasChanged, type Tx } from "./database/connection.ts";
import type { Tables } from "./database/tables.ts";

export type Passkey = Selectable<Tables["passkey"]>;

/** Never revoked, oldest first. */
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

/** Also a revoked one. */
export async function passkeyOf(db: Db | Tx, id: string): Promise<Passkey | undefined> {
  return db.selectFrom("passkey").selectAll().where("id", "=", id).executeTakeFirst();
}

/** Returns false if the credential is known, as any person's. */
export async function addPasskey(
  tx: Tx,
  key: { readonly id: string; readonly publicKey: string; readonly digest: string; readonly counter: number },
  { owner, inForceAt }: { readonly owner: Person; readonly inForceAt: Date | null },
): Promise<boolean> {
  const { id, publicKey, digest, counter } = key;
  return hasAdded(
    tx
      .insertInto("passkey")
      .values({ id, publicKey, digest, counter, personId: owner.id, login: owner.login, inForceAt, revokedAt: null })
      .onConflict((conflict) => conflict.doNothing()),
  );
}

/** Puts a key in force, or revokes it. Returns false if the key was revoked before, or is in force already. */
export async function setPasskey(
  tx: Tx,
  id: string,
  change: { readonly inForceAt: Date } | { readonly revokedAt: Date },
): Promise<boolean> {
  return hasChanged(
    tx
      .updateTable("passkey")
      .set(change)
      .where("id", "=", id)
      .where("revokedAt", "is", null)
      .$if("inForceAt" in change, (query) => query.where("inForceAt", "is", null)),
  );
}

export type PasskeyPage = Selectable<Tables["passkeyPage"]>;

/** What a person countersigns with one comment; the challenge covers all fields. */
export interface CountersignRequest {
  readonly digest: string;
  readonly personId: number;
  readonly comment: { readonly id: number; readonly sha256: string };
}

const empty = { actionId: null, keyId: null, digest: null, commentId: null, commentSha256: null };
const unanswered = { usedAt: null, passkeyId: null, assertion: null };
const newPageId = (): string => randomBytes(32).toString("hex");

/** A page for this person only; returns its id. */
export async function addEnrolment(
  tx: Tx,
  page: { readonly person: Person; readonly trusted: boolean; readonly endsAt: Date },
): Promise<string> {
  const { person, trusted, endsAt } = page;
  const id = newPageId();
  await tx
    .insertInto("passkeyPage")
    .values({ ...empty, ...unanswered, id, personId: person.id, login: person.login, trusted, endsAt })
    .execute();
  return id;
}

/** Makes or extends the only page for this proof; a used one stays as it is. */
export async function askForProof(
  tx: Tx,
  asked: CountersignRequest & {
    readonly login: string;
    readonly about: { readonly actionId: string } | { readonly keyId: string };
    readonly endsAt: Date;
  },
): Promise<string> {
  const { digest, personId, login, comment, about, endsAt } = asked;
  const bound = { digest, commentId: comment.id, commentSha256: comment.sha256 };
  const later = sql<Date>`case when passkey_page.used_at is null then excluded.ends_at else passkey_page.ends_at end`;
  const { id } = await tx
    .insertInto("passkeyPage")
    .values({ ...empty, ...unanswered, ...about, ...bound, id: newPageId(), personId, login, trusted: false, endsAt })
    .onConflict((conflict) => conflict.columns(["commentId", "digest"]).doUpdateSet({ endsAt: later }))
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** `lock`: of two tabs one is first. */
export async function passkeyPageOf(db: Db | Tx, id: string, lock = false): Promise<PasskeyPage | undefined> {
  return db
    .selectFrom("passkeyPage")
    .selectAll()
    .where("id", "=", id)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst();
}

/** Also advances the key's counter. */
export async function usePage(
  tx: Tx,
  page: PasskeyPage,
  used: { readonly at: Date; readonly proof?: { readonly assertion: Assertion; readonly counter: number } },
): Promise<void> {
  const { at, proof } = used;
  const answer = proof && { passkeyId: proof.assertion.id, assertion: JSON.stringify(proof.assertion) };
  await tx
    .updateTable("passkeyPage")
    .set({ usedAt: at, ...answer })
    .where("id", "=", page.id)
    .execute();
  if (!proof) return;
  await tx.updateTable("passkey").set({ counter: proof.counter }).where("id", "=", proof.assertion.id).execute();
}

/** With the key's present state. */
export async function assertionFor(
  db: Db | Tx,
  { digest, personId, comment }: CountersignRequest,
): Promise<{ readonly assertion: Assertion; readonly key: Passkey } | undefined> {
  const page = await db
    .selectFrom("passkeyPage")
    .selectAll()
    .where("commentId", "=", comment.id)
    .where("digest", "=", digest)
    .where("personId", "=", personId)
    .executeTakeFirst();
  if (!page?.assertion || page.passkeyId === null) return undefined;
  const key = await passkeyOf(db, page.passkeyId);
  return key && { assertion: page.assertion, key };
}

export async function hasRevokedKey(tx: Tx, comments: readonly CountersignRequest[]): Promise<boolean> {
  // SQL has no empty list.
  if (comments.length === 0) return false;
  const revoked = await tx
    .selectFrom("passkeyPage")
    .innerJoin("passkey", "passkey.id", "passkeyPage.passkeyId")
    .select("passkey.id")
    .where(
      "passkeyPage.commentId",
      "in",
      comments.map(({ comment }) => comment.id),
    )
    .where("passkey.revokedAt", "is not", null)
    .executeTakeFirst();
  return revoked !== undefined;
}

/** A comment's second delivery, after its author's proof. No webhook event has a colon. */
export const provedEvent = "countersign:proved";

/** Returns false if the comment's delivery is no longer stored. */
export async function serveCommentAgain(
  tx: Tx,
  { id, commentId }: { readonly id: string; readonly commentId: number },
  enqueue: (line: string, guid: string) => Promise<void>,
): Promise<boolean> {
  await writeNow(tx, "deliveries");
  const guid = `passkey:${id}`;
  const delivery = await tx
    .selectFrom("delivery")
    .select(["line", "action", "payload"])
    .where("semanticKey", "=", `issue_comment:created:${commentId}`)
    .executeTakeFirst();
  if (!delivery) return false;
  await tx
    .insertInto("delivery")
    .values({ ...delivery, guid, event: provedEvent, semanticKey: null, outcome: null })
    .execute();
  await enqueue(delivery.line, guid);
  return true;
}
