import type { RepoFiles } from "../../github/context/source.ts";
import { type Advice, adviceOf } from "../../runbooks/sections.ts";
import { redactText } from "../../text/bare.ts";
import type { Deps } from "../context.ts";
import { runbooksOf } from "../turn/runbooks.ts";

/** By context: the bodies of a commit are looked through once. */
const known = new WeakMap<RepoFiles, ReadonlyMap<string, Advice>>();

/** What the repository's skills say of a command, word for word the same: how to check it, how to undo it. */
export function adviceFor(
  { config, redact }: Pick<Deps, "config" | "redact">,
  context: RepoFiles,
  command: string,
): Advice {
  if (!config.features.skills) return {};
  const all = known.get(context) ?? adviceIn(context);
  known.set(context, all);
  const said = Object.entries(all.get(command) ?? {});
  return Object.fromEntries(said.map(([kind, text]) => [kind, redactText(redact, text)]));
}

/** Where several skills name a command, the one that is found first speaks. */
const adviceIn = (context: RepoFiles): ReadonlyMap<string, Advice> =>
  new Map(
    runbooksOf(context, () => {})
      .skills.toReversed()
      .flatMap(({ body }) => (/#\s*(?:check|undo):/.test(body) ? [...adviceOf(body)] : [])),
  );
