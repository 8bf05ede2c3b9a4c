import type { Rights } from "../../approval/rights.ts";
import { liftOf } from "../../features/incident/hold.ts";
import { answer } from "../../features/thread/answer.ts";
import type { Hint, SlashCommand } from "../../slash/grammar.ts";
import { type Audience, nearestVerb, takesNumbers, type Verb, verbNamed, verbs } from "../../slash/verbs.ts";
import { actionsOf } from "../../store/actions.ts";
import type { Tx } from "../../store/database/open.ts";
import { holdsOn, isStanding } from "../../store/holds.ts";
import type { Incident } from "../../store/incidents.ts";
import { questionId, questionsOf } from "../../store/questions.ts";
import { isUnderWay } from "../act/under-way.ts";
import { nothingRun } from "../answers.ts";
import type { Handler } from "../command.ts";

/** Lists the commands that fit now and the caller's others, or explains one. */
export const help: Handler = (call) =>
  call.commit(async (tx, incident) => {
    const named = call.slash.words[0]?.replace(/^\//, "").toLowerCase();
    const command = named === undefined ? undefined : verbNamed(named);
    if (!command) {
      const near = named === undefined ? undefined : nearestVerb(named);
      const guess = near ? `Did you mean \`/help ${near}\`?\n\n` : "";
      const body = `${guess}${helpText(call.rights, await momentOf(tx, incident))}`;
      return answer(tx, call, incident, { outcome: "done", body });
    }
    const { deps, rights } = call;
    const { usage, aliases = [], summary, may, flags = {}, examples } = command;
    const { code, command: block } = deps.markdown;
    const taken = Object.entries(flags).map(([flag, { example }]) => code(example ? `${flag} ${example}` : flag));
    const body = [
      `\`${usage}\` · ${summary}`,
      "",
      ...(aliases.length === 0 ? [] : [`- also ${aliases.map((alias) => code(`/${alias}`)).join(", ")}`]),
      ...(taken.length === 0 ? [] : [`- takes ${taken.join(", ")}`]),
      `- for ${audiences[may]}${rights[may] ? "" : "; you are not one of them"}`,
      ...examples.filter((example) => !example.includes("\n")).map((example) => `- for example ${code(example)}`),
      // Their own block is included.
      ...examples.filter((example) => example.includes("\n")).map((example) => `\n${block(example, "text")}`),
    ].join("\n");
    return answer(tx, call, incident, { outcome: "done", body });
  });

export interface Moment {
  readonly isClosed: boolean;
  readonly lift: string | undefined;
  /** Oldest first. */
  readonly questions: readonly string[];
  readonly open: readonly { readonly number: number; readonly risk: string; readonly place: string }[];
  readonly running: readonly number[];
  readonly ended: number | undefined;
}

async function momentOf(tx: Tx, incident: Incident): Promise<Moment> {
  const actions = await actionsOf(tx, incident.id);
  const hold = (await holdsOn(tx, incident)).find(isStanding);
  return {
    isClosed: incident.state === "closed",
    lift: hold && liftOf(hold),
    questions: (await questionsOf(tx, incident.id)).filter(({ answeredAt }) => answeredAt === null).map(questionId),
    open: actions
      .filter(({ state }) => state === "proposed")
      .map(({ number, spec }) => ({ number, risk: spec.risk, place: spec.place })),
    running: actions.filter(isUnderWay).map(({ number }) => number),
    ended: actions.findLast(({ state }) => state === "done")?.number,
  };
}

/** As many as fit on a phone. */
const fitting = 6;

/** What fits now, ready to copy; the rest one tap away. */
export function helpText(rights: Rights, moment: Moment): string {
  const allowed = (Object.values(verbs) as readonly Verb[]).filter((command) => rights[command.may]);
  const now = new Map<string, string>();
  for (const text of fittingIn(moment)) {
    const verb = /^\/(\w+)/.exec(text)?.[1] ?? "";
    if (now.size < fitting && !now.has(verb) && allowed.some((command) => command.verb === verb)) now.set(verb, text);
  }
  const line = (text: string, { summary }: Pick<Verb, "summary">): string => `- \`${text}\` · ${summary}`;
  return [
    "What you can type here now, as the first line of a new comment:",
    [...now]
      .flatMap(([verb, text]) => allowed.filter((one) => one.verb === verb).map((one) => line(text, one)))
      .join("\n"),
    `<details><summary>all ${allowed.length}</summary>\n\n${allowed.map((one) => line(one.usage, one)).join("\n")}\n\n</details>`,
    ...(rights.approve ? [] : [`You cannot approve: ${rights.missing}.`]),
  ].join("\n\n");
}

/** Likeliest first; more than fit, because not all may be allowed. */
function fittingIn({ isClosed, lift, questions, open, running, ended }: Moment): readonly string[] {
  const [question] = questions;
  const plain = open.filter(({ risk }) => risk !== "high").map(({ number }) => number);
  const [high] = open.filter(({ risk }) => risk === "high");
  const [first] = open;
  const output = ended === undefined ? [] : [`/output ${ended}`];
  if (isClosed)
    return [
      ...output,
      "/status",
      "/verify",
      "/feedback up",
      ...(ended === undefined ? [] : [`/explain ${ended}`]),
      "/whoami",
      "/skills",
      "/servers",
    ];
  return [
    ...(lift === undefined ? [] : [lift]),
    ...(question === undefined ? [] : [`/answer ${question} yes`]),
    ...running.slice(0, 1).flatMap((number) => [`/cancel ${number}`, `/output ${number}`, `/wait ${number} 10m`]),
    ...(lift !== undefined
      ? []
      : plain.length > 0
        ? [`/approve ${plain.join(" ")}`]
        : high
          ? [`/approve ${high.number} ${high.place} <why>`]
          : []),
    ...(first ? [`/explain ${first.number}`, `/reject ${first.number}`, `/edit ${first.number}`] : []),
    ...output,
    "/ask",
    "/run <server>",
    "/status",
    ...(open.length + running.length > 0 ? ["/hold", "/close"] : ["/close", "/hold"]),
    "/workflow",
    "/skills",
    "/servers",
    "/whoami",
  ];
}

const audiences = {
  see: "anyone who can read this",
  propose: "people with write access",
  act: "people with write access",
  approve: "approvers",
} as const satisfies Record<Audience, string>;

/** Never acts on a guess. */
export function hintFor(slash: SlashCommand | Hint): string {
  const { verb, usage } = verbNamed(slash.verb) ?? verbNamed(nearestVerb(slash.verb) ?? "") ?? verbs.help;
  // The usage's numbers are other actions.
  const { ids } = slash;
  const numbers = ids === "all" ? ["all"] : ids.map(({ number, pin }) => (pin ? `${number}@${pin}` : `${number}`));
  const takesThem = takesNumbers({ usage }) || (ids === "all" && usage.includes("[all]"));
  const meant =
    numbers.length > 0 && takesThem
      ? `/${verb} ${numbers.join(" ")}`
      : usage.replace(/( \d)+/, " <number>").replace(/ \[.*$/, "");
  if (slash.kind === "command") return nothingRun(`Did you mean \`${meant}\`?`);
  switch (slash.why) {
    case "code":
      return nothingRun(`A command in backticks is only text. Leave them out: \`${meant}\``);
    case "place":
      return nothingRun(`A command must be the first line. Comment: \`${meant}\``);
    case "form":
      return nothingRun(`Did you mean \`${meant}\`?`);
    case "slash":
      return nothingRun(`Commands start with a slash: \`${meant}\``);
    case "consent":
      return nothingRun(`To approve, comment: \`${meant}\``);
  }
}
