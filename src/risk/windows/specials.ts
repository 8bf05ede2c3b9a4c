/** Cmdlets whose level depends on what they are given. */
import type { Risk } from "../../base/types.ts";
import { shown } from "../engine/arg.ts";
import { instanceKeys } from "../knowledge/paths.ts";
import { aliases } from "../knowledge/windows.ts";
import { codeSigns, harmlessObjects } from "../knowledge/windows-classes.ts";
import { type Argument, type Context, has, type Named, type Special, textOf, valueAt, values } from "./context.ts";
import { noteDownload } from "./downloads.ts";
import { checkMethod, isHarmless } from "./expressions.ts";
import { judgeNative, runLine, splitLine } from "./native.ts";
import { readWindows, writeWindows } from "./paths.ts";
import { argsOf, reachHosts } from "./reach.ts";
import { fileSpecials } from "./specials-files.ts";
import { defender, feature, service, startup } from "./specials-guards.ts";
import { isThing, listOf, toText, type Value } from "./values.ts";

const webRequest: Special = ({ words }, { state, scan }) => {
  state.fetched = true;
  const method = (valueAt(words, "method", 1) ?? valueAt(words, "custommethod", 2))?.texts[0]?.toLowerCase() ?? "get";
  const into = valueAt(words, "outfile", 1);
  for (const text of into?.texts ?? []) {
    writeWindows(text, scan);
    noteDownload(text, scan);
  }
  const from = valueAt(words, "infile", 2);
  for (const text of from?.texts ?? []) readWindows(text, scan);
  if (method === "delete" || instanceKeys.test(textOf(words))) return "high";
  const hasBody = has(words, "body", 1) || has(words, "form", 2) || from !== undefined;
  return /^(get|head|options|default)$/.test(method) && !hasBody && !into ? "low" : "medium";
};

/** A hash or text given to a method of WMI that starts a process. */
function commandLines(value: Value | undefined): string[] {
  if (value === undefined) return [];
  if (isThing(value)) return value.is === "hash" ? [...value.entries.values()].flatMap(commandLines) : [];
  return listOf(value)
    .filter((item) => typeof item === "string")
    .map(toText);
}

const wmiMethod: Special = ({ words }, { scan, languages }) => {
  const text = textOf(words);
  const lines = words.flatMap(({ value }) => commandLines(value));
  if (/process/i.test(text) && /create/i.test(text)) {
    for (const line of lines) if (/\s|\.exe|\.ps1/i.test(line)) runLine(line, scan, languages);
    return "high";
  }
  if (/(log|nteventlogfile).*clear|shadow.*delete/i.test(text)) return "block";
  if (/\bget\w+|-methodname\s+get/i.test(text) && !/set|create|delete/i.test(text)) return "low";
  return /shutdown|reboot|terminate|delete|uninstall|format|stop|change/i.test(text) ? "high" : undefined;
};

const wmiRemove: Special = ({ words, input }) =>
  /shadowcopy|nteventlog/i.test(textOf(words) + (isThing(input) && input.is === "object" ? input.type : ""))
    ? "block"
    : undefined;

const alias: Special = ({ words }, { state }) => {
  const [name, target] = values(words);
  if (name && target) state.aliases.set(name.toLowerCase(), aliases.get(target.toLowerCase()) ?? target.toLowerCase());
  return "low";
};

