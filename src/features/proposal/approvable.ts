import type { Action } from "../../store/actions.ts";

/** An action as policy looks at it. */
export const approvable = (action: Action) => ({
  risk: action.spec.risk,
  place: action.spec.place,
  servers: action.spec.targets.map(({ server }) => server),
  origin: action.origin,
  authorId: action.authorId ?? undefined,
  createdAt: action.createdAt.getTime(),
  expiresAt: action.expiresAt.getTime(),
  state: action.state,
  digest: action.digest,
});
