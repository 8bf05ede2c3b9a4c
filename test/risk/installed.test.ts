import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { words } from "../../src/risk/engine/options.ts";
import { hostReads } from "../../src/risk/knowledge/host.ts";
import { fileReads, textReads } from "../../src/risk/knowledge/reads/text.ts";
import { missing } from "../harness/missing.ts";
import { listedIn, readEntries, sourceOf } from "../outside/options.ts";

/** The lists follow the manuals of this release. */
const release = "bookworm";
const isRelease =
  existsSync("/etc/os-release") && readFileSync("/etc/os-release", "utf8").includes(`VERSION_CODENAME=${release}\n`);

/** Further manuals in which a program's options stand: of its sub-commands, or of what it hands them on to. */
const further: Readonly<Record<string, string>> = {
  cpupower: "cpupower-frequency-info cpupower-idle-info cpupower-monitor cpupower-info",
  perf: "perf-annotate perf-list perf-report perf-stat perf-top",
  zless: "less",
  zipgrep: "grep",
  ...Object.fromEntries(
    words("bzgrep xzegrep xzfgrep xzgrep zegrep zfgrep zgrep").map((program) => [program, "grep"] as const),
  ),
};

/** Options that a program has and that no manual of this release names, or that stand in the manual of a namesake. */
const unsaid: Readonly<Record<string, string>> = {
  addr2line: "-v",
  bzgrep: "-y",
  chsh: "-l --list-shells",
  date: "-j --rfc-2822",
  dmsetup: "--rows --unquoted",
  egrep: "-y",
  fgrep: "-y",
  find: "-O0 -O1 -O2 -O3",
  fsck: "-v",
  getent: "-A --no-addrconfig",
  grep: "-y",
  jmap: "-heap",
  journalctl: "-I --invocation --list-invocations --list-namespaces --exclude-identifier -T --truncate-newline",
  jps: "-lm -lmv -lvm -lv -ml -mv -mlv -mvl -mlvV -vl -vm -vlm -vml",
  jq: "--raw-output0 --stream-errors",
  lsblk: "-N --nvme -v --virtio -Q --filter -H --list-columns",
  nm: "--just-symbols --quiet",
  objdump: "--inlines -v",
  pidof: "-S -t -w",
  ps: "--noheaders -Z",
  rgrep: "-y",
  systemctl: "--no-legend",
  "systemd-cgls": "-a",
  unzip: "-1",
  whatis: "-a --and -e --exact",
  which: "-s",
  xzegrep: "-y",
  xzfgrep: "-y",
  xzgrep: "-y",
  zegrep: "-y",
  zfgrep: "-y",
  zipinfo: "-C",
};

/** Every program has them, whatever its manual names. */
const everyOne = new Set(words("-h -help -V --help --version"));

/** Another program stands under these names than the lists are of. */
const namesakes = new Set(words("awk sh"));

const listed = Object.entries({ ...textReads, ...fileReads, ...hostReads }).flatMap(([names, reads]) =>
  words(names)
    .filter((program) => !namesakes.has(program))
    .map((program) => ({ program, options: listedIn(reads).map((option) => option.replace(/[=?]$/, "")) })),
);

/** Whether a manual names an option: by itself, or a letter in a cluster (`[-abc]`). */
function isNamed(option: string, manual: string): boolean {
  const literal = option.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  if (/^-newer[aBcm][aBcmt]$/.test(option)) return manual.includes("-newerXY");
  const isLetter = /^-\w$/.test(option);
  return new RegExp(isLetter ? `(?<![\\w-])-\\w*${literal.slice(1)}` : `(?<![\\w-])${literal}(?![\\w-])`).test(manual);
}

test.skipIf(!isRelease)("PA-7 each option that is known to only read stands in the program's own manual", () => {
  const manuals = listed.map(({ program, options }) => ({
    program,
    options: options.filter(
      (option) => option !== "*" && !everyOne.has(option) && !words(unsaid[program]).includes(option),
    ),
    manual: [program, ...words(further[program])].map((name) => sourceOf(name)).join("\n"),
  }));
  const without = manuals.filter(({ manual }) => manual.trim() === "").map(({ program }) => program);
  if (without.length > 0)
    missing(
      "manuals",
      `the lists of ${without.length} programs are compared with none: ${without.slice(0, 5).join(" ")} …`,
    );
  const strange = manuals.flatMap(({ program, options, manual }) =>
    manual.trim() === ""
      ? []
      : options.filter((option) => !isNamed(option, manual)).map((option) => `${program} ${option}`),
  );
  expect(strange).toEqual([]);
});

test("PA-7 a program has one list of what only reads", () => {
  const names = readEntries.map(([program]) => program);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});
