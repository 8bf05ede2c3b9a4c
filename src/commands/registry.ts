import { nearest } from "../base/problems.ts";
import { actionsOf } from "../store/actions.ts";
import { answer } from "../features/thread/answer.ts";
import { answerTheQuestion } from "./steer/answer-question.ts";
import { approve } from "./act/approve.ts";
import { ask } from "./steer/ask.ts";
import { auto } from "./steer/auto.ts";
import { cancel } from "./act/cancel.ts";
import { close } from "./steer/close.ts";
import type { Call, Command } from "./command.ts";
import { continueRun } from "./act/continue.ts";
import { edit } from "./act/edit.ts";
import { explain } from "./look/explain.ts";
import { feedback } from "./steer/feedback.ts";
import { flagMistake } from "./reading/flags.ts";
import type { Hint, SlashCommand } from "../slash/grammar.ts";
import { handover } from "./look/handover.ts";
import { helpText, momentOf } from "./help.ts";
import { hold } from "./steer/hold.ts";
import { investigate } from "./steer/investigate.ts";
import { output } from "./look/output.ts";
import { pillar } from "./steer/pillar.ts";
import { plan } from "./look/plan.ts";
import { prompt } from "./steer/prompt.ts";
import { nothingRun } from "./answer/refusals.ts";
import { reject } from "./act/reject.ts";
import { resume } from "./steer/resume.ts";
import { retry } from "./act/retry.ts";
import { run } from "./act/run.ts";
import { servers } from "./look/servers.ts";
import { skills } from "./look/skills.ts";
import { status } from "./look/status.ts";
import { mayHoldMore, numberMistake } from "./reading/stray-numbers.ts";
import { usageText } from "./answer/usage-text.ts";
import { verify } from "./look/verify.ts";
import { wait } from "./act/wait.ts";
import { whoami } from "./look/whoami.ts";
import { workflow } from "./act/workflow.ts";

/** Every slash command but /help, which is made from this list. */
const listed: readonly Command[] = [
  approve,
  reject,
  edit,
  run,
  ask,
  answerTheQuestion,
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
  skills,
  workflow,
  plan,
  auto,
  handover,
  pillar,
  feedback,
  close,
  investigate,
  prompt,
];

const help: Command = {
  verb: "help",
  usage: "/help",
  summary: "the commands you can use here; add one to see how to write it",
  examples: ["/help", "/help approve"],
  may: "see",
  run: async (call) => {
    const named = call.slash.words[0]?.replace(/^\//, "").toLowerCase();
    const command = named === undefined ? undefined : commandFor(named);
    await call.commit(async (tx, incident) => {
      const body = command ? usageText(call, command) : helpText(call.rights, commands, await momentOf(tx, incident));
      await answer(tx, call, incident, { outcome: "done", body });
    });
  },
};

export const commands: readonly Command[] = [...listed, help].map(withChecks);

/** No flag and no number is silently ignored: who typed `--dry-run`, or `all but 3`, counts on it. */
function withChecks(command: Command): Command {
  const numbers = async ({ slash, world, incident }: Call): Promise<string | undefined> =>
    command.takesSeveral && mayHoldMore(slash)
      ? numberMistake(slash, command.verb, await actionsOf(world.store.db, incident.id))
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

/** The verb that was probably meant, or nothing where none is near: other bots have commands of their own. */
export const nearestVerb = (verb: string): string | undefined =>
  nearest(
    verb,
    commands.flatMap((command) => [command.verb, ...(command.aliases ?? [])]),
  );

/** Whether a verb is ours or nearly ours; at every other one we are silent. */
export const isMeantForUs = (verb: string): boolean =>
  commandFor(verb) !== undefined || nearestVerb(verb) !== undefined;

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

/** Whether a command is given with the numbers of proposed commands. */
export const takesNumbers = ({ usage }: Pick<Command, "usage">): boolean => / \d/.test(usage);

/** With the numbers that were typed, where the command takes numbers: those of an example are other actions. */
function meant({ ids }: Pick<SlashCommand, "ids">, { verb, usage }: Pick<Command, "verb" | "usage">): string {
  const numbers = ids === "all" ? ["all"] : ids.map(({ number, pin }) => (pin ? `${number}@${pin}` : `${number}`));
  const takesThem = takesNumbers({ usage }) || (ids === "all" && usage.includes("[all]"));
  if (numbers.length > 0 && takesThem) return `/${verb} ${numbers.join(" ")}`;
  return usage.replace(/( \d)+/, " <number>").replace(/ \[.*$/, "");
}
