/**
 * Holds the policy against `redcanaryco/atomic-red-team` (MIT), which is fetched and never committed:
 * `node --import ./check-node.mjs test/outside/atomic-red-team.ts FOLDER [--all]`. Every Linux and Windows command of a technique that
 * is not discovery is to be more than low, but for those that do no more than look or print (`harmless`, each with what it does), and no
 * discovery that reaches out or has no bound may be called fit to run unattended.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import * as z from "zod";
import type { Risk } from "../../src/base/risk.ts";
import { createEvaluator } from "../../src/risk/evaluate.ts";
import { whyAttended } from "../../src/risk/unattended.ts";

/** The techniques of ATT&CK's tactic TA0007, Discovery. */
const discovery = new Set(
  (
    "T1007 T1010 T1012 T1016 T1018 T1033 T1040 T1046 T1049 T1057 T1069 T1082 T1083 T1087 T1120 T1124 T1135 T1201 T1217 T1482 T1497 " +
    "T1518 T1526 T1538 T1580 T1613 T1614 T1615 T1619 T1622 T1652 T1654 T1673 T1680"
  ).split(" "),
);

/** Tests of another tactic whose command only looks or prints, by what it does: it is honestly low, whoever asks. */
const harmless: readonly (readonly [what: string, command: RegExp])[] = [
  ["prints a file that everybody may read", /^(cat \/etc\/shells|tail \/var\/log\/\S+)$/],
  ["prints who and where it is", /^(uname -\w+|hostname\s+whoami)$/],
  [
    "prints a text, by whatever way",
    /^(for i in .*; do echo "[^"]*"; sleep 1; done|export ART='echo "[^"]*"'\s+echo \$ART \|\/bin\/sh)$/,
  ],
  [
    "lists names of files, and shows nothing of them",
    /^find \S+ (-perm -\d+|(-o |-name "[^"]*" )+-type f 2>\/dev\/null)$/,
  ],
  ["lists units", /^systemctl list-units --type=service --all\s+systemctl list-unit-files --type=service$/],
  ["burns a processor until it is ended, never unattended", /^yes > \/dev\/null$/],
  [
    "lists accounts, processes and updates on this machine",
    /^wmic (useraccount|process|qfe) get (\/ALL|[\w,]+) \/format:csv$/i,
  ],
  [
    "prints the names of tools, and calls none",
    /^\$malcmdlets = [^;|&(]*foreach \(\$cmdlets in \$malcmdlets\) \{\s*"function \$cmdlets [^"]*"\}[^|&;]*\{\s*\$cmdlets\}$/,
  ],
];

const technique = z.object({
  attack_technique: z.string(),
  atomic_tests: z.array(
    z.object({
      name: z.string(),
      supported_platforms: z.array(z.string()).default([]),
      input_arguments: z.record(z.string(), z.object({ default: z.unknown() })).nullish(),
      executor: z.object({ name: z.string(), command: z.string().nullish() }),
    }),
  ),
});

interface Case {
  readonly technique: string;
  readonly name: string;
  readonly command: string;
  readonly os: "linux" | "windows";
  readonly shell: "bash" | "powershell" | "cmd";
}

const shells: Readonly<Record<string, Pick<Case, "os" | "shell"> | undefined>> = {
  sh: { os: "linux", shell: "bash" },
  bash: { os: "linux", shell: "bash" },
  powershell: { os: "windows", shell: "powershell" },
  command_prompt: { os: "windows", shell: "cmd" },
};

function casesIn(folder: string): readonly Case[] {
  const root = join(folder, "atomics");
  return readdirSync(root)
    .filter((name) => /^T\d/.test(name))
    .flatMap((name): readonly Case[] => {
      const file = technique.parse(parse(readFileSync(join(root, name, `${name}.yaml`), "utf8")));
      return file.atomic_tests.flatMap(({ name: title, supported_platforms, input_arguments, executor }) => {
        const where = shells[executor.name];
        if (!where || !executor.command || !supported_platforms.includes(where.os)) return [];
        const command = executor.command
          .replace(/#\{([^}]+)\}/g, (_all, argument: string) => String(input_arguments?.[argument]?.default ?? "x"))
          .replaceAll("PathToAtomicsFolder", where.os === "windows" ? "C:\\AtomicRedTeam\\atomics" : "/opt/atomics")
          .trim();
        return [{ technique: file.attack_technique, name: title, command, ...where }];
      });
    });
}

const [folder, ...flags] = process.argv.slice(2);
if (!folder) {
  console.error("Which folder? node --import ./check-node.mjs test/outside/atomic-red-team.ts FOLDER [--all]");
  process.exit(2);
}
const evaluate = createEvaluator();
const judged = casesIn(folder).map((one) => ({ ...one, verdict: evaluate(one.command, one) }));
const isDiscovery = (one: Case): boolean => discovery.has(one.technique.split(".")[0] ?? "");
for (const os of ["linux", "windows"] as const) {
  const [looks, acts] = [true, false].map((wanted) =>
    judged.filter((one) => one.os === os && isDiscovery(one) === wanted),
  );
  const found = acts?.filter(({ verdict }) => verdict.risk === "low") ?? [];
  const low = found.filter(({ command }) => !harmless.some(([, fits]) => fits.test(command)));
  const fit = (looks ?? []).filter(
    ({ verdict }) =>
      verdict.risk === "low" &&
      whyAttended(verdict) === undefined &&
      (verdict.egress !== "none" || verdict.unbounded.length > 0),
  );
  const levels = (["low", "medium", "high", "block"] satisfies Risk[]).map(
    (risk) => `${risk} ${acts?.filter(({ verdict }) => verdict.risk === risk).length}`,
  );
  console.log(
    `${os}: ${acts?.length} commands that are no discovery: ${levels.join(", ")}; called low: ${low.length}, and ${found.length - low.length} that only look or print`,
  );
  console.log(
    `${os}: ${looks?.length} of discovery: low ${looks?.filter(({ verdict }) => verdict.risk === "low").length}; fit to run unattended though it reaches out or has no bound: ${fit.length}`,
  );
  const shown = flags.includes("--all") ? low : low.slice(0, 20);
  for (const one of shown) console.log(JSON.stringify([one.technique, one.name, one.command.slice(0, 300)]));
}
