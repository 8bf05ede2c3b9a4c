import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";

/**
 * Why this program cannot run on this Node, if so. Else what can be saved of a start's time and memory is; to be called before
 * anything large is loaded.
 */
export function prepareEngine(): string | undefined {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major < 24 || (major === 24 && minor < 12))
    return `Countersign runs on Node 24.12 or newer; this is ${process.version}. \`npm ci\` brings one for npm's scripts.`;
  // Most of a start is compiling: what one has compiled serves the next. It stands with the program, so that who may write there
  // is who may change the program; where nobody may, nothing is kept.
  enableCompileCache(fileURLToPath(new URL("../../node_modules/.cache/compiled", import.meta.url)));
  // V8 would compile again, better, what is used most of the embedded PostgreSQL while the bot starts: for a moment that took
  // 600 MB, and a core for two seconds, and makes a statement a fifth faster.
  for (const flag of ["--no-wasm-tier-up", "--no-wasm-dynamic-tiering"]) setFlagsFromString(flag);
  return undefined;
}
