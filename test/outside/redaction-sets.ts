/** Reads what others keep to try their scanners of secrets on: each set from a checkout of its repository. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parse } from "yaml";
import * as z from "zod";
import { secretsByGitleaks, toJavaScript } from "../text/redact/peers/gitleaks.ts";
import { createDraw, evaluated, literal, literalsIn } from "./literals.ts";

/** Of each secret the parts that a rule names, of which it suffices to hide one. No secrets: the text is to stay as it is. */
export type Example = {
  readonly from: string;
  readonly text: string;
  readonly secrets: readonly (readonly string[])[];
};

const whole = (secret: string): readonly string[] => [secret];

/** A stand-in as people type it: `abcdef1234567890`, `XXXX`, `your-token`, one letter again and again. */
export function isMadeUp(secret: string): boolean {
  const body = secret.toLowerCase();
  const units = [...body].map((one) => one.charCodeAt(0));
  const ascents = units.filter((unit, at) => at > 3 && [1, 2, 3, 4].every((back) => units[at - back] === unit - back));
  return (
    new Set(body).size <= Math.min(6, body.length / 3) ||
    ascents.length > 0 ||
    /(.)\1{7}/.test(body) ||
    /example|your|x{4}|dummy|fake|changeme|placeholder|^(?:secret|password)$|^[%$]/.test(body)
  );
}

const filesIn = (folder: string, ending: RegExp): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => ending.test(name))
    .map((name) => join(folder, name))
    .toSorted();

const read = (file: string): string => readFileSync(file, "utf8");

/** Rules that name who owns a key, where it is used or what is meant to be public: no person calls those secrets. */
const isNoSecret =
  /public|recipient|publishable|\b(?:id|identifier|domain|host|hostname|endpoint|user ?name|bucket|account|url|uri|region|e-?mail)$|(?:client|app|application|account|customer|user|consumer) (?:id|identifier|name)/i;

const rulesFile = z.object({
  rules: z.array(
    z.object({
      name: z.string(),
      pattern: z.string(),
      visible: z.boolean().default(true),
      categories: z.array(z.string()).default([]),
      examples: z.array(z.string()).default([]),
      negative_examples: z.array(z.string()).nullish(),
    }),
  ),
});

/** Nosey Parker's and Kingfisher's rules; the secret of an example is what the rule's own group takes. */
function rulesWithExamples(folder: string): readonly Example[] {
  return filesIn(folder, /\.ya?ml$/).flatMap((file) =>
    rulesFile.parse(parse(read(file))).rules.flatMap((rule): readonly Example[] => {
      const isKept = !rule.visible || rule.categories.includes("identifier") || isNoSecret.test(rule.name);
      const pattern = patternOf(rule.pattern);
      if (isKept || !pattern) return [];
      const from = `${basename(file)}: ${rule.name}`;
      const positives = rule.examples.flatMap((text) => {
        const secrets = [...text.matchAll(pattern)].map((found) => {
          const parts = (found.groups?.TOKEN ? [found.groups.TOKEN] : found.slice(1)).filter((part) => part);
          return parts.length > 0 ? parts : [found[0]];
        });
        return secrets.length > 0 ? [{ from, text, secrets }] : [];
      });
      return [...positives, ...(rule.negative_examples ?? []).map((text) => ({ from, text, secrets: [] }))];
    }),
  );
}

function patternOf(source: string): RegExp | undefined {
  try {
    return new RegExp(toJavaScript(source), "g");
  } catch {
    return undefined;
  }
}

