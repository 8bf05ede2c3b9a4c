import type { Proposal } from "../base/action.ts";
import type { TokenUsage, ToolCall } from "../base/agent.ts";
import { messageOf } from "../base/errors.ts";
import { type Fields, isRecord } from "../base/json.ts";
import type { OutputSelection } from "../text/page.ts";
import { describeServers } from "./prompt.ts";
import {
  type EarlierNumbers,
  executions,
  type NamedHypotheses,
  noHypotheses,
  nothingEarlier,
  type ParsedAction,
  type ReadActions,
  readActionList,
  readActions,
  singleTools,
  toListItem,
} from "./reply/actions.ts";
import { keepBlocked, toProposal } from "./reply/proposals.ts";
import {
  type AskedQuestion,
  type BlockedProposal,
  type ProposalPreview,
  planTaken,
  readArguments,
  type ToolName,
  type TurnTools,
  toolSpecs,
} from "./tools.ts";

/** `content` is for the model. */
interface ToolResult {
  readonly content: string;
  readonly isError: boolean;
  /** It ends with results that the model has not read before. */
  readonly isNews?: boolean;
}

interface ToolboxOptions {
  readonly tools: TurnTools;
  readonly servers: readonly string[];
  readonly maxActions: number;
  /** Adds what a tool itself spent. */
  readonly spend: (usage: TokenUsage) => void;
}

/** Whether the model is not asked again in this turn, so that it would read no result. */
interface AskRound {
  readonly last: boolean;
}

export interface Toolbox
  extends Pick<ToolProposals, "proposed" | "standing" | "keepBlockedOf" | "steps" | "hypotheses" | "broken"> {
  /** Never throws: a failure is an error result for the model. */
  readonly run: (call: ToolCall, asked?: AskRound) => Promise<ToolResult>;
  readonly repeats: () => number;
  /** A reply that is sent back may make its calls again. */
  readonly forgetCalls: () => void;
  readonly question: () => AskedQuestion | undefined;
}

const maxResultCharacters = 30_000;
const maxQuestionCharacters = 1_000;
const maxChoices = 4;
const maxChoiceCharacters = 100;

/** An unreadable call of these is requested once more, so that no proposal is lost. */
const proposing: ReadonlySet<string> = new Set(["propose_actions", ...singleTools]);

/** Returns whether the turn's last reply may still call it. */
export const proposesByCall = (tool: string): boolean => proposing.has(tool) || tool === "start_workflow";

const cut = (content: string): string =>
  content.length > maxResultCharacters
    ? `${content.slice(0, maxResultCharacters)}\n[${content.length - maxResultCharacters} characters left out]`
    : content;

