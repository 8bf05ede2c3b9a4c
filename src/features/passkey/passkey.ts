import { createHash } from "node:crypto";
import * as z from "zod";
import { decidePage, isInForce, type PasskeyStanding } from "../../approval/passkey.ts";
import { serversIn } from "../../base/action.ts";
import type { Person } from "../../base/github.ts";
import { actionById, digestOf } from "../../store/actions.ts";
import { type AuditRow, appendAudit } from "../../store/audit/chain.ts";
import { readEvent } from "../../store/audit/events.ts";
import type { Proof } from "../../store/audit/kinds.ts";
import type { Db, Tx } from "../../store/database/open.ts";
import {
  addPasskey,
  askForProof,
  assertionFor,
  type CountersignRequest,
  type Passkey,
  type PasskeyPage,
  passkeyOf,
  passkeyPageOf,
  passkeysOf,
  serveCommentAgain,
  setPasskey,
  usePage,
} from "../../store/passkeys.ts";
import { shareOf } from "../../store/queue/arrival.ts";
import type { Deps } from "../context.ts";

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

/**
 * SHA-256, base64url, over digest, approver, and comment with its words. Nothing else, so that an auditor can compute it from the
 * audit.
 */
const challengeOf = ({ digest, personId, comment }: CountersignRequest): string =>
  createHash("sha256")
    .update(["countersign-passkey-1", digest, personId, comment.id, comment.sha256].join("\n"))
    .digest("base64url");

/** SHA-256, hex. */
const keyDigestOf = (key: { readonly id: string; readonly publicKey: string }, ownerId: number): string =>
  createHash("sha256").update(["countersign-key-1", key.id, key.publicKey, ownerId].join("\n")).digest("hex");

/** Host and origin of `server.public_url` decide which authenticators answer. */
const relyingParty = (publicUrl: string): { readonly id: string; readonly origin: string } => {
  const { hostname, origin } = new URL(publicUrl);
  return { id: hostname, origin };
};

const text = z.string().min(1).max(8_192);
const answer = z.object({ id: text, rawId: text, type: z.literal("public-key") });
const assertionAnswer = answer.extend({
  response: z.object({ authenticatorData: text, clientDataJSON: text, signature: text }),
});
const keyAnswer = answer.extend({ response: z.object({ clientDataJSON: text, attestationObject: text }) });

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

interface NewKey {
  readonly id: string;
  readonly publicKey: string;
  readonly counter: number;
}

/** Verifies a new key and its user (WebAuthn Level 3, §7.1); undefined if a part is wrong. Never throws. */
async function readNewKey(
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
  if (!(await setPasskey(tx, key.id, { revokedAt: at }))) return;
  await appendAudit(tx, { kind: "passkey_revoked", body: { ...auditedKey(key), ...(by && { by }) } });
}

interface PasskeyVerdict {
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

type PageDeps = Pick<Deps, "config" | "store" | "now">;

type PasskeyView =
  | { readonly kind: "shut"; readonly reason: string }
  | {
      readonly kind: "open";
      readonly does: "add" | "prove";
      readonly title: string;
      readonly rows: readonly (readonly [string, string])[];
      /** To the byte. */
      readonly command: string | undefined;
      readonly button: string;
      readonly endsAt: Date;
      /** For `startRegistration` or `startAuthentication` of the browser's library. */
      readonly options: object;
    };

interface PageResult {
  readonly ok: boolean;
  readonly words: string;
}

const unknown = { kind: "shut", reason: "There is no such link." } as const;
const no = (words: string): PageResult => ({ ok: false, words });

/** Reads the page as it is now. */
export async function viewPage(deps: PageDeps, id: string): Promise<PasskeyView> {
  const { db } = deps.store;
  const page = await passkeyPageOf(db, id);
  const { publicUrl } = deps.config.server;
  if (!page || !publicUrl) return unknown;
  const content = await contentOf(db, page);
  const decision = decidePage({ ...page, waits: content !== undefined, now: deps.now() });
  if (decision.kind === "shut" || !content) return decision.kind === "shut" ? decision : unknown;
  const { id: rpId } = relyingParty(publicUrl);
  const own = await passkeysOf(db, page.personId);
  const idsOf = (keys: readonly Passkey[]) => keys.map(({ id }) => ({ id, type: "public-key" }));
  const about = countersignedBy(page);
  // WebAuthn Level 3, §5.1.8: the user is verified on every page.
  const userVerification = "required";
  const options = about
    ? { challenge: challengeOf(about), rpId, allowCredentials: idsOf(own.filter(isInForce)), userVerification }
    : {
        challenge: page.id,
        rp: { id: rpId, name: "Countersign" },
        user: { id: Buffer.from(`${page.personId}`).toString("base64url"), name: page.login, displayName: page.login },
        // EdDSA, ES256, RS256.
        pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: "public-key", alg })),
        excludeCredentials: idsOf(own),
        authenticatorSelection: { residentKey: "preferred", userVerification },
        attestation: "none",
      };
  return { kind: "open", ...content, endsAt: page.endsAt, options };
}

