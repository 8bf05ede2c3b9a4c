import { draftAction } from "../jobs/draft.ts";
import { show } from "../jobs/show.ts";
import { addAction } from "../store/actions.ts";
import { appendAudit } from "../store/audit.ts";
import { answer } from "./answer.ts";
import type { Command } from "./command.ts";
import { noteOf } from "./grammar.ts";

/** A person's own proposal: classified, numbered, and approved like any other (SR-18). */
export const run: Command = {
  verb: "run",
  usage: "/run <server>",
  summary: "proposes a command of your own: a fenced block below it",
  may: "act",
  run: (call) =>
    call.commit(async (tx, incident) => {
      const { world, ground, slash, caller } = call;
      const [server = ""] = slash.words;
      const mistake = (body: string) =>
        answer(tx, call, incident, { outcome: "mistake", body: `${body} Nothing was run.` });
      const servers = ground.rules.servers.map((candidate) => world.ink.code(candidate.name)).join(", ") || "none";
      if (server === "")
        return mistake(
          `On which server? Write \`/run <server>\`, the command in a fenced block below it. Here are: ${servers}.`,
        );
      const command = slash.block?.trim();
      if (!command) return mistake("Which command? Put it into a fenced block (three backticks) below the line.");
      if (incident.state === "closed") return mistake("This incident is closed. Reopen the issue first.");

      const note = noteOf(slash, 1)
        .replace(/(`{3,}|~{3,})[\s\S]*/, "")
        .trim();
      const proposal = { title: `Proposed by @${caller.login}`, description: note.slice(0, 300), server, command };
      const drafted = draftAction(world, ground, proposal, {
        origin: "person",
        author: caller,
        model: null,
        promptSha256: null,
      });
      if (drafted.kind === "refused") return mistake(world.ink.plain(drafted.why.replace(/(?<![.!?])$/, ".")));
      const action = await addAction(tx, incident, drafted.draft);
      await appendAudit(tx, {
        kind: action.state === "blocked" ? "command_blocked" : "command_proposed",
        incidentId: incident.id,
        body: {
          number: action.number,
          digest: action.digest,
          place: action.spec.place,
          risk: action.spec.risk,
          by: { id: caller.id, login: caller.login },
          commentId: call.event.comment.id,
        },
      });
      await show(tx, world, ground, { incident });
      await answer(tx, call, incident, { outcome: action.state === "blocked" ? "denied" : "done" });
    }),
};
