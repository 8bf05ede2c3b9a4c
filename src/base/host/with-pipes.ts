import type { ChildProcess } from "node:child_process";

/**
 * Returns a child that has its pipes. Throws where no file could be opened for them: Node then makes a child without any, whose error
 * comes later and ends this process if nobody listens.
 */
export function withPipes<C extends ChildProcess>(child: C): C {
  if (child.stdio !== undefined) return child;
  child.once("error", () => {});
  throw new Error(`${child.spawnfile} cannot be started: too many files are open`);
}
