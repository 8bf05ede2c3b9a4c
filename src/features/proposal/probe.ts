import type { Person } from "../../base/github.ts";
import type { Server } from "../../base/server.ts";
import { type FoundProbe, findProbe } from "../../risk/probe.ts";
import type { Action, ActionDraft } from "../../store/actions.ts";
import type { Deps, RepoContext } from "../context.ts";
import { draftAction, riskNowOf } from "./draft.ts";

const none = (why: string): Extract<FoundProbe, { kind: "none" }> => ({ kind: "none", why });

/** Finds a command that shows what a change would do and is low on each server, or says why there is none. */
export function probeOf(deps: Deps, servers: readonly Server[], { spec }: Pick<Action, "spec">): FoundProbe {
  if (spec.risk === "low") return none("it only reads, so it can be run as it is");
  if (spec.open !== undefined) return none("it waits for values");
  const places = spec.targets.flatMap(({ server }) => servers.find(({ name }) => name === server) ?? []);
  if (places.length !== spec.targets.length) return none("one of its servers is no longer known here");
  if (places.some(({ os, shell }) => os === "windows" || shell !== "bash")) return none("there are none for Windows");
  const found = findProbe(spec.command);
  if (found.kind === "none") return found;
  const risk = riskNowOf(deps, places, { command: found.command });
  return risk === "low"
    ? found
    : none(`what would show it, ${deps.markdown.code(found.command)}, is itself ${risk} risk`);
}

/** Drafts an action's probe, or says why there is none. */
export function draftProbe(
  deps: Deps,
  repoContext: RepoContext,
  action: Action,
  author: Person,
): { readonly kind: "draft"; readonly draft: ActionDraft } | Extract<FoundProbe, { kind: "none" }> {
  const found = probeOf(deps, repoContext.rules.servers, action);
  if (found.kind === "none") return found;
  const { number, spec } = action;
  const title = `Probe of ${number}: ${found.shows}`;
  const proposal = { title, description: "it changes nothing", server: spec.place, command: found.command };
  const drafted = draftAction(deps, repoContext, proposal, {
    origin: "person",
    author,
    model: null,
    promptSha256: null,
  });
  if (drafted.kind === "refused") return none(deps.markdown.note(drafted.why));
  // Many servers raise the level, and a server may accept less.
  if (drafted.draft.spec.risk !== "low" || drafted.draft.state !== "proposed")
    return none(`${deps.markdown.code(found.command)} is ${drafted.draft.spec.risk} risk there`);
  return { kind: "draft", draft: { ...drafted.draft, spec: { ...drafted.draft.spec, probes: number } } };
}
