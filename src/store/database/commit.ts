import type { Tx } from "./connection.ts";

const acts = new WeakMap<Tx, (() => void)[]>();

/** Runs `act` only if `tx`, of `Store.transaction`, commits. */
export function afterCommit(tx: Tx, act: () => void): void {
  const waiting = acts.get(tx);
  if (waiting) waiting.push(act);
  else acts.set(tx, [act]);
}

export function runAfterCommit(tx: Tx): void {
  for (const act of acts.get(tx) ?? []) act();
  acts.delete(tx);
}
