/** A PowerShell command by its name: alias, verb and cmdlet, or a program. */

import type { Risk } from "../../base/risk.ts";
import { shown } from "../engine/arg.ts";
import { levelsOf } from "../engine/options.ts";
import type { Scan } from "../engine/scan.ts";
import { windowsSecretPrints } from "../knowledge/reveals.ts";
import { looks } from "../knowledge/windows/cmdlets.ts";
import {
  aliases,
  cmdlets,
  cmdletVerbs,
  providers,
  revealing,
  secretSearch,
  settingsFiles,
  shapes,
} from "../knowledge/windows/rules.ts";
import { boundCmdlet } from "./bounds.ts";
import { findUnreadParameter } from "./closed.ts";
import { isProgramListed, judgeNative, type Languages } from "./native.ts";
import { isDownloaded, scriptText } from "./paths.ts";
import { reachCmdlet } from "./reach.ts";
import { judgeSpecial } from "./specials.ts";
import { type Argument, type State, textOf, type Value, values } from "./words.ts";

/** The drive that holds the variables of the environment, as a whole. */
const wholeEnvironment = /^([\w.]+\\core\\)?env(ironment)?::?[\\/]*\*?$/i;

/** What one classification carries along. */
export interface Context {
  readonly scan: Scan;
  readonly languages: Languages;
  readonly state: State;
}

export interface NamedCommand {
  readonly name: string;
  /** Without the name. */
  readonly words: readonly Argument[];
  readonly isPiped: boolean;
  /** What comes through the pipe, where it is known. */
  readonly input: Value | undefined;
}

const verbLevels = new Map(levelsOf(cmdletVerbs));
const cmdletLevels = new Map(levelsOf(cmdlets));
const shaping = new Set(shapes.split(" "));
const looking = new Set(
  Object.entries(looks).flatMap(([verb, nouns]) => nouns.split(" ").map((noun) => `${verb}-${noun}`)),
);

/** True for what an alias, a list of cmdlets or the programs tell of. */
export const isListed = (name: string, state: State): boolean =>
  state.aliases.has(name) || aliases.has(name) || cmdletLevels.has(name) || isProgramListed(name);

/** Judges a command; adds findings. */
export function judgeName(named: NamedCommand, context: Context) {
  const { scan, state, languages } = context;
  const { name, words } = named;
  const bare = (/^[\w.]+\\([\w-]+)$/.exec(name)?.[1] ?? name).toLowerCase();
  const isProgram = /\.(exe|com|bat|cmd)$/.test(bare) || /[\\/:]/.test(bare);
  const cmdlet = state.aliases.get(bare) ?? (isProgram ? bare : (aliases.get(bare) ?? bare));
  if (/[^ -~]/.test(bare))
    return scan.report("high", "windows.look-alike", `the name ${shown(name)} has letters that are not ASCII`);
  if (isDownloaded(name, scan))
    return scan.report("block", "windows.download", `runs ${shown(name)}, which was downloaded just before`);
  if (/\.(ps1|psm1)$/.test(bare) && scriptText(name, scan) === undefined)
    return scan.report("medium", "windows.script", `runs the script ${shown(name)}`);
  if (/^[a-z]+-[a-z]\w*$/.test(cmdlet) && !isProgramListed(cmdlet))
    return judgeCmdlet({ ...named, name: cmdlet }, context);
  // `& 'iex x'` is no command; what it was meant to be is judged all the same.
  if (/\s/.test(bare) && !isProgram) return judgeNative(name.split(/\s+/), scan, languages);
  if (named.isPiped && /^(.*[\\/])?(cmd|powershell|pwsh)(\.exe)?$/.test(bare)) runPiped(named, context);
  const args = words.map(({ parameter, attached, texts, source }) =>
    parameter === undefined ? texts.join(",") : attached ? `-${parameter}:${texts.join(",")}` : source,
  );
  judgeNative([state.aliases.get(bare) ?? name, ...args], scan, languages, named.isPiped);
  if (words.some(({ origin }) => origin === "made") && /^(powershell|pwsh|cmd)/.test(bare.split(/[\\/]/).at(-1) ?? ""))
    scan.report("block", "windows.hidden", `hides what ${shown(name)} runs`);
}

/** A shell that reads its commands from the pipe. */
function runPiped({ name, input, words }: NamedCommand, { scan, state, languages }: Context) {
  if (state.fetched) scan.report("block", "windows.download", "runs what was downloaded");
  const isReader = words.every(
    ({ parameter, texts }) => parameter !== undefined || /^(-|bypass|hidden|\/[qkd])$/i.test(texts.join("")),
  );
  if (!isReader) return;
  scan.report("high", "windows.stdin", `${name} runs what comes through a pipe`);
  const text = input?.texts.join("\n") ?? "";
  if (/cmd/i.test(name)) languages.cmd(text, "in a pipe");
  else languages.powershell(text, "in a pipe");
}