/** Stores a new key, or an assertion, after which the comment is served again; nothing if a part is wrong. */
export async function answerPage(deps: PageDeps, id: string, body: unknown): Promise<PageResult> {
  const { publicUrl } = deps.config.server;
  if (!publicUrl) return no(unknown.reason);
  return deps.store.transaction(async (tx) => {
    const page = await passkeyPageOf(tx, id, true);
    if (!page) return no(unknown.reason);
    const waits = (await contentOf(tx, page)) !== undefined;
    const decision = decidePage({ ...page, waits, now: deps.now() });
    if (decision.kind === "shut") return no(decision.reason);
    const about = countersignedBy(page);
    return about ? prove(tx, deps, page, { about, body, publicUrl }) : enrol(tx, deps, page, { body, publicUrl });
  });
}

const wrong = no("This passkey does not fit. Nothing was approved. Try again, or comment on the issue again.");

async function prove(
  tx: Tx,
  deps: PageDeps,
  page: PasskeyPage,
  {
    about,
    body,
    publicUrl,
  }: { readonly about: CountersignRequest; readonly body: unknown; readonly publicUrl: string },
): Promise<PageResult> {
  // A browser answers a challenge with an assertion. Nothing is verified yet.
  const read = assertionAnswer.safeParse(body);
  const assertion =
    read.success && read.data.id === read.data.rawId ? { id: read.data.id, ...read.data.response } : undefined;
  const key = assertion && (await passkeyOf(tx, assertion.id));
  if (!assertion || !key || key.personId !== page.personId || !isInForce(key)) return wrong;
  const proof = { assertion, publicKey: key.publicKey, origin: relyingParty(publicUrl).origin };
  const counter = await verifyProof(proof, about, key.counter);
  if (counter === undefined) return wrong;
  const isServed = await serveCommentAgain(tx, { id: page.id, commentId: about.comment.id }, (line, guid) =>
    deps.store.queue.enqueue(tx, "delivery", line, { guid }, { share: shareOf(line) }),
  );
  if (!isServed) return no("Your comment is not kept any more. Nothing was approved. Comment on the issue again.");
  await usePage(tx, page, { at: deps.now(), proof: { assertion, counter } });
  return { ok: true, words: "Confirmed. The result is on the issue." };
}

async function enrol(
  tx: Tx,
  deps: PageDeps,
  page: PasskeyPage,
  answer: { readonly body: unknown; readonly publicUrl: string },
): Promise<PageResult> {
  const { personId, login } = page;
  const read = await readNewKey(answer.body, { challenge: page.id, publicUrl: answer.publicUrl });
  if (!read) return no("This passkey cannot be used. Nothing was added.");
  const key = { ...read, digest: keyDigestOf(read, personId) };
  const inForceAt = page.trusted ? deps.now() : null;
  if (!(await addPasskey(tx, key, { owner: { id: personId, login }, inForceAt })))
    return no("This passkey is known already. Nothing was added.");
  await usePage(tx, page, { at: deps.now() });
  const fingerprint = fingerprintOf(key);
  if (!page.trusted)
    return {
      ok: true,
      words: `Added, not in force yet. Tell another approver in person or on the phone: ${fingerprint}. They comment /key confirm ${fingerprint}`,
    };
  const body = { ...auditedKey({ ...key, personId, login }), publicKey: key.publicKey };
  await appendAudit(tx, { kind: "passkey_added", body });
  return { ok: true, words: `Added and in force: ${fingerprint}` };
}

const countersignedBy = ({
  digest,
  personId,
  commentId,
  commentSha256,
}: PasskeyPage): CountersignRequest | undefined =>
  digest === null || commentId === null || commentSha256 === null
    ? undefined
    : { digest, personId, comment: { id: commentId, sha256: commentSha256 } };

type PageContent = Omit<Extract<PasskeyView, { kind: "open" }>, "kind" | "endsAt" | "options">;

/** Undefined if its subject no longer waits or does not match its digest. */
async function contentOf(db: Db | Tx, page: PasskeyPage): Promise<PageContent | undefined> {
  const you = ["You are", `@${page.login}`] as const;
  if (page.actionId !== null) {
    const action = await actionById(db, page.actionId);
    if (action?.digest !== page.digest || digestOf(action.spec) !== page.digest) return undefined;
    // An approval may revive a superseded action (PA-6).
    if (!["proposed", "superseded"].includes(action.state)) return undefined;
    const { number, spec, authorLogin } = action;
    return {
      does: "prove",
      title: `Approve ${number}?`,
      rows: [
        ["Server", [...new Set([spec.place, ...serversIn(spec.targets)])].join(" · ")],
        ["Risk", spec.risk],
        ["Proposed by", authorLogin === null ? "the agent" : `@${authorLogin}`],
        ...(spec.ownCheck === undefined ? [] : [["Checks behind it", spec.ownCheck] as const]),
        you,
      ],
      command: spec.command,
      button: "Approve with passkey",
    };
  }
  if (page.keyId === null)
    return {
      does: "add",
      title: `Add a passkey for @${page.login}?`,
      rows: [["For", `@${page.login} alone`]],
      command: undefined,
      button: "Add passkey",
    };
  const key = await passkeyOf(db, page.keyId);
  if (!key || key.digest !== page.digest || keyDigestOf(key, key.personId) !== page.digest) return undefined;
  if (key.inForceAt !== null || key.revokedAt !== null) return undefined;
  return {
    does: "prove",
    title: `Confirm the passkey of @${key.login}?`,
    rows: [["Fingerprint", fingerprintOf(key)], you],
    command: undefined,
    button: "Confirm with passkey",
  };
}
