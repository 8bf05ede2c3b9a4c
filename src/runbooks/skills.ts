import { hash } from "node:crypto";
import * as z from "zod";
import type { Problem } from "../base/errors.ts";
import type { RepoFile, Skill } from "../base/github.ts";
import { type Fields, isRecord } from "../base/json.ts";
import { parseYaml } from "../base/yaml.ts";
import { demandIn, demandKeys } from "./demand.ts";
import { cleanIncident } from "./match/clean.ts";
import { createMatcher, type IncidentText, type Matcher } from "./match/matcher.ts";
import { termsOf } from "./match/words.ts";

/** `SKILL.md` by the Agent Skills specification: frontmatter, then Markdown. */

type ParsedSkill =
  | { readonly ok: true; readonly skill: Skill; readonly warnings: readonly Problem[] }
  | { readonly ok: false; readonly problem: Problem };

/** Reads the globs and text of an `*.instructions.md`; without `applyTo` it applies to nothing by itself. Never throws. */
export function parseInstructions(file: RepoFile): { readonly applyTo: string; readonly text: string } {
  const read = readFrontmatter(file);
  return read.ok ? { applyTo: textOf(read.value.applyTo), text: read.body.trim() } : { applyTo: "", text: file.text };
}

/**
 * Reads a skill; it needs a description and a valid name that is its folder's. Other breaches of the specification are warnings. Never
 * throws.
 */
export function parseSkill(file: RepoFile): ParsedSkill {
  const read = readFrontmatter(file);
  if (!read.ok) return read;
  const { value, body } = read;
  const refuse = (message: string, remedy: string): ParsedSkill => ({
    ok: false,
    problem: { place: file.path, message, remedy },
  });
  const warnings = [...read.warnings];
  const warn = (message: string, remedy: string) => warnings.push({ place: file.path, message, remedy });

  const folder = file.path.split("/").at(-2) ?? "";
  const name = textOf(value.name).trim();
  const description = [value.description, value.when_to_use].map(textOf).join(" ").replace(/\s+/g, " ").trim();
  const rename = isName(folder) ? `write \`name: ${folder}\`` : nameRule;
  if (name === "") return refuse("has no name", rename);
  if (!isName(name)) return refuse(`has ${shown(name)} for a name`, rename);
  if (folder !== "" && folder !== name)
    return refuse(`is named \`${name}\` but lies in the folder ${shown(folder)}`, "use one name for both");
  if (description === "") return refuse("has no description", "add `description:`: what it does and when to use it");
  if (description.length > 1024) warn(`has a description of ${description.length} characters`, "keep it under 1,024");
  if (textOf(value.compatibility).length > 500) warn("has over 500 characters of `compatibility`", "shorten it");
  if (value.metadata !== undefined && !isRecord(value.metadata))
    warn("has `metadata` that is no mapping", "write its keys on lines of their own, indented");
  for (const key of Object.keys(value).filter(
    (one) => ![specified, ofOtherAgents, demanding].some((keys) => keys.includes(one)),
  ))
    warn(
      `has \`${key.replace(/[^\w.-]/g, "").slice(0, 40)}\`, which the specification does not know`,
      "put it below `metadata:`",
    );

  // More than policy asks, so half of it would be less than its author means.
  const asked = z.strictObject(demandKeys).safeParse({ approvals: value.approvals, approvers: value.approvers });
  if (!asked.success)
    return refuse(
      `has ${asked.error.issues[0]?.path[0] === "approvals" ? "`approvals` that is no number from 1 to 10" : "`approvers` that are no list of teams"}`,
      "write `approvals: 2` or `approvers: [organization/team]`",
    );
  const demand = demandIn(asked.data);
  const metadata = isRecord(value.metadata)
    ? Object.fromEntries(Object.entries(value.metadata).map(([key, entry]) => [key, textOf(entry)]))
    : {};
  return {
    ok: true,
    skill: {
      name,
      description,
      path: file.path,
      source: file.source,
      body: body.trim(),
      metadata,
      ...(says(value["disable-model-invocation"], true) && { onlyByName: true }),
      ...(says(value["user-invocable"], false) && { neverByName: true }),
      ...(demand && { demand }),
    },
    warnings,
  };
}

const specified = ["name", "description", "license", "compatibility", "metadata", "allowed-tools"];
/** Ours. */
const demanding = Object.keys(demandKeys);

/**
 * Keys that Claude Code and others document. Two of them say who may use a skill; `allowed-tools` only saves questions elsewhere, and here
 * every command is approved.
 */
const ofOtherAgents = [
  "when_to_use",
  "argument-hint",
  "arguments",
  "disable-model-invocation",
  "user-invocable",
  "disallowed-tools",
  "model",
  "effort",
  "context",
  "agent",
  "hooks",
  "paths",
  "shell",
];

/** Whether a restricting key is set; a value that is neither yes nor no restricts too. */
function says(value: unknown, restricting: boolean): boolean {
  const text = textOf(value).trim();
  return value !== undefined && !(restricting ? /^(?:false|no|off|)$/i : /^(?:true|yes|on|)$/i).test(text);
}

