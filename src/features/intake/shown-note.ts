import { noteOf, type SlashCommand } from "../../slash/grammar.ts";
import { redactMarkdown } from "../../text/bare.ts";
import { shownWords } from "../../text/read/visible.ts";
import type { Deps } from "../context.ts";

/** The words of a note that GitHub shows: a reason that nobody can read is none. */
export const noteWords = (slash: SlashCommand, from = 0): string => shownWords(noteOf(slash, from));

/** A note as it may be kept: reason, answer or cause, without what GitHub hides and without secrets; empty where it shows no word or sign. */
export const shownNote = (
  { deps, slash }: { readonly deps: Pick<Deps, "redact">; readonly slash: SlashCommand },
  from = 0,
): string =>
  /[\p{L}\p{N}\p{P}\p{S}]/u.test(noteWords(slash, from)) ? redactMarkdown(deps.redact, noteOf(slash, from)).trim() : "";
