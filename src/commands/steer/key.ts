import { decideKey } from "../../approval/passkey.ts";
import {
  askForPasskey,
  auditedKey,
  fingerprintOf,
  keyLines,
  keyNamed,
  linkTo,
  pageMs,
  presenceOf,
  revokeKey,
} from "../../features/passkey/passkey.ts";
import { approvalComment, unfitnessOf } from "../../features/run/approval-comment.ts";
import { answer } from "../../features/thread/answer.ts";
import { name } from "../../github/render/ink.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import type { Tx } from "../../store/database/open.ts";
import { addEnrolment, type Passkey, passkeysOf, setPasskey } from "../../store/passkeys.ts";
import { noAddress, nothingRun, passkeyText } from "../answers.ts";
import type { Call, Handler } from "../command.ts";

interface KeyReply {
  readonly outcome: "done" | "mistake" | "seen";
  readonly body: string;
}

/** Adds, lists, revokes or confirms passkeys of approvers (PK-02). */
export const key: Handler = (call) =>
  call.commit(async (tx, incident) => {
    const { deps, caller, slash } = call;
    const reply = (said: KeyReply) => answer(tx, call, incident, said);
    const [word = "list", fingerprint = ""] = slash.words;
    const what = word.toLowerCase();
    if (what === "list") {
      const lines = keyLines(await passkeysOf(tx)).map(deps.markdown.code);
      return reply({ outcome: "done", body: lines.length === 0 ? "There are no passkeys." : lines.join("\n\n") });
    }
    if (what === "add") return reply(await add(tx, call));
    if (what !== "confirm" && what !== "revoke")
      return reply(
        mistake("Write `/key add`, `/key list`, `/key confirm <fingerprint>` or `/key revoke <fingerprint>`."),
      );
    const found = await keyNamed(tx, fingerprint, what === "revoke" ? caller.id : undefined);
    if (!found)
      return reply(
        mistake(`There is no such passkey${what === "revoke" ? " of yours" : ""}. \`/key list\` shows them.`),
      );
    if (what === "confirm") return reply(await confirm(tx, call, found));
    await revokeKey(tx, found, { by: { id: caller.id, login: caller.login }, at: deps.now() });
    return reply({
      outcome: "done",
      body: `Passkey \`${fingerprintOf(found)}\` is revoked: nothing that it approved and that has not run will run.`,
    });
  });

const mistake = (why: string): KeyReply => ({ outcome: "mistake", body: nothingRun(why) });

async function add(tx: Tx, { deps, caller }: Call): Promise<KeyReply> {
  const person = { id: caller.id, login: caller.login };
  const link = linkTo(
    deps,
    await addEnrolment(tx, { person, trusted: false, endsAt: new Date(deps.now().getTime() + pageMs) }),
  );
  if (link === undefined) return mistake(noAddress);
  const then = "Another approver then confirms its fingerprint, which they ask you for in person or on the phone.";
  return {
    outcome: "done",
    body: `${name(caller.login)}: ${deps.markdown.link("Add your passkey", link)} within ${pageMs / 60_000} minutes. ${then}`,
  };
}

async function confirm(tx: Tx, call: Call, found: Passkey): Promise<KeyReply> {
  const { deps, caller, event } = call;
  const unfit = unfitnessOf(call);
  if (unfit) return mistake("A mail or an edited comment confirms nothing. Write it again on the issue.");
  const comment = approvalComment(event);
  const about = { digest: found.digest, personId: caller.id, comment };
  const presence = await presenceOf(tx, deps, about);
  const decision = decideKey({ key: found, by: caller.id, presence });
  if (decision.kind === "refuse") return mistake(`Not confirmed: ${decision.reason}.`);
  if (decision.kind === "prove") {
    const link = await askForPasskey(tx, deps, { ...about, login: caller.login, about: { keyId: found.id } });
    const what = `The passkey of ${name(found.login)} is not confirmed yet`;
    return { outcome: "seen", body: passkeyText(deps, what, link) };
  }
  const by = { id: caller.id, login: caller.login, role: caller.role, teams: caller.teams };
  if (await setPasskey(tx, found.id, { inForceAt: deps.now() })) {
    const body = { ...auditedKey(found), publicKey: found.publicKey, by, comment, proof: presence.proof };
    await appendAudit(tx, { kind: "passkey_added", body });
  }
  return { outcome: "done", body: `The passkey of ${name(found.login)} is in force: \`${fingerprintOf(found)}\`` };
}
