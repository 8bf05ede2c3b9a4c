/** Programs with a language of their own in an argument: make, consoles, editors and debuggers. */
import type { Check, ProgramCall } from "../engine/apply.ts";
import { nothing } from "../engine/arg.ts";
import { writePath } from "../engine/effects.ts";

function judgeMakefile(text: string, scan: ProgramCall["scan"]): void {
  for (const line of text.split(/\n\t?|;/).slice(0, maxLines))
    scan.attempt(() => scan.runShell(line.replace(/^[@+-]+/, ""), nothing, "in make"));
}
const maxLines = 100;

/** `make --eval='x:; command'`, `make SHELL=…`: the recipe is shell text. */
export const make: Check = ({ options, operands, report, scan, stdin }) => {
  for (const { name, value } of options) {
    const isPipe = /^(-f|--file|--makefile)$/.test(name) && /^(-|\/dev\/stdin)$/.test(value?.text ?? "");
    if (isPipe) judgeMakefile(stdin.text ?? "", scan);
    if (isPipe && stdin.taint) report("block", "make runs what was downloaded or decoded", value);
    if (name !== "--eval" || !value) continue;
    report("high", "make runs a recipe given in an option", value);
    for (const [, inner = ""] of value.text.matchAll(/\$\((?:shell )?([^)]*)\)/g))
      scan.attempt(() => scan.runShell(inner, nothing, "in make"));
    judgeMakefile(value.text, scan);
  }
  for (const operand of operands) {
    const [, name = "", text = ""] = /^(\w+)=(.*)$/s.exec(operand.text) ?? [];
    if (name === "") continue;
    for (const [, inner = ""] of text.matchAll(/\$\((?:shell )?([^)]*)\)/g))
      scan.attempt(() => scan.runShell(inner, nothing, "in make"));
    scan.attempt(() => scan.runShell(text, nothing, `in ${name} of make`));
  }
  return undefined;
};

/** Editors and debuggers: `:!command`, `!command`, `shell command` among the arguments is run; so is what follows `-TT`. */
export const bang: Check = ({ args, report, scan, program }) => {
  args.forEach((arg, i) => {
    const command =
      args[i - 1]?.text === "-TT" ? arg.text : /^(?::?\s*!|:?(?:shell|system)\s+)(.+)$/s.exec(arg.text)?.[1];
    if (command === undefined) return;
    report("high", `${program} runs a command given in an option`, arg);
    scan.runShell(command, nothing, `in ${program}`);
  });
  return undefined;
};

/** `perf stat PROGRAM`, `pidstat -e PROGRAM`, `ssh-agent PROGRAM`: runs what stands after its options. */
export const carries: Check = ({ args, operands, has, program, scan, stdin }) => {
  const first = program === "pidstat" ? args[args.findIndex((a) => a.text === "-e") + 1] : operands[0];
  if (!first || /^ssh-(add|copy-id)$/.test(program) || (program === "pidstat" && !has("-e"))) return undefined;
  return scan.runArgs(args.slice(args.indexOf(first)), stdin);
};

/** `uniq IN OUT`, `xxd -r IN OUT`: the second operand is written. */
export const secondWritten: Check = ({ operands: [, target], scan }) => {
  if (target) writePath(target, "overwrite", scan);
  return undefined;
};
