import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Nodes } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import * as z from "zod";
import { unwrapSchema } from "../src/base/problems.ts";
import { keepSetupLook } from "../src/cli/start.ts";
import { parseRepoOnCall } from "../src/config/oncall.ts";
import { restartKeys } from "../src/config/reload.ts";
import { parseRepoConfig } from "../src/config/repo.ts";
import { configSchema } from "../src/config/schema.ts";
import { toProgramSide } from "../src/config/shape.ts";
import { readiness } from "../src/features/operator/readiness.ts";
import { createEvaluator } from "../src/risk/evaluate.ts";
import { adviceOf } from "../src/runbooks/sections.ts";
import { parseSkill } from "../src/runbooks/skills.ts";
import { parseWorkflow } from "../src/runbooks/workflows.ts";
import { auditKinds } from "../src/store/audit/events.ts";
import type { kind as auditKind } from "../src/store/audit/kinds.ts";
import { counters, gauges, histograms } from "../src/telemetry/metrics.ts";
import { spanNames } from "../src/telemetry/trace.ts";
import { createRedactor } from "../src/text/redact.ts";
import { countersign } from "./cli/countersign.ts";
import { bySection } from "./runbooks/by-section.ts";

/** What the documents say is held against what the program has, so that neither goes on without the other. */

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const filesIn = (folder: string, ending: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name));

const paths = [...readdirSync(root).filter((name) => name.endsWith(".md")), ...filesIn("docs", ".md")];

interface Page {
  readonly path: string;
  readonly text: string;
  readonly nodes: readonly Nodes[];
}
const flatten = (node: Nodes): readonly Nodes[] => [
  node,
  ...("children" in node ? node.children.flatMap(flatten) : []),
];
const pages: readonly Page[] = paths.map((path) => {
  const text = read(path);
  const tree = fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  return { path, text, nodes: flatten(tree) };
});
const pageAt = (path: string): Page => {
  const page = pages.find((one) => one.path === path);
  if (!page) throw new Error(`there is no ${path}`);
  return page;
};

const wordsOf = (node: Nodes): string =>
  "value" in node ? node.value : "children" in node ? node.children.map(wordsOf).join("") : "";

/** The anchors GitHub gives to a page's headings. */
function anchorsOf({ nodes }: Page): readonly string[] {
  const seen = new Map<string, number>();
  return nodes.flatMap((node) => {
    if (node.type !== "heading") return [];
    const slug = wordsOf(node)
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replace(/\s/g, "-");
    const times = seen.get(slug) ?? 0;
    seen.set(slug, times + 1);
    return times === 0 ? slug : `${slug}-${times}`;
  });
}

