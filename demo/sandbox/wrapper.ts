import { parse } from "just-bash";

/** What is left to run once the wrapping the bot puts round every command is taken off. */
export interface Unwrapped {
  readonly script: string;
  readonly env: Readonly<Record<string, string>>;
  /** What the script itself may read. */
  readonly stdin: string;
}

/** The plain words of a simple command; nothing where it is more than that. */
export const words = (exec: string): readonly string[] | undefined => {
  try {
    const { statements } = parse(exec);
    const command = statements[0]?.pipelines[0]?.commands[0];
    const single =
      statements.length === 1 &&
      statements[0]?.pipelines.length === 1 &&
      statements[0].pipelines[0]?.commands.length === 1;
    if (
      !single ||
      command?.type !== "SimpleCommand" ||
      command.redirections.length + command.assignments.length > 0 ||
      !command.name
    )
      return undefined;
    const read = [command.name, ...command.args].map((word) =>
      word.parts.every((p) => p.type === "Literal" || p.type === "SingleQuoted" || p.type === "Escaped")
        ? word.parts.map((p) => ("value" in p ? p.value : "")).join("")
        : undefined,
    );
    return read.every((word) => word !== undefined) ? read : undefined;
  } catch {
    return undefined; // Not shell: the shell itself says so when it runs the text.
  }
};

/**
 * `env -u X A=b bash --noprofile --norc -c '…'` → the inner script with A=b, also where a launcher stands between, and
 * `/bin/sh -s` → the script on stdin.
 * Seeing the inner script lets its output stream; anything else runs as it stands.
 */
export const unwrap = (exec: string, stdin: string): Unwrapped => {
  const argv = words(exec);
  if (!argv) return { script: exec, env: {}, stdin };
  const env: Record<string, string> = {};
  let at = 0;
  if (/(^|\/)env$/.test(argv[0] ?? "")) {
    at = 1;
    for (; at < argv.length; at += 1) {
      const word = argv[at] ?? "";
      const assigned = /^(\w+)=(.*)$/s.exec(word);
      if (word === "-u") at += 1;
      else if (assigned?.[1] !== undefined) env[assigned[1]] = assigned[2] ?? "";
      else if (!["-i", "-", "--"].includes(word)) break;
    }
  }
  if (!/(^|\/)(ba|da)?sh$/.test(argv[at] ?? "")) return { script: exec, env: {}, stdin };
  const rest = argv.slice(at + 1).filter((word) => word !== "--noprofile" && word !== "--norc" && word !== "-l");
  // A launcher that looks for bash and then execs its $0, as src/ssh/wrap.ts writes it: the library's exec would come back.
  if (rest[0] === "-c" && rest.length === 3 && /\bexec\b.*"\$0"/.test(rest[1] ?? "")) {
    return { script: rest[2] ?? "", env, stdin };
  }
  // A launcher that picks a shell and hands it its own $0.
  if (rest[0] === "-c" && rest.length === 3 && /-c "\$0"\s*$/.test(rest[1] ?? ""))
    return { script: rest[2] ?? "", env, stdin };
  if (rest[0] === "-c" && rest.length === 2) return { script: rest[1] ?? "", env, stdin };
  if (rest.length === 0 || (rest.length === 1 && rest[0] === "-s")) return { script: stdin, env, stdin: "" };
  return { script: exec, env: {}, stdin };
};
