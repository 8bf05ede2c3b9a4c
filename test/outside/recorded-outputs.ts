/**
 * Says what people and the agent miss in recorded outputs of clusters: decisive lines that the cut hides (AR-14), and trouble in tables that is not
 * noticed, or is noticed though all is well (AR-15). What is decisive or well is judged here, apart from the product's own reading.
 *
 *     node --import ./check-node.mjs test/outside/recorded-outputs.ts FOLDER [--src FOLDER] [--list]
 *
 * FOLDER is `benchmark/` of a checkout of Cloud-OpsBench, which is no part of this repository. `--src` judges another tree's `src`.
 * Cases are split in two halves by the hash of their name: the rules were written with `seen` open and `unseen` closed.
 */

import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { src: { type: "string", default: join(import.meta.dirname, "../../src") }, list: { type: "boolean" } },
});
const [folder] = positionals;
if (folder === undefined) throw new Error("name the folder of the recordings");
const src = resolve(values.src);
const { excerpt }: typeof import("../../src/text/output.ts") = await import(join(src, "text/output.ts"));
const { findTrouble }: typeof import("../../src/text/trouble.ts") = await import(join(src, "text/trouble.ts"));

const halves = ["seen", "unseen"] as const;
type CaseHalf = (typeof halves)[number];

interface HalvesTally {
  readonly of: Record<CaseHalf, number>;
  readonly hit: Record<CaseHalf, number>;
}

const tallies = new Map<string, HalvesTally>();
function count(what: string, half: CaseHalf, isHit: boolean, example: () => string): void {
  const tally = tallies.get(what) ?? { of: { seen: 0, unseen: 0 }, hit: { seen: 0, unseen: 0 } };
  tallies.set(what, tally);
  tally.of[half] += 1;
  if (!isHit) return;
  tally.hit[half] += 1;
  if (values.list && half === "seen") console.log(`  ${what}: ${example()}`);
}

const cutOf = (text: string): string => {
  const cut = excerpt(text, {
    limit: 5_000,
    more: "read_output 3",
    redact: (given) => ({ ok: true, text: given, count: 0 }),
  });
  return "text" in cut ? cut.text : "";
};

/** What of `lines` is not in the cut output. */
function hiddenOf(lines: readonly string[], shown: string): readonly string[] {
  const kept = new Set(shown.split("\n").map((line) => line.trim()));
  return lines.filter((line) => !kept.has(line.trim()));
}

const describedField =
  /^ +(?:(?:Last )?State|Reason|Exit Code|Message|Ready|Restart Count|Liveness|Readiness|Startup):\s+\S/;
const linesOf = (text: string): readonly string[] => text.split("\n").filter((line) => line.trim() !== "");

function decisiveOf(text: string): readonly string[] {
  const lines = linesOf(text);
  return lines.filter((line, at) => {
    const isLimit =
      /^ +(?:cpu|memory): /.test(line) && lines.slice(Math.max(0, at - 3), at).some((one) => /^ +Limits:/.test(one));
    return describedField.test(line) || isLimit || /^ +\w+ +False *$/.test(line) || /^ +Warning +/.test(line);
  });
}

const isWellDescribed = (text: string): boolean =>
  /^ +Ready +True/m.test(text) &&
  !/^ +(?:Ready: +False|Restart Count: +[1-9]|State: +Waiting|Last State:)|^ +Warning |^ +\w+ +False *$/m.test(text);

/** The rows of a kubectl table that say something is wrong, by its columns. */
function troubledRows(table: string): readonly string[] {
  const [head = "", ...rows] = linesOf(table);
  const names = head.trim().split(/ {2,}/);
  return rows.filter((row) => {
    const cells = row.trim().split(/ {2,}/);
    const cell = (name: string): string => cells[names.indexOf(name)] ?? "";
    const [ready, all] = cell("READY").split("/").map(Number);
    if (names.includes("STATUS") && /^(?:Completed|Succeeded)$/.test(cell("STATUS"))) return false;
    if (all !== undefined && ready !== undefined && ready < all) return true;
    if (names.includes("DESIRED") && Number(cell("READY")) < Number(cell("DESIRED"))) return true;
    return cell("ENDPOINTS") === "<none>" || /^(?:Lost|Pending|NotReady.*|.*Disabled)$/.test(cell("STATUS"));
  });
}

