import { readEvent } from "../../store/audit/events.ts";
import type { AuditRow } from "../../store/audit/rows.ts";
import { keyDigestOf, verifyProof } from "./proof.ts";

export interface PasskeyVerdict {
  readonly verified: number;
  readonly faults: readonly string[];
}

interface KnownKey {
  readonly ownerId: number;
  readonly publicKey: string;
}

/**
 * Verifies each signature from the audit alone: the key was in force and the approver's, and signed this digest, person and comment
 * (PK-04). Takes rows oldest first.
 */
export async function verifyPasskeys(
  rows: AsyncIterable<Pick<AuditRow, "seq" | "kind" | "body">>,
): Promise<PasskeyVerdict> {
  const keys = new Map<string, KnownKey>();
  const faults: string[] = [];
  let verified = 0;
  for await (const row of rows) {
    const fault = (why: string) => void faults.push(`row ${row.seq}: ${why}`);
    const event = readEvent(row);
    if (event.kind === "unknown") {
      if (/^(passkey_|command_approved$)/.test(row.kind)) fault("it cannot be read");
    } else if (event.kind === "passkey_revoked") keys.delete(event.body.id);
    else if (event.kind === "command_approved" || event.kind === "passkey_added") {
      const why = await whyWrong(keys, event.body, event.kind === "passkey_added");
      if (why !== undefined) fault(why);
      else if (event.body.proof) verified++;
      if (event.kind !== "passkey_added") continue;
      const { id, publicKey, owner, digest } = event.body;
      if (keyDigestOf({ id, publicKey }, owner.id) !== digest) fault("the key is not the one that its digest names");
      keys.set(id, { ownerId: owner.id, publicKey });
    }
  }
  return { verified, faults };
}

type ProvedEvent = Pick<
  Extract<ReturnType<typeof readEvent>, { kind: "passkey_added" }>["body"],
  "digest" | "by" | "comment" | "proof"
>;

async function whyWrong(
  keys: ReadonlyMap<string, KnownKey>,
  { digest, by, comment, proof }: ProvedEvent,
  isKey: boolean,
): Promise<string | undefined> {
  // Without a proof it is the operator's key, or an approval by comment alone.
  if (!proof) return isKey && by ? "a key that somebody confirmed without a signature" : undefined;
  if (!by || !comment) return "a signature without a person or a comment";
  const key = keys.get(proof.assertion.id);
  if (key?.ownerId !== by.id || key.publicKey !== proof.publicKey)
    return `no passkey of @${by.login} that was in force`;
  const isRight = (await verifyProof(proof, { digest, personId: by.id, comment })) !== undefined;
  return isRight ? undefined : "the signature is not of this digest, person and comment";
}
