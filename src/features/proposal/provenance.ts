import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import type { Action } from "../../store/actions.ts";
import type { Tx } from "../../store/database/open.ts";
import type { RowsWith } from "../../store/incident-rows.ts";
import { messagesOf } from "../../store/turns.ts";

/**
 * A command's origin for the audit (SR-65): person, rules, and what the model had seen and said. The hash covers the session's first
 * `messages` messages, each as RFC 8785 JSON on a line.
 */
export async function provenanceOf(tx: Tx, { incident, session }: RowsWith<"session">, action: Action) {
  const said = await messagesOf(tx, session.id);
  const hash = createHash("sha256");
  for (const message of said) hash.update(`${canonicalize(message)}\n`);
  const { authorId, authorLogin, origin, spec } = action;
  return {
    origin,
    askedBy:
      authorId === null
        ? { id: incident.openerId, login: incident.openerLogin }
        : { id: authorId, login: authorLogin ?? "ghost" },
    model: spec.model,
    conversation: { messages: said.length, sha256: hash.digest("hex") },
    promptSha256: spec.promptSha256,
    contextCommit: spec.contextCommit,
    risk: spec.risk,
    rulesVersion: spec.rulesVersion,
  };
}
