import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import manifest from "../../package.json" with { type: "json" };

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Builds and packs what `npm run build && npm pack` does, beside the tree's own `dist/`. Returns the package's path. */
export function packInto(folder: string): string {
  const stage = join(folder, "stage");
  mkdirSync(stage);
  execFileSync(process.execPath, ["build.ts", join(stage, "dist")], { cwd: root });
  for (const name of ["package.json", "LICENSE", "README.md", ...manifest.files.filter((file) => file !== "dist")])
    cpSync(join(root, name), join(stage, name));
  execFileSync("npm", ["pack", "--loglevel=error", "--pack-destination", folder], { cwd: stage });
  return join(folder, `countersign-${manifest.version}.tgz`);
}
