import { OperatorError } from "../base/errors.ts";
import { parseRoles, type Role, roles } from "../base/roles.ts";

/** The roles that `--role` names, by commas; all of them where it was not given. Throws an `OperatorError` for a word that is none. */
export function rolesOf(text: string | undefined): readonly Role[] {
  const parsed = text === undefined ? roles : parseRoles(text);
  if (!("unknown" in parsed)) return parsed;
  const message = `there is no role \`${parsed.unknown}\``;
  throw new OperatorError([{ place: "--role", message, remedy: `roles are ${roles.join(", ")}, by commas` }]);
}
