/** A PowerShell command by its name: alias, verb and cmdlet, or a program. */

import type { Risk } from "../../base/risk.ts";
import { literal, nothing, shown } from "../engine/arg.ts";
import { levelsOf } from "../engine/options.ts";
import type { Scan } from "../engine/scan.ts";
import { instanceKeys } from "../knowledge/paths.ts";
import { windowsSecretPrints } from "../knowledge/reveals.ts";
import { harmlessObjects, readProperties } from "../knowledge/windows/classes.ts";
import { looks } from "../knowledge/windows/cmdlets.ts";
import {
  aliases,
  auditServices,
  cmdletPatterns,
  cmdlets,
  cmdletVerbs,
  providers,
  revealing,
  secretSearch,
  settingsFiles,
  shapes,
  steeringVariables,
  vitalServices,
} from "../knowledge/windows/rules.ts";
import { isCritical } from "../programs/processes.ts";
import { boundCmdlet } from "./bounds.ts";
import { checkMethod, isHarmlessCall, squeeze } from "./calls.ts";
import { findUnreadParameter } from "./closed.ts";
import { isProgramListed, judgeNative, type Languages, runLine, splitLine } from "./native.ts";
import {
  deleteWindows,
  enterFolder,
  isDownloaded,
  noteDownload,
  noteScript,
  readListed,
  readWindows,
  scriptText,
  writeWindows,
} from "./paths.ts";
import { argsOf, reachCmdlet, reachHosts } from "./reach.ts";
import { type Argument, has, isHidden, type State, textOf, type Value, valueAt, values } from "./words.ts";

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
/** Shapes whose words are paths. */
const pathed = /^((set|push|join|split|convert)-(location|path)|import-\w+|tee-object)$/;
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
  reachCmdlet(named, isShape && !pathed.test(name), scan);
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

// Cmdlets whose level depends on what they are given.

/** What a cmdlet's name and verb cannot say: another level, or undefined if it reports by itself. */
type SpecialCmdlet = (named: NamedCommand, context: Context) => Risk | undefined;

const operand = (words: readonly Argument[], at = 0): Argument | undefined =>
  words.filter(({ parameter }) => parameter === undefined)[at];
const textsAt = (words: readonly Argument[], name: string, least = 1): readonly string[] =>
  valueAt(words, name, least)?.texts ?? [];

/** What the paths of a call are, with those that come through the pipe. */
function pathsOf({ words, input }: NamedCommand): string[] {
  const own = words.filter(({ parameter }) => parameter === undefined || !/^(fi|inc|exc|val|enc)/.test(parameter));
  return [...values(own), ...(input && /literal|listed/.test(input.origin) ? input.texts : [])];
}

const deletes =
  (verb: string): SpecialCmdlet =>
  (named, { scan }) => {
    for (const path of pathsOf(named)) deleteWindows(path, scan, verb);
    const hidden = named.words.find(isHidden);
    if (hidden) scan.report("block", "windows.hidden", `hides what it ${verb}: ${shown(hidden.source)}`);
    return /consolehost_history|psreadline/i.test(textOf(named.words) + named.words.map(({ source }) => source).join())
      ? "block"
      : undefined;
  };
const reads: SpecialCmdlet = (named, { scan }) => {
  for (const path of [...pathsOf(named), ...(named.input?.texts ?? [])]) {
    readWindows(path, scan);
    // What is picked of a listing may be any of it.
    readWindows(path.replace(/(\\\$unknown)+$/, ""), scan);
  }
  // What a listing gives is all that lies there.
  const listed = [...named.words, ...(named.input ? [named.input] : [])].filter(({ origin }) => origin === "listed");
  for (const { texts, said } of listed) for (const path of texts) readListed(path, /\s-r/.test(said), scan);
  return undefined;
};
const writes: SpecialCmdlet = ({ name, words, input }, { scan, state }) => {
  if (name === "tee-object" && valueAt(words, "variable", 1)) return undefined;
  const path =
    ["filepath", "path", "literalpath"].map((name) => valueAt(words, name, 2)).find(Boolean) ?? operand(words);
  const content = input ?? valueAt(words, "value", 1) ?? operand(words, 1);
  for (const text of path?.texts ?? []) {
    writeWindows(text, scan);
    noteScript(text, content?.texts.join("\n") ?? "", scan);
    if (state.fetched) noteDownload(text, scan);
  }
  return undefined;
};
const moves =
  (isAway: boolean): SpecialCmdlet =>
  (named, { scan }) => {
    const [to] = (valueAt(named.words, "destination", 3) ?? operand(named.words, 1))?.texts ?? [];
    for (const from of pathsOf(named)) {
      if (from === to) continue;
      readWindows(from, scan);
      if (isAway && /^[a-z]:\\?(windows|users|program files.*)?(\\system32)?\\?\*?$/i.test(from))
        deleteWindows(from, scan, "moves away");
    }
    if (to !== undefined) writeWindows(to, scan);
    return undefined;
  };
