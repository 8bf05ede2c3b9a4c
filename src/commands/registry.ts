import { answer } from "../features/thread/answer.ts";
import type { Hint, SlashCommand } from "../slash/grammar.ts";
import { nearestVerb, takesNumbers, verbs } from "../slash/verbs.ts";
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
import { nothingRun } from "./answer/refusals.ts";
import type { Call, Command } from "./command.ts";
import { helpText, momentOf, usageText } from "./help.ts";
import { changes } from "./look/changes.ts";
import { explain } from "./look/explain.ts";
import { handover } from "./look/handover.ts";
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
import { auto, lease } from "./steer/lease.ts";
import { pillar } from "./steer/pillar.ts";
import { prompt } from "./steer/prompt.ts";
import { resume } from "./steer/resume.ts";

/** Every slash command but /help, which is made from this list. */
const listed: readonly Command[] = [
  approve,
  reject,
  edit,
  fill,
  run,
  ask,
  answerTheQuestion,
  probeChange,
  retry,
  cancel,
  continueRun,
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
  auto,
  handover,
  pillar,
  feedback,
  close,
  investigate,
  prompt,
  key,
];

const help: Command = {
  ...verbs.help,
  summary: "the commands you can use here; add one to see how to write it",
  examples: ["/help", "/help approve"],
  may: "see",
  run: async (call) => {
    const named = call.slash.words[0]?.replace(/^\//, "").toLowerCase();
    const command = named === undefined ? undefined : commandFor(named);
    await call.commit(async (tx, incident) => {
      if (command) return answer(tx, call, incident, { outcome: "done", body: usageText(call, command) });
      const near = named === undefined ? undefined : nearestVerb(named);
      const guess = near ? `Did you mean \`/help ${near}\`?\n\n` : "";
      const body = `${guess}${helpText(call.rights, commands, await momentOf(tx, incident))}`;
      await answer(tx, call, incident, { outcome: "done", body });
    });
  },
};

export const commands: readonly Command[] = [...listed, help].map(withChecks);

/** No flag and no number is silently ignored: who typed `--dry-run`, or `all but 3`, counts on it. */
function withChecks(command: Command): Command {
  const numbers = async ({ slash, deps, incident }: Call): Promise<string | undefined> =>
    maybeWrong(slash, command.takesSeveral)
      ? numberMistake(slash, command.verb, await actionsOf(deps.store.db, incident.id))
      : undefined;
  return {
    ...command,
    run: async (call) => {
      const body = flagMistake(command, call.slash) ?? (await numbers(call));
      if (body === undefined) return command.run(call);
      await call.commit((tx, incident) => answer(tx, call, incident, { outcome: "mistake", body }));
    },
  };
}

/** The command of a verb or of one of its other names. */
export const commandFor = (verb: string): Command | undefined =>
  commands.find((command) => command.verb === verb || command.aliases?.includes(verb));

/** What is said to what is nearly a command; nothing is ever done on a guess. */
export function hintFor(slash: SlashCommand | Hint): string {
  const verb = commandFor(slash.verb)?.verb ?? nearestVerb(slash.verb) ?? "help";
  const right = `\`${meant(slash, commandFor(verb) ?? help)}\``;
  if (slash.kind === "command") return nothingRun(`Did you mean ${right}?`);
  switch (slash.why) {
    case "code":
      return nothingRun(`In backticks a command is only text. Write it plainly: ${right}`);
    case "place":
      return nothingRun(`A command must be the first line. Comment: ${right}`);
    case "form":
      return nothingRun(`A command begins its line, in plain letters. Did you mean ${right}?`);
  }
}

/** With the numbers that were typed, where the command takes numbers: those of an example are other actions. */
function meant({ ids }: Pick<SlashCommand, "ids">, { verb, usage }: Pick<Command, "verb" | "usage">): string {
  const numbers = ids === "all" ? ["all"] : ids.map(({ number, pin }) => (pin ? `${number}@${pin}` : `${number}`));
  const takesThem = takesNumbers({ usage }) || (ids === "all" && usage.includes("[all]"));
  if (numbers.length > 0 && takesThem) return `/${verb} ${numbers.join(" ")}`;
  return usage.replace(/( \d)+/, " <number>").replace(/ \[.*$/, "");
}
