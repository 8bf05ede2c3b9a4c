/** Which room a file stands in, and what may be imported there (docs/architecture.md). */

/** The floors, the lowest first: a room imports rooms of the floors below its own. */
const floors = {
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
    "pager",
    "store",
  ],
  http: ["http"],
  features: ["features"],
  commands: ["commands"],
  entry: ["service", "cli", "main.ts"],
} as const;

type Floor = keyof typeof floors;
const order = Object.keys(floors) as readonly Floor[];

/** A room: a folder directly in `src/`, `main.ts`, or one of the two houses beside `src/`. */
export function roomOf(path: string): string {
  const [top = "", room = ""] = path.split("/");
  return top === "src" ? room : top;
}

/** Returns undefined for what is not ours: a package, a part of Node. */
export function floorOf(path: string): Floor | undefined {
  const [top = ""] = path.split("/");
  if (top !== "src") return undefined;
  return order.find((floor) => (floors[floor] as readonly string[]).includes(roomOf(path)));
}

export const isBeside = (path: string): boolean => ["demo", "emulator"].includes(roomOf(path));

/** Whether one file of `src/` may import values of another: the same room, or one on a floor below; a box none of a box or the config. */
export function mayImport(from: string, to: string): boolean {
  const [above, below] = [floorOf(from), floorOf(to)];
  if (above === undefined || below === undefined) return false;
  if (roomOf(from) === roomOf(to)) return true;
  if (above === "entry") return to !== "src/main.ts";
  if (above === "box") return below === "base" || below === "telemetry";
  return order.indexOf(below) < order.indexOf(above) && below !== "http";
}

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
  "@simplewebauthn/server": ["src/features/passkey/proof.ts"],
  commander: ["src/main.ts"],
  "ical.js": ["src/pager/calendar.ts"],
  "@modelcontextprotocol/sdk": ["src/http/mcp-server.ts", "src/sources/mcp.ts"],
};

/** The door of a package that has one. */
export const doorOf = (target: string): readonly string[] | undefined =>
  Object.entries(doors).find(([name]) =>
    name.endsWith("/") ? target.startsWith(name) : target === name || target.startsWith(`${name}/`),
  )?.[1];

/** What computes and touches nothing. */
const pure = ["alert", "approval", "risk", "slash", "runbooks", "text"];
export const isPure = (path: string): boolean => floorOf(path) !== undefined && pure.includes(roomOf(path));

/** Of Node's own parts, those that compute and touch nothing. */
const harmless = ["node:crypto", "node:path", "node:util"];
export const touches = (target: string): boolean => target.startsWith("node:") && !harmless.includes(target);