/** Plain tables without anything that could be read as trouble. */
const isWellTable = (table: string): boolean =>
  troubledRows(table).length === 0 && !/ago\)|BackOff|Err|Pending|Fail|Warning|Terminating|Init:|<none>/.test(table);

for (const path of globSync("**/raw_data/k8s_states.json", { cwd: folder }).toSorted()) {
  const place = join(folder, path, "../..");
  const name = path.replace("/raw_data/k8s_states.json", "");
  const half = halves[(createHash("sha256").update(name).digest()[0] ?? 0) % 2] ?? "seen";
  const meta = JSON.parse(readFileSync(join(place, "metadata.json"), "utf8"));
  const fault = String(meta.result.fault_object).split("/")[1] ?? "";
  const states: Readonly<Record<string, string>> = JSON.parse(readFileSync(join(folder, path), "utf8"));
  for (const [line, text] of Object.entries(states)) {
    if (typeof text !== "string" || text === "") continue;
    const example =
      (hidden: readonly string[] = []): (() => string) =>
      () =>
        `${name}: ${line} ${JSON.stringify(hidden)}`;
    const told = (): readonly string[] => findTrouble(text).map((one) => one.text);
    if (/^kubectl describe pods? /.test(line) && line.split(" ")[3]?.startsWith(`${fault}-`)) {
      const whole = decisiveOf(text);
      const hidden = new Set(hiddenOf(whole, cutOf(text)));
      if (text.length > 5_000) {
        count("describe pod at fault: a decisive line is hidden", half, hidden.size > 0, example([...hidden]));
        for (const one of whole)
          count("describe pod at fault: decisive lines hidden", half, hidden.has(one), example([one]));
        const exits = whole.filter((one) => /Exit Code: +[1-9]/.test(one));
        if (exits.length > 0)
          count(
            "describe pod at fault: the exit code is hidden",
            half,
            exits.some((one) => hidden.has(one)),
            example(),
          );
      }
    }
    if (/^kubectl describe pods? /.test(line) && isWellDescribed(text))
      count("well: describe pod noticed", half, told().length > 0, () => `${line} ${told()}`);
    if (/^kubectl describe nodes /.test(line) && text.length > 5_000) {
      const rows = linesOf(text).filter(
        (one) => /^ {2}(?:\w+ +(?:True|False|Unknown) |Warning )/.test(one) || /^Taints: /.test(one),
      );
      const hidden = new Set(hiddenOf(rows, cutOf(text)));
      for (const one of rows)
        count("describe node: conditions, taints and warnings hidden", half, hidden.has(one), example([one]));
    }
    if (/^kubectl describe (?:services|endpoints|deployments|replicasets) /.test(line)) {
      const isWell =
        !/^Error|Warning|[1-9]\d* unavailable| False|Endpoints: +<none>|[^t]Addresses: +<none>|NotReadyAddresses: +\d/m.test(
          text,
        );
      if (isWell) count("well: describe of others noticed", half, told().length > 0, () => `${line} ${told()}`);
    }
    if (/^kubectl get events /.test(line)) {
      const warnings = linesOf(text).filter(
        (one) => / Warning /.test(one) && new RegExp(`pod/${fault}-[a-z0-9]`).test(one),
      );
      if (warnings.length > 0 && text.length > 5_000) {
        const shown = cutOf(text);
        const hidden = hiddenOf(warnings, shown);
        const named = new RegExp(`(?:Warning .*|characters left out.*)pod/${fault}-[a-z0-9*]`);
        const isNamed = linesOf(shown).some((one) => named.test(one));
        count("events: the pod at fault is not even named as in trouble", half, !isNamed, example(warnings));
        // A warning is shown by its own row, or by a row that says the same of another, if the mark names its pod beside that reason.
        const reasonOf = (row: string): string => / Warning +(\S+)/.exec(row)?.[1] ?? "";
        const messageOf = (row: string): string =>
          row
            .split(/ {2,}/)
            .slice(4)
            .join(" ")
            .replace(/\S*\d\S*/g, "N");
        const kind = (row: string): string => `${reasonOf(row)} ${messageOf(row)}`;
        const rows = linesOf(shown).filter((one) => / Warning /.test(one) && !one.includes("characters left out"));
        const own = new Set(rows.filter((one) => one.includes(`pod/${fault}-`)).map(kind));
        const any = new Set(rows.map(kind));
        const isNamedFor = (row: string): boolean =>
          new RegExp(`characters left out.*; Warning ${reasonOf(row)}: [^;]*pod/${fault}-\\*`).test(shown);
        const lost = warnings.filter((row) => !own.has(kind(row)) && !(any.has(kind(row)) && isNamedFor(row)));
        count(
          "events: every warning of the pod at fault hidden",
          half,
          hidden.length === warnings.length && lost.length > 0,
          example(warnings),
        );
        for (const one of warnings)
          count("events: warnings of the pod at fault hidden", half, lost.includes(one), example([one]));
        count("events: a kind of warning of the pod at fault hidden", half, lost.length > 0, example(lost));
      }
    }
    const [, what] =
      /^kubectl get (deployments|endpoints|pods|replicasets|statefulsets|nodes|persistentvolumeclaims|persistentvolumes|services|secrets|configmaps|serviceaccounts|storageclasses)\b(?!.*-o yaml)(?!.*--show-labels)/.exec(
        line,
      ) ?? [];
    if (what !== undefined) {
      const troubled = troubledRows(text);
      const rows = told().map((one) => one.replace(/\s+/g, " ").replace(/^…|…$/g, ""));
      const isNoticed = troubled.some((row) => rows.some((one) => row.replace(/\s+/g, " ").includes(one)));
      if (troubled.length > 0)
        count(`table of ${what} with trouble NOT noticed`, half, !isNoticed, () => `${name} ${line} ${troubled[0]}`);
      else if (isWellTable(text)) count("well: table noticed", half, rows.length > 0, () => `${line} ${rows}`);
    }
    if (/ -o yaml$/.test(line) && / (?:services|configmaps|serviceaccounts) /.test(line))
      count("well: yaml noticed", half, told().length > 0, () => `${line} ${told()}`);
  }
  const logs = join(place, "raw_data/logs.json");
  if (!existsSync(logs)) continue;
  for (const [service, said] of Object.entries(JSON.parse(readFileSync(logs, "utf8")))) {
    const lines = linesOf(Array.isArray(said) ? said.join("\n") : String(said));
    // As `kubectl logs --tail=` was run, and whole.
    for (const tail of [200, 2_000]) {
      const text = lines.slice(-tail).join("\n");
      const cause = lines.slice(-tail).findLast((one) => one.includes("Caused by: "));
      if (cause === undefined || text.length <= 5_000) continue;
      const isHidden = hiddenOf([cause], cutOf(text)).length > 0;
      const who = service.replace(/\..*/, "") === fault ? "the service at fault" : "others";
      count(`log of ${who}: the last cause hidden`, half, isHidden, () => `${name} ${service} ${tail}`);
    }
  }
}

const share = ({ hit, of }: HalvesTally, half: CaseHalf): string =>
  `${hit[half]}/${of[half]} ${((100 * hit[half]) / Math.max(1, of[half])).toFixed(1)} %`;
for (const [what, tally] of [...tallies].toSorted(([a], [b]) => a.localeCompare(b)))
  console.log(`${what.padEnd(64)} seen ${share(tally, "seen").padEnd(20)} unseen ${share(tally, "unseen")}`);