/** Gitleaks' true positives, in the dress of its own samples where they are drawn, and what no rule of its own takes. */
function gitleaks(folder: string): readonly Example[] {
  const draw = createDraw();
  const dresses = [
    ...read(join(folder, "cmd/generate/config/utils/generate.go")).matchAll(
      /^\s*"[^"]+":\s+("(?:[^"\\]|\\.)*"|`[^`]*`),/gm,
    ),
  ].flatMap(([, dress = ""]) => literalsIn(dress));
  return filesIn(join(folder, "cmd/generate/config/rules"), /\.go$/).flatMap((file): readonly Example[] => {
    const from = basename(file);
    const source = read(file)
      .replace(/^\s*\/\/.*$/gm, "")
      .replace(/\/\/ .*$/gm, "");
    const samples = [...source.matchAll(/GenerateSampleSecrets\("([^"]*)",\s*([^\n]*?)\)(?:\.\.\.\))?$/gm)].flatMap(
      ([, owner = "", value = ""]) => {
        const secret = evaluated(value, draw);
        return secret === undefined
          ? []
          : dresses.map((dress) => ({
              from,
              text: dress.replaceAll("{i}", owner).replaceAll("{I}", owner.toUpperCase()).replaceAll("{s}", secret),
              secrets: [[secret]],
            }));
      },
    );
    const listed = [...source.matchAll(/\b(tps|fps) :?= (?:\[\]string\{|append\(tps,)([\s\S]*?)\n\t(?:\}|\))/g)];
    const written = listed.flatMap(([, kind, body = ""]) =>
      literalsIn(body.replace(/^.*NewSecret.*$/gm, "")).flatMap((text) => {
        const secrets = secretsByGitleaks(text).map(whole);
        return secrets.length > 0 === (kind === "tps") ? [{ from, text, secrets }] : [];
      }),
    );
    return [...samples, ...written];
  });
}

/** Where a key is used, or who uses it. */
const isAddress = /^(?:https?:\/\/|jdbc:)[^@?]*$|^[\w.+-]+@[\w.-]+$|^[\w-]+(?:\.[\w-]+)*\.(?:com|io|net|org)$/;

/** TruffleHog's tests of its patterns: what is put in, and what is wanted of it. */
function trufflehog(folder: string): readonly Example[] {
  return filesIn(join(folder, "pkg/detectors"), /_test\.go$/).flatMap((file): readonly Example[] => {
    const source = read(file);
    const constants = new Map(
      [...source.matchAll(/\b(\w+)\s+:?=\s+(`[^`]*`|"(?:[^"\\\n]|\\.)*")/g)].map(([, name = "", value = ""]) => [
        name,
        literalsIn(value)[0] ?? "",
      ]),
    );
    const meaningOf = (expression: string): string | undefined =>
      /^[`"]/.test(expression) ? literalsIn(expression)[0] : constants.get(expression.trim());
    const cases =
      /input:\s+(`[^`]*`|"(?:[^"\\\n]|\\.)*"|\w+|fmt\.Sprintf\((.*)\)),?\s+want:\s+\[\]string\{((?:`[^`]*`|"(?:[^"\\\n]|\\.)*"|[^}`"])*)\}/g;
    return [...source.matchAll(cases)].flatMap(([, input = "", format, wanted = ""]) => {
      const text = format === undefined ? meaningOf(input) : formatted(format, meaningOf);
      const parts = [...wanted.matchAll(/`[^`]*`|"(?:[^"\\\n]|\\.)*"|\w+(?=\s*(?:,|$))/g)];
      const secrets = parts
        .flatMap(([one]) => meaningOf(one) ?? [])
        .filter((one) => one.length >= 6 && text?.includes(one) && !isAddress.test(one))
        .map(whole);
      return text === undefined || secrets.length === 0 ? [] : [{ from: basename(file), text, secrets }];
    });
  });
}

