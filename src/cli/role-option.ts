import { OperatorError } from "../base/errors.ts";
import { type ProcessRole, parseRoles, processRoles } from "../base/roles.ts";

/** The roles that `--role` names, by commas; all of them where it was not given. Throws an `OperatorError` for a word that is none. */
export function rolesOf(text: string | undefined): readonly ProcessRole[] {
  const parsed = text === undefined ? processRoles : parseRoles(text);
  if (!("unknown" in parsed)) return parsed;
  const message = `there is no role \`${parsed.unknown}\``;
  throw new OperatorError([{ place: "--role", message, remedy: `roles are ${processRoles.join(", ")}, by commas` }]);
}
