/** Cmdlets whose level depends on what they are given. */
import type { Risk } from "../../types.ts";
import { aliases } from "../rules/windows.ts";
import { type Context, has, type Named, values } from "./context.ts";
import { judgeNative } from "./native.ts";
import { deleteWindows, readWindows, writeWindows } from "./paths.ts";

const auditServices =
  /^(eventlog|windefend|sysmon\w*|wscsvc|mpssvc|sense|securityhealthservice|splunkforwarder|winlogbeat)$/i;
const vitalServices =
  /^(\*|dhcp|dnscache|lanmanserver|lanmanworkstation|netlogon|rpcss|winrm|sshd|termservice|w32time|dns|ntds|adws|kdc|samss|nsi|netman|ssh-agent|mssqlserver.*)$/i;

/** What a name and a verb cannot say; gives back another level, or reports by itself. */
export const specials: Readonly<Record<string, (named: Named, context: Context) => Risk | undefined>> = {
  "remove-item": ({ words, isPiped }, { scan }) => {
    for (const path of values(words)) deleteWindows(path, scan);
    if (values(words).length === 0 && !isPiped) scan.report("high", "windows.delete", "deletes what it is given");
    return undefined;
  },
  "clear-content": ({ words }, { scan }) => {
    for (const path of values(words)) deleteWindows(path, scan, "empties");
    return undefined;
  },
  "clear-item": ({ words }, { scan }) => {
    for (const path of values(words)) deleteWindows(path, scan, "empties");
    return undefined;
  },
  "move-item": ({ words }, { scan }) => {
    const [from, to] = values(words);
    if (from && /^[a-z]:\\?(windows|users|program files.*)?\\?\*?$/i.test(from))
      deleteWindows(from, scan, "moves away");
    if (to) writeWindows(to, scan);
    return undefined;
  },
  "copy-item": ({ words }, { scan }) => {
    const [from, to] = values(words);
    if (from) readWindows(from, scan);
    if (to) writeWindows(to, scan);
    return undefined;
  },
  "get-content": ({ words }, { scan }) => {
    for (const path of values(words)) readWindows(path, scan);
    return undefined;
  },
  "select-string": ({ words }, { scan }) => {
    for (const path of values(words)) readWindows(path, scan);
    return undefined;
  },
  "set-content": ({ words }, { scan }) => {
    const [path] = values(words);
    if (path) writeWindows(path, scan);
    return undefined;
  },
  "out-file": ({ words }, { scan }) => {
    const [path] = values(words);
    if (path) writeWindows(path, scan);
    return undefined;
  },
  "invoke-webrequest": webRequest,
  "invoke-restmethod": webRequest,
  "start-bitstransfer": (_named, { state }) => {
    state.fetched = true;
    return "medium";
  },
  "invoke-expression": () => "block",
  "stop-process": ({ words }) => {
    if (values(words).some((value) => /^(lsass|csrss|wininit|services|winlogon|svchost|\*)$/i.test(value)))
      return "high";
    return has(words, "f", "force") ? "high" : "medium";
  },
  "stop-service": service,
  "suspend-service": service,
  "set-service": service,
  "restart-service": ({ words }, { scan }) =>
    values(words).some((value) => scan.criticalServices.some((name) => name.toLowerCase() === value.toLowerCase()))
      ? "high"
      : undefined,
  "start-process": ({ words }, { scan, languages, state }) => {
    const isQuiet = /-verb\s+runas/i.test(words.map((word) => word.text).join(" "));
    const rest = values(words);
    if (state.fetched && /\.(exe|ps1|bat|cmd|msi|scr|com|dll)$|^\.?[\\/]/i.test(rest[0] ?? ""))
      scan.report("block", "windows.download", `runs ${rest[0] ?? ""} after a download`);
    if (rest.length > 0)
      judgeNative(
        rest.flatMap((value, i) => (i === 0 ? [value] : value.split(" "))),
        scan,
        languages,
      );
    return isQuiet ? "high" : undefined;
  },
  "set-alias": alias,
  "new-alias": alias,
  "invoke-sqlcmd": ({ words }) => {
    const text = values(words).join(" ");
    if (/\b(drop|truncate|delete|shutdown|xp_cmdshell)\b/i.test(text)) return "high";
    return /\b(insert|update|alter|create|exec|merge|kill)\b/i.test(text) ? "medium" : "low";
  },
  "remove-wmiobject": shadow,
  "remove-ciminstance": shadow,
  "invoke-cimmethod": ({ words }) =>
    /win32_process|shutdown|reboot|terminate|delete|uninstall/i.test(values(words).join(" ")) ? "high" : undefined,
  "invoke-wmimethod": ({ words }) =>
    /win32_process|shutdown|reboot|terminate|delete|uninstall/i.test(values(words).join(" ")) ? "high" : undefined,
  "get-credential": () => "medium",
  "set-mppreference": ({ words }) =>
    /disable.*true|exclusion/i.test(words.map((word) => word.text).join(" ")) ? "block" : undefined,
  "add-mppreference": ({ words }) =>
    /exclusion/i.test(words.map((word) => word.text).join(" ")) ? "block" : undefined,
  "set-itemproperty": ({ words }) =>
    /\\(run|runonce|winlogon|services|lsa|policies)\b/i.test(values(words).join(" ")) ? "high" : undefined,
  "new-itemproperty": ({ words }) =>
    /\\(run|runonce|winlogon|services|lsa|policies)\b/i.test(values(words).join(" ")) ? "high" : undefined,
  "new-object": ({ words }) =>
    /-com|shell\.application|wscript\.shell/i.test(words.map((word) => word.text).join(" ")) ? "medium" : "low",
};

function webRequest({ words }: Named, { state, scan }: Context): Risk {
  state.fetched = true;
  const text = words.map((word) => word.text).join(" ");
  const method = /-m\w*\s+(\w+)/i.exec(text)?.[1]?.toLowerCase() ?? "get";
  const file = words[words.findIndex((word) => /^-(o|outf|outfile|inf|infile)$/i.test(word.text)) + 1];
  if (/-o(utf\w*)?\s/i.test(text) && file) writeWindows(file.text, scan);
  if (/-inf\w*\s/i.test(text) && file) readWindows(file.text, scan);
  if (method === "delete") return "high";
  return /^(get|head|options)$/.test(method) && !/-(body|b|inf\w*|o|outf\w*)\s/i.test(text) ? "low" : "medium";
}

function service({ name, words }: Named, { scan }: Context): Risk | undefined {
  const isStop = name !== "set-service" || /stopped|disabled/i.test(values(words).join(" "));
  if (isStop && values(words).some((value) => auditServices.test(value))) return "block";
  const isVital = values(words).some((value) => vitalServices.test(value) || scan.criticalServices.includes(value));
  return isStop && isVital ? "high" : undefined;
}

function alias({ words }: Named, { state }: Context): Risk {
  const [name, target] = values(words);
  if (name && target) state.aliases.set(name.toLowerCase(), aliases.get(target.toLowerCase()) ?? target.toLowerCase());
  return "low";
}

function shadow({ words, isPiped }: Named): Risk | undefined {
  return /shadowcopy/i.test(values(words).join(" ")) || (isPiped && words.length === 0) ? "high" : undefined;
}