/** Returns the skills that an agent may choose by itself, and those that `said` names. */
export const skillsForAgent = (skills: readonly Skill[], said = ""): readonly Skill[] =>
  skills.some(({ onlyByName }) => onlyByName)
    ? skills.filter((one) => !one.onlyByName || isNamedIn(one, said))
    : skills;

/** Returns whether people may use the skill by its name, and a text has it as whole words. */
export const isNamedIn = ({ name, neverByName }: Skill, text: string): boolean =>
  !neverByName && ` ${text.toLowerCase().replace(/[^\p{L}\p{N}._-]+/gu, " ")} `.includes(` ${name.toLowerCase()} `);

const nameRule = "use lowercase letters, digits and single hyphens, at most 64 characters, for the folder too";
const isName = (text: string): boolean =>
  text.length <= 64 && /^[\p{Ll}\p{Lo}\p{N}]+(?:-[\p{Ll}\p{Lo}\p{N}]+)*$/u.test(text);
const shown = (text: string): string => JSON.stringify(text.length > 40 ? `${text.slice(0, 39)}…` : text);

/** Returns usable skills (the first of each name), why others are unusable, and faults of usable ones. */
export function readSkills(files: readonly RepoFile[]): {
  readonly skills: readonly Skill[];
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
} {
  const byName = new Map<string, Skill>();
  const problems: Problem[] = [];
  const warnings: Problem[] = [];
  for (const file of files) {
    const parsed = parseSkill(file);
    const taken = parsed.ok ? byName.get(parsed.skill.name) : undefined;
    if (!parsed.ok) problems.push({ ...parsed.problem, place: `${file.source}:${parsed.problem.place}` });
    else if (taken) {
      const message = `is left out: \`${taken.path}\` has the name \`${taken.name}\` already`;
      problems.push({ place: `${file.source}:${file.path}`, message, remedy: "rename one of the two" });
    } else {
      byName.set(parsed.skill.name, parsed.skill);
      warnings.push(...parsed.warnings.map((warning) => ({ ...warning, place: `${file.source}:${warning.place}` })));
    }
  }
  return { skills: [...byName.values()], problems, warnings };
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(", ");
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

type Frontmatter =
  | { readonly ok: true; readonly value: Fields; readonly body: string; readonly warnings: readonly Problem[] }
  | { readonly ok: false; readonly problem: Problem };

/** The YAML parser's time grows with the square of the text's length. */
const maxCharacters = 8_192;
const count = (characters: number): string => characters.toLocaleString("en");

/** Reads YAML between `---` at a Markdown file's head, leniently because people write it by hand. Never throws. */
export function readFrontmatter(file: Pick<RepoFile, "path" | "text">): Frontmatter {
  const refuse = (message: string, remedy: string, place = file.path): Frontmatter => ({
    ok: false,
    problem: { place, message, remedy },
  });
  const match = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)([\s\S]*)$/.exec(file.text);
  if (!match) return refuse("has no frontmatter", "start the file with `---`, `name:`, `description:` and `---`");
  const [, frontmatter = "", body = ""] = match;
  if (frontmatter.length > maxCharacters)
    return refuse(
      `has a frontmatter of ${count(frontmatter.length)} characters`,
      `keep it under ${count(maxCharacters)}`,
    );
  const simple = readSimple(frontmatter);
  if (simple) return { ok: true, value: simple, body, warnings: [] };
  // The line break keeps line numbers.
  const yaml = parseYaml(`\n${frontmatter}`, file.path);
  if (yaml.ok)
    return isRecord(yaml.value)
      ? { ok: true, value: yaml.value, body, warnings: [] }
      : refuse("has frontmatter that is not a mapping", "write `name:` and `description:`");
  // A frontmatter's top-level entries, each with the lines that belong to it and its line in the file.
  const entries: { readonly key: string; readonly line: number; text: string }[] = [];
  for (const [at, line] of frontmatter.split(/\r?\n/).entries()) {
    const key = /^([A-Za-z][\w-]{0,60})[ \t]*:(?=[ \t]|$)/.exec(line)?.[1];
    const last = entries.at(-1);
    if (key !== undefined && key !== "__proto__") entries.push({ key, line: at + 2, text: line });
    else if (last !== undefined) last.text += `\n${line}`;
  }
  const twice = entries.find(
    ({ key }, at) => (key === "name" || key === "description") && entries.findIndex((one) => one.key === key) < at,
  );
  const [first] = yaml.problems;
  if (entries.length === 0 || twice !== undefined)
    return refuse(first?.message ?? "has frontmatter that is not YAML", "correct the frontmatter", first?.place);
  const warnings: Problem[] = [];
  const value: Record<string, unknown> = {};
  for (const { key, line, text } of entries) {
    if (Object.hasOwn(value, key)) {
      warnings.push({
        place: `${file.path}:${line}:1`,
        message: `has \`${key}\` twice`,
        remedy: "keep one of the two",
      });
      continue;
    }
    const own = parseYaml("\n".repeat(line - 1) + text, file.path);
    value[key] = own.ok && isRecord(own.value) ? own.value[key] : text.slice(text.indexOf(":") + 1).trim();
    if (own.ok) continue;
    const [problem] = own.problems;
    const message = `has \`${key}\` that is not YAML (${problem?.message}), so its text is taken as it stands`;
    warnings.push({ place: problem?.place ?? file.path, message, remedy: "put the value in quotes" });
  }
  return { ok: true, value, body, warnings };
}

