import type { CommentEvent } from "../../github/events.ts";
import { type Hint, noteOf, parseSlashCommand, type SlashCommand } from "../../slash/grammar.ts";
import { commandAddressed, commandBelow, findNearMiss, mentionIn } from "../../slash/near-miss.ts";
import { isMeantForUs, verbNamed, verbs } from "../../slash/verbs.ts";
import type { Incident } from "../../store/incidents.ts";
import { isAwaited, personPromptOf } from "../../store/person-prompts.ts";
import { redactMarkdown } from "../../text/bare.ts";
import { shownWords } from "../../text/read/visible.ts";
import type { Deps } from "../context.ts";

interface CommentMeaning {
  readonly slash: SlashCommand | Hint;
  /** A command on a later line, as to write it again. */
  readonly below?: string | undefined;
}

/** Reads a comment as a slash command, an awaited prompt (PA-2), a mention, or a near miss. Undefined for conversation. */
export async function readComment(
  deps: Deps,
  event: CommentEvent,
  known: Incident | undefined,
): Promise<CommentMeaning | undefined> {
  const { body } = event.comment;
  const { prefixes } = deps.config.commands;
  const parsed = parseSlashCommand(body, prefixes);
  if (parsed && isMeantForUs(parsed.verb)) return { slash: parsed, below: lineBelow(parsed, body, prefixes) };
  // Outside an incident a line such as `/var/log` is no near miss.
  const near = known && findNearMiss(body, prefixes);
  // A command, even misspelled, is never a prompt's text.
  if (near?.why === "form" || near?.why === "slash") return { slash: near };
  if (!parsed) {
    const { author, id: commentId, createdAt: writtenAt } = event.comment;
    const prompt = known && author && (await personPromptOf(deps.store.db, author.id));
    if (known && isAwaited(prompt, { incidentId: known.id, commentId, writtenAt })) {
      const { verb } = verbs.prompt;
      return {
        slash: { kind: "command", verb, ids: [], flags: new Map(), words: ["set"], rest: body, block: undefined },
      };
    }
    const login = body.includes("@")
      ? await deps.ownName().catch((error: unknown) => {
          deps.log.warn({ module: "github", event: "own_name_failed", err: error });
          return undefined;
        })
      : undefined;
    const mentioned =
      login === undefined ? undefined : (commandAddressed(body, login, prefixes) ?? mentionIn(body, login));
    if (mentioned) return { slash: mentioned, below: lineBelow(mentioned, body, prefixes) };
  }
  return near && { slash: near };
}

/** Commands in a prompt's text mean nothing. */
function lineBelow(slash: SlashCommand | Hint, body: string, prefixes: readonly string[]): string | undefined {
  if (slash.kind === "hint" || verbNamed(slash.verb)?.verb === "prompt") return undefined;
  const below = commandBelow(body, prefixes);
  if (!below) return undefined;
  const { verb, ids } = below;
  return `/${verb} ${ids === "all" ? ids : ids.map(({ number }) => number).join(" ")}`.trim();
}

/** Returns a note's words that GitHub shows. */
export const noteWords = (slash: SlashCommand, from = 0): string => shownWords(noteOf(slash, from));

/** Returns the note to store, without hidden text and secrets; empty if it shows no word or sign. */
export const shownNote = (
  { deps, slash }: { readonly deps: Pick<Deps, "redact">; readonly slash: SlashCommand },
  from = 0,
): string =>
  /[\p{L}\p{N}\p{P}\p{S}]/u.test(noteWords(slash, from)) ? redactMarkdown(deps.redact, noteOf(slash, from)).trim() : "";
