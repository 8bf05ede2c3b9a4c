/** Checks of a few lines each: programs whose words have an order or a value that a table cannot say. */
import type { Check } from "../engine/apply.ts";
import { literal, nothing, textOf, unknownFlow } from "../engine/arg.ts";
import { tryStartup, writePath } from "../engine/effects.ts";
import { normalise } from "../engine/paths.ts";
import { findWritten } from "../engine/written.ts";

/** `screen`, `tmux`: a command given to a new session is run. */
export const multiplexer: Check = ({ args, operands, scan, program }) => {
  const verb = operands[0]?.text ?? "";
  const log = program === "screen" ? args[args.findIndex((a) => /^-(L|Logfile)$/.test(a.text)) + 1] : undefined;
  if (log && log !== args[0] && /^[/~.]/.test(log.text)) writePath(log, "append", scan);
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

/** `ip netns exec NAME …` runs a program; `-batch` reads its commands from a file. */
export const ip: Check = ({ operands, options, report, scan }) => {
  if (/^(netns|vrf) exec$/.test(textOf(operands.slice(0, 2)))) return scan.runArgs(operands.slice(3), nothing);
  if (options.some((o) => /^-(b|batch)$/.test(o.name))) report("high", "ip reads its commands from a file");
  return undefined;
};

const maxRules = 100;

/** `auditctl -R FILE` takes its rules from a file. */
export const audit: Check = ({ args, scan, program }) => {
  const file = args[args.findIndex((a) => a.text === "-R") + 1];
  const rules = file && file !== args[0] ? findWritten(file, scan)?.text : undefined;
  for (const line of rules?.split("\n").slice(0, maxRules) ?? [])
    scan.attempt(() => scan.runShell(`${program} ${line}`, nothing, "in a file of audit rules"));
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
