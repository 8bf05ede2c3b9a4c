/**
 * Replays recorded clusters: each kubectl line that somebody else's agent ran goes through the parser and the runner, with a shim in place of
 * kubectl that prints what was recorded. Says how many run, that what comes out is what was recorded, and what is refused with which remedy.
 *
 *     node --import ./check-node.mjs test/outside/recorded-clusters.ts FOLDER… [--list]
 *
 * FOLDER is a checkout of HolmesGPT's `tests/llm/fixtures` or of SREGym's `tests/traces/fixtures`, which are no part of this repository.
 * Namespaces are all listed; a line that names none runs on a server that lists one alone.
 */

import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { parseKubectl } from "../../src/kubernetes/parse-kubectl.ts";
import { startApiServer } from "../kubernetes/api-server.ts";
import { clusterServer, run, runnerFor } from "../kubernetes/world.ts";

interface Recorded {
  readonly line: string;
  readonly output: string;
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { list: { type: "boolean" } } });
if (positionals.length === 0) throw new Error("name the folder of a checkout");
const texts = positionals.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((path) => join(folder, path))
    .filter((path) => /\.(?:txt|jsonl?)$/.test(path) && statSync(path).isFile())
    .map((path) => readFileSync(path, "utf8")),
);
const recorded = new Map(texts.flatMap((text) => [...ofHolmes(text), ...ofTrace(text)]).map((one) => [one.line, one]));

const parse = (line: string) => {
  const parsed = parseKubectl(line, ["*"]);
  const namesNone = !parsed.ok && parsed.reason === "it names no namespace";
  return namesNone ? { parsed: parseKubectl(line, ["default"]), listed: "default" } : { parsed, listed: "*" };
};

const api = await startApiServer();
/** Prints what was recorded for the words after those that the runner sets; the filters behind it are the real ones. */
const shim = join(api.folder, "kubectl");
const answers = join(api.folder, "answers.json");
writeFileSync(
  join(api.folder, "shim.mjs"),
  `import { readFileSync } from "node:fs";
const words = process.argv.slice(2).filter((word) => !/^--(kubeconfig|context|cache-dir|request-timeout)=/.test(word));
if (words[0] === "version") console.log('{"clientVersion":{"minor":"32","gitVersion":"v1.32.0"}}');
else process.stdout.write(JSON.parse(readFileSync(${JSON.stringify(answers)}, "utf8"))[JSON.stringify(words)] ?? "not recorded");
`,
);
writeFileSync(shim, `#!/bin/sh\nexec '${process.execPath}' '${join(api.folder, "shim.mjs")}' "$@"\n`);
chmodSync(shim, 0o755);
const kubernetes = runnerFor(shim);
const file = api.kubeconfig();

let ran = 0;
const other: string[] = [];
const refused: { readonly line: string; readonly why: string }[] = [];
for (const { line, output } of recorded.values()) {
  const { parsed, listed } = parse(line);
  if (!parsed.ok) {
    refused.push({ line, why: `${parsed.reason}: ${parsed.remedy}` });
    continue;
  }
  ran++;
  // What stood behind a pipe was recorded filtered; the shim has nothing else, so there only the run itself is seen.
  writeFileSync(answers, JSON.stringify({ [JSON.stringify(parsed.plan.kubectl)]: output }));
  const on = clusterServer(file);
  const server = { ...on, cluster: on.cluster && { ...on.cluster, namespaces: [listed] } };
  const { text, ending } = await run(server, line, { kubernetes }).catch((error) => ({
    text: String(error),
    ending: null,
  }));
  const isSame = parsed.plan.filters.length > 0 ? ending?.kind === "exited" : text === output;
  if (!isSame) other.push(`${line}: ${JSON.stringify(ending)} ${text.slice(0, 200)}`);
}
kubernetes.close();
await api.close();

const share = (count: number): string => `${count}/${recorded.size} ${((100 * count) / recorded.size).toFixed(1)} %`;
console.log(
  `ran: ${share(ran)}, of which ${ran - other.length} ended as recorded; refused with a remedy: ${share(refused.length)}`,
);
for (const line of other) console.log(`  otherwise: ${line}`);
for (const [why, all] of [...Map.groupBy(refused, (one) => one.why)].toSorted(([, a], [, b]) => b.length - a.length)) {
  console.log(`${String(all.length).padStart(5)}  ${why}`);
  if (values.list) for (const { line } of all) console.log(`         ${line}`);
}

/** A tool's answer as HolmesGPT keeps it: two lines of JSON, then the output. */
function ofHolmes(text: string): readonly Recorded[] {
  const [, invocation, output = ""] =
    /^\{.*\}\n\{.*"invocation": "(kubectl [^"\\]*)".*\}\n(?:stdout:\n)?([\s\S]*)$/.exec(text) ?? [];
  if (invocation !== undefined) return [{ line: invocation.trim(), output }];
  const [, kind, name, namespace, described = ""] =
    /^\{"toolset_name".*"tool_name": "kubectl_describe", "match_params": \{"kind": "(\w+)", "name": "([\w.-]+)", "namespace": "([\w-]+)"\}\}\n.*\n(?:stdout:\n)?([\s\S]*)$/.exec(
      text,
    ) ?? [];
  return kind === undefined ? [] : [{ line: `kubectl describe ${kind} ${name} -n ${namespace}`, output: described }];
}

/** The shell commands of an agent's trace that are one kubectl line, with what came back: Claude Code's and Codex' forms. */
function ofTrace(text: string): readonly Recorded[] {
  const asked = new Map<string, string>();
  const came = new Map<string, string>();
  for (const line of text.split("\n")) {
    if (!line.startsWith("{")) continue;
    for (const part of partsOf(readJson(line))) {
      const id = textOf(part.id ?? part.call_id ?? part.tool_use_id);
      const given = typeof part.arguments === "string" ? readJson(part.arguments) : part.input;
      const command = fieldOf(given, "command") ?? fieldOf(given, "cmd");
      if (command !== undefined) asked.set(textOf(part.call_id) || id, textOf(command));
      if (part.type === "tool_result") came.set(textOf(part.tool_use_id), textOf(part.content));
      if (part.type === "function_call_output") came.set(id, textOf(part.output));
    }
  }
  return [...asked].flatMap(([id, line]) =>
    /^kubectl /.test(line) && came.has(id) ? [{ line, output: came.get(id) ?? "" }] : [],
  );
}

function readJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Every object within. */
function* partsOf(value: unknown): Generator<Readonly<Record<string, unknown>>> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield value as Readonly<Record<string, unknown>>;
  for (const inner of Object.values(value)) yield* partsOf(inner);
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return Array.isArray(value) ? value.map((part) => textOf(fieldOf(part, "text"))).join("") : "";
}
