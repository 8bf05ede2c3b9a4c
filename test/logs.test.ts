import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { isNode, type Node, readTree } from "./architecture/source-tree.ts";

/** docs/logs.md is held against every line that the source logs. The demo's emulated GitHub has events of its own. */

const root = fileURLToPath(new URL("..", import.meta.url));
const tree = readTree(root, ["src"]).filter(({ path }) => !/metrics/.test(path));
const levels = /^(debug|info|warn|error)$/;

/** Where a line's event is not in its words, and what it may be. */
const putTogether: Readonly<Record<string, readonly string[]>> = {
  "src/service/start.ts": [
    "delivery_accepted",
    "delivery_refused",
    "delivery_not-stored",
    "connections_ended",
    "alert_accepted",
    "alert_refused",
    "alert_not-stored",
  ],
  "src/features/thread/post.ts": ["fold_failed", "labels_failed"],
  "src/features/incident/hold.ts": ["halt_not_seen", "hold_not_seen", "cancel_not_seen", "halt_not_recorded"],
};

interface Line {
  readonly path: string;
  readonly events: readonly string[];
  readonly levels: readonly string[];
  readonly fields: readonly string[];
}

/** Lines that no call of ours writes: the log's own, and those of GitHub's library. */
const others: readonly Line[] = [
  {
    path: "src/telemetry/log.ts",
    events: ["log_file_failed", "log_stdout_failed"],
    levels: ["error"],
    fields: ["reason"],
  },
  { path: "src/telemetry/log.ts", events: ["log_line_withheld"], levels: ["warn"], fields: [] },
  { path: "src/service/start.ts", events: ["client"], levels: ["warn", "error"], fields: [] },
];

interface Row {
  readonly levels: readonly string[];
  readonly fields: readonly string[];
}
const codes = (cell: string): readonly string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
const rows: readonly (readonly [string, Row])[] = readFileSync(`${root}docs/logs.md`, "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| `"))
  .map((line) => {
    const [, event = "", level = "", fields = ""] = line.split("|").map((cell) => cell.trim());
    return [event.replaceAll("`", ""), { levels: level.split(", "), fields: codes(fields) }];
  });
const documented = new Map(rows);

const list = (value: unknown): readonly Node[] => (Array.isArray(value) ? value.filter(isNode) : []);

/** The texts that an expression may be; nothing where it may be others. */
function textsOf(node: unknown): readonly string[] | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === "Literal") return [String(node.value)];
  if (node.type !== "ConditionalExpression") return undefined;
  const [one, other] = [textsOf(node.consequent), textsOf(node.alternate)];
  return one && other && [...one, ...other];
}

/** An object's own properties, without what it spreads. */
const propertiesOf = (node: unknown): ReadonlyMap<string, unknown> =>
  new Map(
    (isNode(node) && node.type === "ObjectExpression" ? list(node.properties) : []).flatMap(({ key, value }) =>
      isNode(key) && typeof key.name === "string" ? [[key.name, value] as const] : [],
    ),
  );

/** The levels at which `log.warn(…)` and `log[… ? "error" : "warn"](…)` write. */
function levelsOf({ type, callee }: Node): readonly string[] | undefined {
  if (type !== "CallExpression" || !isNode(callee) || !isNode(callee.property)) return undefined;
  const named = callee.computed === true ? textsOf(callee.property) : [String(callee.property.name)];
  return named?.every((name) => levels.test(name)) ? named : undefined;
}

/** What is logged, by its level where it is written; `isDynamic` where its event is not. */
const written = tree.flatMap(({ path, nodes }) =>
  nodes.flatMap((node) => {
    const calledAt = levelsOf(node);
    const properties = propertiesOf(calledAt ? list(node.arguments)[0] : node);
    const at = calledAt ?? textsOf(properties.get("level"));
    if (!properties.has("event") || !at) return [];
    const events = textsOf(properties.get("event"));
    const fields = [...properties.keys()].filter((name) => !/^(module|event|level|msg)$/.test(name));
    return [{ path, events: events ?? putTogether[path] ?? [], isDynamic: !events, levels: at, fields }];
  }),
);
const lines: readonly Line[] = [...written, ...others];

/** Every name of an event, also where its line is written elsewhere. */
const named = new Set([
  ...tree.flatMap(({ nodes }) => nodes.flatMap((node) => textsOf(propertiesOf(node).get("event")) ?? [])),
  ...lines.flatMap(({ events }) => events),
]);

describe("docs/logs.md", () => {
  it("S14 has a row for each event that is logged, and no other", () => {
    expect(rows.map(([event]) => event).sort()).toEqual([...named].sort());
  });

  it("S14 is not behind where an event's name is put together", () => {
    const dynamic = written.flatMap(({ path, isDynamic }) => (isDynamic ? [path] : []));
    expect([...new Set(dynamic)].sort()).toEqual(Object.keys(putTogether).sort());
    const source = tree.map(({ text }) => text).join("\n");
    const names = [...Object.values(putTogether), ...others.map(({ events }) => events)].flat();
    expect(names.filter((name) => !source.includes(`"${name}"`))).toEqual([]);
  });

  it("S14 tells the level of each, or those it may have", () => {
    for (const [event, row] of rows) {
      const may = lines.flatMap((line) => (line.events.includes(event) ? [line.levels] : []));
      expect(may.flat(), event).toEqual(expect.arrayContaining([...row.levels]));
      // Where a line is written at one of two levels, it may be that this event is always at the same.
      const surely = may.filter((levels) => levels.length === 1).flat();
      expect(row.levels, event).toEqual(expect.arrayContaining(surely));
    }
  });

  it("S14 names the fields of each, and none that nothing has", () => {
    const missing = lines.flatMap(({ events, fields }) =>
      events.flatMap((event) =>
        fields.filter((field) => !documented.get(event)?.fields.includes(field)).map((field) => `${event} ${field}`),
      ),
    );
    expect(missing).toEqual([]);
    const words = new Set(tree.flatMap(({ text }) => text.match(/\b[a-zA-Z]\w*\b/g) ?? []));
    expect(rows.flatMap(([, { fields }]) => fields).filter((field) => !words.has(field))).toEqual([]);
  });
});
