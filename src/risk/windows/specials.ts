/** Cmdlets whose level depends on what they are given. */
import type { Risk } from "../../base/risk.ts";
import { literal, nothing, shown } from "../engine/arg.ts";
import { instanceKeys } from "../knowledge/paths.ts";
import { harmlessObjects, readProperties } from "../knowledge/windows/classes.ts";
import {
  aliases,
  auditServices,
  cmdletPatterns,
  steeringVariables,
  vitalServices,
} from "../knowledge/windows/rules.ts";
import { isCritical } from "../programs/processes.ts";
import { checkMethod, isHarmlessCall, squeeze } from "./calls.ts";
import type { Context, NamedCommand } from "./command.ts";
import { judgeNative, runLine, splitLine } from "./native.ts";
import {
  deleteWindows,
  enterFolder,
  noteDownload,
  noteScript,
  readListed,
  readWindows,
  writeWindows,
} from "./paths.ts";
import { argsOf, reachHosts } from "./reach.ts";
import { type Argument, has, isHidden, textOf, valueAt, values } from "./words.ts";

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
export const judgeSpecial: SpecialCmdlet = (named, context) => {
  const { name, words, input } = named;
  const given = words.map(({ said }) => said).join(" ");
  const text = squeeze(`${textOf(words)} ${given} ${input?.said ?? ""}`);
  const fitting = patterns.find(({ names, pattern }) => names.has(name) && pattern.test(text))?.risk;
  const special = specials[name]?.(named, context);
  return fitting ?? special;
};
