import { answer } from "../features/thread/answer.ts";
import { type Verb, type VerbName, verbNamed, verbs } from "../slash/verbs.ts";
import { actionsOf } from "../store/actions.ts";
import * as approvals from "./act/approve.ts";
import * as proposals from "./act/propose.ts";
import * as underWay from "./act/under-way.ts";
import { continueRun } from "./act/under-way.ts";
import { flagMistake, maybeWrong, numberMistake } from "./arguments.ts";
import type { Command, Handler } from "./command.ts";
import * as action from "./look/action.ts";
import { help } from "./look/help.ts";
import * as here from "./look/here.ts";
import { handover, status } from "./look/status.ts";
import { verify } from "./look/verify.ts";
import * as agent from "./steer/agent.ts";
import { answerTheQuestion } from "./steer/agent.ts";
import { close } from "./steer/close.ts";
import * as hold from "./steer/hold.ts";
import { lease } from "./steer/hold.ts";
import { key } from "./steer/key.ts";

/** The handler of a verb is exported under its name by the file of its subject. */
const handlers: Readonly<Record<VerbName, Handler>> = {
  ...approvals,
  ...proposals,
  ...underWay,
  ...action,
  ...here,
  ...agent,
  ...hold,
  handover,
  status,
  verify,
  help,
  close,
  key,
  // These names mean something else to JavaScript or to other folders.
  continue: continueRun,
  answer: answerTheQuestion,
  auto: lease,
};

export const commands: readonly Command[] = Object.values(verbs).map(commandOf);

/** By name or alias. */
export const commandFor = (name: string): Command | undefined =>
  commands.find(({ verb }) => verb === verbNamed(name)?.verb);

/** No flag or number is ignored, because the author of `--dry-run` or `all but 3` counts on it. */
function commandOf(command: Verb & { readonly verb: VerbName }): Command {
  return {
    ...command,
    run: async (call) => {
      const { slash, deps, incident } = call;
      const wrongNumber = async () =>
        maybeWrong(slash, command.takesSeveral)
          ? numberMistake(slash, command.verb, await actionsOf(deps.store.db, incident.id))
          : undefined;
      const body = flagMistake(command, slash) ?? (await wrongNumber());
      if (body === undefined) return handlers[command.verb](call);
      await call.commit((tx, locked) => answer(tx, call, locked, { outcome: "mistake", body }));
    },
  };
}
