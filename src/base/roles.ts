/**
 * The roles of a process (SR-55). `web` takes webhooks and needs their secret; `agent` reads them, asks the model and writes the
 * comments, and needs the model's key; `runner` sends approved commands and needs the SSH keys. A process has all three by default, and
 * never reads a secret of another role.
 */
export const processRoles = ["web", "agent", "runner"] as const;
export type ProcessRole = (typeof processRoles)[number];

/** The roles in a text such as `web,agent`, or the first unknown word. */
export function parseRoles(text: string): readonly ProcessRole[] | { readonly unknown: string } {
  const words = text.split(",").map((word) => word.trim());
  const unknown = words.find((word) => !processRoles.some((role) => role === word));
  if (unknown !== undefined) return { unknown };
  return processRoles.filter((role) => words.includes(role));
}