const itemCmdlets =
  /^(get|test|resolve|convert|set|push)-(childitem|item|itemproperty|itempropertyvalue|content|acl|path|filehash|location)$/;
/** What shows the content of files, and a word that may be any of them. */
const readers = /^(get-content|format-hex|import-(csv|clixml|powershelldatafile)|select-xml)$/;
const isAnyPath = ({ texts }: Value): boolean => texts.some((text) => /^\$(?!env:\w+[\\/]\w)/i.test(text));
/** A variable that this command sets nowhere; but for what a pipe gives. */
const isUnset = (text: string): boolean => /^\$(?!unknown|_|psitem|input|env:|ps\w+table|pid)\w/.test(text);
const isOnKnownDrive = (path: string): boolean =>
  providers.test(/^([a-z][\w.\\]*)::?(?![\w$]*:)/i.exec(path)?.[1] ?? "c");
/** Files that hold secrets, and people's documents, looked for by their names. */
const hidden =
  /(^|\s)-(inc\w*|fi\w*)\s.*(passw|credential|secret|\.kdbx|\.ppk|\.pfx|\.p12|\.key\b|\.pem|id_rsa|unattend|\.docx?\b|\.doc\*|\.xls|\.pdf|\.pst\b)/i;

/** What only looks, and yet may show what opens accounts. */
function isRevealing({ name, words, isPiped, input }: NamedCommand): boolean {
  const text = textOf(words).toLowerCase();
  const isSearch =
    name === "select-string" && (!isPiped || input?.origin === "listed" || settingsFiles.test(input?.said ?? ""));
  return (
    revealing.test(text) || (isSearch && secretSearch.test(text)) || (name.startsWith("get-") && hidden.test(text))
  );
}

const loads =
  /^(import|invoke|start|add|install|register)-(module|item|process|type|command|appx\w*|package\w*|job|threadjob|script)/;

function judgeCmdlet(named: NamedCommand, context: Context) {
  const { name, words } = named;
  const { scan } = context;
  const [verb = ""] = name.split("-");
  const isShape = shaping.has(name);
  const listed = cmdletLevels.get(name) ?? (isShape || looking.has(name) ? "low" : verbLevels.get(verb));
  if (listed === undefined) scan.markUnknown();
  const said = `${name} ${shown(words.map(({ source }) => source).join(" "))}`;
  const tried = words.find(({ parameter = "" }) => /^(wh(a(t(if?)?)?)?|wi)$/.test(parameter));
  // Only a switch that is surely set rehearses.
  const isTried = tried && (!tried.attached || /^(\$?true|1)$/i.test(tried.texts.join("")));
  if (isTried && listed !== "low")
    return scan.report("medium", "windows.whatif", `${name} -WhatIf: only says what it would do`);
  let risk: Risk = judgeSpecial(named, context) ?? listed ?? "medium";
  reachCmdlet(named, isShape, scan);
  boundCmdlet(name, words, textOf(words).toLowerCase(), scan);
  if (risk === "low" && itemCmdlets.test(name) && !words.every(({ texts }) => texts.every(isOnKnownDrive)))
    risk = "medium";
  if (risk === "low" && isRevealing(named))
    return scan.report("medium", "windows.reveals", `${said}: may reveal secrets`);
  if (windowsSecretPrints.test(`${name} ${textOf(words)}`)) scan.reveal("prints settings, which may hold secrets");
  if (words.some(({ texts }) => texts.some((text) => wholeEnvironment.test(text))))
    scan.reveal("prints an environment");
  const paths = readers.test(name) || itemCmdlets.test(name) ? [...words, ...(named.input ? [named.input] : [])] : [];
  if (risk === "low" && paths.some((path) => path.origin !== "literal" && isAnyPath(path)))
    return scan.report("high", "windows.read", `${said}: reads a file known only when it runs`);
  const unread = risk === "low" ? findUnreadParameter(name, words) : undefined;
  if (unread !== undefined)
    return scan.report("medium", `windows.${name}`, `${shown(unread)} of ${name} is not known to only read`);
  if (risk !== "low" && loads.test(name) && values(words).some((text) => isDownloaded(text, scan)))
    scan.report("block", "windows.download", `runs what was downloaded just before: ${said}`);
  const open = words.find(({ origin, texts }) =>
    risk === "medium" ? origin !== "literal" : risk === "low" && !isShape && origin === "open" && texts.some(isUnset),
  );
  if (open !== undefined)
    return scan.report(
      "high",
      `windows.${name}`,
      `${shown(open.source)} of ${name} is not literal, so it cannot be read`,
    );
  const unlisted = listed === undefined && risk === "medium" ? ": not among the cmdlets known to only look" : "";
  scan.report(risk, `windows.${name}`, `${said}${risk === "low" ? ": only reads" : unlisted}`);
}
