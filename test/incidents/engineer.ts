import type { Risk } from "../../src/base/risk.ts";
import type { Step as Answer, Reply } from "../agent/fake-model.ts";

/** One command as the engineer proposes it. */
interface Act {
  /** The incident's first server, unless said otherwise. */
  readonly on?: string;
  readonly command: string;
  readonly title: string;
  /** What it does and why now. */
  readonly why: string;
  /** `low` unless said otherwise. */
  readonly risk?: Risk;
  /** What its output tells, as the end of "7 shows …", where it is what was hoped for. */
  readonly says?: string;
}

/** A look, or one change with what shows that it helped. */
export type Step = {
  /** What an output must have shown before anybody would propose this. */
  readonly after?: string;
} & (
  | Act
  | {
      /** Several where the first has no effect without the last. */
      readonly change: readonly Act[];
      readonly check: Act & { readonly shows: string };
      /** What its output says where it did not work, so that there is nothing to check. */
      readonly fails?: string;
    }
);

/** An incident as it is played: what people see, what the machines say, what an engineer does who knows the trade. */
export interface Incident {
  readonly name: string;
  readonly title: string;
  readonly body: string;
  readonly skill: { readonly name: string; readonly text: string };
  readonly servers: Readonly<Record<string, string>>;
  /** What the machines say to each command, given which have run so far, in this order and with others between. */
  readonly machines: (ran: (...commands: readonly string[]) => boolean) => Readonly<Record<string, string | Failed>>;
  /** Other ways to write the same or to look at it, each simple command as its words: the first form that fits decides. */
  readonly forms?: (ran: (...commands: readonly string[]) => boolean) => readonly Form[];
  /** What stands on the machines, for looks that read a file. */
  readonly files?: (ran: (...commands: readonly string[]) => boolean) => Readonly<Record<string, string>>;
  /** What a Prometheus named `prom` has, by the expression. */
  readonly metrics?: (
    expression: string,
    ran: (...commands: readonly string[]) => boolean,
  ) => readonly { readonly labels: Readonly<Record<string, string>>; readonly at: (minutesAgo: number) => number }[];
  /** What an output shows before anybody would change something, if that is not what its first change follows. */
  readonly fact?: string;
  /** What must never be sent to a machine. */
  readonly never?: RegExp;
  readonly isSolved: (ran: (...commands: readonly string[]) => boolean) => boolean;
  readonly guess: string;
  readonly steps: readonly Step[];
  readonly cause: string;
}

export interface Failed {
  readonly exit: number;
  readonly out: string;
}

/** A command's form, and what it says or the command of `machines` that it is another name for. */
export type Form = readonly [RegExp, string | Failed | { readonly as: string } | ((stdin: string) => string | Failed)];

export type Asked = Parameters<Extract<Reply, (...asked: never) => unknown>>[0];
export type Told = Extract<Answer, { text: string }>;

/** A command with what it said, as the model was told. */
interface Run {
  readonly number: number;
  readonly command: string;
  readonly output: string;
}

const outputs = /<(output-of-(\d+)[\w-]*) nonce="[^"]*">\n([\s\S]*?)<\/\1 /g;

/** The runs a message tells of. */
function runsIn({ role, content }: Asked["messages"][number]): readonly Run[] {
  if (role === "assistant") return [];
  return [...content.matchAll(outputs)].flatMap(([, , number, text = ""]) =>
    text
      .split(/^\$ /m)
      .slice(1)
      .map((part) => {
        const [command = "", ...lines] = part.split("\n");
        return { number: Number(number), command, output: lines.join("\n") };
      }),
  );
}

