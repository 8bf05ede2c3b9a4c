/** Which file stands where, and what may be imported there (ARCHITECTURE.md). */

const boxes = ["github", "agent", "runbooks", "policy", "ssh", "text", "store"];
const stories = ["jobs", "commands"];
const entryFolders = ["cli", "demo"];
const entryFiles = ["main", "server", "app", "worker", "bot", "parts"].map((name) => `src/${name}.ts`);

type Layer = "entry" | "story" | "box" | "base" | "none";

/** `none` for what is not ours: a package, a part of Node. */
export function layerOf(path: string): Layer {
  const [top, folder = "", ...rest] = path.split("/");
  if (top !== "src") return "none";
  if (entryFiles.includes(path)) return "entry";
  if (rest.length === 0) return "base";
  if (entryFolders.includes(folder)) return "entry";
  if (stories.includes(folder)) return "story";
  return boxes.includes(folder) ? "box" : "none";
}

const boxOf = (path: string): string => path.split("/")[1] ?? "";

export const mayImport: Readonly<Record<Layer, (from: string, to: string) => boolean>> = {
  entry: () => true,
  story: (_, to) => layerOf(to) !== "entry",
  box: (from, to) => layerOf(to) === "base" || boxOf(from) === boxOf(to),
  base: (_, to) => layerOf(to) === "base",
  none: () => false,
};

/** Who may import a package: those whose path begins with one of these. */
const doors: Readonly<Record<string, readonly string[]>> = {
  openai: ["src/agent/wire/request.ts"],
  ssh2: ["src/ssh/", "demo/sandbox/ssh-server.ts"],
  probot: ["src/service/events.ts", "src/github/client.ts"],
  "@octokit/": ["src/github/"],
  pg: ["src/store/"],
  "@electric-sql/pglite": ["src/store/"],
  kysely: ["src/store/"],
  yaml: ["src/base/yaml.ts"],
  unbash: ["src/risk/shell/parse.ts"],
  commander: ["src/main.ts"],
};

/** The door of a package that has one. */
export const doorOf = (target: string): readonly string[] | undefined =>
  Object.entries(doors).find(([name]) =>
    name.endsWith("/") ? target.startsWith(name) : target === name || target.startsWith(`${name}/`),
  )?.[1];

const pure = ["policy", "text", "runbooks"];
export const isPure = (path: string): boolean => layerOf(path) === "box" && pure.includes(boxOf(path));

/** Of Node's own parts, those that compute and touch nothing. */
const harmless = ["node:crypto", "node:path", "node:util"];
export const touches = (target: string): boolean => target.startsWith("node:") && !harmless.includes(target);
