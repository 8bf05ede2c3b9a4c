import type { Proposal } from "../base/action.ts";
import { type Fields, isRecord } from "../base/json.ts";
import {
  type Earlier,
  executions,
  nothingEarlier,
  type ParsedAction,
  type ReadActions,
  readActions,
} from "./reply/actions.ts";
import { keepBlocked, toProposal } from "./reply/proposals.ts";
import { needText } from "./tool-arguments.ts";
import type { BlockedProposal, TurnTools } from "./tools.ts";

export interface ProposalOptions {
  readonly tools: TurnTools;
  readonly servers: readonly string[];
  readonly maxActions: number;
}

/** The tools that propose, with what they have gathered for the turn's end. Each returns what to tell the model. */
export interface ToolProposals {
  /** Proposes a list, in place of what was proposed by calls before. */
  readonly propose: (json: string) => Promise<string>;
  /** Proposes one command more. */
  readonly suggest: (args: Fields) => Promise<string>;
  readonly startWorkflow: (args: Fields) => Promise<string | undefined>;
  /** What was proposed by tool calls; undefined where none was made. */
  readonly proposed: () =>
    | (Earlier & { readonly actions: readonly ParsedAction[]; readonly notes: readonly string[] })
    | undefined;
  /** The proposals as they stand: of calls all of the newest list, and what policy blocked of lists before it, in its place. */
  readonly standing: () => readonly Proposal[];
  /** Keeps the blocked proposals of a list when another list replaces it; returns them. */
  readonly keepBlockedOf: (proposals: readonly Proposal[]) => readonly BlockedProposal[];
  /** The steps of the workflows that were started. */
  readonly steps: () => readonly Proposal[];
  /** What could not be taken of the last call that proposes; undefined where all of it was. */
  readonly broken: () => string | undefined;
  /** Notes that the last call could not be taken at all. */
  readonly lose: (why: string) => void;
}

export function createToolProposals({ tools, servers, maxActions }: ProposalOptions): ToolProposals {
  let actions: readonly ParsedAction[] | undefined;
  let standing: readonly Proposal[] = [];
  let notes: readonly string[] = [];
  let earlier = nothingEarlier;
  let steps: readonly Proposal[] = [];
  let broken: string | undefined;

  /** Says what was taken and what was not, so that the model can fix it in its next call. */
  const report = async (read: ReadActions): Promise<string> => {
    broken = read.warnings.includes("invalid-action") ? read.notes.join(" ") : undefined;
    if (read.error) throw new Error(`the arguments are not what the tool takes (${read.error})`);
    const listed = executions(read).map(toProposal);
    standing = keepBlocked(standing, listed, tools);
    const lines = (await describe()).slice(steps.length);
    const [taken, kept] = [true, false].map((isListed) =>
      lines.filter((_, at) => listed.some((one) => one === standing[at]) === isListed),
    );
    const back = read.withdraw.length > 0 ? [`Taken back: ${read.withdraw.join(", ")}.`] : [];
    return [
      ...(taken?.length ? ["Proposed:", ...taken] : ["Nothing was proposed."]),
      ...(kept?.length ? ["Blocked before, and still shown to people:", ...kept] : []),
      ...back,
      ...read.notes,
    ].join("\n");
  };

  /** A line for the model on each step and each proposal as it stands. */
  const describe = async (): Promise<readonly string[]> => {
    const all = [...steps, ...standing];
    const lines = (await tools.preview?.(all)) ?? [];
    return all.map(({ title, server }, at) => {
      const line = lines[at] === undefined ? "" : `${lines[at]}: `;
      return `- ${line}"${title}" on ${server || "no server"}`;
    });
  };

  return {
    propose: async (json) => {
      const read = readActions(json, { servers, maxActions });
      const text = await report(read);
      actions = executions(read);
      notes = read.notes;
      earlier = { replaces: read.replaces, withdraw: read.withdraw };
      return text;
    },
    suggest: ({ server, command, title, description, risk, expect }) => {
      const before = actions ?? [];
      const id = `s${before.length + 1}`;
      const action = { id, api: "ssh.execute", title, description, risk, expect, params: { server, command } };
      // Read together, so that the limit and its note are those of one list.
      const read = readActions(JSON.stringify([...before, action]), { servers, maxActions });
      actions = read.actions;
      notes = [...notes, ...read.notes];
      return report(read);
    },
    startWorkflow: async (args) => {
      const params = Object.entries(isRecord(args.params) ? args.params : {});
      if (steps.length > 0) throw new Error("a workflow was started in this turn already; its steps come first");
      const given = Object.fromEntries(params.map(([key, value]) => [key, String(value)]));
      const started = await tools.startWorkflow?.(needText(args, "name"), given);
      steps = started?.proposals ?? [];
      const lines = tools.preview ? (await describe()).slice(0, steps.length) : [];
      return (
        started && [started.text, ...lines, ...(started.instructions ? ["", started.instructions] : [])].join("\n")
      );
    },
    proposed: () => actions && { ...earlier, actions, notes },
    standing: () => standing,
    keepBlockedOf: (proposals) => {
      standing = keepBlocked(standing, proposals, tools);
      return proposals.flatMap((proposal) => tools.blockedIn?.(proposal) ?? []);
    },
    steps: () => steps,
    broken: () => broken,
    lose: (why) => {
      broken = why;
    },
  };
}
