import type { CommentEvent } from "../../github/events.ts";
import { type Hint, parseSlashCommand, type SlashCommand } from "../../slash/grammar.ts";
import { mentionIn, setsPrompt, withoutMention } from "../../slash/implied.ts";
import { commandBelow, findNearMiss } from "../../slash/near-miss.ts";
import { isMeantForUs, verbNamed } from "../../slash/verbs.ts";
import type { Incident } from "../../store/incidents.ts";
import { isAwaited, personPromptOf } from "../../store/person-prompts.ts";
import type { Deps } from "../context.ts";

/** What a comment says to the bot. */
interface Said {
  readonly slash: SlashCommand | Hint;
  /** A command on a further line of it, as it stands for a person to write it anew. */
  readonly below?: string | undefined;
}

/**
 * Whether a comment is meant for the bot, and as what: its slash command, the text that somebody's `/prompt update` waits for, a
 * mention, or what is only nearly a command. Nothing where it is talk.
 */
export async function readComment(
  deps: Deps,
  event: CommentEvent,
  known: Incident | undefined,
): Promise<Said | undefined> {
  const { body } = event.comment;
  const { prefixes } = deps.config.commands;
  const parsed = parseSlashCommand(body, prefixes);
  if (parsed && isMeantForUs(parsed.verb)) return { slash: parsed, below: lineBelow(parsed, body, prefixes) };
  // Where there is no incident nobody waits for a command of ours, and other people's lists of paths are none.
  const near = known && findNearMiss(body, prefixes);
  // A command is never taken as the text (PA-2), nor is what was to be one.
  if (near?.why === "form") return { slash: near };
  const awaited = parsed ? undefined : await awaitedText(deps, event, known);
  if (awaited) return { slash: awaited };
  const login = parsed ? undefined : await namedIn(deps, body);
  const mentioned = login === undefined ? undefined : mentionIn(body, login);
  if (login !== undefined && mentioned) {
    const meant = known && findNearMiss(withoutMention(body, login), prefixes);
    return meant?.why === "form" ? { slash: meant } : { slash: mentioned, below: lineBelow(mentioned, body, prefixes) };
  }
  return near && { slash: near };
}

/** In the text of a prompt a command is a word like any other. */
function lineBelow(slash: SlashCommand | Hint, body: string, prefixes: readonly string[]): string | undefined {
  if (slash.kind === "hint" || verbNamed(slash.verb)?.verb === "prompt") return undefined;
  const below = commandBelow(body, prefixes);
  if (!below) return undefined;
  const { verb, ids } = below;
  return `/${verb} ${ids === "all" ? ids : ids.map(({ number }) => number).join(" ")}`.trim();
}

/** The comment that somebody's /prompt update waits for is read as the text that it brings (PA-2). */
async function awaitedText(
  deps: Deps,
  { comment }: CommentEvent,
  incident: Incident | undefined,
): Promise<SlashCommand | undefined> {
  if (!incident || !comment.author) return undefined;
  const own = await personPromptOf(deps.store.db, comment.author.id);
  const written = { incidentId: incident.id, commentId: comment.id, writtenAt: comment.createdAt };
  return isAwaited(own, written) ? setsPrompt(comment.body) : undefined;
}

/** Our name, where a comment may mention us: that is talk to the agent, as `/ask` is. Where GitHub does not say it, none does. */
async function namedIn(deps: Deps, body: string): Promise<string | undefined> {
  if (!body.includes("@")) return undefined;
  return deps.ownName().catch((error: unknown) => {
    deps.log.warn({ module: "github", event: "own_name_failed", err: error });
    return undefined;
  });
}
