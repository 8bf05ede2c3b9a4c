import type { Proposal } from "../base/action.ts";
import type { TokenUsage, ToolCall } from "../base/agent.ts";
import { messageOf } from "../base/errors.ts";
import { describeServers } from "./describe.ts";
import { type Earlier, nothingEarlier, type ParsedAction, type ReadActions, readActions } from "./reply/actions.ts";
import { toProposal } from "./reply/proposals.ts";
import { type AskedQuestion, type OutputPart, type ToolName, type TurnTools, toolSpecs } from "./tools.ts";

/** What came of a tool call. The content is for the model. */
interface ToolResult {
  readonly content: string;
  readonly isError: boolean;
}

export interface ToolboxOptions {
  readonly tools: TurnTools;
  readonly servers: readonly string[];
  readonly maxActions: number;
  /** Told what a tool spent on the model itself. */
  readonly spend: (usage: TokenUsage) => void;
}

/** The tools of one turn, with what they have gathered for its end. */
export interface Toolbox {
  /** Never throws: a tool's failure is an error result for the model (S15). */
  readonly run: (call: ToolCall) => Promise<ToolResult>;
  /** What was proposed by tool calls; undefined where none was made. */
  readonly proposed: () =>
    | (Earlier & { readonly actions: readonly ParsedAction[]; readonly notes: readonly string[] })
    | undefined;
  /** The steps of the workflows that were started. */
  readonly steps: () => readonly Proposal[];
  /** What could not be taken of the last call that proposes; undefined where all of it was. */
  readonly broken: () => string | undefined;
  /** How often a call was made again that had been made before. */
  readonly repeats: () => number;
  readonly question: () => AskedQuestion | undefined;
}

type Arguments = Readonly<Record<string, unknown>>;

const maxResultCharacters = 30_000;
const maxQuestionCharacters = 1_000;
const maxChoices = 4;
const maxChoiceCharacters = 100;

/** A proposal that cannot be taken must not be lost: the model is asked for it once more. */
export const proposing: ReadonlySet<string> = new Set<ToolName>(["propose_actions", "suggest_ssh_command"]);

const isRecord = (value: unknown): value is Arguments =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A required text argument; the error's message is for the model. */
function need(args: Arguments, name: string): string {
  const value = args[name];
  if (typeof value !== "string" || value.trim() === "") throw new Error(`"${name}" is missing`);
  return value;
}

const positive = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isInteger(value) && value > 0 ? value : undefined;

function outputPart(args: Arguments): OutputPart {
  const tail = positive(args.tail);
  if (typeof args.grep === "string" && args.grep !== "") return { kind: "grep", text: args.grep };
  return tail ? { kind: "tail", lines: tail } : { kind: "page", page: positive(args.page) ?? 1 };
}

