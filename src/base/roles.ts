/**
 * A process has all roles by default, and reads only its roles' secrets (SR-55): `web` the webhook's, `agent` the model's, `runner` the SSH
 * keys.
 */
export const processRoles = ["web", "agent", "runner"] as const;
export type ProcessRole = (typeof processRoles)[number];

/** The roles in `web,agent`, or the first unknown word. */
export function parseRoles(text: string): readonly ProcessRole[] | { readonly unknown: string } {
  const words = text.split(",").map((word) => word.trim());
  const unknown = words.find((word) => !processRoles.some((role) => role === word));
  if (unknown !== undefined) return { unknown };
  return processRoles.filter((role) => words.includes(role));
}
