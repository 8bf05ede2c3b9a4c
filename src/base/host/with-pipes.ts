import type { ChildProcess } from "node:child_process";

/** Throws if the child has no pipes: if Node cannot open them, the child's later error ends this process unless handled. */
export function withPipes<C extends ChildProcess>(child: C): C {
  if (child.stdio !== undefined) return child;
  child.once("error", () => {});
  throw new Error(`${child.spawnfile} cannot be started: too many files are open`);
}
