import { mostInSet, mostServersOfSet, type Proposal } from "../../base/action.ts";
import type { Action, ActionDraft } from "../../store/actions.ts";
import type { Deps, RepoContext } from "../context.ts";
import { type Drafted, draftAction, type Origin } from "./draft.ts";
import { withoutEmpty } from "./without-empty.ts";

/**
 * Judges the commands of a proposed set: those that only read become one action, and each of the others is one by itself, in the
 * order in which they stand. A read behind a change stays behind it. Where fewer than two are left, there is no set.
 */
export function draftSet(
  deps: Deps,
  repoContext: RepoContext,
  members: readonly Proposal[],
  from: Origin,
): readonly Drafted[] {
  const drafted = members.map((member) => draftAction(deps, repoContext, member, from));
  const sets: Drafted[][] = [[]];
  for (const one of drafted)
    if (one.kind === "draft" && one.draft.state !== "blocked" && one.draft.spec.risk !== "low") sets.push([one], []);
    else sets.at(-1)?.push(one);
  return sets.flatMap(asSet);
}

/** Reads that nothing separates, as one action as far as they may be one. */
function asSet(drafted: readonly Drafted[]): readonly Drafted[] {
  const fit = drafted
    .flatMap((one) => (one.kind === "draft" && mayBeInSet(one.draft) ? [one.draft] : []))
    .slice(0, mostInSet);
  if (fit.length < 2) return drafted;
  return [
    { kind: "draft", draft: join(fit) },
    ...drafted.filter((one) => one.kind === "refused" || !fit.includes(one.draft)),
  ];
}

/** The same once more, whatever it is: a command as it is drafted anew, a set only where all of it may still be one. */
export function draftAgain(deps: Deps, repoContext: RepoContext, action: Action, shown: Shown = {}): Drafted {
  const { set, place, model, promptSha256 } = action.spec;
  if (!set) return draftOneAgain(deps, repoContext, action, shown);
  const { title } = action;
  const { description = action.description, card } = shown;
  const members = set.map((member) => ({ title, description, server: place, ...member }));
  const [first, ...others] = draftSet(deps, repoContext, members, { ...authorOf(action), card, model, promptSha256 });
  return first !== undefined && others.length === 0
    ? first
    : { kind: "refused", why: "not all of its commands may be one set now; propose each with `/run`" };
}

interface Shown {
  readonly card?: string | undefined;
  readonly description?: string;
}

/**
 * The same command on the same place as a new action of whoever wrote the old one. It is judged anew, and what its risk was
 * can only be raised.
 */
function draftOneAgain(deps: Deps, repoContext: RepoContext, action: Action, shown: Shown): Drafted {
  const { place, command, model, promptSha256, risk, expect, filled, open } = action.spec;
  const { title } = action;
  const { description = action.description, card } = shown;
  const proposal = { title, description, server: place, command, risk, expect, filled, open };
  return draftAction(deps, repoContext, proposal, { ...authorOf(action), card, model, promptSha256 });
}

/** Whose an action is. */
const authorOf = ({ origin, authorId, authorLogin }: Action): Pick<Origin, "origin" | "author"> =>
  authorId === null ? { origin } : { origin, author: { id: authorId, login: authorLogin ?? "ghost" } };

/** What may be one of a set: a low read that is complete, bounded and written in one line, on a server or a few. */
export const mayBeInSet = ({ state, spec }: ActionDraft): boolean =>
  state === "proposed" &&
  spec.risk === "low" &&
  spec.targets.length <= mostServersOfSet &&
  spec.unbounded === undefined &&
  !spec.command.includes("\n");

/** Findings of a command where it stands in the text of the whole set. */
const movedBy = (findings: ActionDraft["findings"], offset: number): ActionDraft["findings"] =>
  findings.map((one) => (one.span ? { ...one, span: [one.span[0] + offset, one.span[1] + offset] } : one));

/** The same drafts as one: each command with its own target, and all of it under one digest. */
function join(drafts: readonly ActionDraft[]): ActionDraft {
  const [first] = drafts;
  if (!first) throw new Error("a set has commands");
  const { expect: _expect, check: _check, undo: _undo, ...spec } = first.spec;
  const commands = drafts.map((draft) => draft.spec.command);
  const offsets = commands.map((_, step) => commands.slice(0, step).join("\n").length + (step === 0 ? 0 : 1));
  const all = <T>(list: readonly (readonly T[] | undefined)[]): readonly T[] => [
    ...new Map(list.flatMap((some) => some ?? []).map((one) => [JSON.stringify(one), one])).values(),
  ];
  return {
    ...first,
    findings: all(drafts.map(({ findings }, step) => movedBy(findings, offsets[step] ?? 0))),
    spec: {
      ...spec,
      command: commands.join("\n"),
      set: drafts.map(({ spec: { command, expect } }) => ({ command, ...(expect && { expect }) })),
      targets: drafts.flatMap((draft, step) => draft.spec.targets.map((target) => ({ ...target, step }))),
      ...withoutEmpty({
        tidied: all(drafts.map((draft) => draft.spec.tidied)),
        filled: all(drafts.map((draft) => draft.spec.filled)),
        open: [],
      }),
    },
  };
}
