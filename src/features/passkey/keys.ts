import { isInForce } from "../../approval/passkey.ts";
import type { Person } from "../../base/github.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import type { AuditEvent } from "../../store/audit/events.ts";
import type { Db, Tx } from "../../store/database/open.ts";
import { confirmPasskey, type Passkey, passkeysOf, revokePasskey } from "../../store/passkeys.ts";

/** What people read to each other of a key: 48 bits, which nobody finds a second key for while a link lasts. */
export const fingerprintOf = ({ digest }: Pick<Passkey, "digest">): string => digest.slice(0, 12);

/** A key in the audit. */
export const auditedKey = ({ id, digest, personId, login }: Pick<Passkey, "id" | "digest" | "personId" | "login">) => ({
  owner: { id: personId, login },
  id,
  digest,
});

/** One line for each key, as `/key list` and `keys list` have it. */
export const keyLines = (keys: readonly Passkey[]): readonly string[] =>
  keys.map((key) => {
    const state = isInForce(key)
      ? `in force since ${key.inForceAt?.toISOString().slice(0, 10)}`
      : "waits to be confirmed";
    return `${fingerprintOf(key)} @${key.login} ${state}`;
  });

/** Returns the key of that fingerprint, of one person or of anybody; undefined where none or more than one has it. */
export async function keyNamed(db: Db | Tx, fingerprint: string, ownerId?: number): Promise<Passkey | undefined> {
  const found = (await passkeysOf(db, ownerId)).filter((key) => fingerprintOf(key) === fingerprint.toLowerCase());
  return found.length === 1 ? found[0] : undefined;
}

/** Revokes a key for good and says so in the audit; `by` is its owner, nobody where the operator does it on the machine. */
export async function revokeKey(
  tx: Tx,
  key: Passkey,
  { by, at }: { readonly by?: Person; readonly at: Date },
): Promise<void> {
  if (!(await revokePasskey(tx, key.id, at))) return;
  await appendAudit(tx, { kind: "passkey_revoked", body: { ...auditedKey(key), ...(by && { by }) } });
}

/** Puts a key in force and says so in the audit, with who confirmed it and the proof that they were there. */
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
