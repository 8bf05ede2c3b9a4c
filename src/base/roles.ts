/**
 * What one process does of the bot's work (SR-55). `web` takes webhooks and needs their secret; `agent` reads them, asks the model
 * and writes the comments, and needs the model's key; `runner` sends approved commands and needs the SSH keys. A process has all
 * three unless told otherwise, and never reads a secret of a role that it has not.
 */
export const processRoles = ["web", "agent", "runner"] as const;
export type ProcessRole = (typeof processRoles)[number];

/** The roles in a text such as `web,agent`, or the first word that is none. */
export function parseRoles(text: string): readonly ProcessRole[] | { readonly unknown: string } {
  const words = text.split(",").map((word) => word.trim());
  const unknown = words.find((word) => !processRoles.some((role) => role === word));
  if (unknown !== undefined) return { unknown };
  return processRoles.filter((role) => words.includes(role));
}