const enter: SpecialCmdlet = ({ words }, { scan }) => {
  enterFolder(values(words)[0], scan);
  return "low";
};

const webRequest: SpecialCmdlet = ({ words }, { state, scan }) => {
  state.fetched = true;
  const [method = "get"] = [...textsAt(words, "method"), ...textsAt(words, "custommethod", 2)];
  const into = textsAt(words, "outfile");
  for (const text of into) {
    writeWindows(text, scan);
    noteDownload(text, scan);
  }
  const from = textsAt(words, "infile", 2);
  for (const text of from) readWindows(text, scan);
  if (/^delete$/i.test(method) || instanceKeys.test(textOf(words))) return "high";
  const hasBody = has(words, "body", 1) || has(words, "form", 2) || from.length > 0;
  const asked = valueAt(words, "uri", 1) ?? operand(words);
  // What an address does is judged as any other client's.
  if (asked?.origin === "literal")
    scan.runArgs(["curl", ...asked.texts.filter((text) => !text.startsWith("-"))].map(literal), nothing);
  return /^(get|head|options|default)$/i.test(method) && !hasBody && into.length === 0 ? "low" : "medium";
};

/** Another name for a command: what it stands for is judged under it. */
const alias: SpecialCmdlet = ({ words }, { state }) => {
  const [name = "", given] = values(words);
  const target = (textsAt(words, "value")[0] ?? given)?.toLowerCase();
  if (target) state.aliases.set(name.toLowerCase().replace(/^alias:\\?/, ""), aliases.get(target) ?? target);
  return "medium";
};

const switches = /^(wait|nonewwindow|passthru|nn\w*|w|wa\w*)$/;
const startProcess: SpecialCmdlet = ({ words }, { scan, languages }) => {
  const file = valueAt(words, "filepath", 1) ?? operand(words);
  const given = valueAt(words, "argumentlist", 1) ?? valueAt(words, "args", 1);
  const plain = words.filter(({ parameter }, i) => {
    const before = words[i - 1];
    return parameter === undefined && (!before?.parameter || before.attached || switches.test(before.parameter));
  });
  const line = (given ? [given] : plain.filter((word) => word !== file))
    .flatMap(({ texts }) => texts)
    .flatMap(splitLine);
  if (file) judgeNative([...file.texts, ...line], scan, languages);
  if (file?.origin !== "literal" && !given) scan.markUnknown();
  return textsAt(words, "verb", 4).some((verb) => /runas/i.test(verb)) ? "high" : undefined;
};

const makesItem: SpecialCmdlet = (named, context) => {
  const [path = ""] = values(named.words);
  if (/^alias:/i.test(path)) alias(named, context);
  if (named.name === "new-item") writeWindows(path, context.scan);
  return undefined;
};

/** Stopping what logs or guards is never done; what the server lives on is high. */
const service: SpecialCmdlet = ({ name, words, input }, { scan }) => {
  const names = [...values(words), ...(input?.origin === "literal" ? input.texts : [])];
  const isOwn = (one: string): boolean =>
    scan.criticalServices?.some((own) => own.toLowerCase() === one.toLowerCase()) ?? false;
  if (name === "restart-service") return names.some(isOwn) ? "high" : undefined;
  if (name === "set-service" && !/stopped|disabled|paused/i.test(names.join(" "))) return undefined;
  if (names.some((one) => auditServices.test(one))) return "block";
  const isVital = (one: string): boolean =>
    vitalServices.test(one) || isCritical(one.toLowerCase(), scan) || isCritical(one, scan);
  return names.some(isVital) ? "high" : undefined;
};

const variable: SpecialCmdlet = ({ words }, { state }) => {
  const [name] = (valueAt(words, "name", 1) ?? operand(words))?.texts ?? [];
  const value = valueAt(words, "value", 1) ?? operand(words, 1);
  if (name !== undefined && value) state.variables.set(name.toLowerCase(), value);
  return steeringVariables.test(name?.toLowerCase() ?? "") || name === undefined || /^\$/.test(name) ? "medium" : "low";
};

const eachObject: SpecialCmdlet = ({ words, input }, context) => {
  const member =
    valueAt(words, "membername", 1) ?? words.find(({ parameter, block }) => !block && parameter === undefined);
  const name = member?.texts[0]?.toLowerCase() ?? "";
  if (member && member.origin !== "literal") return "high";
  if (member && !readProperties.test(name))
    checkMethod({ name, args: [], chains: [`${input?.said ?? ""}.${name}`], of: input }, context);
  return undefined;
};

