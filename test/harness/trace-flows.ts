import { Session } from "node:inspector/promises";
import { pathToFileURL } from "node:url";
import { root } from "../architecture/source-tree.ts";
import { startStage } from "./stage.ts";

/**
 * Plays the two flows of docs/architecture.md on the real bot, and prints as JSON which of the functions given were entered in
 * each, in order. It runs in plain Node, since only there a line of the source is a line of what runs: a breakpoint whose
 * condition notes its name, and is never true, stands at the beginning of each function.
 */

/** The beginning of a function's body, counted from 0. */
export interface Place {
  readonly name: string;
  readonly path: string;
  readonly lineNumber: number;
  readonly columnNumber: number;
}
/** What was entered, in order, by flow. */
export interface Trace {
  readonly card: readonly string[];
  readonly result: readonly string[];
}

async function watch(places: readonly Place[]): Promise<string[]> {
  const entered: string[] = [];
  Object.assign(globalThis, { enteredInFlow: (name: string) => void entered.push(name) });
  const session = new Session();
  session.connect();
  await session.post("Debugger.enable");
  for (const { name, path, ...place } of places) {
    const condition = `enteredInFlow(${JSON.stringify(name)}), false`;
    await session.post("Debugger.setBreakpointByUrl", { url: pathToFileURL(root + path).href, ...place, condition });
  }
  return entered;
}

async function trace(places: readonly Place[]): Promise<Trace> {
  const stage = await startStage();
  try {
    await stage.quiet();
    const entered = await watch(places);
    const thread = await stage.incident("systemctl status web");
    const card = entered.splice(0);
    stage.model.play({ text: "LIKELY, see 1: nothing to do." });
    await stage.ask(thread, "lee", "/approve 1");
    return { card, result: entered.splice(0) };
  } finally {
    await stage.close();
  }
}

const places: readonly Place[] = JSON.parse(process.argv[2] ?? "[]");
console.log(JSON.stringify(await trace(places)));
process.exit(0);
