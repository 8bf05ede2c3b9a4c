import type { Proposal } from "../base/action.ts";
import type { TokenUsage } from "../base/agent.ts";
import { type Fields, isRecord, parseJson } from "../base/json.ts";
import type { OutputSelection } from "../text/page.ts";
import type { NamedServer } from "./prompt.ts";
import {
  objectSchema,
  patchProposalSchema,
  proposalListSchema,
  singleProposalSchema,
  textSchema,
} from "./reply/actions.ts";
import type { ToolSpec } from "./wire/shapes.ts";

/** A question to people (AR-13). */
export interface AskedQuestion {
  readonly text: string;
  /** If empty, any text is an answer. */
  readonly choices: readonly string[];
}

export interface BlockedProposal {
  readonly proposal: Proposal;
  readonly why: string;
}

export interface ProposalPreview {
  /** Number, our risk and needs, that it ran, or why it is refused. */
  readonly line: string;
  /** What of it is still to be proposed when the turn ends, if anything. */
  readonly rest: Proposal | undefined;
}

/** Which run of an action; undefined for the first. */
export interface OutputOf {
  readonly server: string | undefined;
  /** Of a set, from 1. */
  readonly check: number | undefined;
}

/** A tool without its function is not offered. Each may throw; the model then gets the message as an error result (OP-8, S13.7, SR-60). */
export interface TurnTools {
  readonly listServers?: () => readonly NamedServer[];
  /** The body, or one of its files; undefined if there is none. */
  readonly useSkill?: (name: string, file: string | undefined) => Promise<string | undefined>;
  readonly skillNames?: readonly string[];
  /** Redacted, cut output of a run, by its action's number. */
  readonly readOutput?: (id: number, part: OutputSelection, of: OutputOf) => Promise<string>;
  /** What changed in the repositories in the last hours; without services, those that the incident names. */
  readonly readChanges?: (hours: number, services: readonly string[]) => Promise<string>;
  readonly serviceNames?: readonly string[];
  /** A file, or the names in a folder, of a repository that takes patches, with the commit it is from. */
  readonly readRepository?: (server: string, path: string) => Promise<string>;
  readonly updatePlan?: (markdown: string) => Promise<void>;
  readonly delegate?: (task: string) => Promise<{ readonly summary: string; readonly usage: TokenUsage }>;
  readonly feedbackHistory?: () => Promise<string>;
  /** Steps beyond the turn's limit; text and instructions are for the model. */
  readonly startWorkflow?: (
    name: string,
    params: Readonly<Record<string, string>>,
  ) => Promise<{ readonly text: string; readonly proposals: readonly Proposal[]; readonly instructions?: string }>;
  /** What each becomes; runs first what a lease takes, if `mayRun`. */
  readonly preview?: (proposals: readonly Proposal[], mayRun: boolean) => Promise<readonly ProposalPreview[]>;
  /** The results of what has ended since the model last read of it, delimited; undefined if there are none. */
  readonly news?: () => Promise<string | undefined>;
  /** Each blocked command as a proposal, with the reason. */
  readonly blockedIn?: (proposal: Proposal) => readonly BlockedProposal[];
  /** False for helpers. */
  readonly mayPropose: boolean;
  readonly mayAsk: boolean;
}

export interface ToolEntry extends Omit<ToolSpec, "parameters"> {
  /** With the names that are valid now. */
  readonly parameters: (tools: TurnTools) => ToolSpec["parameters"];
  readonly offered: (tools: TurnTools) => boolean;
}