/** Creates the tools of one turn (S15). */
export function createToolbox(options: ToolboxOptions): Toolbox {
  const { tools, spend } = options;
  const offered = new Set(toolSpecs(tools).map(({ name }) => name));
  const isTool = (name: string): name is ToolName => offered.has(name);
  const { propose, suggest, startWorkflow, lose, ...gathered } = createToolProposals(options);
  const seen = new Set<string>();
  let question: AskedQuestion | undefined;
  let repeats = 0;

  const handlers: Readonly<
    Record<ToolName, (args: Fields, json: string, asked: AskRound) => string | undefined | Promise<string | undefined>>
  > = {
    list_servers: () => describeServers(tools.listServers?.() ?? []),
    use_skill: async (args) => {
      const body = await tools.useSkill?.(needText(args, "name"), textOr(args.file));
      if (body === undefined)
        throw new Error(`there is no such skill or file; the skills are ${tools.skillNames?.join(", ")}`);
      return body;
    },
    read_output: (args) => {
      const id = positive(args.action);
      if (id === undefined) throw new Error('"action" must be the number of an action');
      const [tail, grep] = [positive(args.tail), textOr(args.grep)];
      const part: OutputSelection =
        grep !== undefined
          ? { kind: "grep", text: grep }
          : tail
            ? { kind: "tail", lines: tail }
            : { kind: "page", page: positive(args.page) ?? 1 };
      return tools.readOutput?.(id, part, { server: textOr(args.server), check: positive(args.check) });
    },
    read_changes: (args) =>
      tools.readChanges?.(
        positive(args.hours) ?? 1,
        Array.isArray(args.services)
          ? args.services.filter((one) => tools.serviceNames?.includes(String(one))).map(String)
          : [],
      ),
    propose_actions: (_args, json, asked) => propose(json, asked),
    read_repository: (args) => tools.readRepository?.(needText(args, "server"), needText(args, "path")),
    suggest_ssh_command: (args, _json, asked) => suggest(toListItem("suggest_ssh_command", args), asked),
    propose_patch: (args, _json, asked) => suggest(toListItem("propose_patch", args), asked),
    start_workflow: startWorkflow,
    update_plan: async (args) => {
      await tools.updatePlan?.(needText(args, "plan"));
      return planTaken;
    },
    delegate: async (args) => {
      const helper = await tools.delegate?.(needText(args, "task"));
      if (helper) spend(helper.usage);
      return helper?.summary;
    },
    get_feedback_history: () => tools.feedbackHistory?.(),
    ask_question: (args) => {
      const choices = Array.isArray(args.choices) ? args.choices.filter((one) => typeof one === "string") : [];
      question = {
        text: needText(args, "question").slice(0, maxQuestionCharacters),
        choices: choices.slice(0, maxChoices).map((one) => one.slice(0, maxChoiceCharacters)),
      };
      return "Asked. The answer starts your next turn.";
    },
  };

  const failed = ({ name }: ToolCall, why: string): ToolResult => {
    if (proposing.has(name)) lose(`${name}: ${why}.`);
    return { content: cut(`Error: ${why}`), isError: true };
  };

  return {
    ...gathered,
    run: async (call, asked = { last: false }) => {
      const { name } = call;
      if (!isTool(name)) {
        return { content: `Error: there is no tool of that name. Tools: ${[...offered].join(", ")}`, isError: true };
      }
      const args = readArguments(call.arguments);
      if (!args) return failed(call, "the arguments are not a JSON object");
      const key = JSON.stringify([name, args]);
      if (seen.has(key)) {
        repeats += 1;
        return { content: "Error: you made this call before in this turn; its result stands above.", isError: true };
      }
      seen.add(key);
      try {
        const content = cut((await handlers[name](args, call.arguments, asked)) ?? "(nothing)");
        const news = asked.last ? undefined : await tools.news?.();
        return news === undefined
          ? { content, isError: false }
          : { content: `${content}\n\n${news}`, isError: false, isNews: true };
      } catch (thrown) {
        return failed(call, messageOf(thrown));
      }
    },
    repeats: () => repeats,
    forgetCalls: () => seen.clear(),
    question: () => question,
  };
}

/** The error's message is for the model. */
function needText(args: Fields, name: string): string {
  const value = args[name];
  if (typeof value !== "string" || value.trim() === "") throw new Error(`"${name}" is missing`);
  return value;
}

const textOr = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

const positive = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isInteger(value) && value > 0 ? value : undefined;

interface ToolProposals {
  /** Replaces earlier proposals. */
  readonly propose: (json: string, asked: AskRound) => Promise<string>;
  /** Adds an item to the list. */
  readonly suggest: (item: Fields, asked: AskRound) => Promise<string>;
  readonly startWorkflow: (args: Fields) => Promise<string | undefined>;
  /** Undefined if no call proposed. */
  readonly proposed: () =>
    | (EarlierNumbers & { readonly actions: readonly ParsedAction[]; readonly notes: readonly string[] })
    | undefined;
  /** The newest list, and what policy blocked of earlier lists. */
  readonly standing: () => readonly Proposal[];
  /** Keeps and returns a list's blocked proposals when another replaces it. */
  readonly keepBlockedOf: (proposals: readonly Proposal[]) => readonly BlockedProposal[];
  readonly steps: () => readonly Proposal[];
  readonly hypotheses: () => NamedHypotheses;
  /** What was unreadable in the last proposing call, if anything. */
  readonly broken: () => string | undefined;
  readonly lose: (why: string) => void;
}

