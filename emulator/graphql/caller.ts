import type { Person } from "../people.ts";
import { grants, type Level } from "../wire/permissions.ts";
import type { Caller } from "../world.ts";
import { forbidden } from "./failure.ts";

/** GraphQL is for tokens of the installation and for people. */
export type GraphqlCaller = Extract<Caller, { kind: "installation" | "person" }>;

/** Throws FORBIDDEN where a token of the installation was not given the permission. */
export function demand(caller: GraphqlCaller, permission: string, level: Level): void {
  if (caller.kind === "installation" && !grants(caller.token.permissions[permission], level)) throw forbidden();
}

/** Who the caller is in authorship and reactions. */
export const viewerOf = (caller: GraphqlCaller): Person => (caller.kind === "person" ? caller.person : caller.app.bot);