const startProcess: Special = ({ words }, { scan, languages }) => {
  const file = valueAt(words, "filepath", 1) ?? words.find(({ parameter }) => parameter === undefined);
  const isParameter = (word: Argument): boolean => word.parameter !== undefined;
  const at = words.findIndex(({ parameter }) => parameter !== undefined && /^(a|args|arg\w*)$/.test(parameter));
  const plain = words.filter(
    (word, i) =>
      !isParameter(word) &&
      word !== file &&
      !(
        words[i - 1]?.parameter &&
        !words[i - 1]?.attached &&
        !/^(wait|nonewwindow|passthru|nn\w*|w|wa\w*)$/.test(words[i - 1]?.parameter ?? "")
      ),
  );
  const given = at < 0 ? plain : words.slice(at + (words[at]?.attached ? 0 : 1), at + (words[at]?.attached ? 1 : 2));
  const line = given.flatMap(({ texts }) => texts).flatMap(splitLine);
  if (file) judgeNative([...file.texts, ...line], scan, languages);
  if (file?.dynamic && at < 0) scan.markUnknown();
  const verb = valueAt(words, "verb", 4)?.texts[0];
  return /runas/i.test(verb ?? "") ? "high" : undefined;
};

const sql: Special = ({ words }) => {
  const text = (valueAt(words, "query", 1)?.texts ?? values(words)).join(" ");
  if (/\b(drop|truncate|delete|shutdown|xp_cmdshell|xp_reg\w+|sp_oacreate)\b/i.test(text)) return "high";
  if (
    /\b(insert|update|alter|create|exec(ute)?|merge|kill|grant|revoke|backup|restore|dbcc\s+(shrink|free|check\w*.*repair)|into\s+\w+\s+from|sp_configure|reconfigure)\b/i.test(
      text,
    )
  )
    return "medium";
  return /^\s*(select|with|exec\s+sp_(who|help)|dbcc|show|use|declare|set|print|waitfor)\b/i.test(text)
    ? "low"
    : "medium";
};

