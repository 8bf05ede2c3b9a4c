import { hashBody } from "../../features/run/approval-comment.ts";
import { type AnswerOutcome, answer } from "../../features/thread/answer.ts";
import { sharedIdentity } from "../../features/turn/prompt.ts";
import { clock } from "../../github/render/ink.ts";
import { noteOf } from "../../slash/grammar.ts";
import { appendAudit } from "../../store/audit/chain.ts";
import type { Tx } from "../../store/database/open.ts";
import type { Incident } from "../../store/incidents.ts";
import {
  awaitPersonPrompt,
  awaitsMs,
  cancelPersonPrompt,
  isAwaited,
  personPromptOf,
  setPersonPrompt,
} from "../../store/person-prompts.ts";
import { redactMarkdown } from "../../text/bare.ts";
import type { Call, Handler } from "../command.ts";

const maxCharacters = 4_000;
const how = "It applies to the turns that your own comments start; part 2, how replies are read, is unchanged.";
const subcommands = ["show", "set", "reset", "update", "cancel"] as const;

/** Sets part 1 of the prompt for the turns this person starts (PA-2). */
export const prompt: Handler = (call) => call.commit((tx, incident) => setPrompt(tx, call, incident));

async function setPrompt(tx: Tx, call: Call, incident: Incident): Promise<void> {
  const { deps, caller, slash, event } = call;
  const reply = (outcome: AnswerOutcome, body: string) => answer(tx, call, incident, { outcome, body });
  const word = slash.words[0]?.toLowerCase();
  const own = await personPromptOf(tx, caller.id);
  const hasOwn = own !== undefined && own.text.trim() !== "";
  const current = (): string => {
    if (hasOwn) return `Your part 1 of the prompt:\n\n${deps.markdown.fence(own.text, "text")}\n\n${how}`;
    const { text } = sharedIdentity(deps.config);
    return `You have no part 1 of your own, so the default applies:\n\n${deps.markdown.fence(text.trim(), "text")}\n\n\`/prompt set <text>\` replaces it for you. ${how}`;
  };
  const written = { incidentId: incident.id, commentId: event.comment.id, writtenAt: event.comment.createdAt };
  switch (subcommands.find((one) => one === word)) {
    case "show":
      return reply("done", current());
    case "set": {
      const text = redactMarkdown(deps.redact, noteOf(slash, 1)).trim();
      const stays = hasOwn ? "yours is unchanged" : "the default applies";
      if (text === "")
        return reply(
          "mistake",
          `There is no text in that; ${stays}. Write it after \`/prompt set\` or below it; \`/prompt reset\` goes back to the default.`,
        );
      if (text.length > maxCharacters) {
        const [length, most] = [text.length, maxCharacters].map((one) => one.toLocaleString("en"));
        return reply("mistake", `That has ${length} characters, and part 1 may have ${most}; ${stays}.`);
      }
      await keepPrompt(tx, call, text);
      return reply("done", `Saved as your part 1. ${how} \`/prompt show\` shows it.`);
    }
    case "reset":
      if (!hasOwn) return reply("mistake", "You have no part 1 of your own; the default applies.");
      await keepPrompt(tx, call, "");
      return reply("done", "The default applies again to the turns that your comments start.");
    case "update": {
      await awaitPersonPrompt(tx, caller, written);
      const until = clock(new Date(event.comment.createdAt.getTime() + awaitsMs));
      const next = `Your next comment here becomes it, until ${until}; \`/prompt cancel\` cancels that. A slash command is never taken as the text.`;
      return reply("done", `${current()}\n\n${next}`);
    }
    case "cancel": {
      const waits = isAwaited(own, written);
      await cancelPersonPrompt(tx, caller);
      return waits
        ? reply("done", "Canceled: your part 1 is unchanged.")
        : reply("mistake", "No comment of yours is waited for here; nothing was changed.");
    }
    case undefined: {
      const names = subcommands.map((one) => `\`/prompt ${one}${one === "set" ? " <text>" : ""}\``);
      return reply("mistake", `What about it? Write ${names.join(", ")}.`);
    }
  }
}

async function keepPrompt(tx: Tx, { caller, event, incident }: Call, text: string): Promise<void> {
  await setPersonPrompt(tx, caller, text);
  await appendAudit(tx, {
    kind: "prompt_changed",
    incidentId: incident.id,
    body: {
      by: { id: caller.id, login: caller.login, role: caller.role },
      commentId: event.comment.id,
      characters: text.length,
      sha256: hashBody(text),
    },
  });
}
