import type { NamedValue } from "../../base/action.ts";
import type { Server } from "../../base/server.ts";
import type { RepoFiles } from "../../github/context/source.ts";
import { filledAdvice } from "../../runbooks/prepare.ts";
import { type Advice, adviceOf } from "../../runbooks/sections.ts";
import { redactText } from "../../text/bare.ts";
import type { Deps } from "../context.ts";
import { runbooksOf } from "../turn/runbooks.ts";

interface AdvisedBodies {
  /** By command, as it is written. */
  readonly all: ReadonlyMap<string, Advice>;
  readonly bodies: readonly string[];
}

/** By context: the bodies of a commit are looked through once. */
const known = new WeakMap<RepoFiles, AdvisedBodies>();

/** What the repository's skills say of a command, word for word the same or with the same values: how to check it, how to undo it. */
export function adviceFor(
  { config, redact }: Pick<Deps, "config" | "redact">,
  context: RepoFiles,
  asked: { readonly command: string; readonly filled: readonly NamedValue[]; readonly servers: readonly Server[] },
): Advice {
  if (!config.features.skills) return {};
  const { all, bodies } = known.get(context) ?? adviceIn(context);
  known.set(context, { all, bodies });
  const found =
    all.get(asked.command) ??
    (asked.filled.length > 0
      ? adviceWithValues(bodies, { ...asked, shells: asked.servers.map(({ shell }) => shell) })
      : undefined);
  return Object.fromEntries(Object.entries(found ?? {}).map(([kind, text]) => [kind, redactText(redact, text)]));
}

/** Where several skills name a command, the one that is found first speaks. */
function adviceIn(context: RepoFiles): AdvisedBodies {
  const { skills } = runbooksOf(context, () => {});
  const bodies = skills.flatMap(({ body }) => (/#\s*(?:check|undo):/.test(body) ? [body] : []));
  return { bodies, all: new Map(bodies.toReversed().flatMap((body) => [...adviceOf(body)])) };
}

function adviceWithValues(bodies: readonly string[], asked: Parameters<typeof filledAdvice>[1]): Advice | undefined {
  for (const body of bodies) {
    const found = filledAdvice(body, asked);
    if (found !== undefined) return found;
  }
  return undefined;
}
