import { isInForce, type PasskeyStanding } from "../../approval/passkey.ts";
import type { Proof } from "../../store/audit/kinds/kind.ts";
import type { Db, Tx } from "../../store/database/open.ts";
import { askForProof, assertionFor, type Countersigned, passkeysOf } from "../../store/passkeys.ts";
import type { Deps } from "../context.ts";
import { relyingParty, verifyProof } from "./proof.ts";

/** How long a page of a comment can be used. */
export const pageMs = 2 * 60_000;

/** Nothing where the operator has not said where people reach the page. */
export const linkTo = ({ config }: Pick<Deps, "config">, id: string): string | undefined =>
  config.server.publicUrl && `${relyingParty(config.server.publicUrl).origin}/k/${id}`;

/**
 * What is known of the person behind a comment at this moment (PK-01): whether a key of theirs is in force, and the proof that they
 * wrote it. The proof is verified anew each time, with the key as it stands now.
 */
export async function presenceOf(
  db: Db | Tx,
  { config }: Pick<Deps, "config">,
  about: Countersigned,
): Promise<PasskeyStanding & { readonly proof?: Proof }> {
  const { publicUrl } = config.server;
  const hasKey = (await passkeysOf(db, about.personId)).some(isInForce);
  const kept = await assertionFor(db, about);
  if (!publicUrl || !kept || !isInForce(kept.key) || kept.key.personId !== about.personId)
    return { hasKey, proved: false };
  const { origin } = relyingParty(publicUrl);
  const proof = { assertion: kept.assertion, publicKey: kept.key.publicKey, origin };
  return (await verifyProof(proof, about)) === undefined ? { hasKey, proved: false } : { hasKey, proved: true, proof };
}

/** Asks for a passkey behind a comment: the page's link, undefined where there is no address for it. */
export async function askForPasskey(
  tx: Tx,
  deps: Pick<Deps, "config" | "now">,
  asked: Omit<Parameters<typeof askForProof>[1], "endsAt">,
): Promise<string | undefined> {
  if (!deps.config.server.publicUrl) return undefined;
  const endsAt = new Date(deps.now().getTime() + pageMs);
  return linkTo(deps, await askForProof(tx, { ...asked, endsAt }));
}
