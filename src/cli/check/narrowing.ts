import { basename, resolve } from "node:path";
import type { Problem } from "../../base/errors.ts";
import { placeFindings } from "../../base/problems.ts";
import { parseRepoConfig, restrict } from "../../config/load.ts";

type Rules = Parameters<typeof restrict>[0];

/** The operator's rules that a repository's file is held against: theirs, or the defaults where nobody knows them. */
export type Holding = { readonly by: "operator" | "defaults"; readonly rules: Rules };

/** Works as a limit where it is looser than some server's own, and is likely not meant so. */
const harmless = "max_risk";

/**
 * Where a repository's own file is broken, or asks for more than the operator gives: the stricter one holds, so what it asks for
 * does not happen. Which repository it is tells the folder's name; under another one the file is held against everything that the
 * operator has, which no repository is given more of.
 */
export function checkNarrowing(
  folder: string,
  { text, path: file }: { readonly text: string; readonly path: string },
  { by, rules }: Holding,
): { readonly problems: readonly Problem[]; readonly warnings: readonly Problem[] } {
  const parsed = parseRepoConfig(text, file);
  if (!parsed.ok) return { problems: parsed.problems, warnings: [] };
  const widened = rulesOf(folder, rules)
    .flatMap(({ name, held }) => restrict(held, name, parsed.config).widened)
    // Which servers there are is the operator's to say.
    .filter(({ path }) => by === "operator" || path[0] !== "servers");
  const once = [...new Map(widened.map((one) => [one.note, one])).values()];
  const told = (ones: typeof once): readonly Problem[] =>
    placeFindings(
      ones.map(({ path, note: message }) => ({ path, message, remedy: remedyOf(path, by) })),
      file,
      parsed.locate,
    );
  return {
    problems: told(once.filter(({ path }) => path[0] !== harmless)),
    warnings: told(once.filter(({ path }) => path[0] === harmless)),
  };
}

function remedyOf([key]: readonly string[], by: Holding["by"]): string {
  if (key === "servers") return "take it out, or have the operator give it under github.repositories";
  const remedy = "take it out, or write a stricter one: this file can only narrow";
  return by === "operator" ? remedy : `${remedy} (without the operator's file its defaults are taken for theirs)`;
}

/** The repositories of the config that bear the checkout's name; where none does, one that is given every server. */
function rulesOf(folder: string, rules: Rules): readonly { readonly name: string; readonly held: Rules }[] {
  const name = basename(resolve(folder));
  const bear = rules.repositories.filter((one) => one.name.toLowerCase().endsWith(`/${name.toLowerCase()}`));
  if (bear.length > 0) return bear.map((one) => ({ name: one.name, held: rules }));
  const standIn = { name: `any/${name}`, servers: [...rules.servers.keys()], allowPublic: false };
  return [{ name: standIn.name, held: { ...rules, repositories: [standIn] } }];
}
