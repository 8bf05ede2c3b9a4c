import { readOnlyTools, runDelegate } from "../../agent/delegate.ts";
import type { TurnTools } from "../../agent/tools.ts";
import type { TurnOptions } from "../../agent/turn.ts";
import { buildSystemPrompt, type PromptInput } from "./prompt.ts";

const asHelper =
  "You are a helper of the agent on call. Read what the task names with your tools, answer it in a few sentences, name the number of each run that a claim rests on, and propose nothing. Phases, proposals and the form of a reply are the matter of that agent, not yours. The task:";

/**
 * The tool that hands a side task to a helper (OP-7): the same model with a prompt without plan and workflows, tools that only
 * read, and a step limit of its own. What it asks goes through the same `ask`, so it is on the same account.
 */
export const createDelegate =
  (
    input: Omit<PromptInput, "component"> & Pick<TurnOptions, "ask" | "signal" | "onStatus" | "log" | "onMessage">,
  ): NonNullable<TurnTools["delegate"]> =>
  (task) => {
    const { config, runbooks, ask, signal, onStatus, onMessage, log } = input;
    const tools = readOnlyTools(input.tools);
    const prompt = buildSystemPrompt({
      ...input,
      config: { ...config, features: { ...config.features, planning: false } },
      component: { folders: [], instructions: [], notes: [] },
      runbooks: { ...runbooks, workflows: [] },
      tools,
    });
    const watch = { ask, signal, onStatus, log, ...(onMessage && { onMessage }) };
    return runDelegate({ ...watch, system: prompt.text, tools, task: `${asHelper}\n\n${task}` });
  };
