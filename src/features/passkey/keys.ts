import { isInForce } from "../../approval/passkey.ts";
import type { Person } from "../../base/github.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import type { AuditEvent } from "../../store/audit/events.ts";
import type { Db, Tx } from "../../store/database/open.ts";
import { confirmPasskey, type Passkey, passkeysOf, revokePasskey } from "../../store/passkeys.ts";

/** Returns what people read to each other: 48 bits, too many to find a second key during a link's life. */
export const fingerprintOf = ({ digest }: Pick<Passkey, "digest">): string => digest.slice(0, 12);

/** Returns a key as the audit holds it. */
export const auditedKey = ({ id, digest, personId, login }: Pick<Passkey, "id" | "digest" | "personId" | "login">) => ({
  owner: { id: personId, login },
  id,
  digest,
});

/** One line per key. */
export const keyLines = (keys: readonly Passkey[]): readonly string[] =>
  keys.map((key) => {
    const state = isInForce(key)
      ? `in force since ${key.inForceAt?.toISOString().slice(0, 10)}`
      : "waits to be confirmed";
    return `${fingerprintOf(key)} @${key.login} ${state}`;
  });

/** Finds a key by fingerprint, of one owner or of all; undefined if not exactly one. */
export async function keyNamed(db: Db | Tx, fingerprint: string, ownerId?: number): Promise<Passkey | undefined> {
  const found = (await passkeysOf(db, ownerId)).filter((key) => fingerprintOf(key) === fingerprint.toLowerCase());
  return found.length === 1 ? found[0] : undefined;
}

/** Revokes a key permanently and audits it. `by` is undefined for the operator. */
export async function revokeKey(
  tx: Tx,
  key: Passkey,
  { by, at }: { readonly by?: Person; readonly at: Date },
): Promise<void> {
  if (!(await revokePasskey(tx, key.id, at))) return;
  await appendAudit(tx, { kind: "passkey_revoked", body: { ...auditedKey(key), ...(by && { by }) } });
}

/** Puts a key in force and audits it. */
export async function keyInForce(
  tx: Tx,
  key: Passkey,
  {
    at,
    ...confirmed
  }: { readonly at: Date } & Partial<Pick<AuditEvent<"passkey_added">["body"], "by" | "comment" | "proof">>,
): Promise<void> {
  if (!(await confirmPasskey(tx, key.id, at))) return;
  await appendAudit(tx, {
    kind: "passkey_added",
    body: { ...auditedKey(key), publicKey: key.publicKey, ...confirmed },
  });
}
