import { isInForce, type PasskeyStanding } from "../../approval/passkey.ts";
import type { Proof } from "../../store/audit/kinds/kind.ts";
import type { Db, Tx } from "../../store/database/open.ts";
import { askForProof, assertionFor, type CountersignRequest, passkeysOf } from "../../store/passkeys.ts";
import type { Deps } from "../context.ts";
import { relyingParty, verifyProof } from "./proof.ts";

export const pageMs = 2 * 60_000;

/** Returns a page's link; undefined without a public address. */
export const linkTo = ({ config }: Pick<Deps, "config">, id: string): string | undefined =>
  config.server.publicUrl && `${relyingParty(config.server.publicUrl).origin}/k/${id}`;

/** Whether a comment's author has a key in force and proved to have written it (PK-01). Verifies with the key as it is now. */
export async function presenceOf(
  db: Db | Tx,
  { config }: Pick<Deps, "config">,
  about: CountersignRequest,
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

/** Creates a page and returns its link; undefined without a public address. */
export async function askForPasskey(
  tx: Tx,
  deps: Pick<Deps, "config" | "now">,
  asked: Omit<Parameters<typeof askForProof>[1], "endsAt">,
): Promise<string | undefined> {
  if (!deps.config.server.publicUrl) return undefined;
  const endsAt = new Date(deps.now().getTime() + pageMs);
  return linkTo(deps, await askForProof(tx, { ...asked, endsAt }));
}