/** The first cells of a page's tables that are code, one of each. */
const named = ({ text }: Page, pattern: RegExp): readonly string[] =>
  [...text.matchAll(/^\| `([^`]+)` \|/gm)].map((match) => match[1] ?? "").filter((name) => pattern.test(name));

/** The commands that a `--help` lists. */
const verbsIn = (help: string): readonly string[] =>
  [...help.slice(help.indexOf("\nCommands:")).matchAll(/^ {2}([a-z]+)\b/gm)].map((match) => match[1] ?? "");

describe("the documents", () => {
  it.each(pages.map(({ path }) => path))("%s: its links and anchors lead somewhere", (path) => {
    const page = pageAt(path);
    const lost = page.nodes.flatMap((node) => {
      if ((node.type !== "link" && node.type !== "image") || /^[a-z]+:/.test(node.url)) return [];
      const [file = "", anchor] = node.url.split("#");
      const target = file === "" ? path : normalize(join(dirname(path), file));
      if (!existsSync(join(root, target))) return [node.url];
      if (anchor === undefined) return [];
      return anchorsOf(pageAt(target)).includes(anchor) ? [] : [node.url];
    });
    expect(lost).toEqual([]);
  });

  it("each is found from README.md", () => {
    const found = new Set(["README.md"]);
    for (const path of found)
      for (const node of pageAt(path).nodes) {
        const file = node.type === "link" && !/^[a-z]+:/.test(node.url) ? node.url.split("#")[0] : undefined;
        const target = file ? normalize(join(dirname(path), file)) : "";
        if (paths.includes(target)) found.add(target);
      }
    expect(paths.filter((path) => !found.has(path))).toEqual([]);
  });

  it("the picture of an incident is there, and small enough for a phone", () => {
    const picture = readFileSync(join(root, "docs/incident.png"));
    expect(picture.subarray(1, 4).toString()).toBe("PNG");
    expect(picture.length).toBeLessThanOrEqual(250 * 1024);
    expect(read("README.md")).toMatch(/!\[[^\]]{20,}\]\(docs\/incident\.png\)/);
  });

  it("name only commands that countersign has", async () => {
    const { out } = await countersign(["--help"]);
    const known = verbsIn(out);
    const used = pages.flatMap(({ path, text }) =>
      [...text.matchAll(/(?:run --silent countersign -- |npx countersign |`countersign )([a-z]+)/g)].map((match) => ({
        path,
        verb: match[1] ?? "",
      })),
    );
    expect(used.filter(({ verb }) => !known.includes(verb))).toEqual([]);
    expect(used.length).toBeGreaterThan(10);
  });

  it("docs/operating.md has a row for each command of countersign", async () => {
    const { out } = await countersign(["--help"]);
    const rows = [...pageAt("docs/operating.md").text.matchAll(/^\| ((?:`[a-z]+`(?:, )?)+) \|/gm)]
      .flatMap((match) => [...(match[1] ?? "").matchAll(/[a-z]+/g)])
      .map(([verb]) => verb);
    expect(rows.sort()).toEqual(
      verbsIn(out)
        .filter((verb) => verb !== "help")
        .sort(),
    );
  });

  it("README.md says of what was measured what the whole table says", () => {
    const [, measured = ""] = read("README.md").split("## Three figures");
    const said = measured.split("\n## ", 1)[0]?.match(/^\| (?!case|---).*/gm) ?? [];
    const whole = read("docs/measured.md").split("\n");
    expect(said).toHaveLength(3);
    expect(said.filter((line) => !whole.some((row) => row.startsWith(line)))).toEqual([]);
    const run = /one run on (\S+ at [0-9a-f]{7,})/i;
    expect(run.exec(measured)?.[1]).toBeDefined();
    expect(run.exec(measured)?.[1]).toBe(run.exec(whole.join("\n"))?.[1]);
  });

  it("write organization with z, as GitHub and the config's keys do, and so does all that people are shown", () => {
    const shown = [...paths, ...filesIn("src", ".ts"), ...filesIn("templates", ".md")];
    const british = shown.filter((path) => /organis|synchronis/i.test(read(path)));
    expect(british).toEqual([]);
    expect(shown.length).toBeGreaterThan(500);
  });

  it("name only npm scripts that there are", () => {
    const { scripts } = JSON.parse(read("package.json"));
    const used = pages.flatMap(({ path, text }) =>
      [...text.matchAll(/npm run (?:--silent )?([\w:]+)/g)].map((match) => ({ path, script: match[1] ?? "" })),
    );
    expect(used.filter(({ script }) => !(script in scripts))).toEqual([]);
  });
});

