/** The version of the built-in rules: any change to this box is another version, so that no approval outlives it (RR-18). */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";

/** The box's own source files, by their path in it. */
function sources(): readonly (readonly [path: string, text: string])[] {
  const folder = new URL("./", import.meta.url);
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => path.replaceAll("\\", "/"))
    .sort()
    .map((path) => [path, readFileSync(new URL(path, folder), "utf8")] as const);
}

/** The hash of files with their paths: of their order nothing, of their text and names everything. */
export function versionOf(files: readonly (readonly [path: string, text: string])[]): string {
  const hash = createHash("sha256");
  for (const [path, text] of files.toSorted(([a], [b]) => (a < b ? -1 : 1)))
    hash.update(JSON.stringify([path, text.replaceAll("\r\n", "\n")]));
  return hash.digest("hex").slice(0, 16);
}

/** Read once, when the program starts. */
export const rulesVersion: string = versionOf(sources());
