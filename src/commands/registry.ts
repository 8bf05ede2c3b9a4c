import { answer } from "../features/thread/answer.ts";
import { type Verb, type VerbName, verbNamed, verbs } from "../slash/verbs.ts";
import { actionsOf } from "../store/actions.ts";
import { approve, reject } from "./act/approve.ts";
import { edit, fill, probeChange, retry, run, workflow } from "./act/propose.ts";
import { cancel, continueRun, wait } from "./act/under-way.ts";
import { flagMistake, maybeWrong, numberMistake } from "./arguments.ts";
import type { Command, Handler } from "./command.ts";
import { explain, output } from "./look/action.ts";
import { help } from "./look/help.ts";
import { changes, oncall, plan, servers, skills, whoami } from "./look/here.ts";
import { handover, status } from "./look/status.ts";
import { verify } from "./look/verify.ts";
import { answerTheQuestion, ask, feedback, investigate, pillar, prompt } from "./steer/agent.ts";
import { close } from "./steer/close.ts";
import { hold, lease, resume } from "./steer/hold.ts";
import { key } from "./steer/key.ts";

const handlers: Readonly<Record<VerbName, Handler>> = {
  approve,
  reject,
  edit,
  fill,
  run,
  ask,
  answer: answerTheQuestion,
  probe: probeChange,
  retry,
  cancel,
  continue: continueRun,
  wait,
  output,
  verify,
  explain,
  hold,
  resume,
  status,
  whoami,
  servers,
  oncall,
  skills,
  workflow,
  plan,
  changes,
  lease,
  auto: lease,
  handover,
  pillar,
  feedback,
  close,
  investigate,
  prompt,
  key,
  help,
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
