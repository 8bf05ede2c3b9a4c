/**
 * Public runbooks with the labels of their alerts: how many have a check that can run, and an act that can be proposed.
 *
 *     node --import ./check-node.mjs test/outside/values.ts FOLDER [--list]
 *
 * FOLDER is a checkout of openshift/runbooks, which is no part of this repository. A runbook is each Markdown file with a heading
 * `Meaning` or `Impact`. Its alert has the usual labels of a cluster's alert, and those that its text names as a label or in the
 * alert's expression. A check can run where it stands under a Verify heading, is complete, may be shown and only reads by the built-in
 * rules. An act can be proposed where it stands under an Act heading, is complete, may be shown, changes something, and its programs are
 * known to the rules (or are `virtctl` or `odf`): lines of an output count for nothing. A form is an act that asks for values by `/fill`.
 */

import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import type { NamedValue } from "../../src/base/action.ts";
import { admit } from "../../src/risk/admit.ts";
import { createEvaluator } from "../../src/risk/evaluate.ts";
import { bookOf } from "../../src/runbooks/offline.ts";
import { nameOf } from "../../src/runbooks/places.ts";
import { commandsOf } from "../../src/runbooks/sections.ts";

const usual: Readonly<Record<string, string>> = {
  namespace: "openshift-shop",
  pod: "cart-7f9c-x2x",
  container: "cart",
  node: "worker-1",
  instance: "worker-1:9100",
  job: "kube-state-metrics",
  service: "cart",
};
/** What only alerts of that kind have, as the name of the alert says. */
const byKind: Readonly<Record<string, RegExp>> = {
  deployment: /deployment/i,
  statefulset: /statefulset/i,
  daemonset: /daemonset/i,
  job_name: /job/i,
  persistentvolumeclaim: /persistentvolume|pvc/i,
  poddisruptionbudget: /poddisruptionbudget/i,
  mountpoint: /filesystem/i,
  device: /disk|filesystem|raid/i,
  name: /operator/i,
};
/** In the text: `` `x` label``, `x label from alert`, `$labels.x`, `by (x, y)`, `x="…"`. */
const inText = [
  /`(\w+)` label/g,
  /\blabel `(\w+)`/g,
  /<(?:value of )?(\w+) label from alert>/g,
  /\$labels\.(\w+)/g,
  /\b(?:by|on) ?\(([\w, ]+)\)/gi,
  /\b([a-z_]+)=~?"[^"]*"/g,
];

const { values: flags, positionals } = parseArgs({ allowPositionals: true, options: { list: { type: "boolean" } } });
const [folder] = positionals;
if (folder === undefined) throw new Error("name the folder of a checkout, e.g. ../openshift-runbooks");

const evaluate = createEvaluator();
const judge = (command: string) => evaluate(command, { os: "linux", shell: "bash" });

const runbooks = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".md") && !path.startsWith(".git") && basename(path) !== "example.md")
  .sort()
  .map((path) => ({ alert: basename(path, ".md"), text: readFileSync(join(folder, path), "utf8") }))
  .filter(({ alert, text }) => /^\w+$/.test(alert) && /^## *(?:Meaning|Impact)/m.test(text));

const having = (section: "verify" | "act") =>
  runbooks.filter(({ text }) => commandsOf(text).some((one) => one.section === section)).length;
console.log(`${runbooks.length} runbooks; ${having("verify")} list a command to check, ${having("act")} one to act`);
for (const withLabels of [false, true]) {
  const found = runbooks.map((one) => ({ ...one, ...followed(one, withLabels) }));
  const share = (title: string, has: (one: (typeof found)[number]) => boolean) =>
    `${title} ${found.filter(has).length}`;
  console.log(
    [
      withLabels ? "with labels:   " : "without labels:",
      share("a check can run", ({ checks }) => checks > 0),
      share("| a check or a form of one", ({ checks, formsOfChecks }) => checks + formsOfChecks > 0),
      share("| an act can be proposed", ({ acts }) => acts > 0),
      share("| an act or a form of one", ({ acts, forms }) => acts + forms > 0),
    ].join(" "),
  );
  if (flags.list && withLabels)
    for (const { alert, checks, acts, forms } of found)
      console.log(`  ${alert}: ${checks} checks, ${acts} acts, ${forms} forms`);
}

function followed({ alert, text }: (typeof runbooks)[number], withLabels: boolean) {
  const values = withLabels ? labelsOf(alert, text) : [];
  const changes = (command: string) => judge(command).risk !== "low";
  const book = bookOf(text, { changes, isJudged: true, unread: false, values, shells: ["bash"] });
  const forms = book.openAct.filter(({ fillable, command }) => fillable && admit(command, "model", true).ok);
  const isKnown = (command: string) =>
    /^(?:virtctl|odf) /.test(command) || !judge(command).findings.some(({ ruleId }) => ruleId === "call.unknown");
  const open = new Set(forms.map(({ command }) => command));
  return {
    checks: book.verify.filter((command) => admit(command, "model").ok).length,
    formsOfChecks: book.openVerify.filter(({ fillable }) => fillable).length,
    acts: book.act.filter(
      (command) => !open.has(command) && admit(command, "model").ok && changes(command) && isKnown(command),
    ).length,
    forms: forms.filter(({ command }) => isKnown(command) && changes(command)).length,
  };
}

function labelsOf(alert: string, text: string): readonly NamedValue[] {
  const named = inText.flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap(([, names = ""]) => names.split(/[ ,]+/)),
  );
  const ofKind = Object.entries(byKind).flatMap(([name, pattern]) => (pattern.test(alert) ? [name] : []));
  const given = [...new Set([...named, ...ofKind].map(nameOf))].filter((name) => name !== "" && !(name in usual));
  const own = given.map((name) => [name, valueNamed(name)] as const);
  return [...Object.entries(usual), ...own].map(([name, value]) => ({ source: "alert", name, value }));
}

/** Something that can be one. */
function valueNamed(name: string): string {
  if (/mountpoint|path/.test(name)) return "/var/lib/data";
  if (name === "device") return "sda1";
  return /port|code|quantile|le$/.test(name) ? "9" : `${name.replaceAll("_", "-")}-1`;
}