describe("the config", () => {
  /** Every key of a schema, with `*` for names and `[]` for lists. */
  function keysOf(schema: z.core.$ZodType, path = ""): readonly string[] {
    const bare = unwrapSchema(schema);
    if (bare instanceof z.ZodObject)
      return Object.entries(bare.shape).flatMap(([key, inner]) => keysOf(inner, path === "" ? key : `${path}.${key}`));
    if (bare instanceof z.ZodRecord && unwrapSchema(bare.valueType) instanceof z.ZodObject)
      return keysOf(bare.valueType, `${path}.*`);
    if (bare instanceof z.ZodArray && unwrapSchema(bare.element) instanceof z.ZodObject)
      return keysOf(bare.element, `${path}[]`);
    return [path];
  }

  it("CFG-1 docs/configuration.md has a row for each key, and no other", () => {
    const page = pageAt("docs/configuration.md");
    expect([...named(page, /./)].sort()).toEqual([...keysOf(configSchema)].sort());
  });

  const blocks = pages.flatMap(({ path, nodes }) =>
    nodes.flatMap((node) => (node.type === "code" && node.lang === "yaml" ? [{ path, value: node.value }] : [])),
  );

  it("CFG-1 every part of a config, a repository's file or a workflow that a document shows is one that is taken", () => {
    const sections = new Set(Object.keys(configSchema.shape));
    const refused = blocks.flatMap(({ path, value }) => {
      const [first, ...more] = parseAllDocuments(value).map((one) => one.toJS());
      const keys = Object.keys(first ?? {});
      if (more.length > 0 || keys.includes("on")) return [];
      if (keys.includes("steps")) {
        const workflow = parseWorkflow({ path: "w.yml", text: value, source: "docs" });
        return workflow.ok ? [] : [`${path}: ${workflow.problems[0]?.message}`];
      }
      if (keys.includes("people")) {
        const oncall = parseRepoOnCall(value, path);
        return oncall.ok ? [] : oncall.problems.map(({ place, message }) => `${place}: ${message}`);
      }
      if (!keys.every((key) => sections.has(key)) || Array.isArray(first.servers)) {
        const repo = parseRepoConfig(value, path);
        return repo.ok ? [] : repo.problems.map(({ place, message }) => `${place}: ${message}`);
      }
      const parsed = configSchema.safeParse(first);
      if (!parsed.success) return [`${path}: ${z.prettifyError(parsed.error)}`];
      createEvaluator(toProgramSide(configSchema, parsed.data, "countersign.yml").policy);
      return [];
    });
    expect(refused).toEqual([]);
    expect(blocks.length).toBeGreaterThan(5);
  });

  it("SR-18 docs/policy.md shows the policy's defaults as they are", () => {
    const shown = blocks.find(
      ({ path, value }) => path === "docs/policy.md" && value.startsWith("policy:\n  approvers"),
    );
    const defaults = configSchema.parse({}).policy;
    expect(defaults).toMatchObject(configSchema.parse(parse(shown?.value ?? "")).policy);
    expect(Object.keys(parse(shown?.value ?? "").policy)).toEqual(
      Object.keys(defaults).filter((key) => key !== "rules"),
    );
  });
});

it("AR-02 docs/audit.md has a row for each kind of the audit, with its weight and meaning, and no other", () => {
  const words = { 1: "", 2: "low", 3: "medium", 4: "high" };
  const rows = Object.entries(auditKinds).map(([name, kind]: [string, ReturnType<typeof auditKind>]) => {
    const weight = [words[kind.severity ?? 1], kind.refused ? "refused" : ""].filter((word) => word !== "").join(", ");
    return `| \`${name}\` | ${weight} | ${kind.means} |`;
  });
  expect(
    read("docs/audit.md")
      .split("\n")
      .filter((line) => line.startsWith("| `")),
  ).toEqual(rows);
});