function readArguments(json: string): Arguments | undefined {
  try {
    const value: unknown = JSON.parse(json.trim() || "{}");
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const cut = (content: string): string =>
  content.length > maxResultCharacters
    ? `${content.slice(0, maxResultCharacters)}\n[${content.length - maxResultCharacters} characters left out]`
    : content;

/** Makes the tools of one turn. */
export function createToolbox(options: ToolboxOptions): Toolbox {
  const { tools, servers, maxActions } = options;
  const offered = new Set(toolSpecs(tools).map((tool) => tool.name));
  const seen = new Set<string>();
  let actions: readonly ParsedAction[] | undefined;
  let notes: readonly string[] = [];
  let earlier = nothingEarlier;
  let steps: readonly Proposal[] = [];
  let question: AskedQuestion | undefined;
  let broken: string | undefined;
  let repeats = 0;

  /** Says what was taken and what was not, so that the model can mend it in its next call. */
  const report = async (read: ReadActions): Promise<string> => {
    broken = read.warnings.includes("invalid-action") ? read.notes.join(" ") : undefined;
    if (read.error) throw new Error(`the arguments are not what the tool takes (${read.error})`);
    const listed = read.actions.filter(({ api }) => api === "ssh.execute");
    const lines = (await tools.preview?.([...steps, ...listed.map(toProposal)]))?.slice(steps.length) ?? [];
    const taken = listed.map(
      ({ title, params }, at) =>
        `- ${lines[at] === undefined ? "" : `${lines[at]}: `}"${title}" on ${params.server ?? "no server"}`,
    );
    const back = read.withdraw.length > 0 ? [`Taken back: ${read.withdraw.join(", ")}.`] : [];
    return [taken.length > 0 ? "Proposed:" : "Nothing was proposed.", ...taken, ...back, ...read.notes].join("\n");
  };

  const propose = async (json: string): Promise<string> => {
    const read = readActions(json, { servers, maxActions });
    const text = await report(read);
    actions = read.actions.filter((action) => action.api === "ssh.execute");
    notes = read.notes;
    earlier = { replaces: read.replaces, withdraw: read.withdraw };
    return text;
  };

  const suggest = async (args: Arguments): Promise<string> => {
    const { server, command, title, description, risk, expect } = args;
    const before = actions ?? [];
    const action = {
      id: `s${before.length + 1}`,
      api: "ssh.execute",
      title,
      description,
      risk,
      expect,
      params: { server, command },
    };
    // Read together, so that the limit and its note are those of one list.
    const read = readActions(JSON.stringify([...before, action]), { servers, maxActions });
    actions = read.actions;
    notes = [...notes, ...read.notes];
    return report(read);
  };

  const loadSkill = async (args: Arguments): Promise<string> => {
    const name = need(args, "name");
    const file = typeof args.file === "string" && args.file !== "" ? args.file : undefined;
    const body = await tools.useSkill?.(name, file);
    if (body === undefined)
      throw new Error(`there is no such skill or file; the skills are ${tools.skillNames?.join(", ")}`);
    return body;
  };

  const ask = (args: Arguments): string => {
    const choices = Array.isArray(args.choices) ? args.choices.filter((one) => typeof one === "string") : [];
    question = {
      text: need(args, "question").slice(0, maxQuestionCharacters),
      choices: choices.slice(0, maxChoices).map((one) => one.slice(0, maxChoiceCharacters)),
    };
    return "Asked. The answer starts your next turn.";
  };

  const handlers: Readonly<
    Record<ToolName, (args: Arguments, json: string) => string | undefined | Promise<string | undefined>>
  > = {
    list_servers: () => describeServers(tools.listServers?.() ?? []),
    use_skill: loadSkill,
    read_output: (args) => {
      const id = positive(args.action);
      if (id === undefined) throw new Error('"action" must be the number of an action');
      const server = typeof args.server === "string" && args.server !== "" ? args.server : undefined;
      return tools.readOutput?.(id, outputPart(args), server);
    },
    propose_actions: (_args, json) => propose(json),
    suggest_ssh_command: suggest,
    start_workflow: async (args) => {
      const params = isRecord(args.params)
        ? Object.entries(args.params).map(([key, value]) => [key, String(value)])
        : [];
      if (steps.length > 0) throw new Error("a workflow was started in this turn already; its steps come first");
      const started = await tools.startWorkflow?.(need(args, "name"), Object.fromEntries(params));
      steps = started?.proposals ?? [];
      return started?.text;
    },
    update_plan: async (args) => {
      await tools.updatePlan?.(need(args, "plan"));
      return "The plan is updated.";
    },
    delegate: async (args) => {
      const helper = await tools.delegate?.(need(args, "task"));
      if (helper) options.spend(helper.usage);
      return helper?.summary;
    },
    get_feedback_history: () => tools.feedbackHistory?.(),
    ask_question: ask,
  };

  const failed = (call: ToolCall, why: string): ToolResult => {
    if (proposing.has(call.name)) broken = `${call.name}: ${why}.`;
    return { content: cut(`Error: ${why}`), isError: true };
  };

  const isTool = (name: string): name is ToolName => offered.has(name);

  return {
    run: async (call) => {
      if (!isTool(call.name)) {
        return { content: `Error: there is no tool of that name. Tools: ${[...offered].join(", ")}`, isError: true };
      }
      const args = readArguments(call.arguments);
      if (!args) return failed(call, "the arguments are not a JSON object");
      const key = JSON.stringify([call.name, args]);
      if (seen.has(key)) {
        repeats += 1;
        return { content: "Error: you made this call before in this turn; its result stands above.", isError: true };
      }
      seen.add(key);
      try {
        return { content: cut((await handlers[call.name](args, call.arguments)) ?? "(nothing)"), isError: false };
      } catch (thrown) {
        return failed(call, messageOf(thrown));
      }
    },
    proposed: () => actions && { ...earlier, actions, notes },
    steps: () => steps,
    broken: () => broken,
    repeats: () => repeats,
    question: () => question,
  };
}
