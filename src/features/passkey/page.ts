import { decidePage, isInForce } from "../../approval/passkey.ts";
import { serversIn } from "../../base/action.ts";
import { actionById, digestOf } from "../../store/actions.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import type { Db, Tx } from "../../store/database/open.ts";
import {
  addPasskey,
  type CountersignRequest,
  type Passkey,
  type PasskeyPage,
  passkeyOf,
  passkeyPageOf,
  passkeysOf,
  serveCommentAgain,
  usePage,
} from "../../store/passkeys.ts";
import { shareOf } from "../../store/queue/arrival.ts";
import type { Deps } from "../context.ts";
import {
  auditedKey,
  challengeOf,
  fingerprintOf,
  keyDigestOf,
  readAssertion,
  readNewKey,
  relyingParty,
  verifyProof,
} from "./passkey.ts";

type PageDeps = Pick<Deps, "config" | "store" | "now">;

export type PasskeyView =
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

export interface PageResult {
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
  const assertion = readAssertion(body);
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
