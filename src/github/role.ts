import { type Role, roles } from "../base/github.ts";

/**
 * GitHub's word for a role, or `none` for every word we do not know (SR-17). GraphQL's is of a closed list: of a custom role it is
 * the one that this is built on; REST gives its name, which is none.
 */
export function roleOf(permission: string | undefined): Role {
  const word = permission?.toLowerCase();
  return roles.find((role) => role === word) ?? "none";
}
