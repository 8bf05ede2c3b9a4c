/** Checks of a few lines each: programs whose words have an order or a value that a table cannot say. */
import type { Risk } from "../../base/types.ts";
import type { Check } from "../engine/apply.ts";
import { literal, nothing, shown, textOf, unknownFlow } from "../engine/arg.ts";
import { tryStartup, writePath } from "../engine/effects.ts";
import { normalise } from "../engine/paths.ts";
import { findWritten } from "../engine/written.ts";

/** `sysctl`: only an assignment changes something. */
export const sysctl: Check = ({ operands, has, report }) => {
  const changes = operands.filter((a) => a.text.includes("="));
  const isCode = changes.some((a) => /core_pattern|modprobe|hotplug/.test(a.text));
  const risk: Risk = isCode
    ? "high"
    : changes.length > 0 || has("-w", "-p", "--load", "--system", "-f")
      ? "medium"
      : "low";
  report(risk, risk === "low" ? "sysctl: only reads" : `changes kernel settings ${textOf(changes)}`);
  return undefined;
};

/** `screen`, `tmux`: a command given to a new session is run. */
export const multiplexer: Check = ({ args, operands, report, scan, program }) => {
  const verb = operands[0]?.text ?? "";
  const log = program === "screen" ? args[args.findIndex((a) => /^-(L|Logfile)$/.test(a.text)) + 1] : undefined;
  if (log && log !== args[0] && /^[/~.]/.test(log.text)) writePath(log, "append", scan);
  if (
    args.some((a) => /^-(ls|list|v)$/.test(a.text)) ||
    /^(ls|list-\w+|has-session|display-message|show-\w+|info|capture-pane)$/.test(verb)
  )
    report("low", `${program}: only lists`);
  else
    report(/^kill-/.test(verb) || args.some((a) => a.text === "quit") ? "high" : "medium", `${program} ${shown(verb)}`);
  if (
    /^(new|new-session|new-window|neww|split-window|run-shell|run|if-shell|send-keys|send|respawn-pane)$/.test(verb) ||
    program !== "tmux"
  ) {
    const at = args.findLastIndex((a) => /\s/.test(a.text));
    for (const arg of at >= 0 ? [args[at]] : []) if (arg) scan.runShell(arg.text, nothing, `in ${program}`);
    const start =
      program === "tmux" ? operands.slice(1) : args.slice(args.findLastIndex((a) => a.text.startsWith("-")) + 1);
    if (at < 0 && start.length > 0 && !/^(send-keys|send)$/.test(verb))
      scan.runArgs(start.slice(program === "tmux" ? 0 : 0), nothing);
    if (/^(send-keys|send)$/.test(verb))
      scan.runShell(textOf(operands.slice(1).filter((a) => !/^(Enter|C-m)$/.test(a.text))), nothing, "in tmux");
  }
  return unknownFlow;
};

const ipWrites = /^(a|ad|add|change|chg|replace|append|prepend|set|up)$/;
const ipCuts = /^(d|de|del|delete|flush|f|fl|down)$/;

/** `ip OBJECT VERB`: `set … down`, `del` and `flush` cut the network. */
export const ip: Check = ({ operands, options, report, scan }) => {
  const [object, verb, ...rest] = operands.map((a) => a.text);
  if (object === "netns" && verb === "exec") return scan.runArgs(operands.slice(3), nothing);
  if (object === "vrf" && verb === "exec") return scan.runArgs(operands.slice(3), nothing);
  if (options.some((o) => /^-(b|batch)$/.test(o.name))) report("high", "ip reads its commands from a file");
  const isCut = ipCuts.test(verb ?? "") || (/^s(et?)?$/.test(verb ?? "") && rest.includes("down"));
  const isRead =
    verb === undefined ||
    /^(s|sh|sho|show|l|li|lis|list|lst|get|g|ls|save|monitor|mon|help|stats|identify|pids)$/.test(verb) ||
    (!ipWrites.test(verb) && !isCut && rest.length === 0);
  report(isCut ? "high" : isRead ? "low" : "medium", `ip ${operands.map((a) => shown(a.text)).join(" ")}`);
  return undefined;
};

/** `ifconfig eth0 down`. */
export const ifconfig: Check = ({ operands, report }) => {
  const words = operands.map((a) => a.text);
  report(
    words.includes("down") ? "high" : words.length > 1 ? "medium" : "low",
    `ifconfig ${words.map(shown).join(" ")}`,
  );
  return undefined;
};

