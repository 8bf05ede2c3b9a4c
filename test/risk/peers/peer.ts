import type { Risk } from "../../../src/base/risk.ts";
import { missing } from "../../harness/missing.ts";
import type { Labelled } from "../labelled.ts";

/** What a system says of a command: `low` runs without asking, `block` never runs, anything between is asked about. */
export type Judge = (row: Labelled) => Risk | Promise<Risk>;

export interface Peer {
  readonly name: string;
  /** Absent where it is not installed. */
  readonly judge: Judge | undefined;
}

/** Outside of the project's own packages: some peers bring hundreds of others. */
const folder = "node_modules/.cache/countersign/peers";

/** A module of a package, e.g. `cc-safety-net@2.4.5`; where that is not installed it is named as missing, and there is nothing. */
export async function load<T>(pack: string, module: string): Promise<T | undefined> {
  const name = pack.replace(/@[^@]+$/, "");
  const file = new URL(`../../../${folder}/node_modules/${name}/${module}`, import.meta.url);
  try {
    return (await import(file.href)) as T;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND")) throw error;
    missing(pack, `npm install --prefix ${folder} --ignore-scripts ${pack}`);
    return undefined;
  }
}
