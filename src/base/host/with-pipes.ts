import type { ChildProcess } from "node:child_process";

/**
 * Returns a child with its pipes. Throws if no file could be opened for them: Node then makes a child without pipes, whose later error
 * ends this process unless a listener takes it.
 */
export function withPipes<C extends ChildProcess>(child: C): C {
  if (child.stdio !== undefined) return child;
  child.once("error", () => {});
  throw new Error(`${child.spawnfile} cannot be started: too many files are open`);
}
