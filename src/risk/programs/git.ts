/** `git`: settings, aliases and transports that are programs. */
import type { Check } from "../engine/apply.ts";
import { nothing, shown } from "../engine/arg.ts";

const gitCode =
  /^(core\.(pager|editor|sshcommand|fsmonitor|hookspath|askpass|gitproxy)|pager\..*|alias\..*|diff\.external|diff\..*\.(command|textconv)|filter\..*|credential\..*helper|merge\..*\.driver|sequence\.editor|.*\.(uploadpack|receivepack|cmd))$/i;

/** `git -c key=value`: keys that name a program run it. */
export const git: Check = ({ args, scan, report, value }) => {
  args.forEach((arg, i) => {
    const given = arg.text === "-c" || arg.text === "--config-env" ? args[i + 1]?.text : /^-c(.+)$/.exec(arg.text)?.[1];
    const [, key = "", text = ""] = /^([^=]+)=(.*)$/s.exec(given ?? "") ?? [];
    if (!gitCode.test(key)) return;
    const command = text.replace(/^!/, "");
    if (command === "cat" || command === "") return;
    report("high", `git runs ${shown(command)} through ${key}`, arg);
    scan.runShell(command, nothing, `in ${key}`);
  });
  for (const arg of args) {
    if (!arg.text.startsWith("!") || !args.some((a) => a.text.startsWith("alias."))) continue;
    report("high", "git runs a command through an alias", arg);
    scan.runShell(arg.text.slice(1), nothing, "in an alias of git");
  }
  const run = value("--upload-pack", "--receive-pack", "--exec", "-x", "--open-files-in-pager", "-O");
  if (
    run &&
    !/^--(stat)/.test(run.text) &&
    args.some((a) => /^(--upload-pack|--receive-pack|--exec|-x)/.test(a.text))
  ) {
    report("high", `git runs ${shown(run.text)}`, run);
    scan.runShell(run.text, nothing, "in git");
  }
  if (args.some((a) => a.text.startsWith("ext::"))) report("high", "git runs a command as a transport");
  return undefined;
};
