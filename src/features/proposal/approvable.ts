import { isRestated } from "../../approval/need.ts";
import { serversIn } from "../../base/action.ts";
import type { SlashCommand } from "../../slash/grammar.ts";
import type { Action } from "../../store/actions.ts";
import { noteWords } from "../intake/note.ts";

/** An action as policy sees it. */
export const approvable = (
  action: Pick<Action, "origin" | "authorId" | "createdAt" | "expiresAt" | "state" | "digest"> & {
    readonly spec: Pick<Action["spec"], "risk" | "place"> & { readonly targets: Parameters<typeof serversIn>[0] };
  },
) => ({
  risk: action.spec.risk,
  place: action.spec.place,
  servers: serversIn(action.spec.targets),
  origin: action.origin,
  authorId: action.authorId ?? undefined,
  createdAt: action.createdAt.getTime(),
  expiresAt: action.expiresAt.getTime(),
  state: action.state,
  digest: action.digest,
});

/** The server restated after an `/approve`, and the reason. */
export function saidBehind(slash: SlashCommand, subject: Pick<ReturnType<typeof approvable>, "place" | "servers">) {
  // `web-1:`, `` `web-1` `` or `web-1,web-2`
  const restated = slash.words[0]
    ?.replace(/[`:]/g, "")
    .split(",")
    .filter((name) => name !== "")
    .join(", ");
  const names = isRestated(restated, subject);
  return { restated: names ? restated : undefined, note: noteWords(slash, names ? 1 : 0) };
}