/** The request, the prompt's list and the calls come from this table. */
export const toolTable = [
  {
    name: "list_servers",
    description: "Repeats the servers.",
    parameters: () => objectSchema({}),
    offered: (tools) => tools.listServers !== undefined,
  },
  {
    name: "use_skill",
    description: "Loads a skill's full instructions, or a file that they list.",
    parameters: () => objectSchema({ name: textSchema, file: textSchema }, ["name"]),
    offered: (tools) => tools.useSkill !== undefined && (tools.skillNames?.length ?? 0) > 0,
  },
  {
    name: "read_output",
    description: "Reads the whole stored output of an action by page, tail or grep, of one server or check.",
    parameters: () => {
      const count = { type: "integer" };
      return objectSchema(
        { action: count, page: count, tail: count, grep: textSchema, server: textSchema, check: count },
        ["action"],
      );
    },
    offered: (tools) => tools.readOutput !== undefined,
  },
  {
    name: "read_changes",
    description:
      "Reads what changed on GitHub from some hours before the incident until now, by default of the services that it names.",
    parameters: ({ serviceNames = [] }) =>
      objectSchema(
        {
          hours: { type: "integer" },
          services: { type: "array", items: { type: "string", enum: serviceNames } },
        },
        ["hours"],
      ),
    offered: (tools) => tools.readChanges !== undefined && (tools.serviceNames?.length ?? 0) > 0,
  },
  {
    name: "propose_actions",
    description: "Proposes commands, and names the causes you weigh.",
    parameters: () => proposalListSchema,
    offered: (tools) => tools.mayPropose,
  },
  {
    name: "suggest_ssh_command",
    description: "Proposes one more command.",
    parameters: () => singleProposalSchema,
    offered: (tools) => tools.mayPropose,
  },
  {
    name: "read_repository",
    description:
      "Reads a file, or lists a folder, of a repository that takes patches, at its newest commit, which the result names.",
    parameters: () => objectSchema({ server: textSchema, path: textSchema }, ["server", "path"]),
    offered: (tools) => tools.readRepository !== undefined,
  },
  {
    name: "propose_patch",
    description:
      "Proposes a draft pull request: a unified diff against the commit that `read_repository` named. `check`: reads on the servers `check_on` that show, once people have merged it, whether it helped.",
    parameters: () => patchProposalSchema,
    offered: (tools) => tools.mayPropose && tools.readRepository !== undefined,
  },
  {
    name: "start_workflow",
    description: "Proposes the steps of a workflow.",
    parameters: () =>
      objectSchema({ name: textSchema, params: { type: "object", additionalProperties: { type: "string" } } }, [
        "name",
      ]),
    offered: (tools) => tools.startWorkflow !== undefined,
  },
  {
    name: "update_plan",
    description: "Replaces the plan, whole, as Markdown.",
    parameters: () => objectSchema({ plan: textSchema }, ["plan"]),
    offered: (tools) => tools.updatePlan !== undefined,
  },
  {
    name: "delegate",
    description: "Gives a helper that only reads a side task, with all that it must know.",
    parameters: () => objectSchema({ task: textSchema }, ["task"]),
    offered: (tools) => tools.delegate !== undefined,
  },
  {
    name: "get_feedback_history",
    description: "What people thought of earlier proposals and readings.",
    parameters: () => objectSchema({}),
    offered: (tools) => tools.feedbackHistory !== undefined,
  },
  {
    name: "ask_question",
    description: "Asks people a question, with at most 4 choices, and ends your turn; the answer starts your next one.",
    parameters: () =>
      objectSchema({ question: textSchema, choices: { type: "array", items: textSchema } }, ["question"]),
    offered: (tools) => tools.mayAsk,
  },
] as const satisfies readonly ToolEntry[];

export type ToolName = (typeof toolTable)[number]["name"];

/** How the result of `update_plan` begins, if it is the plan from then on. */
export const planTaken = "The plan is updated.";

/** Returns the tools that are offered now. */
export const toolSpecs = (tools: TurnTools): readonly ToolSpec[] =>
  toolTable
    .filter((tool: ToolEntry) => tool.offered(tools))
    .map(({ name, description, parameters }: ToolEntry) => ({ name, description, parameters: parameters(tools) }));

/** Parses arguments; undefined if they are no JSON object. Empty text is an empty object. */
export function readArguments(json: string): Fields | undefined {
  const value = parseJson(json.trim() || "{}");
  return isRecord(value) ? value : undefined;
}
