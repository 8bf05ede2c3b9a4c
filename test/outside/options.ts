/**
 * The options of programs that neither their records nor the tables of what only reads list, by man page or `--help`.
 *
 *     node --import ./check-node.mjs test/outside/options.ts [--from FOLDER] [--all] PROGRAM…
 *
 * FOLDER is an unpacked package (`dpkg-deb -x x.deb FOLDER`); otherwise the program as it is installed is asked. What is printed has the form of
 * a table's list (`-n= --lines= --color`), in the order of the manual. `--all` prints the listed ones too. A program's own text is
 * the judge of what its options are called, never of whether they only read: that is for who fills the table.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { words } from "../../src/risk/engine/options.ts";
import { clientReads } from "../../src/risk/knowledge/clients.ts";
import { formatReads } from "../../src/risk/knowledge/formats.ts";
import { hostReads } from "../../src/risk/knowledge/host.ts";
import { inventoryReads } from "../../src/risk/knowledge/inventory.ts";
import { networkReads } from "../../src/risk/knowledge/network.ts";
import { packageReads } from "../../src/risk/knowledge/packages.ts";
import { clusterReads, databaseReads } from "../../src/risk/knowledge/reads/clusters.ts";
import { familyReads } from "../../src/risk/knowledge/reads/families.ts";
import { instrumentReads, operationReads } from "../../src/risk/knowledge/reads/operations.ts";
import { fileReads, textReads } from "../../src/risk/knowledge/reads/text.ts";
import { toolReads } from "../../src/risk/knowledge/reads/tools.ts";
import type { Detail } from "../../src/risk/program.ts";
import type { Reads } from "../../src/risk/reads.ts";
import { builtInRules } from "../../src/risk/table.ts";

/** The entries of all tables, by program. */
export const readEntries: readonly (readonly [program: string, reads: Reads])[] = [
  clientReads,
  clusterReads,
  databaseReads,
  familyReads,
  fileReads,
  formatReads,
  hostReads,
  instrumentReads,
  inventoryReads,
  networkReads,
  operationReads,
  packageReads,
  textReads,
  toolReads,
].flatMap((table) =>
  Object.entries(table).flatMap(([names, reads]) => words(names).map((name) => [name, reads] as const)),
);

const bold = /.[\b]/g;

function run(command: string, args: readonly string[]): string {
  const { stdout, stderr } = spawnSync(command, args, {
    encoding: "utf8",
    timeout: 10_000,
    input: "",
    env: {
      PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
      LC_ALL: "C.UTF-8",
      MANWIDTH: "400",
      MAN_KEEP_FORMATTING: "",
    },
  });
  return `${stdout ?? ""}\n${stderr ?? ""}`.replace(bold, "");
}

const sections = ["1", "8", "5", "7"];

/** The file of a program's manual below a folder that has `usr/share/man`; undefined if there is none. */
function pageOf(program: string, folder: string): string | undefined {
  return sections
    .flatMap((section) => {
      const place = join(folder, "usr/share/man", `man${section}`);
      return ["", ".gz"].map((end) => join(place, `${program}.${section}${end}`));
    })
    .find((path) => existsSync(path));
}

/** The manual of a program as it is written, without its formatting; empty if there is none. */
export function sourceOf(program: string, folder = "/"): string {
  const page = pageOf(program, folder);
  if (page === undefined) return "";
  const bytes = readFileSync(page);
  const text = (page.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("latin1");
  const other = /^\.so man\d\/([\w.+-]+)\.\d/m.exec(text)?.[1];
  if (other !== undefined) return sourceOf(other, folder);
  return text
    .replace(/\\(?:f(?:\[\w*\]|\(..|.)|[&%/|,:^]|s[-+]?\d)/g, "")
    .replaceAll("\\*=", "--")
    .replace(/\\(?:-|\(hy|\(mi|\(en)/g, "-")
    .replace(/\bFl\s+-?(?=[\w?@])/g, (all) => (all.endsWith("-") ? "--" : "-"));
}

function manualOf(program: string, folder: string | undefined): string {
  if (folder === undefined) return run("man", [program]).replace(/^No manual entry.*/m, "");
  const page = pageOf(program, folder);
  return page === undefined ? "" : run("man", ["-l", page]);
}

const oneOption = /^(--?[A-Za-z0-9?@#+][\w?.+-]*|-,)(\[?=?)(?:\s(?=\S+$))?(\[?<?[\w:.,'/|-]+[>\]]*)?/;

/** The options that a text describes, each at the beginning of a line, with `=` if it takes a value. */
function optionsIn(text: string): readonly string[] {
  const found = new Map<string, boolean>();
  for (const line of text.split("\n")) {
    if (!/^\s*\[?--?[A-Za-z0-9?@#]/.test(line)) continue;
    const tag = line.trim().split(/\s{2,}|\t/)[0] ?? "";
    const parts = tag.split(/,\s*(?=-)|\s?\|\s?(?=-)|\s+or\s+(?=-)|\s(?=--?[A-Za-z])/);
    const named = parts.flatMap((part) => {
      const match = oneOption.exec(part.trim().replace(/^\[/, ""));
      return match?.[1] === undefined ? [] : [{ name: match[1], equals: match[2] ?? "", value: match[3] ?? "" }];
    });
    const isTaken = ({ equals, value }: { equals: string; value: string }): boolean =>
      !equals.startsWith("[") && !value.startsWith("[") && value !== "";
    // `-C, --context=NUM`: one value for both; `-p, --indicator-style=slash`: the second spells out what the first means.
    const shared = named.some((one) => isTaken(one) && /^[A-Z<]/.test(one.value));
    for (const one of named) found.set(one.name, found.get(one.name) || shared || isTaken(one));
  }
  return [...found].map(([name, takes]) => (takes ? `${name}=` : name));
}

const inRecord = ({ options, rows = [], deep }: Detail): readonly string[] => [
  ...Object.values(options ?? {}).flatMap((list) => words(list)),
  ...rows.flatMap((row) => words(row.words)),
  ...Object.values(deep ?? {}).flatMap(inRecord),
];
/** All options that an entry lists, its sub-commands' as well. */
export const listedIn = ({ options, sub }: Reads): readonly string[] => [
  ...words(options),
  ...Object.values(sub ?? {}).flatMap(listedIn),
];

function main(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { from: { type: "string" }, all: { type: "boolean" } },
  });
  for (const program of positionals) {
    const text = manualOf(program, values.from) || run(program, ["--help"]);
    const known = new Set(
      [
        ...readEntries.filter(([name]) => name === program).flatMap(([, reads]) => listedIn(reads)),
        ...builtInRules.filter(({ names }) => words(names).includes(program)).flatMap(inRecord),
      ].map((name) => name.replace(/[=?]$/, "")),
    );
    const open = optionsIn(text).filter((name) => values.all || !known.has(name.replace(/[=?]$/, "")));
    console.log(`${program}: ${open.join(" ") || (text.trim() ? "all are listed" : "no text")}`);
  }
}

if (import.meta.main) main();
