import type { Deps } from "../features/context.ts";
import { answerPage, viewPage } from "../features/passkey/page.ts";
import { createPasskeyDoor } from "../http/passkeys.ts";

/** The pages of passkeys, while the config in force says where people reach them. */
export const openPasskeyDoor = (deps: Deps): ReturnType<typeof createPasskeyDoor> =>
  createPasskeyDoor({
    isOn: () => deps.config.server.publicUrl !== undefined,
    view: (id) => viewPage(deps, id),
    take: (id, body) => answerPage(deps, id, body),
    log: ({ ok, ...event }) =>
      deps.log[ok ? "info" : "warn"]({ module: "front", ...event, event: ok ? "passkey_taken" : "passkey_refused" }),
  });
