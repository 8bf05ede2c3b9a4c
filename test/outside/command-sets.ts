/**
 * Holds the policy against what others wrote about commands, which is fetched and never committed:
 * `node --import ./check-node.mjs test/outside/command-sets.ts gtfobins|lolbas|tldr FOLDER [--all]`, with a checkout of
 * `GTFOBins/GTFOBins.github.io` (GPL-3.0), `LOLBAS-Project/LOLBAS` (GPL-3.0) or `tldr-pages/tldr` (CC BY 4.0). Prints how many commands of each
 * kind have which level; with `--all` those that may be too harmless: of a kind that does more than look, and low.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import * as z from "zod";
import { risks } from "../../src/base/risk.ts";
import { createEvaluator, type ScanPlace } from "../../src/risk/evaluate.ts";

const linux = { os: "linux", shell: "bash" } as const;
const windows = { os: "windows", shell: "powershell" } as const;

interface Case extends ScanPlace {
  readonly kind: string;
  readonly command: string;
  readonly about: string;
}

const gtfobin = z.object({
  functions: z.record(
    z.string(),
    z.array(
      z.object({
        code: z.string().optional(),
        contexts: z.record(z.string(), z.object({ code: z.string().optional() }).nullable()).optional(),
      }),
    ),
  ),
});

function gtfobins(folder: string): readonly Case[] {
  const root = join(folder, "_gtfobins");
  return readdirSync(root).flatMap((about) => {
    const text = readFileSync(join(root, about), "utf8").replace(/\.\.\.\s*$/, "");
    const { functions } = gtfobin.parse({ functions: {}, ...parse(text) });
    return Object.entries(functions).flatMap(([kind, ways]) =>
      ways
        .flatMap(({ code, contexts = {} }) => [code, ...Object.values(contexts).map((context) => context?.code)])
        .flatMap((code) => (code === undefined ? [] : [{ kind, about, command: code.trim(), ...linux }])),
    );
  });
}

const lolbin = z.object({
  Commands: z
    .array(z.object({ Command: z.string().nullish(), Category: z.string(), Description: z.string().nullish() }))
    .nullish(),
});

/** Values for the placeholders of the set, the more special first. */
const places: readonly (readonly [RegExp, string])[] = [
  [/\{REMOTEURL[^}]*\}/g, "https://host.example/x.exe"],
  [/\{PATH_ABSOLUTE[^}]*\}/g, "C:\\Temp\\x.exe"],
  [/\{PATH_SMB[^}]*\}/g, "\\\\10.0.0.9\\share\\x"],
  [/\{CMD[^}]*\}/g, "calc.exe"],
  [/\{[A-Z_]+[^}]*\}/g, "x.exe"],
];

function lolbas(folder: string): readonly Case[] {
  const root = join(folder, "yml");
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".yml"))
    .flatMap((name) => lolbin.parse(parse(readFileSync(join(root, name), "utf8"))).Commands ?? [])
    .flatMap(({ Command, Category: kind, Description }) => {
      const command = places.reduce((text, [place, value]) => text.replace(place, value), Command ?? "");
      const about = Description ?? "";
      return command === "" ? [] : [{ kind, about, command, ...windows, shell: "cmd" as const }];
    });
}

const looks =
  /^(list|show|display|print|check|view|get|query|search|find|count|describe|inspect|verify|test|compare|report|examine|monitor|look)\b/i;
const acts =
  /^(delete|remove|stop|kill|create|add|set|change|start|restart|enable|disable|install|uninstall|upgrade|update|move|rename|format|wipe|erase|reset|write|overwrite|edit|modify|mount|attach|detach|copy|download|upload|send|run|execute|import|restore|apply|assign|grant|revoke|lock|unlock|flush|clear|purge|truncate|push|commit|merge|deploy|publish|build|load|unload|replace|resize|register|connect|disconnect|pause|resume|cancel|save|store|launch|sync|configure)\b/i;

/** Each page's examples, by what its first word says that it does; of several forms of an option the last one. */
function tldr(folder: string): readonly Case[] {
  return (["common", "linux", "windows"] as const).flatMap((part) =>
    readdirSync(join(folder, "pages", part)).flatMap((name) => {
      const text = readFileSync(join(folder, "pages", part, name), "utf8");
      return [...text.matchAll(/^- (.*):\n\n`(.*)`$/gm)].map(([, said = "", given = ""]) => {
        const about = said.replace(/\[(\w)\]/g, "$1");
        const kind = acts.test(about) ? "acts" : looks.test(about) ? "looks" : "other";
        const command = given
          .replace(/\{\{\[(.*?)\]\}\}/g, (_, forms: string) => forms.split("|").at(-1) ?? "")
          .replace(/\{\{(.*?)\}\}/g, (_, values: string) => values.split("|")[0] ?? "");
        return { kind, about, command, ...(part === "windows" ? windows : linux) };
      });
    }),
  );
}
const sets = { gtfobins, lolbas, tldr };
/** Kinds that only look, or print a file that anybody may read. */
const harmless = new Set(["file-read", "looks", "other"]);

const [name, folder, ...flags] = process.argv.slice(2);
const set = name === "gtfobins" || name === "lolbas" || name === "tldr" ? sets[name] : undefined;
if (!set || !folder) {
  console.error(
    "Which set? node --import ./check-node.mjs test/outside/command-sets.ts gtfobins|lolbas|tldr FOLDER [--all]",
  );
  process.exit(2);
}
const evaluate = createEvaluator();
const judged = set(folder).map((one) => ({ ...one, risk: evaluate(one.command, one).risk }));
for (const [kind, cases] of Map.groupBy(judged, (one) => one.kind))
  console.log(
    `${kind}: ${risks.map((risk) => `${risk} ${cases.filter((one) => one.risk === risk).length}`).join(", ")}`,
  );
if (flags.includes("--all"))
  for (const { kind, about, command, risk } of judged)
    if (risk === "low" && !harmless.has(kind))
      console.log(JSON.stringify([kind, about.slice(0, 120), command.slice(0, 300)]));
