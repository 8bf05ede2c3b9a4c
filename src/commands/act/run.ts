import { whyTooMany } from "../../features/agents/caller.ts";
import { shownNote } from "../../features/intake/read-comment.ts";
import { namesOf } from "../../features/proposal/draft.ts";
import { answer } from "../../features/thread/answer.ts";
import { nothingRun } from "../answer/refusals.ts";
import type { Call, Handler } from "../command.ts";
import { commitAndHandOn } from "./approve.ts";
import { besideBlock, proposeOwn } from "./own-proposal.ts";

/** Proposes a person's command, or an agent's (AG-2, SR-18). */
export const run: Handler = (call) =>
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
    return proposeOwn(tx, call, incident, {
      title: titleOf(call),
      description: besideBlock(shownNote(call, 1)).slice(0, 300),
      server,
    });
  });

function titleOf({ rights, caller: { type, login, viaApp } }: Call): string {
  if (rights.act) return `Proposed by @${login}`;
  if (type === "Bot") return `Proposed by the app @${login}`;
  return viaApp ? `Proposed by an app for @${login}` : `Proposed by the agent @${login}`;
}