function formatted(call: string, meaningOf: (expression: string) => string | undefined): string | undefined {
  const [format = "", ...rest] = call.match(/`[^`]*`|"(?:[^"\\\n]|\\.)*"|\w+/g) ?? [];
  const values = rest.map(meaningOf);
  return values.includes(undefined) ? undefined : literalsIn(format)[0]?.replace(/%s/g, () => values.shift() ?? "");
}

/** detect-secrets' tests: pairs of a line and whether it is to be flagged, or of a line and its secret. */
function detectSecrets(folder: string): readonly Example[] {
  return filesIn(join(folder, "tests/plugins"), /(?<!ip_public|high_entropy_strings)_test\.py$/).flatMap(
    (file): readonly Example[] => {
      const source = read(file);
      const constants = new Map(
        [...source.matchAll(/^([A-Z_]+) = ('[^'\n]*')$/gm)].map(([, name = "", value = ""]) => [
          name,
          value.slice(1, -1),
        ]),
      );
      const pair =
        /\(\s*((?:[rbf]?(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")\s*)+)(?:\.format\((\w+)\))?,\s*(True|False|None|[A-Z]+_SECRET)\s*,?\s*\)/g;
      return [...source.matchAll(pair)].flatMap(([, written = "", filling = "", verdict = ""]) => {
        const inner = constants.get(filling);
        const text = literalsIn(written, literal).join("");
        const whole =
          inner === undefined
            ? text
            : text
                .replace("{}", () => inner)
                .replaceAll("{{", "{")
                .replaceAll("}}", "}");
        const drawn = (text.match(/[^\s"'=:,@/&]{16,}/g) ?? [text]).toSorted((a, b) => b.length - a.length).slice(0, 1);
        const secrets = verdict === "True" ? [drawn] : inner !== undefined && verdict !== "None" ? [[inner]] : [];
        return [{ from: basename(file), text: whole, secrets }];
      });
    },
  );
}

const reports = z.array(
  z.object({
    rule: z.string(),
    line_data_list: z.array(z.object({ line: z.string(), line_num: z.number(), path: z.string(), value: z.string() })),
  }),
);

/** CredSweeper's samples with what it is to find in them, and lines of those in which it is to find nothing. */
function credSweeper(folder: string): readonly Example[] {
  const found = reports.parse(JSON.parse(read(join(folder, "tests/data/output.json"))));
  const positives = found.flatMap(({ rule, line_data_list: lines }): readonly Example[] => {
    const file = join(folder, lines[0]?.path ?? "");
    const secrets = lines.map(({ value }) => [value]);
    const text = lines.map(({ line }) => line).join("\n");
    return isNoSecret.test(rule) || !existsSync(file) ? [] : [{ from: `${basename(file)}: ${rule}`, text, secrets }];
  });
  const clean = readdirSync(join(folder, "tests/samples")).filter((name) =>
    /_n$|_n\.[a-z]+$|_FALSE$|^false_positive$|_fp$/.test(name),
  );
  const negatives = clean.flatMap((name) =>
    read(join(folder, "tests/samples", name))
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map((text) => ({ from: name, text, secrets: [] })),
  );
  return [...positives, ...negatives];
}

/** Loghub's samples of sixteen systems: lines of logs without a secret in them. */
const loghub = (folder: string): readonly Example[] =>
  filesIn(folder, /_2k\.log$/).flatMap((file) =>
    read(file)
      .split("\n")
      .map((text) => ({ from: basename(file), text, secrets: [] })),
  );

/** A file of which something is to be hidden, wherever in it; binary ones are no output. */
const leak = (folder: string, name: string): readonly Example[] => {
  const text = read(join(folder, name));
  return text.includes("\0") ? [] : [{ from: name, text, secrets: [[text]] }];
};

/** Files as people leave them lying about, and how many lines of each are a risk. */
const leakyRepo = (folder: string): readonly Example[] =>
  [...read(join(folder, ".leaky-meta/secrets.csv")).matchAll(/^([^#,\n]+),([1-9]\d*),\d+$/gm)].flatMap(
    ([, name = ""]) => (existsSync(join(folder, name)) ? leak(folder, name) : []),
  );

/** Files with a leak, and files that only look like one, by their folder. */
const fakeLeaks = (folder: string): readonly Example[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8", withFileTypes: true })
    .filter((file) => file.isFile() && /\/(?:valid|invalid|benign)(?:\/|$)/.test(file.parentPath))
    .flatMap((file) => leak(folder, join(file.parentPath, file.name).slice(folder.length)))
    .map((one) => (/\/valid\//.test(one.from) ? one : { ...one, secrets: [] }));

const sets: Readonly<Record<string, (folder: string) => readonly Example[]>> = {
  "cmd/generate/config/rules": gitleaks,
  "data/rules": (folder) => rulesWithExamples(join(folder, "data/rules")),
  "crates/noseyparker/data/default/builtin/rules": (folder) =>
    rulesWithExamples(join(folder, "crates/noseyparker/data/default/builtin/rules")),
  "pkg/detectors": trufflehog,
  "tests/plugins": detectSecrets,
  "tests/samples": credSweeper,
  "Android/Android_2k.log": loghub,
  ".leaky-meta/secrets.csv": leakyRepo,
  "k8s/valid": fakeLeaks,
};

/** The examples of a checkout, known by the folders it has; a text is without a secret where no rule of gitleaks sees one either. */
export function examplesIn(folder: string): readonly Example[] {
  const known = Object.entries(sets).find(([path]) => existsSync(join(folder, path)));
  if (!known) throw new Error(`no set that is known in ${folder}`);
  return known[1](folder).filter(({ text, secrets }) => secrets.length > 0 || secretsByGitleaks(text).length === 0);
}