/** A script that does not stand in the command may be any. */
const filters: SpecialCmdlet = ({ words }) => {
  const script = valueAt(words, "filterscript", 1) ?? operand(words);
  return script && script.origin !== "literal" ? "high" : undefined;
};

/** What a method of WMI starts. */
const wmiMethod: SpecialCmdlet = ({ words }, { scan, languages }) => {
  if (!/process.*create|create.*process/i.test(textOf(words))) return undefined;
  for (const line of words.flatMap(({ texts }) => texts))
    if (/\s|\.exe|\.ps1/i.test(line)) runLine(line, scan, languages);
  return "high";
};

const each = (names: string, special: SpecialCmdlet): Record<string, SpecialCmdlet> =>
  Object.fromEntries(names.split(" ").map((name) => [name, special]));

/** By name. */
const specials: Readonly<Record<string, SpecialCmdlet>> = {
  ...each("remove-item", deletes("deletes")),
  ...each("clear-content clear-item", deletes("empties")),
  ...each("move-item rename-item", moves(true)),
  ...each("copy-item", moves(false)),
  ...each(
    "get-content select-string import-csv import-clixml format-hex compress-archive select-xml import-powershelldatafile",
    reads,
  ),
  ...each("set-content export-csv export-clixml start-transcript add-content out-file tee-object", writes),
  ...each("stop-service suspend-service set-service restart-service remove-service", service),
  ...each("set-location push-location", enter),
  ...each("invoke-webrequest invoke-restmethod", webRequest),
  ...each("set-alias new-alias", alias),
  ...each("set-item new-item", makesItem),
  ...each("set-variable new-variable", variable),
  ...each("invoke-cimmethod invoke-wmimethod", wmiMethod),
  "foreach-object": eachObject,
  "where-object": filters,
  // The statement is judged as any other client's.
  "invoke-sqlcmd": ({ words }, { scan }) => {
    const { texts = [], origin } = valueAt(words, "query", 1) ?? operand(words) ?? {};
    if (origin !== "literal" || has(words, "inputfile", 2)) return "medium";
    scan.runArgs(["sqlcmd", "-Q", ...texts].map(literal), nothing);
    return "low";
  },
  "start-process": startProcess,
  "expand-archive": ({ words }, { scan, state }) => {
    const into = valueAt(words, "destinationpath", 1)?.texts ?? values(words).slice(1);
    if (state.fetched) for (const text of into) noteDownload(text, scan);
    return undefined;
  },
  "pop-location": (_named, { scan }) => {
    scan.cwd = undefined;
    return "low";
  },
  "start-bitstransfer": ({ words }, { state, scan }) => {
    state.fetched = true;
    for (const text of values(words)) noteDownload(text, scan);
    return "medium";
  },
  "invoke-item": ({ words }, { scan, languages }) => {
    for (const text of values(words)) judgeNative([text], scan, languages);
    return undefined;
  },
  "invoke-command": ({ words }) => (words.some(({ block }) => block) ? undefined : "high"),
  "new-object": ({ words }, { scan }) => {
    const [object] = textsAt(words, "comobject");
    if (object !== undefined) return harmlessObjects.test(object.toLowerCase()) ? "low" : "medium";
    const [type = "", ...given] = values(words);
    for (const path of given) readWindows(path, scan);
    if (/sockets\.(tcp|udp)client/i.test(type)) reachHosts(words.slice(1).flatMap(argsOf).slice(0, 1), "lookup", scan);
    return isHarmlessCall(type) ? "low" : "medium";
  },
  "new-scheduledtaskaction": ({ words }, { scan, languages }) => {
    runLine([...textsAt(words, "execute"), ...textsAt(words, "argument")].join(" "), scan, languages);
    return "medium";
  },
  "new-service": ({ words }, { scan, languages }) => {
    for (const text of textsAt(words, "binarypathname")) runLine(text, scan, languages);
    return "high";
  },
};

const patterns = cmdletPatterns.map(([names, risk, pattern]) => ({ names: new Set(names.split(" ")), risk, pattern }));

/** Judges a cmdlet by what it is given: first by its words as a text, then by what it does with them. */
const judgeSpecial: SpecialCmdlet = (named, context) => {
  const { name, words, input } = named;
  const given = words.map(({ said }) => said).join(" ");
  const text = squeeze(`${textOf(words)} ${given} ${input?.said ?? ""}`);
  const fitting = patterns.find(({ names, pattern }) => names.has(name) && pattern.test(text))?.risk;
  const special = specials[name]?.(named, context);
  return fitting ?? special;
};
