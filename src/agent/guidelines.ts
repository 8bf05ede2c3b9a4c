import type { ToolName } from "./tools.ts";

/** What to do where a tool is active. OP-5: a new guideline is one more entry here, and nothing else. */
const ofTool: Readonly<Partial<Record<ToolName, string>>> = {
  read_output: "Use `read_output` to see more of an output that was cut, before you propose to run that command again.",
  use_skill:
    "Use `use_skill` to read a skill. Never propose `cat`, `less` or the like on a SKILL.md: it is not on the servers.",
  list_servers: "When in doubt call `list_servers` before you name a server.",
  propose_actions:
    "Propose with `propose_actions`, all of a reply in one call, in the reply that says what you think; never beside a block. What you have to say you write: never propose `echo` or `cat` to show it.",
  suggest_ssh_command:
    "Where one command is the next step, `suggest_ssh_command` proposes it in place of a list; say what in the output asks for it.",
  get_feedback_history: "Call `get_feedback_history` before you repeat something people may have turned down.",
  delegate: "Use `delegate` for reading long outputs or files; go on with its summary.",
  ask_question:
    "Use `ask_question` only for what no tool and no output can tell you, and ask one thing at a time. People answer yes, no, skip or in their own words.",
  start_workflow: "Use `start_workflow` where a workflow fits, rather than to propose its commands one by one.",
  update_plan: "Keep the plan with `update_plan` before you start, then after each step.",
};

/** What to do where one of these is active. */
const looking: readonly string[] = ["list_servers", "read_output", "use_skill"] satisfies readonly ToolName[];
const status =
  "When you call a tool to find something out, say in the same reply what you are doing: `<status>Reading the error log</status>`, at most 6 words.";

/** The guidelines for these tools as a Markdown list, or an empty text where none applies. */
export const buildGuidelines = (toolNames: readonly string[]): string =>
  [
    ...Object.entries(ofTool).flatMap(([tool, text]) => (toolNames.includes(tool) ? [text] : [])),
    ...(toolNames.some((tool) => looking.includes(tool)) ? [status] : []),
  ]
    .map((line) => `- ${line}`)
    .join("\n");