/** `iptables`: listing, adding, and cutting. */
export const iptables: Check = ({ args, report, program }) => {
  const words = args.map((a) => a.text);
  const has = (pattern: RegExp): boolean => words.some((w) => pattern.test(w));
  const isDrop = has(/^-(P|-policy)$/) && has(/^(DROP|REJECT)$/);
  const isBroad =
    has(/^-[AI]$/) &&
    has(/^(DROP|REJECT)$/) &&
    !has(/^(-s|-d|-p|--dport|--sport|-m|-i|--source|--destination|--protocol|--in-interface|-o)$/);
  if (isDrop || isBroad || has(/^(-F|-X|-D|-Z-none|--flush|--delete|--delete-chain)$/) || has(/^-P$|^--policy$/))
    report("high", `${program} opens or cuts the network`);
  else if (has(/^-[a-zA-Z]*Z|^(-A|-I|-R|-N|-E|--append|--insert|--replace|--new-chain|--zero|--rename-chain)$/))
    report("medium", `${program} changes a rule`);
  else
    report(
      words.length === 0 || has(/^-[nvx]*[LSCV]|^--(list|list-rules|check|version)/) ? "low" : "medium",
      `${program}: ${words.map(shown).join(" ")}`,
    );
  return undefined;
};

const maxRules = 100;

/** `auditctl -e 0` switches the audit off. */
export const audit: Check = ({ args, report, scan, program }) => {
  const file = args[args.findIndex((a) => a.text === "-R") + 1];
  const rules = file && file !== args[0] ? findWritten(file, scan)?.text : undefined;
  for (const line of rules?.split("\n").slice(0, maxRules) ?? [])
    scan.attempt(() => scan.runShell(`${program} ${line}`, nothing, "in a file of audit rules"));
  const at = args.findIndex((a) => /^-e/.test(a.text));
  if (at >= 0 && (args[at]?.text === "-e0" || args[at + 1]?.text === "0")) report("block", "switches the audit off");
  return undefined;
};

/** `alias x='text'`: the text is judged. */
export const alias: Check = ({ args, scan, program }) => {
  if (program === "alias")
    for (const arg of args)
      if (arg.text.includes("=")) scan.runShell(arg.text.slice(arg.text.indexOf("=") + 1), nothing, "in alias");
  return undefined;
};

/** `apt -o APT::…::Pre-Invoke=…` runs a command. */
export const apt: Check = ({ args, report, scan }) => {
  for (const arg of args) {
    const match =
      /(?:Invoke|Pre-Install-Pkgs|Post-Invoke-Success|ProxyAutoDetect|Proxy-Auto-Detect|Dir::Bin)[^=]*=\{?"?(.*)$/is.exec(
        arg.text,
      );
    if (!match) continue;
    report("high", "apt runs a command through an option", arg);
    scan.runShell(match[1] ?? "", nothing, "in an option of apt");
  }
  if (args.some((a) => /^(-s|--simulate|--dry-run|--just-print|--no-act)$/.test(a.text)))
    report("low", "apt: only simulates");
  return undefined;
};

/** What may be seen of a secret: its name, kind, age and labels, and certificates, which are public. */
const publicField = String.raw`(?:\.items\[[*\d:]*\])?\.(?:metadata\.(?:name|namespace|creationTimestamp|labels[\w\\./-]*)|type|data\.(?:tls|ca)\\\.crt)`;

/** Each action is known: whatever else a template can say (`['data']`, a path without its dot) may show a secret. */
const publicTemplates = [
  String.raw`jsonpath=(?=.*\{)(?:[^{}]|\{\s*(?:${publicField}|range \.items\[\*\]|end|"(?:[^"\\{}]|\\.)*")\s*\})*`,
  `custom-columns=(?:[^:,{}]+:${publicField}(?:,|$))+`,
  "name|wide",
].map((template) => new RegExp(`^(?:${template})$`, "s"));

/** `kubectl get secret -o yaml` shows secrets; only names otherwise. */
export const kubeSecrets: Check = ({ args, options, report }) => {
  const isSecret = args.some(({ text }) => /(^|,)secrets?(\.v1)?\.?([/,]|$)/i.test(text));
  const isShown =
    args.some(({ text }) => text.startsWith("--template")) ||
    options.some(
      ({ name, value }) =>
        /^(-o|--output)$/.test(name) &&
        (!value || value.dynamic || !publicTemplates.some((template) => template.test(value.text))),
    );
  if (isSecret && isShown) report("high", "shows the content of secrets");
  return undefined;
};

/** `--replicas=0` is downtime. */
export const scale: Check = ({ args, report }) => {
  if (args.some((a, i) => a.text === "--replicas=0" || (a.text === "--replicas" && args[i + 1]?.text === "0")))
    report("high", "scales to zero: downtime");
  return undefined;
};

/** `pip install https://…` and the like stay what they are; a fetched requirement from a pipe is not. */
export const piped: Check = ({ operands, stdin, report }) => {
  if (operands.some((a) => a.text === "/dev/stdin") && stdin.taint === "network")
    report("high", "installs what is downloaded");
  return undefined;
};

/** `tee`: every operand is a file it writes. */
export const tee: Check = ({ operands, has, scan, stdin }) => {
  for (const file of operands) writePath(file, has("-a", "--append") ? "append" : "overwrite", scan);
  for (const file of operands) {
    scan.files.set(normalise(file.text, scan.cwd), stdin);
    tryStartup(normalise(file.text, scan.cwd), stdin.text, scan);
  }
  return stdin.present ? stdin : literalFlow;
};
const literalFlow = { present: true, text: literal("").text };
