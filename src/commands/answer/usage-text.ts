import type { Audience, Call, Command } from "../command.ts";

const audiences = {
  see: "whoever may read",
  act: "people with write access",
  approve: "approvers",
} as const satisfies Record<Audience, string>;

/** How one command is given, by whom, and how it looks when people write it. */
export function usageText({ deps, rights }: Pick<Call, "deps" | "rights">, command: Command): string {
  const { usage, aliases = [], summary, may, flags = {}, examples } = command;
  const { code } = deps.markdown;
  const taken = Object.entries(flags).map(([flag, { example }]) => code(example ? `${flag} ${example}` : flag));
  return [
    `\`${usage}\` · ${summary}`,
    "",
    ...(aliases.length === 0 ? [] : [`- also ${aliases.map((alias) => code(`/${alias}`)).join(", ")}`]),
    ...(taken.length === 0 ? [] : [`- takes ${taken.join(", ")}`]),
    `- for ${audiences[may]}; ${rights[may] ? "you may" : "you may not"}`,
    ...examples.map((example) => `- for example ${code(example)}`),
  ].join("\n");
}
