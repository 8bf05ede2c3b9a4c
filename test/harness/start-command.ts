import { fileURLToPath } from "node:url";
import manifest from "../../package.json" with { type: "json" };

/** What `npm start` runs, as arguments of Node in the program's folder. */
export const startCommand = {
  args: manifest.scripts.start.split(" ").slice(1),
  cwd: fileURLToPath(new URL("../../", import.meta.url)),
} as const;
