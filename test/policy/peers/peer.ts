import type { Risk } from "../../../src/types.ts";
import { missing } from "../../missing.ts";
import type { Labelled } from "../labelled.ts";

/** What a system says of a command: `low` runs without asking, `block` never runs, anything between is asked about. */
export type Judge = (row: Labelled) => Risk | Promise<Risk>;

export interface Peer {
  readonly name: string;
  /** Absent where it is not installed. */
  readonly judge: Judge | undefined;
}

/** A module of a package that may not be installed: then it is named as missing, once, and there is nothing. */
export async function load<T>(name: string, module: string): Promise<T | undefined> {
  try {
    return (await import(module)) as T;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND")) throw error;
    missing(name, "npm install --prefix test/policy/peers --ignore-scripts");
    return undefined;
  }
}