/** What a name and a verb cannot say. */
export const specials: Readonly<Record<string, Special>> = {
  ...fileSpecials,
  "invoke-webrequest": webRequest,
  "invoke-restmethod": webRequest,
  "start-bitstransfer": ({ words }, { state, scan }) => {
    state.fetched = true;
    for (const text of values(words)) noteDownload(text, scan);
    return "medium";
  },
  "foreach-object": ({ words, input }, context) => {
    const [member] = words.filter(
      ({ parameter, value }) => (parameter === undefined || "membername".startsWith(parameter)) && !isThing(value),
    );
    const name = member?.texts[0];
    if (
      name !== undefined &&
      /^[a-z]+$/i.test(name) &&
      /^(delete|kill|clear|stop|remove|start|terminate|reboot|uninstall|close|dismount|recycle|shutdown|pause|continue|execute|invoke|create|put|save|write|move|copy|rename|encrypt|decrypt|change|enable|disable|reset|unlock|lock|send|install|commit|set|add|flush|truncate|empty)(to|at|all|tree|self|async|service|mainwindow|startmode|password|command|info|value)?$/i.test(
        name,
      )
    )
      checkMethod(
        {
          of: input ?? undefined,
          name: name.toLowerCase(),
          args: [],
          chain: `${isThing(input) && input.is === "object" ? input.type : ""}.${name.toLowerCase()}`,
        },
        context,
      );
    return undefined;
  },
  "stop-process": ({ words }) => {
    if (values(words).some((value) => /^(lsass|csrss|wininit|services|winlogon|svchost|\*)$/i.test(value)))
      return "high";
    return has(words, "force") ? "high" : undefined;
  },
  "stop-service": service,
  "suspend-service": service,
  "set-service": service,
  "restart-service": service,
  "remove-service": service,
  "start-process": startProcess,
  "invoke-item": ({ words }, { scan, languages }) => {
    for (const text of values(words)) judgeNative([text], scan, languages);
    return undefined;
  },
  "invoke-command": ({ words }, { scan }) => {
    if (values(words).some((text) => /\.ps1$/i.test(text)))
      scan.report("medium", "windows.script", "runs a script elsewhere");
    return words.some(({ value }) => isThing(value) && value.is === "block")
      ? words.some(({ parameter }) => parameter !== undefined && /^(asj|fil)/.test(parameter))
        ? "medium"
        : undefined
      : "high";
  },
  // A module's own code runs as it is loaded: one that is installed stands for itself, a file could be anything.
  "import-module": ({ words }) =>
    values(words).every((name) => /^[\w.*-]+$/.test(name) && !/\.(dll|ps[dm]?1)$/i.test(name)) ? "low" : "medium",
  "repair-volume": ({ words }) => (has(words, "scan", 2) ? "low" : undefined),
  "set-alias": alias,
  "new-alias": alias,
  "set-item": (named, context) => {
    const [path = "", value = ""] = values(named.words);
    const own = /^alias:\\?(.+)$/i.exec(path)?.[1];
    if (own !== undefined) context.state.aliases.set(own.toLowerCase(), value.toLowerCase());
    return startup(named, context);
  },
  "new-item": (named, context) => {
    const [path = ""] = values(named.words);
    const own = /^alias:\\?(.+)$/i.exec(path)?.[1];
    const value = valueAt(named.words, "value", 1)?.texts[0] ?? values(named.words)[1];
    if (own !== undefined && value !== undefined) context.state.aliases.set(own.toLowerCase(), value.toLowerCase());
    writeWindows(path, context.scan);
    return startup(named, context);
  },
  "set-variable": variable,
  "new-variable": variable,
  "invoke-sqlcmd": sql,
  "remove-wmiobject": wmiRemove,
  "remove-ciminstance": wmiRemove,
  "invoke-cimmethod": wmiMethod,
  "invoke-wmimethod": wmiMethod,
  "*-windowsfeature": ({ name, words, ...rest }, context) =>
    name.startsWith("uninstall") || name.startsWith("remove") ? feature({ name, words, ...rest }, context) : undefined,
  "disable-windowsoptionalfeature": feature,
  "set-mppreference": defender,
  "add-mppreference": defender,
  "set-itemproperty": startup,
  "new-itemproperty": startup,
  "remove-itemproperty": startup,
  "new-object": ({ words }, { scan }) => {
    const text = textOf(words);
    if (codeSigns.test(text)) scan.report("block", "windows.inject", `loads code into memory: ${shown(text)}`);
    const object = valueAt(words, "comobject", 1)?.texts[0];
    if (object !== undefined) return harmlessObjects.test(object.toLowerCase()) ? "low" : "medium";
    const [type, ...given] = values(words);
    for (const path of given) readWindows(path, scan);
    if (/sockets\.(tcp|udp)client/i.test(type ?? ""))
      reachHosts(words.slice(1).flatMap(argsOf).slice(0, 1), "lookup", scan);
    return type !== undefined && isHarmless(type) ? "low" : "medium";
  },
  "add-type": ({ words }) => {
    const text = textOf(words);
    if (codeSigns.test(text)) return "block";
    const assembly = valueAt(words, "assemblyname", 2);
    return assembly?.texts.every((one) => /^(system|presentation\w*|windowsbase)(\.|$)/i.test(one)) &&
      !has(words, "typedefinition", 1) &&
      !has(words, "memberdefinition", 1)
      ? "low"
      : "high";
  },
  "new-scheduledtaskaction": ({ words }, { scan, languages }) => {
    runLine(
      [valueAt(words, "execute", 1), valueAt(words, "argument", 1)].flatMap((word) => word?.texts ?? []).join(" "),
      scan,
      languages,
    );
    return "medium";
  },
  "new-service": ({ words }, { scan, languages }) => {
    for (const text of valueAt(words, "binarypathname", 1)?.texts ?? []) runLine(text, scan, languages);
    return "high";
  },
};

function variable({ words }: Named, { state }: Context): Risk {
  const name = (
    valueAt(words, "name", 1) ?? words.find(({ parameter }) => parameter === undefined)
  )?.texts[0]?.toLowerCase();
  const value = (valueAt(words, "value", 1) ?? words.filter(({ parameter }) => parameter === undefined)[1])?.value;
  if (name !== undefined && value !== undefined) state.variables.set(name, value);
  return "low";
}
