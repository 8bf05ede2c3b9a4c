import type { Import } from "./source-tree.ts";

/** Which layer a file is in, and what it may import (docs/architecture.md). */

/** The layers, the lowest first: a folder imports folders of the layers below its own. */
const layers = {
  base: ["base"],
  telemetry: ["telemetry"],
  alert: ["alert"],
  config: ["config"],
  box: [
    "approval",
    "risk",
    "slash",
    "runbooks",
    "text",
    "agent",
    "github",
    "ssh",
    "kubernetes",
    "sources",
    "patches",
    "pager",
    "signer",
    "store",
  ],
  http: ["http"],
  features: ["features"],
  commands: ["commands"],
  entry: ["service", "cli", "main.ts"],
} as const;

type Layer = keyof typeof layers;
const order = Object.keys(layers) as readonly Layer[];

/** A folder directly in `src/`, `main.ts`, or one of the two folders beside `src/`. */
export function folderOf(path: string): string {
  const [top = "", folder = ""] = path.split("/");
  return top === "src" ? folder : top;
}

/** Returns undefined for what is not ours: a package, a part of Node. */
export function layerOf(path: string): Layer | undefined {
  const [top = ""] = path.split("/");
  if (top !== "src") return undefined;
  return order.find((layer) => (layers[layer] as readonly string[]).includes(folderOf(path)));
}

export const isBeside = (path: string): boolean => ["demo", "emulator"].includes(folderOf(path));

/** Whether one file of `src/` may import another: of the same folder, or of a layer below; a box imports of a box types alone, and no config. */
export function mayImport(from: string, to: string, how: Import["how"]): boolean {
  const [above, below] = [layerOf(from), layerOf(to)];
  if (above === undefined || below === undefined) return false;
  if (folderOf(from) === folderOf(to)) return true;
  if (above === "entry") return to !== "src/main.ts";
  if (above === "box") return below === "base" || below === "telemetry" || (below === "box" && how === "type");
  return order.indexOf(below) < order.indexOf(above) && below !== "http";
}

/** Who may import a package: those whose path begins with one of these. */
const owners: Readonly<Record<string, readonly string[]>> = {
  openai: ["src/agent/wire/request.ts"],
  ssh2: ["src/ssh/", "demo/sandbox/ssh-server.ts"],
  probot: ["src/service/worker.ts", "src/github/client.ts"],
  "@octokit/": ["src/github/"],
  pg: ["src/store/"],
  "@electric-sql/pglite": ["src/store/"],
  kysely: ["src/store/"],
  yaml: ["src/base/yaml.ts"],
  unbash: ["src/risk/shell/parse.ts"],
  "@simplewebauthn/server": ["src/features/passkey/passkey.ts"],
  commander: ["src/main.ts"],
  "ical.js": ["src/pager/calendar.ts"],
  "@modelcontextprotocol/sdk": ["src/http/mcp-server.ts", "src/sources/mcp.ts"],
};

/** Who may import a package, if that is limited. */
export const ownersOf = (target: string): readonly string[] | undefined =>
  Object.entries(owners).find(([name]) =>
    name.endsWith("/") ? target.startsWith(name) : target === name || target.startsWith(`${name}/`),
  )?.[1];

/** What computes and touches nothing. */
const pure = ["alert", "approval", "risk", "slash", "runbooks", "text"];
export const isPure = (path: string): boolean => layerOf(path) !== undefined && pure.includes(folderOf(path));

/** Of Node's own parts, those that compute and touch nothing. */
const harmless = ["node:crypto", "node:path", "node:util"];
export const touches = (target: string): boolean => target.startsWith("node:") && !harmless.includes(target);
