import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { queues } from "../../src/base/queues.ts";
import { isNode, type Node, readTree, root, type Source } from "../architecture/source-tree.ts";
import type { Place, Trace } from "../harness/trace-flows.ts";

/** docs/architecture.md's two flows are held against what the bot really passes. */

const page = readFileSync(`${root}docs/architecture.md`, "utf8");
const sectionOf = (heading: string): string => page.split(`\n## ${heading}\n`)[1]?.split("\n## ", 1)[0] ?? "";

/** A line of a flow, e.g. `src/http/server.ts isSigned`, or a file alone. */
const stepsIn = (section: string): readonly string[] =>
  [...section.matchAll(/^\d+\. `(src\/[\w./-]+\.ts)`(?: `(\w+)`)?: /gm)].map(([, file = "", name]) =>
    name === undefined ? file : `${file} ${name}`,
  );
const flows = {
  card: stepsIn(sectionOf("From a webhook to its card")),
  result: stepsIn(sectionOf("From an approval to its result")),
};
const [front, approval] = [flows.card.slice(0, 4), [...flows.card.slice(0, 4), ...flows.result]];

const isFunction = (node: unknown): node is Node =>
  isNode(node) && /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type);
const nameOf = (node: unknown): unknown => (isNode(node) ? node.name : undefined);

/** Where the functions of that name begin, or where none is named all of the file. */
function placesOf(step: string, sources: readonly Source[]): readonly Place[] {
  const [path = "", name] = step.split(" ");
  const source = sources.find((one) => one.path === path);
  const named = (source?.nodes ?? []).flatMap((node): readonly Node[] => {
    if (name === undefined) return isFunction(node) ? [node] : [];
    if (node.type === "FunctionDeclaration") return nameOf(node.id) === name ? [node] : [];
    const [key, value] = node.type === "Property" ? [node.key, node.value] : [node.id, node.init];
    return nameOf(key) === name && isFunction(value) ? [value] : [];
  });
  return named.flatMap(({ body }) => {
    if (!source || !isNode(body)) return [];
    const start = Number(body.start) + (body.type === "BlockStatement" ? 1 : 0);
    const above = source.text.slice(0, start).split("\n");
    return { name: step, path, lineNumber: above.length - 1, columnNumber: above.at(-1)?.length ?? 0 };
  });
}

/** The first step that was not entered after the one before it; undefined where all were, in order. */
function missed(steps: readonly string[], entered: readonly string[]): string | undefined {
  let at = -1;
  return steps.find((step) => {
    at = entered.indexOf(step, at + 1);
    return at === -1;
  });
}

describe("docs/architecture.md", () => {
  const places = [...new Set([...flows.card, ...flows.result])];
  let found: readonly Place[];
  let trace: Trace;
  beforeAll(async () => {
    const sources = readTree(root, ["src"]);
    found = places.flatMap((step) => placesOf(step, sources));
    const args = ["--import", `${root}check-node.mjs`, `${root}test/harness/trace-flows.ts`, JSON.stringify(found)];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, maxBuffer: 64 * 1024 * 1024 });
    trace = JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
  });

  it("names functions that there are", () => {
    expect(places.filter((step) => !found.some(({ name }) => name === step))).toEqual([]);
    expect([flows.card.length, flows.result.length].every((steps) => steps > 20)).toBe(true);
  });

  it("a webhook passes them up to its card, in the order of the list", () => {
    expect(missed(flows.card, trace.card)).toBeUndefined();
  });

  it("an approval passes them up to its result, in the order of the list", () => {
    expect(missed(approval, trace.result)).toBeUndefined();
  });

  it("a step that is not passed, or passed too early, is seen", () => {
    expect(missed([...front, "src/main.ts"], trace.card)).toBe("src/main.ts");
    // Steps that an incident's opening passes once.
    const [asking = "", concluding = ""] = flows.card.filter((step) => / (askModel|conclude)$/.test(step));
    expect(missed([asking, concluding], trace.card)).toBeUndefined();
    expect(missed([concluding, asking], trace.card)).toBe(asking);
  });

  it("draws every folder of src", () => {
    const picture = sectionOf("Layers").split("```")[1] ?? "";
    const foldersIn = (folder: string) =>
      readdirSync(root + folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
    const folders = [...foldersIn("src"), ...foldersIn("src/features")];
    expect(folders.filter((name) => !new RegExp(`\\b${name}\\b`).test(picture))).toEqual([]);
    expect(folders.length).toBeGreaterThan(20);
  });

  it("names the queues between them, each by its name", () => {
    const named = [...page.matchAll(/^Queue `(\w+)`:/gm)].map(([, name]) => name);
    expect(named).toEqual(["delivery", "turn", "post", "execute"]);
    expect(named.filter((name) => !queues.some((queue) => queue === name))).toEqual([]);
  });
});