/** What the prompt of this tree allows, read in it. */
function rulesOf({ messages, tools = [] }: Asked) {
  const system = messages[0]?.content ?? "";
  const tool = (name: string) => tools.find((one) => one.function.name === name);
  return {
    has: (name: string) => tool(name) !== undefined,
    mostOnCard: Number(/At most (\d+) proposals/i.exec(system)?.[1] ?? 3),
    oneChangeAtATime: /change one thing/i.test(system),
    /** What is open need not be said again; before, a reply without a block took it back. */
    openStays: /open proposals stay|what you proposed stays open/i.test(system),
    takesCheck: JSON.stringify(tool("propose_actions") ?? "").includes('"check":'),
    /** A change may carry several checks. */
    takesChecks: /"check":\{"type":"array"/.test(JSON.stringify(tool("propose_actions") ?? "")),
    /** Reads of one server may be one proposal. */
    takesSet: JSON.stringify(tool("propose_actions") ?? "").includes('"commands":'),
  };
}
type Rules = ReturnType<typeof rulesOf>;

interface Proposed extends Act {
  readonly check?: string | readonly string[];
  readonly expect?: { readonly contains: string };
  /** Several reads as one proposal. */
  readonly set?: readonly Proposed[];
}

/** What somebody asks whom nothing is left to approve and nobody has told that it is over. */
export const question = "What comes next?";

/** Whether a call of our own has proposed it. */
function isProposed(command: string, messages: Asked["messages"]): boolean {
  const inCall = JSON.stringify(JSON.stringify(command)).slice(1, -1);
  return messages.some((message) => message.role === "assistant" && JSON.stringify(message).includes(inCall));
}

/** Whether the newest message tells that the runbook's own card asks for it already: then a card adds and never repeats. */
function isOnRunbooksCard(command: string, messages: Asked["messages"]): boolean {
  const told = messages.findLast(({ role }) => role === "user")?.content.split("\n") ?? [];
  const quoted = [JSON.stringify(command.slice(0, 60)).slice(0, -1), `\`${command}\``];
  return told.some((line) => /runbook/i.test(line) && quoted.some((text) => line.includes(text)));
}

/** What is left to do of a step. */
function leftOf(step: Step, runs: readonly Run[], { takesCheck }: Rules): readonly Proposed[] {
  const ranAt = ({ command }: Act) => runs.findLastIndex((run) => run.command === command);
  if (!("change" in step)) return ranAt(step) < 0 ? [step] : [];
  const { change, check, fails } = step;
  const last = change.at(-1);
  const left = change.slice(change.findIndex((act) => ranAt(act) < 0));
  const asLook: Proposed = { ...check, expect: { contains: check.shows } };
  if (change.some((act) => ranAt(act) < 0))
    return takesCheck ? left.map((act) => (act === last ? { ...act, check: check.command } : act)) : [...left, asLook];
  const since = runs.slice(last ? ranAt(last) : 0);
  const isOver = since.some(
    ({ command, output }) =>
      command === check.command || output.includes(check.shows) || (fails !== undefined && output.includes(fails)),
  );
  return isOver ? [] : [asLook];
}

/** Reads that stand side by side are one question for each server, where they may be. */
function asSets(card: readonly Proposed[], { takesSet }: Rules): readonly Proposed[] {
  const sets: Proposed[] = [];
  const isRead = ({ risk, expect, check }: Proposed): boolean => !risk && !expect && !check;
  for (const act of card) {
    const last = sets.at(-1);
    const isNext = takesSet && last && isRead(last) && isRead(act) && last.on === act.on;
    const set = isNext ? [...(last.set ?? [last]), act] : undefined;
    if (set) sets.splice(-1, 1, { ...act, title: set.map(({ title }) => title).join(", "), set });
    else sets.push(act);
  }
  return sets;
}

/** A read right behind a change of the same server shows too whether that helped, so it is one more of its checks. */
function behindChange(card: readonly Proposed[], act: Proposed, { takesChecks }: Rules): readonly Proposed[] {
  const last = card.at(-1);
  if (!takesChecks || !last?.check || act.risk || last.on !== act.on) return [...card, act];
  return [...card.slice(0, -1), { ...last, check: [last.check, act.command].flat() }];
}

/** The next card: what is needed next, in order, as much as the prompt allows; a change never without its check. */
function nextCard(steps: readonly Step[], runs: readonly Run[], rules: Rules): readonly Proposed[] {
  let card: readonly Proposed[] = [];
  // What the card will have shown by then counts too: what stands behind a check runs only if that came as expected.
  const shown = runs.map(({ output }) => output);
  let changes = 0;
  for (const step of steps) {
    const left = leftOf(step, runs, rules);
    if (left.length === 0) continue;
    const { after } = step;
    if (after !== undefined && !shown.some((output) => output.includes(after))) break;
    if ("change" in step && ++changes > 1 && rules.oneChangeAtATime) break;
    const more = left.reduce((before, act) => behindChange(before, act, rules), card);
    if (asSets(more, rules).length > rules.mostOnCard) break;
    card = more;
    if ("change" in step) shown.push(step.check.shows);
  }
  return card;
}

/** What the newest outputs show, each by the number of its run. */
function reading({ steps }: Incident, runs: readonly Run[]): string {
  const acts = steps.flatMap((step): readonly (Act & { readonly shows?: string })[] =>
    "change" in step ? [...step.change, step.check] : [step],
  );
  const said = runs.map(({ number, command, output }) => {
    const act = acts.find((one) => one.command === command && output.includes(one.shows ?? ""));
    const isKnown = acts.some((one) => one.command === command);
    return `${number} shows ${act ? (act.says ?? "no complaint") : isKnown ? "that it did not help yet" : "nothing new"}.`;
  });
  return [...new Set(said)].join(" ");
}

/** Says that it is over, what it was and by which numbers it was changed. */
function lastWords({ steps, cause }: Incident, runs: readonly Run[], shown: string): Told {
  const changes = steps.flatMap((step) => ("change" in step ? step.change.map(({ command }) => command) : []));
  const by = runs.filter(({ command }) => changes.includes(command)).map(({ number }) => number);
  const changed = `Changed by ${[...new Set(by)].join(", ")}.`;
  return { text: `[PHASE] act\n${shown} It was: ${cause}. ${changed} If it is healthy: \`/close ${cause}\`` };
}

const suggestions = [
  "[SUGGESTIONS]",
  "1. Show what was deployed in the last day",
  "2. Compare with the same hour yesterday",
].join("\n");

/** Says what was seen and proposes the card, with the plan beside it. */
function proposal(
  given: { readonly incident: Incident; readonly runs: readonly Run[]; readonly shown: string; readonly rules: Rules },
  card: readonly Proposed[],
): Told {
  const { incident, runs, shown, rules } = given;
  const [home = ""] = Object.keys(incident.servers);
  const asked = asSets(card, rules);
  const actions = asked.map(({ on = home, command, title, why, risk = "low", check, expect, set }, index) => ({
    id: String(index + 1),
    api: "ssh.execute",
    title,
    description: why,
    risk,
    ...(expect && { expect }),
    ...(check !== undefined && { check }),
    params: { server: on, ...(set ? { commands: set.map((one) => one.command) } : { command }) },
  }));
  const done = runs.map(({ number, command }) => `- [x] ${number}: \`${command}\``);
  const plan = [...new Set(done), ...asked.map(({ title }) => `- [ ] ${title}`)].join("\n");
  const phase = card.some(({ risk = "low" }) => risk !== "low") ? "act" : "investigate";
  return {
    text: `[PHASE] ${phase}\n${shown} Next: ${card[0]?.title.toLowerCase()}.\n\n${suggestions}`,
    toolCalls: [
      ...(rules.has("update_plan") ? [{ name: "update_plan", arguments: { plan } }] : []),
      { name: "propose_actions", arguments: { actions } },
    ],
  };
}

/**
 * A capable engineer behind the endpoint. Knows nothing but what stands in the messages: whether the runbook is there or must be
 * asked for, what has run and what it said. Proposes what is needed next and has not run, as much as the prompt allows, and says
 * when it is over. Where the prompt says both "up to three" and "the one next step", it takes what needs fewer turns.
 */
export function engineer(incident: Incident): (asked: Asked) => Told {
  const { skill, guess, steps } = incident;
  const lastLine = skill.text.trim().split("\n").at(-1) ?? "";
  return (request) => {
    const { messages } = request;
    const rules = rulesOf(request);
    const isRead = messages.some(({ role, content }) => role !== "assistant" && content.includes(lastLine));
    if (!isRead && rules.has("use_skill"))
      return {
        text: "<status>Reading the runbook</status>",
        toolCalls: [{ name: "use_skill", arguments: { name: skill.name } }],
      };
    const runs = messages.flatMap(runsIn);
    const news = messages.map(runsIn).findLast(({ length }) => length > 0);
    const shown = news ? `CONFIRMED: ${reading(incident, news)}` : `LIKELY: ${guess}`;
    const needed = nextCard(steps, runs, rules);
    if (needed.length === 0 || !rules.has("propose_actions")) return lastWords(incident, runs, shown);
    const isAsked = messages.findLast(({ role }) => role === "user")?.content.includes(question) ?? false;
    const isNew = (step: Step): boolean => "change" in step || !isOnRunbooksCard(step.command, messages);
    const card = nextCard(steps.filter(isNew), runs, rules);
    const isOpen = ({ command }: Proposed): boolean =>
      isProposed(command, messages) && !runs.some((run) => run.command === command);
    if (card.length === 0 || (rules.openStays && !isAsked && card.every(isOpen)))
      return { text: `${shown} What is open shows the rest.` };
    return proposal({ incident, runs, shown, rules }, card);
  };
}
