import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { load, type Peer } from "./peer.ts";

interface Api {
  readonly checkCommand: (input: { readonly command: string; readonly cwd: string }) => {
    readonly kind: "allow" | "deny";
  };
}

/** A hook for coding agents (MIT): it denies or allows, nothing between. */
export async function loadSafetyNet(): Promise<Peer> {
  const name = "cc-safety-net@2.4.5";
  const api = await load<Api>(name, "dist/api.js");
  if (!api) return { name, judge: undefined };
  const cwd = mkdtempSync(join(tmpdir(), "countersign-peer-"));
  return { name, judge: ({ command }) => (api.checkCommand({ command, cwd }).kind === "deny" ? "block" : "low") };
}