function createToolProposals({ tools, servers, maxActions }: ToolboxOptions): ToolProposals {
  let actions: readonly ParsedAction[] | undefined;
  let standing: readonly Proposal[] = [];
  let notes: readonly string[] = [];
  let earlier = nothingEarlier;
  let steps: readonly Proposal[] = [];
  let hypotheses = noHypotheses;
  let broken: string | undefined;

  /** The model can fix the rest in its next call. What has run is proposed no more. */
  const report = async (read: ReadActions, { last }: AskRound): Promise<string> => {
    const bare = read.undescribed.map((title) => `"${title}" has no description: say what it does, and why now.`);
    const faults = [...(read.warnings.includes("invalid-action") ? read.notes : []), ...bare];
    broken = faults.length > 0 ? faults.join(" ") : undefined;
    if (read.error) throw new Error(`the arguments are not what the tool takes (${read.error})`);
    const given = executions(read);
    const listed = given.map(toProposal);
    const list = keepBlocked(standing, listed, tools);
    const seen = (await describe([...steps, ...list], !last)).slice(steps.length);
    const [taken, kept] = [true, false].map((isListed) =>
      seen.filter((_, at) => listed.some((one) => one === list[at]) === isListed).map(({ line }) => line),
    );
    standing = seen.flatMap(({ rest }) => rest ?? []);
    const rests = new Map(list.map((one, at) => [one, seen[at]?.rest]));
    actions = given.flatMap((action, at): readonly ParsedAction[] => {
      const whole = listed[at];
      const rest = whole && rests.get(whole);
      if (!rest || rest === whole) return rest ? [action] : [];
      const { commands: _whole, ...params } = action.params;
      const commands = rest.set?.map(({ command }) => command);
      return [{ ...action, params: { ...params, ...(commands ? { commands } : { command: rest.command }) } }];
    });
    const back = read.withdraw.length > 0 ? [`Taken back: ${read.withdraw.join(", ")}.`] : [];
    return [
      ...(taken?.length ? ["Proposed:", ...taken] : ["Nothing was proposed."]),
      ...(kept?.length ? ["Blocked before, and still shown to people:", ...kept] : []),
      ...back,
      ...read.notes,
      ...bare,
    ].join("\n");
  };

  const describe = async (all: readonly Proposal[], mayRun: boolean): Promise<readonly ProposalPreview[]> => {
    const seen = await tools.preview?.(all, mayRun);
    return all.map((one, at) => {
      const { line, rest } = seen?.[at] ?? { line: "", rest: one };
      return { line: `- ${line === "" ? "" : `${line}: `}"${one.title}" on ${one.server || "no server"}`, rest };
    });
  };

  return {
    propose: async (json, asked) => {
      const read = readActions(json, { servers, maxActions });
      const { named, unreadable } = read.hypotheses;
      if (named.length + unreadable.length > 0) hypotheses = { named: [...hypotheses.named, ...named], unreadable };
      if (!read.proposes && !read.error) return "Taken.";
      const text = await report(read, asked);
      notes = read.notes;
      earlier = { replaces: read.replaces, withdraw: read.withdraw };
      return text;
    },
    suggest: (item, asked) => {
      const before = actions ?? [];
      // Limit and note apply to one list.
      const list = [...before, { id: `s${before.length + 1}`, ...item }];
      const read = readActionList(list, { servers, maxActions });
      notes = [...notes, ...read.notes];
      return report(read, asked);
    },
    startWorkflow: async (args) => {
      const params = Object.entries(isRecord(args.params) ? args.params : {});
      if (steps.length > 0) throw new Error("a workflow was started in this turn already; its steps come first");
      const given = Object.fromEntries(params.map(([key, value]) => [key, String(value)]));
      const started = await tools.startWorkflow?.(needText(args, "name"), given);
      steps = started?.proposals ?? [];
      const seen = tools.preview ? (await describe([...steps, ...standing], false)).slice(0, steps.length) : [];
      return (
        started &&
        [
          started.text,
          ...seen.map(({ line }) => line),
          ...(started.instructions ? ["", started.instructions] : []),
        ].join("\n")
      );
    },
    proposed: () => actions && { ...earlier, actions, notes },
    standing: () => standing,
    keepBlockedOf: (proposals) => {
      standing = keepBlocked(standing, proposals, tools);
      return proposals.flatMap((proposal) => tools.blockedIn?.(proposal) ?? []);
    },
    steps: () => steps,
    hypotheses: () => hypotheses,
    broken: () => broken,
    lose: (why) => {
      broken = why;
    },
  };
}
