/**
 * Public runbooks as skills, and an incident written from each: how often the matcher finds the runbook and how honest it is.
 *
 *     node --import ./check-node.mjs test/outside/runbooks.ts FOLDER [POSTMORTEMS] [--list]
 *
 * FOLDER is a checkout of openshift/runbooks, prometheus-operator/runbooks or Scoutflo/Scoutflo-SRE-Playbooks, and POSTMORTEMS one of
 * dfds/postmortems or icco/postmortems, whose incidents belong to none of these runbooks and to none of ours: HIGH is at most one in two
 * hundred there. None of them is part of this repository. A runbook is
 * each Markdown file with a heading `Meaning` or `Impact`. Its skill is what the loader of skills reads when the file is kept as it is
 * and gets a frontmatter: the alert's name (its file's) in small letters with hyphens for a name, the first sentence of Meaning for a
 * description, the alert's name for `metadata.alerts`. Its incident comes in several forms. `summary`: the first sentence of Meaning for
 * a title, the rest of Meaning and Impact below it. `meaning`: Meaning alone. `rest`: everything but the sentence that the skill has for
 * a description. `unseen` asks with that too, of skills that lack both sections. Diagnosis and mitigation are never quoted, tables and
 * code neither. The alert's own name is masked, in one word, with hyphens and with spaces; what other alerts a text names stays in it.
 * `named` is `summary` unmasked below a title with the name as a pager writes it. `without its runbook` asks with `summary` and `named` after the
 * right runbook was taken away: there nothing fits, but often one that is nearly the same. Duplicates are runbooks whose texts of that
 * form share most of their words in the same order; they are counted apart, and an empty text is left out. Halves are told apart by a
 * hash of the alert's name: tune on `even`, and let `odd` judge.
 */

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import type { Skill } from "../../src/base/github.ts";
import { createMatcher, type IncidentText, type Matcher } from "../../src/runbooks/match/matcher.ts";
import { parseSkill } from "../../src/runbooks/skills.ts";
import { skills as ours } from "../runbooks/labelled.ts";

/** Two incidents that share more of their runs of three words than this are one. */
const duplicateShare = 0.7;
const run = 3;
const mostWithout = 300;

interface Case {
  readonly skill: Skill;
  /** The same without Meaning and Impact: nothing of an incident of the form `rest` stands in it. */
  readonly bare: Skill;
  readonly alert: string;
  readonly half: "even" | "odd";
  readonly forms: Readonly<Record<Form, IncidentText>>;
}
type Form = "summary" | "meaning" | "rest" | "named";

const { values, positionals } = parseArgs({ allowPositionals: true, options: { list: { type: "boolean" } } });
const [folder, foreign] = positionals;
if (folder === undefined) throw new Error("name the folder of a checkout, e.g. ../openshift-runbooks");

const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
const cases = files
  .filter((path) => path.endsWith(".md") && !path.startsWith(".git"))
  .sort()
  .flatMap((path) => caseOf(path, readFileSync(join(folder, path), "utf8")));
const all = createMatcher(cases.map(({ skill }) => skill));
const bare = createMatcher(cases.map((one) => one.bare));
const asked: readonly (readonly [title: string, match: Matcher, form: Form])[] = [
  ["summary", all, "summary"],
  ["meaning", all, "meaning"],
  ["rest", all, "rest"],
  ["unseen", bare, "rest"],
  ["named", all, "named"],
];

console.log(`${cases.length} runbooks`);
for (const [title, match, form] of asked) {
  const { own, duplicates } = told(form);
  for (const half of ["even", "odd"] as const)
    tell(
      `${title}, ${half}`,
      own.filter((one) => one.half === half),
      match,
      form,
    );
  tell(`${title}, both`, own, match, form);
  tell(`${title}, duplicates`, duplicates, match, form);
}
// Each asks a matcher of its own.
if (cases.length <= mostWithout) for (const form of ["summary", "named"] as const) tellWithout(told(form).own, form);
if (foreign !== undefined) tellForeign(foreign);

