import { createHash } from "node:crypto";
import * as z from "zod";
import type { Assertion, Proof } from "../../store/audit/kinds/kind.ts";
import type { Countersigned } from "../../store/passkeys.ts";

/**
 * What a person countersigns, as an authenticator signs it: SHA-256, base64url, over the digest, who approves, and the comment with
 * its words (PK-01). Nothing else is in it, so that an auditor can make it again from the audit alone.
 */
export const challengeOf = ({ digest, personId, comment }: Countersigned): string =>
  createHash("sha256")
    .update(["countersign-passkey-1", digest, personId, comment.id, comment.sha256].join("\n"))
    .digest("base64url");

/** SHA-256, hex, over a key and its owner. */
export const keyDigestOf = (key: { readonly id: string; readonly publicKey: string }, ownerId: number): string =>
  createHash("sha256").update(["countersign-key-1", key.id, key.publicKey, ownerId].join("\n")).digest("hex");

/** The page's address decides which authenticators answer: host and origin of `server.public_url`. */
export const relyingParty = (publicUrl: string): { readonly id: string; readonly origin: string } => {
  const { hostname, origin } = new URL(publicUrl);
  return { id: hostname, origin };
};

const text = z.string().min(1).max(8_192);
const answer = z.object({ id: text, rawId: text, type: z.literal("public-key") });
const assertionAnswer = answer.extend({
  response: z.object({ authenticatorData: text, clientDataJSON: text, signature: text }),
});
const keyAnswer = answer.extend({ response: z.object({ clientDataJSON: text, attestationObject: text }) });

/** Reads what the browser sent for a challenge; undefined where it is no assertion. Nothing is verified yet. */
export function readAssertion(body: unknown): Assertion | undefined {
  const read = assertionAnswer.safeParse(body);
  return read.success && read.data.id === read.data.rawId ? { id: read.data.id, ...read.data.response } : undefined;
}

/**
 * Verifies that the key signed this challenge, for this origin, with its user verified (WebAuthn Level 3, §7.2). Returns the counter
 * that the authenticator told, undefined where anything is wrong. `after` is the counter that it must be beyond; never throws.
 */
export async function verifyProof(
  { assertion, publicKey, origin }: Proof,
  about: Countersigned,
  after = 0,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  const { id, ...response } = assertion;
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { id, rawId: id, type: "public-key", clientExtensionResults: {}, response },
      expectedChallenge: challengeOf(about),
      expectedOrigin: origin,
      expectedRPID: relyingParty(origin).id,
      requireUserVerification: true,
      credential: { id, publicKey: new Uint8Array(Buffer.from(publicKey, "base64url")), counter: after },
    });
    return verified && authenticationInfo.userVerified ? authenticationInfo.newCounter : undefined;
  } catch {
    // The library throws for each thing that is wrong, also for what is not even a key.
    return undefined;
  }
}

export interface NewKey {
  readonly id: string;
  readonly publicKey: string;
  readonly counter: number;
}

/** Verifies a new key (WebAuthn Level 3, §7.1), its user verified too; undefined where anything is wrong. Never throws. */
export async function readNewKey(
  body: unknown,
  expected: { readonly challenge: string; readonly publicUrl: string },
): Promise<NewKey | undefined> {
  const read = keyAnswer.safeParse(body);
  if (!read.success) return undefined;
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  const { id, origin } = relyingParty(expected.publicUrl);
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...read.data, clientExtensionResults: {} },
      expectedChallenge: expected.challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
    });
    if (!verified || !registrationInfo.userVerified) return undefined;
    const { credential } = registrationInfo;
    const publicKey = Buffer.from(credential.publicKey).toString("base64url");
    return { id: credential.id, publicKey, counter: credential.counter };
  } catch {
    return undefined;
  }
}
