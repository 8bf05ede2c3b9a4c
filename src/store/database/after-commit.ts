import type { Tx } from "./connection.ts";

const waiting = new WeakMap<Tx, (() => void)[]>();

/** Has `act` done once `tx` has committed, and never if it does not. Works on transactions of `Store.transaction`. */
export function afterCommit(tx: Tx, act: () => void): void {
  const acts = waiting.get(tx);
  if (acts) acts.push(act);
  else waiting.set(tx, [act]);
}

/** Does what was put off until `tx` had committed. */
export function runAfterCommit(tx: Tx): void {
  for (const act of waiting.get(tx) ?? []) act();
  waiting.delete(tx);
}
