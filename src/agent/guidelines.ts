/** Says what to do given the names of the active tools; undefined where it does not apply. */
type Rule = (has: (tool: string) => boolean) => string | undefined;

/** OP-5: a new guideline is one more entry here, and nothing else. */
const rules: readonly Rule[] = [
  (has) =>
    has("read_output")
      ? "Use `read_output` to see more of an output that was cut, before you propose to run that command again."
      : undefined,
  (has) =>
    has("use_skill")
      ? "Use `use_skill` to read a skill. Never propose `cat`, `less` or the like on a SKILL.md: it is not on the servers."
      : undefined,
  (has) => (has("list_servers") ? "When in doubt call `list_servers` before you name a server." : undefined),
  (has) =>
    has("propose_actions")
      ? "Propose with `propose_actions`, all of a reply in one call, in the reply that says what you think; never beside a block. What you have to say you write: never propose `echo` or `cat` to show it."
      : undefined,
  (has) =>
    has("suggest_ssh_command")
      ? "Where one command is the next step, `suggest_ssh_command` proposes it in place of a list; say what in the output asks for it."
      : undefined,
  (has) =>
    has("get_feedback_history")
      ? "Call `get_feedback_history` before you repeat something people may have turned down."
      : undefined,
  (has) => (has("delegate") ? "Use `delegate` for reading long outputs or files; go on with its summary." : undefined),
  (has) =>
    has("ask_question")
      ? "Use `ask_question` only for what no tool and no output can tell you, and ask one thing at a time. People answer yes, no, skip or in their own words."
      : undefined,
  (has) =>
    has("start_workflow")
      ? "Use `start_workflow` where a workflow fits, rather than to propose its commands one by one."
      : undefined,
  (has) =>
    has("update_plan") ? "Keep the plan with `update_plan` before you start, then after each step." : undefined,
  (has) =>
    has("list_servers") || has("read_output") || has("use_skill")
      ? "When you call a tool to find something out, say in the same reply what you are doing: `<status>Reading the error log</status>`, at most 6 words."
      : undefined,
];

/** The guidelines for these tools as a Markdown list, or an empty text where no rule applies. */
export function buildGuidelines(toolNames: readonly string[]): string {
  const names = new Set(toolNames);
  return rules
    .map((rule) => rule((tool) => names.has(tool)))
    .filter((line) => line !== undefined)
    .map((line) => `- ${line}`)
    .join("\n");
}