type Entry = readonly [key: string, value: unknown];

const odd = /[^\n\r\x20-\x7e\u00a1-\ufefe]|\r(?!\n)/;

/**
 * Reads the most frequent frontmatters exactly as YAML does; undefined for others. A YAML parser takes a hundred times as long, and
 * thousands of skills are read at once.
 */
export function readSimple(frontmatter: string): Fields | undefined {
  if (odd.test(frontmatter)) return undefined;
  return mappingOf(frontmatter.split(/\r?\n(?! )/).map(readBlock));
}

function readBlock(block: string): Entry | undefined {
  const [head = "", ...inner] = block.split(/\r?\n/);
  const [first] = inner;
  if (first === undefined) return readLine(head);
  const key = /^([A-Za-z][\w-]{0,60}): *$/.exec(head)?.[1];
  const indent = /^ */.exec(first)?.[0] ?? "";
  const value = mappingOf(
    inner.map((line) => (line.startsWith(indent) ? readLine(line.slice(indent.length)) : undefined)),
  );
  return key === undefined || isWord(key) || value === undefined ? undefined : [key, value];
}

function mappingOf(entries: readonly (Entry | undefined)[]): Fields | undefined {
  const known = entries.filter((entry) => entry !== undefined);
  const value = Object.fromEntries(known);
  return known.length === entries.length && Object.keys(value).length === known.length ? value : undefined;
}

function readLine(line: string): Entry | undefined {
  const [, key = "", given = ""] = /^([A-Za-z][\w-]{0,60}): +(\S.*)$/.exec(line) ?? [];
  const scalar = given.trimEnd();
  // Undefined if YAML could read other than text.
  const isPlain = /^[A-Za-z]/.test(scalar) && !/: |:$| #/.test(scalar) && !isWord(scalar);
  const text: string | undefined = /^"[^"\\]*(?:\\["\\][^"\\]*)*"$/.test(scalar)
    ? JSON.parse(scalar)
    : isPlain
      ? scalar
      : /^'([^']*)'$/.exec(scalar)?.[1];
  return text === undefined || isWord(key) ? undefined : [key, text];
}

const isWord = (text: string): boolean => /^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text);

export const maxMenuSkills = 100;

/** Indexing more takes longer than a turn should wait, so only the likeliest are indexed. */
const maxIndexed = 1_000;
const maxLikely = 200;
/** More terms add noise and time. */
const maxTerms = 40;

/** Indexing takes 0.2 ms per skill; commits that change no skill share an index. */
const bySkills = new WeakMap<readonly Skill[], Matcher>();
const byContent = new Map<string, Matcher>();
const maxKept = 8;

/** Returns the skills for a prompt, in the repository's order; if too many, those that fit best (OP-4). */
export function buildMenu(skills: readonly Skill[], incident: IncidentText): readonly Skill[] {
  if (skills.length <= maxMenuSkills) return skills;
  const match =
    skills.length <= maxIndexed ? menuMatcherOf(skills) : createMatcher(likely(skills, incident).map(withoutBody));
  const best = new Set(match(incident).ranked.map(({ name }) => name));
  const others = skills.filter(({ name }) => !best.has(name)).slice(0, maxMenuSkills - best.size);
  const shown = new Set([...skills.filter(({ name }) => best.has(name)), ...others]);
  return skills.filter((skill) => shown.has(skill));
}

const withoutBody = (skill: Skill): Skill => ({ ...skill, body: "" });

function menuMatcherOf(skills: readonly Skill[]): Matcher {
  const known = bySkills.get(skills);
  if (known) return known;
  const shown = skills.map(withoutBody);
  const key = hash("sha256", JSON.stringify(shown));
  const matcher = byContent.get(key) ?? createMatcher(shown);
  bySkills.set(skills, matcher);
  byContent.set(key, matcher);
  const [oldest] = byContent.keys();
  if (byContent.size > maxKept && oldest !== undefined) byContent.delete(oldest);
  return matcher;
}

/** Rare words count more. */
function likely(skills: readonly Skill[], { title, body }: IncidentText): readonly Skill[] {
  const terms = [...new Set(termsOf(`${cleanIncident(title)}\n${cleanIncident(body)}`))].slice(0, maxTerms);
  const texts = skills.map(({ name, description, metadata }) =>
    `${name} ${description} ${metadata.alerts ?? ""}`.toLowerCase(),
  );
  const scores = new Float64Array(skills.length);
  for (const term of terms) {
    const having = [...texts.keys()].filter((at) => texts[at]?.includes(term));
    for (const at of having) scores[at] = (scores[at] ?? 0) + Math.log(1 + skills.length / having.length);
  }
  const found = [...scores.keys()].filter((at) => (scores[at] ?? 0) > 0);
  return found
    .sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0))
    .slice(0, maxLikely)
    .flatMap((at) => skills[at] ?? []);
}
