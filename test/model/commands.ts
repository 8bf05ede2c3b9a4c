import { fc } from "../harness/chance.ts";
import { type Command, isOpen } from "./command.ts";
import { crashes, delivers, fails, goesOn, halts, jumps, loses, restarts, ticks } from "./machines.ts";
import { approves, denies, edits, happens, opens, others, proposes, removes, renames, rights } from "./people.ts";

const weighted: readonly (readonly [number, fc.Arbitrary<Command>])[] = [
  [12, approves],
  [2, denies],
  [3, proposes],
  [3, others],
  [2, edits],
  [2, removes],
  [5, delivers],
  [1, loses],
  [3, rights],
  [1, renames],
  [1, happens("close", isOpen)],
  [1, happens("reopen", isOpen)],
  [1, happens("transfer", isOpen)],
  [1, happens("publicise", isOpen)],
  [4, ticks],
  [1, jumps],
  [4, crashes],
  [4, restarts],
  [6, fails],
  [2, halts],
  [4, goesOn],
];

/** Each begins with an incident, so that there is something to do. */
export const commandsFrom = (maxCommands: number): fc.Arbitrary<readonly [Command, Iterable<Command>]> =>
  fc.tuple(
    opens,
    fc.commands([...weighted.flatMap(([weight, one]) => Array.from({ length: weight }, () => one))], {
      maxCommands,
      size: "max",
    }),
  );
