import type { Audience, Call, Command } from "../command.ts";

const audiences = {
  see: "anyone who can read this",
  propose: "people with write access",
  act: "people with write access",
  approve: "approvers",
} as const satisfies Record<Audience, string>;

/** How one command is given, by whom, and how it looks when people write it. */
export function usageText({ deps, rights }: Pick<Call, "deps" | "rights">, command: Command): string {
  const { usage, aliases = [], summary, may, flags = {}, examples } = command;
  const { code, command: block } = deps.markdown;
  const taken = Object.entries(flags).map(([flag, { example }]) => code(example ? `${flag} ${example}` : flag));
  return [
    `\`${usage}\` · ${summary}`,
    "",
    ...(aliases.length === 0 ? [] : [`- also ${aliases.map((alias) => code(`/${alias}`)).join(", ")}`]),
    ...(taken.length === 0 ? [] : [`- takes ${taken.join(", ")}`]),
    `- for ${audiences[may]}${rights[may] ? "" : "; you are not one of them"}`,
    ...examples.filter((example) => !example.includes("\n")).map((example) => `- for example ${code(example)}`),
    // What takes several lines is ready to be copied, its own block included.
    ...examples.filter((example) => example.includes("\n")).map((example) => `\n${block(example, "text")}`),
  ].join("\n");
}
