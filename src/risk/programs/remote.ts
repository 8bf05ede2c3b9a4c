/** Programs that run something on many hosts: ansible, salt, pssh. */
import type { Check } from "../engine/apply.ts";
import { literal, nothing, shown, textOf, unknownFlow } from "../engine/arg.ts";
import { deletePath } from "../engine/effects.ts";

/** `ansible -m shell -a '…'`. */
export const ansible: Check = ({ has, value, report, scan }) => {
  if (has("--list-hosts", "--version")) {
    report("low", "ansible: only lists hosts");
    return unknownFlow;
  }
  const module = value("-m", "--module-name")?.text ?? "command";
  const text = value("-a", "--args")?.text;
  if (/^(ansible\.builtin\.)?(ping|setup|debug|stat|gather_facts|service_facts|package_facts)$/.test(module))
    report("low", `ansible ${module}: only reads`);
  else
    report(
      /(^|\.)(reboot|win_reboot|shutdown)$/.test(module) ? "high" : "medium",
      `ansible runs ${shown(module)} on other hosts`,
    );
  if (text && /(shell|command|raw|script)$/.test(module)) scan.runShell(commandIn(text), nothing, "in ansible");
  else if (text && /state=absent/.test(text)) {
    const path = /\b(?:path|dest|name)=(\S+)/.exec(text)?.[1];
    if (path?.startsWith("/")) deletePath(literal(path), scan);
    report("high", "ansible removes something");
  }
  return unknownFlow;
};

/** `cmd=…`, or the text itself with what the module takes before it. */
const commandIn = (text: string): string =>
  /\bcmd=(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|(.*))/s
    .exec(text)
    ?.slice(1)
    .find((part) => part !== undefined) ?? text.replace(/^(?:(?:chdir|creates|removes|executable|stdin)=\S+\s+)+/, "");

/** `salt '*' cmd.run '…'`. */
export const salt: Check = ({ operands, scan }) => {
  const at = operands.findIndex((a) => /^cmd\./.test(a.text));
  const text = at < 0 ? undefined : operands[at + 1];
  return text ? scan.runShell(text.text, nothing, "in salt") : undefined;
};

/** `pssh`, `clush`: the operands are a command for many hosts. */
export const remoteMany: Check = ({ operands, report, scan, program }) => {
  report("medium", `${program} runs a command on many hosts`);
  return operands.length > 0 ? scan.runShell(textOf(operands), nothing, `in ${program}`) : undefined;
};
