import { noteOf, type SlashCommand } from "../../slash/grammar.ts";
import { redactMarkdown } from "../../text/bare.ts";
import { shownWords } from "../../text/read/visible.ts";
import type { Deps } from "../context.ts";

/** Returns a note's words that GitHub shows. */
export const noteWords = (slash: SlashCommand, from = 0): string => shownWords(noteOf(slash, from));

/** Returns the note to store, without hidden text and secrets; empty if it shows no word or sign. */
export const shownNote = (
  { deps, slash }: { readonly deps: Pick<Deps, "redact">; readonly slash: SlashCommand },
  from = 0,
): string =>
  /[\p{L}\p{N}\p{P}\p{S}]/u.test(noteWords(slash, from)) ? redactMarkdown(deps.redact, noteOf(slash, from)).trim() : "";