/** Prints a row of figures for the incidents of `list`; with `--list` also those that went wrong. */
function tell(title: string, list: readonly Case[], match: Matcher, form: Form): void {
  const judged = list.map((one) => judge(match, one, form));
  const high = judged.filter(({ band }) => band === "high");
  const share = (count: number, of = judged.length) =>
    `${count}/${of} ${((100 * count) / Math.max(1, of)).toFixed(1)} %`;
  const right = high.filter(({ rank }) => rank === 0).length;
  const among = (most: number) => judged.filter(({ rank }) => rank >= 0 && rank < most).length;
  const none = judged.filter(({ band }) => band === "none").length;
  console.log(
    `${title.padEnd(20)} HIGH ${share(high.length)}, right ${share(right, high.length)}; top-1 ${share(among(1))}; top-3 ${share(among(3))}; wrongly none ${share(none)}`,
  );
  if (!values.list || !title.endsWith("both")) return;
  for (const { alert, band, rank, first } of judged)
    if (rank !== 0 || band === "none")
      console.log(`  ${band} ${alert}: ${rank < 0 ? "not found" : rank + 1}, first is ${first}`);
}

/** Asks for each runbook of the others: whatever is found is wrong. */
function tellWithout(own: readonly Case[], form: Form): void {
  const bands = own.map((one) => {
    const left = cases.filter((other) => other !== one).map(({ skill }) => skill);
    return judge(createMatcher(left), one, form);
  });
  const count = (band: string) => bands.filter((one) => one.band === band).length;
  console.log(
    `${form} without its runbook  HIGH ${count("high")}, possible ${count("possible")}, none ${count("none")} of ${bands.length}`,
  );
  if (values.list)
    for (const { alert, band, first } of bands) if (band === "high") console.log(`  high ${alert}: first is ${first}`);
}

/** Asks for the incidents of others: nearly whatever is HIGH is wrong. */
function tellForeign(folder: string): void {
  const incidents = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.md$/.test(path) && !/^(?:\.git|readme|.*template)/i.test(path))
    .map((path): IncidentText => {
      const text = readFileSync(join(folder, path), "utf8");
      const title = /^title: *"?(.+?)"?$/m.exec(text)?.[1] ?? basename(path, ".md").replace(/^PM[\d-]+ *- */, "");
      return { title, body: text.replace(/^---\n[\s\S]*?\n---\n/, "").slice(0, 2_000) };
    });
  for (const [title, match] of [
    ["these runbooks", all],
    ["ours", createMatcher(ours)],
  ] as const) {
    const high = incidents.flatMap((incident) => {
      const { ranked, band } = match(incident);
      return band === "high" ? [`${incident.title}: ${ranked[0]?.name}`] : [];
    });
    console.log(`foreign incidents on ${title}  HIGH ${high.length} of ${incidents.length}`);
    if (values.list) for (const line of high) console.log(`  high ${line}`);
  }
}

function judge(match: Matcher, { forms, skill, alert }: Case, form: Form) {
  const { ranked, band } = match(forms[form]);
  return { alert, band, rank: ranked.findIndex(({ name }) => name === skill.name), first: ranked[0]?.name };
}

