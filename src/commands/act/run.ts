import { whyTooMany } from "../../features/agents/caps.ts";
import { shownNote } from "../../features/intake/read-comment.ts";
import { namesOf } from "../../features/proposal/draft.ts";
import { answer } from "../../features/thread/answer.ts";
import { eachFlag } from "../../slash/arguments.ts";
import { verbs } from "../../slash/verbs.ts";
import { nothingRun } from "../answer/refusals.ts";
import type { Command } from "../command.ts";
import { commitAndHandOn } from "./approve.ts";
import { besideBlock, proposeOwn } from "./own-proposal.ts";

/** A person's own proposal, or an agent's (AG-2): classified, numbered, and approved like any other (SR-18). */
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
      const mistake = async (body: string): Promise<undefined> => {
        await answer(tx, call, incident, { outcome: "mistake", body: nothingRun(body) });
      };
      const [server = ""] = slash.words;
      if (server === "") {
        const names = namesOf(repoContext.rules.servers).map(deps.markdown.code).join(", ") || "none";
        return mistake(
          `On which server? Write \`/run <server>\`, the command in a code block below it. Servers here: ${names}.`,
        );
      }
      const { proposers } = deps.config.policy;
      const tooMany = rights.act ? undefined : await whyTooMany(tx, caller, { caps: proposers, now: deps.now() });
      if (tooMany !== undefined) return mistake(tooMany);
      const agent = caller.type === "Bot" ? "the app " : caller.viaApp ? "an app for " : "the agent ";
      return proposeOwn(tx, call, incident, {
        title: `Proposed by ${rights.act ? "" : agent}@${caller.login}`,
        description: besideBlock(shownNote(call, 1)).slice(0, 300),
        server,
      });
    }),
};
