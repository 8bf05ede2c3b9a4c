import { whyTooMany } from "../../features/agents/caps.ts";
import { shownNote } from "../../features/intake/read-comment.ts";
import { namesOf } from "../../features/proposal/draft.ts";
import { answer } from "../../features/thread/answer.ts";
import { eachFlag } from "../../slash/arguments.ts";
import { verbs } from "../../slash/verbs.ts";
import { nothingRun } from "../answer/refusals.ts";
import type { Call, Command } from "../command.ts";
import { besideBlock, proposeOwn } from "./own-proposal.ts";
import { commitAndHandOn } from "./send-own.ts";

/** A person's own proposal, or an agent's: classified, numbered, and approved like any other (SR-18). */
export const run: Command = {
  ...verbs.run,
  summary:
    "proposes your own command for a server or a group, from a code block below it; an approver's that only reads runs at once; --each: a set of checks, a line each",
  examples: ["/run web-1 is it full?\n```sh\ndf -h\n```", "/run --each web-1\n```sh\ndf -h\nfree -m\n```"],
  may: "propose",
  flags: { [eachFlag]: {} },
  run: (call) =>
    commitAndHandOn(call, async (tx, incident) => {
      const { deps, repoContext, slash, caller, rights } = call;
      const [server = ""] = slash.words;
      if (server === "") {
        const names = namesOf(repoContext.rules.servers).map(deps.markdown.code).join(", ") || "none";
        const body = nothingRun(
          `On which server? Write \`/run <server>\`, the command in a code block below it. Servers here: ${names}.`,
        );
        await answer(tx, call, incident, { outcome: "mistake", body });
        return undefined;
      }
      const { proposers } = deps.config.policy;
      const tooMany = rights.act ? undefined : await whyTooMany(tx, caller, { caps: proposers, now: deps.now() });
      if (tooMany !== undefined) {
        await answer(tx, call, incident, { outcome: "mistake", body: nothingRun(tooMany) });
        return undefined;
      }
      const description = besideBlock(shownNote(call, 1)).slice(0, 300);
      return proposeOwn(tx, call, incident, { title: titleOf(call), description, server });
    }),
};

/** Whose proposal it is; of an agent's, that it is one (AG-2). */
function titleOf({ rights, caller: { type, login, viaApp } }: Call): string {
  if (rights.act) return `Proposed by @${login}`;
  if (type === "Bot") return `Proposed by the app @${login}`;
  return viaApp ? `Proposed by an app for @${login}` : `Proposed by the agent @${login}`;
}
