import type { TokenUsage, ToolCall } from "../base/agent.ts";
import { messageOf } from "../base/errors.ts";
import type { Fields } from "../base/json.ts";
import { describeServers } from "./describe.ts";
import { needText, outputPart, positive, readArguments, textOr } from "./tool-arguments.ts";
import { createToolProposals, type ProposalOptions, type ToolProposals } from "./tool-proposals.ts";
import { type AskedQuestion, type ToolName, type TurnTools, toolSpecs } from "./tools.ts";

/** What came of a tool call. The content is for the model. */
interface ToolResult {
  readonly content: string;
  readonly isError: boolean;
}

interface ToolboxOptions extends ProposalOptions {
  /** Told what a tool spent on the model itself. */
  readonly spend: (usage: TokenUsage) => void;
}

/** The tools of one turn, with what they have gathered for its end. */
export interface Toolbox extends Pick<ToolProposals, "proposed" | "standing" | "keepBlockedOf" | "steps" | "broken"> {
  /** Never throws: a tool's failure is an error result for the model (S15). */
  readonly run: (call: ToolCall) => Promise<ToolResult>;
  /** How often a call was made again that had been made before. */
  readonly repeats: () => number;
  readonly question: () => AskedQuestion | undefined;
}

const maxResultCharacters = 30_000;
const maxQuestionCharacters = 1_000;
const maxChoices = 4;
const maxChoiceCharacters = 100;

/** A proposal that cannot be taken must not be lost: the model is asked for it once more. */
const proposing: ReadonlySet<string> = new Set<ToolName>(["propose_actions", "suggest_ssh_command"]);

/** What the model may still propose by a call in a reply that ends the turn. */
export const proposesByCall = (tool: string): boolean => proposing.has(tool) || tool === "start_workflow";

const cut = (content: string): string =>
  content.length > maxResultCharacters
    ? `${content.slice(0, maxResultCharacters)}\n[${content.length - maxResultCharacters} characters left out]`
    : content;

type Handlers = Readonly<
  Record<ToolName, (args: Fields, json: string) => string | undefined | Promise<string | undefined>>
>;

/** Makes the tools of one turn. */
export function createToolbox(options: ToolboxOptions): Toolbox {
  const { tools } = options;
  const offered = new Set(toolSpecs(tools).map(({ name }) => name));
  const isTool = (name: string): name is ToolName => offered.has(name);
  const { propose, suggest, startWorkflow, lose, ...gathered } = createToolProposals(options);
  const seen = new Set<string>();
  let question: AskedQuestion | undefined;
  let repeats = 0;

  const handlers: Handlers = {
    list_servers: () => describeServers(tools.listServers?.() ?? []),
    use_skill: (args) => loadSkill(tools, args),
    read_output: (args) => readOutput(tools, args),
    propose_actions: (_args, json) => propose(json),
    suggest_ssh_command: suggest,
    start_workflow: startWorkflow,
    update_plan: async (args) => {
      await tools.updatePlan?.(needText(args, "plan"));
      return "The plan is updated.";
    },
    delegate: (args) => delegate(options, args),
    get_feedback_history: () => tools.feedbackHistory?.(),
    ask_question: (args) => {
      question = readQuestion(args);
      return "Asked. The answer starts your next turn.";
    },
  };

  const failed = ({ name }: ToolCall, why: string): ToolResult => {
    if (proposing.has(name)) lose(`${name}: ${why}.`);
    return { content: cut(`Error: ${why}`), isError: true };
  };

  return {
    ...gathered,
    run: async (call) => {
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
        return { content: cut((await handlers[name](args, call.arguments)) ?? "(nothing)"), isError: false };
      } catch (thrown) {
        return failed(call, messageOf(thrown));
      }
    },
    repeats: () => repeats,
    question: () => question,
  };
}

async function loadSkill(tools: TurnTools, args: Fields): Promise<string> {
  const body = await tools.useSkill?.(needText(args, "name"), textOr(args.file));
  if (body === undefined)
    throw new Error(`there is no such skill or file; the skills are ${tools.skillNames?.join(", ")}`);
  return body;
}

async function delegate({ tools, spend }: ToolboxOptions, args: Fields): Promise<string | undefined> {
  const helper = await tools.delegate?.(needText(args, "task"));
  if (helper) spend(helper.usage);
  return helper?.summary;
}

function readOutput(tools: TurnTools, args: Fields) {
  const id = positive(args.action);
  if (id === undefined) throw new Error('"action" must be the number of an action');
  return tools.readOutput?.(id, outputPart(args), textOr(args.server));
}

function readQuestion(args: Fields): AskedQuestion {
  const choices = Array.isArray(args.choices) ? args.choices.filter((one) => typeof one === "string") : [];
  return {
    text: needText(args, "question").slice(0, maxQuestionCharacters),
    choices: choices.slice(0, maxChoices).map((one) => one.slice(0, maxChoiceCharacters)),
  };
}