/** The runbook of a file as skill and incident; nothing of a file that is none. */
function caseOf(path: string, text: string): readonly Case[] {
  const body = text.replace(/^---\n[\s\S]*?\n---\n/, "");
  const [meaning, impact] = [sentencesOf(body, "Meaning"), sentencesOf(body, "Impact")];
  const alert = basename(path, ".md");
  const [first = impact[0], ...rest] = meaning;
  if (first === undefined || !/^[\w-]+$/.test(alert) || alert === "example") return [];
  const titles = [alert, ...[...body.matchAll(/^# +(\w+) *$/gm)].map((match) => match[1] ?? alert)];
  const mask = (sentences: readonly string[]): string => titles.reduce(masked, sentences.join(" "));
  const name = spoken(alert, "-").slice(0, 64).replace(/-$/, "");
  const description = JSON.stringify(first.slice(0, 1_000));
  const head = `---\nname: ${name}\ndescription: ${description}\nmetadata:\n  alerts: ${alert}\n---\n`;
  const parsed = parseSkill({ path: `skills/${name}/SKILL.md`, text: head + body, source: "outside" });
  if (!parsed.ok) throw new Error(`${path}: ${parsed.problem.message}`);
  const bare = { ...parsed.skill, body: ["Meaning", "Impact"].reduce(without, parsed.skill.body) };
  const others = [...rest, ...impact];
  const summary = { title: mask([first]), body: mask(others) };
  return [
    {
      skill: parsed.skill,
      bare,
      alert,
      half: (createHash("sha256").update(alert).digest()[0] ?? 0) % 2 === 0 ? "even" : "odd",
      forms: {
        summary,
        meaning: { title: mask([first]), body: mask(rest) },
        rest: { title: mask(others.slice(0, 1)), body: mask(others.slice(1)) },
        named: { title: `[FIRING:1] ${alert} (production)`, body: `${first} ${others.join(" ")}` },
      },
    },
  ];
}

function sectionAt(heading: string): RegExp {
  return new RegExp(`^## ${heading} *\\n([\\s\\S]*?)(?=^#{1,2} |(?![\\s\\S]))`, "m");
}

function without(body: string, heading: string): string {
  return body.replace(sectionAt(heading), "");
}

/** The sentences below a heading, without code, tables, quotes of other files and marks of Markdown. */
function sentencesOf(body: string, heading: string): readonly string[] {
  return (sectionAt(heading).exec(body)?.[1] ?? "")
    .replace(/^ *```[\s\S]*?^ *```.*$|^ *\|.*$|^ {4,}\S.*$|^#.*$|\{\{.*?\}\}|^\[.*\]: .*$|<[^>\n]*>/gm, " ")
    .replace(/!?\[([^\]]*)\]\([^)]*\)|\[([^\]]*)\]\[[^\]]*\]/g, "$1$2")
    .replace(/[*`>]|\b_|_\b/g, "")
    .split(/(?<=[.!?:])\s+(?=[A-Z0-9-])|\n\s*\n|\n *[-*] /)
    .map((sentence) => sentence.replace(/\s+/g, " ").trim())
    .filter((sentence) => /\w \w/.test(sentence));
}

/** `HostOutOfDisk` is `host-out-of-disk`. */
function spoken(name: string, between: string): string {
  const words = name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? [name];
  return words.join(between).toLowerCase();
}

function masked(text: string, name: string): string {
  const ways = [name, spoken(name, "-"), spoken(name, " "), spoken(name, "_")];
  return text.replace(new RegExp(`\\b(?:${ways.join("|")})\\b`, "gi"), "This alert");
}

/** The runbooks whose incident of a form tells them from all others, and the rest; one without a word is in neither. */
function told(form: Form): { readonly own: readonly Case[]; readonly duplicates: readonly Case[] } {
  const texts = cases.flatMap((one) => {
    const { title, body } = one.forms[form];
    const words = `${title} ${body}`.toLowerCase().match(/\w+/g) ?? [];
    return words.length === 0
      ? []
      : [{ one, runs: new Set(words.map((_, at) => words.slice(at, at + run).join(" "))) }];
  });
  const isTwin = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean => {
    const shared = a.intersection(b).size;
    return shared > duplicateShare * (a.size + b.size - shared);
  };
  const isDuplicate = ({ one, runs }: (typeof texts)[number]) =>
    texts.some((other) => other.one !== one && isTwin(runs, other.runs));
  return {
    own: texts.filter((text) => !isDuplicate(text)).map(({ one }) => one),
    duplicates: texts.filter(isDuplicate).map(({ one }) => one),
  };
}
