import type { AsyncCommand } from "fast-check";
import { fc } from "../harness/chance.ts";
import type { Watch } from "./invariants.ts";
import { faultsNow } from "./invariants.ts";
import type { Somebody } from "./threads.ts";
import type { Universe } from "./universe.ts";

/** All that has to be known to say which commands make sense: everything else is read off GitHub and the audit. */
export interface Model {
  opened: boolean;
  gone: boolean;
  up: boolean;
  halted: boolean;
}

export interface Reality {
  readonly universe: Universe;
  readonly watch: Watch;
}

export type Command = AsyncCommand<Model, Reality>;

/** How often each was carried out. */
export const counts = new Map<string, number>();

interface Plan {
  readonly name: string;
  readonly text: string;
  readonly can?: (model: Model) => boolean;
  readonly changes?: (model: Model) => void;
  readonly act: (universe: Universe, watch: Watch) => Promise<void> | void;
}

/** Carries a plan out; whatever follows from it happens later, in steps, unless the plan says otherwise. */
export const command = ({ name, text, can, changes, act }: Plan): Command => ({
  check: (model) => can?.(model) ?? true,
  run: async (model, { universe, watch }) => {
    counts.set(name, (counts.get(name) ?? 0) + 1);
    changes?.(model);
    await act(universe, watch);
    const faults = await faultsNow(universe, watch);
    if (faults.length > 0) throw new Error(faults.join("\n"));
  },
  toString: () => `${name}(${text})`,
});

export const isOpen = (model: Model): boolean => model.opened && !model.gone;
export const who = fc.nat(4);
export const somebody = ({ github }: Universe, at: number): Somebody => pick(github.people, at);
export const pick = <T>(list: readonly T[], at: number): T => {
  const found = list[at % list.length];
  if (found === undefined) throw new Error("nothing to pick from");
  return found;
};

/** What is said reaches the bot at once, and so much of what follows from it happens. */
export const heard = fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 2, arbitrary: fc.nat(12) });
