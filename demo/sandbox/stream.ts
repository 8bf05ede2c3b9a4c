import type { CommandNode, PipelineNode, StatementNode, TransformPlugin } from "just-bash";
import type { Disk } from "./disk.ts";
import type { Terminal } from "./shell.ts";

/** Set for a command whose stdout is the terminal itself, so that `tail -f` may write while it runs. */
export const liveName = "SANDBOX_LIVE";

type Redirection = Extract<CommandNode, { type: "SimpleCommand" }>["redirections"][number];
const literal = (value: string): { type: "Word"; parts: [{ type: "Literal"; value: string }] } => ({
  type: "Word",
  parts: [{ type: "Literal", value }],
});

let runs = 0;

/**
 * The shell library gives its output when the whole script has ended. To stream, each statement's stdout and stderr are
 * redirected to two files that exist only as a way out: what is appended there goes to the terminal at once.
 * Bodies of loops, conditions and groups are reached too; pipes and redirections of the script's own stay as they are.
 */
export const streamTo = async (
  disk: Disk,
  terminal: Terminal,
): Promise<{ readonly plugin: TransformPlugin; readonly end: () => Promise<void> }> => {
  runs += 1;
  const folder = `/dev/.terminal/${runs}`;
  const out = `${folder}/1`;
  const err = `${folder}/2`;
  await disk.fs.mkdir(folder, { recursive: true });
  await disk.fs.writeFile(out, "");
  await disk.fs.writeFile(err, "");
  disk.outlets.set(out, terminal.stdout);
  disk.outlets.set(err, terminal.stderr);

  const append = (fd: 1 | 2): Redirection => ({
    type: "Redirection",
    fd,
    operator: ">>",
    target: literal(fd === 1 ? out : err),
  });
  const direct = (command: CommandNode, last: boolean): CommandNode => {
    if (command.type === "FunctionDef") return command;
    const redirections = [...(last ? [append(1)] : []), append(2), ...command.redirections];
    if (command.type !== "SimpleCommand") return { ...command, redirections };
    // `exec`, a bare assignment or a bare `> file` act on the shell itself: redirecting them would change its meaning.
    const name = command.name?.parts[0];
    if (!name || (name.type === "Literal" && name.value === "exec")) return command;
    return { ...command, redirections };
  };
  const inside = (command: CommandNode): CommandNode => {
    switch (command.type) {
      case "If":
        return {
          ...command,
          clauses: command.clauses.map((c) => ({ condition: statements(c.condition), body: statements(c.body) })),
          elseBody: command.elseBody && statements(command.elseBody),
        };
      case "For":
      case "CStyleFor":
      case "Subshell":
      case "Group":
        return { ...command, body: statements(command.body) };
      case "While":
      case "Until":
        return { ...command, condition: statements(command.condition), body: statements(command.body) };
      case "Case":
        return { ...command, items: command.items.map((item) => ({ ...item, body: statements(item.body) })) };
      case "SimpleCommand": {
        if (command.redirections.length > 0) return direct(command, true);
        const live = { type: "Assignment" as const, name: liveName, value: literal("1"), append: false, array: null };
        const directed = direct(command, true);
        return directed.type === "SimpleCommand" && directed !== command && isFollower(directed)
          ? { ...directed, assignments: [...directed.assignments, live] }
          : directed;
      }
      default:
        return direct(command, true);
    }
  };
  const pipeline = (node: PipelineNode): PipelineNode => {
    const [only] = node.commands;
    if (node.commands.length === 1 && only) {
      const plain = only.type === "SimpleCommand" || only.type === "FunctionDef" || only.redirections.length === 0;
      return { ...node, commands: [plain ? inside(only) : direct(only, true)] };
    }
    return { ...node, commands: node.commands.map((command, i) => direct(command, i === node.commands.length - 1)) };
  };
  const statements = (nodes: readonly StatementNode[]): StatementNode[] =>
    nodes.map((node) => ({ ...node, pipelines: node.pipelines.map(pipeline) }));

  // Sub-shells (`bash -c`, `xargs`) are parsed anew and inherit their caller's redirections: only the first parse is ours.
  let first = true;
  const plugin: TransformPlugin = {
    name: "stream",
    transform: ({ ast }) => {
      if (!first) return { ast };
      first = false;
      return { ast: { ...ast, statements: statements(ast.statements) } };
    },
  };
  return {
    plugin,
    end: async () => {
      disk.outlets.delete(out);
      disk.outlets.delete(err);
      await disk.fs.rm(folder, { recursive: true, force: true });
    },
  };
};

const followers = new Set(["tail", "journalctl", "ping", "sudo"]);
const isFollower = (command: Extract<CommandNode, { type: "SimpleCommand" }>): boolean => {
  const name = command.name?.parts[0];
  return name?.type === "Literal" && followers.has(name.value);
};
