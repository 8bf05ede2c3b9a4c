import { answer } from "../features/thread/answer.ts";
import { type Verb, type VerbName, verbNamed, verbs } from "../slash/verbs.ts";
import { actionsOf } from "../store/actions.ts";
import { approve } from "./act/approve.ts";
import { cancel } from "./act/cancel.ts";
import { continueRun } from "./act/continue.ts";
import { edit } from "./act/edit.ts";
import { fill } from "./act/fill.ts";
import { probeChange } from "./act/probe.ts";
import { reject } from "./act/reject.ts";
import { retry } from "./act/retry.ts";
import { run } from "./act/run.ts";
import { wait } from "./act/wait.ts";
import { workflow } from "./act/workflow.ts";
import type { Command, Handler } from "./command.ts";
import { changes } from "./look/changes.ts";
import { explain } from "./look/explain.ts";
import { handover } from "./look/handover.ts";
import { help } from "./look/help.ts";
import { oncall } from "./look/oncall.ts";
import { output } from "./look/output.ts";
import { plan } from "./look/plan.ts";
import { servers } from "./look/servers.ts";
import { skills } from "./look/skills.ts";
import { status } from "./look/status.ts";
import { verify } from "./look/verify.ts";
import { whoami } from "./look/whoami.ts";
import { flagMistake } from "./reading/flags.ts";
import { maybeWrong, numberMistake } from "./reading/stray-numbers.ts";
import { answerTheQuestion } from "./steer/answer-question.ts";
import { ask } from "./steer/ask.ts";
import { close } from "./steer/close.ts";
import { feedback } from "./steer/feedback.ts";
import { hold } from "./steer/hold.ts";
import { investigate } from "./steer/investigate.ts";
import { key } from "./steer/key.ts";
import { lease } from "./steer/lease.ts";
import { pillar } from "./steer/pillar.ts";
import { prompt } from "./steer/prompt.ts";
import { resume } from "./steer/resume.ts";

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