describe("the operator's guide", () => {
  const guide = pageAt("docs/operating.md");

  it("names each metric, and no other", () => {
    const all = [...counters.map(({ name }) => name), ...histograms.map(({ name }) => name), ...Object.keys(gauges)];
    expect([...named(guide, /^countersign_/)].sort()).toEqual(all.sort());
  });

  it("names each alert, and no other", () => {
    const { groups } = parse(read("docs/deploy/monitoring/alerts.yml"));
    const all = groups.flatMap(({ rules }: { rules: { alert: string }[] }) => rules.map(({ alert }) => alert));
    expect([...named(guide, /^Countersign/)].sort()).toEqual(all.sort());
  });

  it("CFG-1 names each key whose change waits for a restart, and no other", () => {
    const [, said = ""] = /which of these waits for one: ([^.]*(?:\.[a-z_]+[^.]*)*)\. A bad one/.exec(guide.text) ?? [];
    expect([...said.matchAll(/`([a-z_.]+)`/g)].map(([, key]) => key)).toEqual(restartKeys());
  });

  it("RR-20 says what each line of /readyz means, whether all is well or not", async () => {
    const world = {
      store: { writable: async () => {} },
      config: { store: { url: "file:/nowhere" }, logging: {}, audit: {} },
    };
    const log = pino({ enabled: false });
    const well = ["GitHub", "installed", "approvers", "servers"].map((name) => ({ name, said: "" }));
    const setup = keepSetupLook({ config: () => world as never, log, redact: createRedactor() }, async () => well);
    await setImmediate();
    const { checks } = await readiness(world as never, "answers", setup.state());
    setup.stop();
    for (const line of Object.entries(checks).map(([name, value]) => `${name}: ${value}`))
      expect(guide.text).toContain(`| \`${line}\` |`);
  });

  it("names only events that docs/logs.md has, and the spans there are", () => {
    const events = named(pageAt("docs/logs.md"), /./);
    const rules = read("docs/deploy/monitoring/alerts.yml");
    const told = `${guide.text} ${rules}`.match(
      /\b(?:delivery|job|post|provider|budget|rules|config|run|store)_[a-z_-]+/g,
    );
    expect(told?.filter((name) => !events.includes(name))).toEqual([]);
    expect(guide.text.replaceAll("\n", " ")).toContain(`Spans: ${spanNames.join(", ")}.`);
  });
});

describe("docs/security.md", () => {
  const page = pageAt("docs/security.md");

  it("every SR number is told of, and whatever is said to have a test has one", () => {
    const tests = filesIn("test", ".test.ts").map(read).join("\n");
    const all = Array.from({ length: 70 }, (_, index) => `SR-${String(index + 1).padStart(2, "0")}`);
    const told = new Set(page.text.match(/SR-\d\d/g));
    expect(all.filter((id) => !told.has(id))).toEqual([]);
    const inTable = new Set(
      page.text
        .split("\n")
        .filter((line) => line.startsWith("| "))
        .join("\n")
        .match(/SR-\d\d/g),
    );
    expect([...inTable].filter((id) => !new RegExp(`\\b${id}\\b`).test(tests))).toEqual([]);
  });

  it("AR-08 names every fixed script that runs on a server, by a file that is there", () => {
    const files = [...page.text.matchAll(/\| `(src\/[\w./-]+)` \|/g)].map((match) => match[1] ?? "");
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
    expect(files.length).toBeGreaterThan(5);
  });
});

describe("docs/skills.md", () => {
  const [skill = ""] = pageAt("docs/skills.md").nodes.flatMap((node) =>
    node.type === "code" && node.lang === "markdown" ? [node.value] : [],
  );

  it("OP-3 its example is a skill without a warning, and says what to check and undo", () => {
    const parsed = parseSkill({ path: ".github/skills/checkout-api-5xx/SKILL.md", text: skill, source: "docs" });
    expect(parsed).toMatchObject({ ok: true, warnings: [] });
    const body = parsed.ok ? parsed.skill.body : "";
    expect(bySection(body)).toEqual({
      verify: ["systemctl status checkout-api", "df -h /var"],
      act: ["logrotate -f /etc/logrotate.d/checkout", "systemctl restart checkout-api"],
    });
    expect([...adviceOf(body).keys()]).toEqual([
      "logrotate -f /etc/logrotate.d/checkout",
      "systemctl restart checkout-api",
    ]);
  });
});
