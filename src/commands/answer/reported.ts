import type { Call } from "../command.ts";

/**
 * The comment of a command whose words go to the agent with it, where they are all that the comment says: it is not read to it a
 * second time as talk. Nothing where more stands above the line, such as a quote or a pasted output.
 */
export function toldBy({ slash, event: { comment } }: Pick<Call, "slash" | "event">): number | undefined {
  const isMention = slash.rest === comment.body;
  return isMention || comment.body.trimStart().startsWith("/") ? comment.id : undefined;
}
