import { createHash } from "node:crypto";
import * as z from "zod";
import type { Assertion, Proof } from "../../store/audit/kinds/kind.ts";
import type { CountersignRequest } from "../../store/passkeys.ts";

/**
 * SHA-256, base64url, over digest, approver, and comment with its words (PK-01). Nothing else, so that an auditor can compute it from the
 * audit.
 */
export const challengeOf = ({ digest, personId, comment }: CountersignRequest): string =>
  createHash("sha256")
    .update(["countersign-passkey-1", digest, personId, comment.id, comment.sha256].join("\n"))
    .digest("base64url");

/** SHA-256, hex. */
export const keyDigestOf = (key: { readonly id: string; readonly publicKey: string }, ownerId: number): string =>
  createHash("sha256").update(["countersign-key-1", key.id, key.publicKey, ownerId].join("\n")).digest("hex");

/** Host and origin of `server.public_url` decide which authenticators answer. */
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

/** Reads a browser's answer to a challenge; undefined if it is no assertion. Verifies nothing. */
export function readAssertion(body: unknown): Assertion | undefined {
  const read = assertionAnswer.safeParse(body);
  return read.success && read.data.id === read.data.rawId ? { id: read.data.id, ...read.data.response } : undefined;
}

/**
 * Verifies the signature of this challenge for this origin, with the user verified (WebAuthn Level 3, §7.2). Returns the authenticator's
 * counter, which must exceed `after`; undefined if a part is wrong. Never throws.
 */
export async function verifyProof(
  { assertion, publicKey, origin }: Proof,
  about: CountersignRequest,
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
    // The library throws for every fault, even for data that is no key.
    return undefined;
  }
}

export interface NewKey {
  readonly id: string;
  readonly publicKey: string;
  readonly counter: number;
}

/** Verifies a new key and its user (WebAuthn Level 3, §7.1); undefined if a part is wrong. Never throws. */
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
