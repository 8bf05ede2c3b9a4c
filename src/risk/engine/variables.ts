/** Assignments: what a variable may hold afterwards, and which variables make a program run other code. */
import type { Risk } from "../../base/risk.ts";
import {
  hostVariables,
  keptSettings,
  partingVariables,
  readingValue,
  readingVariables,
  secretVariables,
} from "../knowledge/variables.ts";
import { hostOf } from "../reach/hosts.ts";
import { keptPlace, takeSettings } from "../reach/settings.ts";
import { findReads } from "../reads.ts";
import { evaluateText } from "../shell/evaluated.ts";
import type { Assignment } from "../shell/parse.ts";
import { type Arg, hole, shown } from "./arg.ts";
import { words } from "./options.ts";
import type { Scan, Variable } from "./scan.ts";
import { resolveOne, resolveWord } from "./words.ts";

/** Variables that make the shell, the loader or a well-known program run or load what they name. */
const codeVariables: Readonly<Record<string, Risk>> = {
  BASH_ENV: "high",
  ENV: "high",
  PROMPT_COMMAND: "high",
  HISTFILE: "high",
  HISTSIZE: "high",
  HISTFILESIZE: "high",
  HISTCONTROL: "medium",
  HISTIGNORE: "high",
  PS4: "medium",
  PATH: "medium",
  PYTHONSTARTUP: "high",
  PERL5OPT: "high",
  FACTERLIB: "medium",
  PYTHONHOME: "medium",
  GEM_PATH: "medium",
  CLASSPATH: "medium",
  GCONV_PATH: "high",
  HOME: "medium",
  XDG_CONFIG_HOME: "medium",
  RUBYOPT: "high",
  NODE_OPTIONS: "high",
  JAVA_TOOL_OPTIONS: "high",
  GIT_SSH: "high",
  GIT_SSH_COMMAND: "high",
  GIT_EXTERNAL_DIFF: "high",
  KUBECTL_EXTERNAL_DIFF: "medium",
  GIT_PAGER: "medium",
  GIT_EDITOR: "medium",
  PAGER: "medium",
  EDITOR: "medium",
  VISUAL: "medium",
  MANPAGER: "medium",
  SYSTEMD_PAGER: "medium",
  LESSOPEN: "high",
  LESSCLOSE: "high",
};
/** Variables that programs take a command from, as their names say. */
const commandVariable = /^GIT_CONFIG|(PAGER|EDITOR|_COMMAND|_CMD|_ASKPASS|_RSH|BROWSER)$/;
/** Variables that give the loader or an interpreter code or options, by their names. */
const loaderVariable = /^(LD|DYLD)_/;
const interpreterVariable =
  /^_?(PYTHON|PERL|RUBY|NODE|LUA|PHP|JULIA|TCL|GUILE|ERL|ELIXIR|JAVA|JDK_JAVA|DOTNET|CORECLR|COR|MONO|BASH|ZSH)[A-Z\d_]*(PATH|LIBS?|OPT|OPTS|OPTIONS|FLAGS|INIT|STARTUP|HOOKS|PROFILER|DIR)$|^(GIT_(EXEC_PATH|DIR)|MAKE(FILES|FLAGS)|(GO|RUST)FLAGS|RUSTC_\w*WRAPPER|(MAVEN|GRADLE|SBT)_OPTS|TF_CLI_ARGS\w*)$/;
/** Variables that name a file of settings, as their names say. */
const settingsVariable =
  /^(?!(.*_)?SRC(_|$))[A-Z][A-Z\d_]*(CONFIG|CONF|CFG|RC|SERVICEFILE|PASSFILE|INVENTORY|HOME|PLUGINS?|MODULES?|LIBRARY)(_?(FILE|FILENAME|DIRS?|PATH|GLOBAL|SYSTEM))?$/;
/** Variables that name the host or the proxy that a client uses. */
const hostVariable =
  /^([A-Z\d]+_[A-Z\d_]*|PG)(HOST|ADDR|ADDRESS|ENDPOINT|SERVER|BROKERS?|REGISTRY|URL|PROXY)$|^(https?|all|ftp)_proxy$|^AWS_ENDPOINT_URL/;
const harmlessValues = new Set(["", "cat", "less", "more", "/bin/cat", "/usr/bin/less", "true"]);

/** Longer values and lists are unknown ones: `a=$a$a` doubles with every repetition. */
const maxValueLength = 4000;
const maxElements = 200;

/** Sets a variable; inside a branch or loop the earlier values stay possible. */
export function setVariable(scan: Scan, given: string, variable: Variable): void {
  const name = scan.variables.get(given)?.refersTo ?? given;
  const before = scan.branches > 0 ? scan.variables.get(name) : undefined;
  const bounded = variable.values.map((value) => (value.length > maxValueLength ? hole : value));
  const values = [...new Set([...(before?.values ?? []), ...bounded])].slice(-64);
  const list = variable.list?.map((value) => (value.length > maxValueLength ? hole : value)).slice(0, maxElements);
  const isKnown = (one: Variable): boolean =>
    ![...one.values, ...(one.list ?? [])].some((value) => value.includes(hole));
  for (const one of new Set([...bounded, ...(list ?? [])])) checkVariable(name, one, scan);
  scan.variables.set(name, {
    isTame: [variable, ...(before ? [before] : [])].every((one) => one.isTame || isKnown(one)),
    isInteger: variable.isInteger ?? scan.variables.get(name)?.isInteger,
    values,
    list,
    keys: variable.keys,
    taint: variable.taint ?? before?.taint,
    listed: variable.listed,
  });
}

/** Runs something, and gives the variables of these names back what they held before. */
export function keeping<V, T>(variables: Map<string, V>, names: readonly string[], run: () => T): T {
  const saved = names.map((name) => [name, variables.get(name)] as const);
  const result = run();
  for (const [name, value] of saved) {
    if (value === undefined) variables.delete(name);
    else variables.set(name, value);
  }
  return result;
}

/** `$1`, `$2`, `$@`: what a function or `set --` is given. */
export function setPositional(args: readonly Arg[], scan: Scan): void {
  args.forEach(({ text, taint, isTame }, i) => {
    setVariable(scan, String(i + 1), { values: [text], taint, isTame });
  });
  const list = args.map(({ text }) => text);
  setVariable(scan, "@", { values: [list.join(" ")], list });
  setVariable(scan, "*", { values: [list.join(" ")] });
}

/** Takes in one assignment, walks the substitutions in it, and reports a value that would be run. */
export function assign(assignment: Assignment, scan: Scan): void {
  const { name, value } = assignment;
  const index = assignment.index && resolveOne(assignment.index, scan);
  const known = scan.variables.get(name);
  if (index && !known?.keys) evaluateText(index, scan);
  if (value.type === "ArrayValue") {
    const elements = value.elements.flatMap((word) => resolveWord(word, scan));
    // `[key]=value`, as in an associative array.
    const pairs = elements.map(({ text }) => /^\[([^\]]*)\]=(.*)$/s.exec(text) ?? [text, "", text]);
    const list = pairs.map(([, , value = ""]) => value);
    const keys = pairs.map(([, key = ""]) => key);
    if (!known?.keys) for (const key of keys) evaluateText({ text: key }, scan);
    if (known?.isInteger) for (const one of list) evaluateText({ text: one }, scan);
    keys.forEach((key, i) => {
      nameProgram(name, key, { text: list[i] ?? "" }, scan);
    });
    const earlier = assignment.append ? (scan.variables.get(name)?.list ?? []) : [];
    setVariable(scan, name, {
      values: [list[0] ?? ""],
      list: [...earlier, ...list],
      keys: keys.some((key) => key !== "") ? [...earlier.map(() => ""), ...keys] : undefined,
      taint: elements.find((e) => e.taint)?.taint,
      listed: elements.some(({ glob }) => glob),
    });
    return;
  }
  const found = resolveOne(value, scan);
  const earlier = assignment.append ? (scan.variables.get(name)?.values.at(-1) ?? hole) : "";
  if (known?.isInteger) evaluateText(found, scan);
  if (index) setElement(name, index, { ...found, text: earlier + found.text }, scan);
  else
    setVariable(scan, name, {
      values: [earlier + found.text],
      taint: found.taint,
      isTame: found.isTame,
      listed: earlier === "" && found.glob && found.dynamic,
    });
}

/** `BASH_CMDS[ls]=/bin/rm`: what bash runs by that name from then on. */
function nameProgram(array: string, key: string, { text }: Pick<Arg, "text">, scan: Scan): void {
  if (!/^BASH_(CMDS|ALIASES)$/.test(array)) return;
  scan.aliases.set(key, text);
  if (key.includes(hole)) scan.report("medium", "shell.variable", `sets what a name runs, through ${array}`);
}

const isUsualHome = (value: string): boolean => /^\/(root|home\/[\w.-]+|var\/lib\/[\w-]+)?\/?$/.test(value);
const isUsualPath = (value: string): boolean =>
  /^(\/usr\/local\/s?bin|\/usr\/s?bin|\/s?bin|\$PATH|:|\/snap\/bin)*$/.test(value);

/** `l[2]=x`: an element among the others; one whose place is not known is added at the end. */
function setElement(name: string, index: Arg, { text, taint }: Arg, scan: Scan): void {
  nameProgram(name, index.text, { text }, scan);
  const known = scan.variables.get(name);
  const list = [...(known?.list ?? known?.values.slice(0, 1) ?? [])];
  const keys = [...(known?.keys ?? [])];
  const at = /^\d{1,3}$/.test(index.text) && !known?.keys ? Number(index.text) : list.length;
  if (at >= maxElements) return;
  for (let i = list.length; i < at; i++) list.push("");
  list[at] = text;
  if (known?.keys) keys[at] = index.text;
  setVariable(scan, name, {
    values: [list[0] ?? ""],
    list,
    keys: known?.keys && keys,
    taint: taint ?? known?.taint,
  });
}

/** Reports a variable through which code runs, with the command in it where it holds one. */
function checkVariable(name: string, value: string, scan: Scan): void {
  // An exported function: a call of its name runs it.
  if (/^BASH_FUNC_.+%%$/.test(name)) {
    scan.report("high", "shell.variable", `defines a function for every shell through ${name}`);
    scan.runShell(`f${value}`, { present: false }, `in ${name}`);
    return;
  }
  if (hostVariable.test(name)) checkHost(name, value, scan);
  // A prompt is only expanded.
  const isPrompt = /^PS[0-4]$/.test(name);
  if (isPrompt && /\$\(|`/.test(value))
    scan.runShell(`cat <<__prompt\n${value}\n__prompt`, { present: false }, `in ${name}`);
  const risk = riskOfVariable(name) ?? (isPrompt && /\$\(|`/.test(value) ? "medium" : undefined);
  if (!risk && settingsVariable.test(name) && (value.includes("/") || value.includes(hole)))
    takeSettings(
      { text: value, dynamic: false, glob: false },
      { said: `sets ${name} to`, client: !name.endsWith("HOME") },
      scan,
    );
  if (!risk || harmlessValues.has(value)) return;
  if (name === "HOME" && isUsualHome(value)) return;
  if (name === "PATH" && isUsualPath(value)) return;
  scan.report(
    risk,
    "shell.variable",
    `sets ${name} to ${shown(value)}, ${/^HIST/.test(name) ? "so that nothing is remembered" : "which makes programs run other code"}`,
  );
  if (!/PATH$|LIBS?$|HOME$|OPTS?$|OPTIONS$|FLAGS$|DIR$|^(LD_|DYLD_|HIST)/.test(name))
    scan.runShell(value.replace(/^[|!\s-]+/, ""), { present: false }, `in ${name}`);
}

const reading = words(readingVariables);
const readingNames = new Set(reading.filter((word) => !word.endsWith("*")));
const readingStarts = reading.filter((word) => word.endsWith("*")).map((word) => word.slice(0, -1));
/** Their value is never program text. */
const usedNames = new Set(words(`${partingVariables} ${secretVariables} ${hostVariables}`));
const keptNames = new Set(words(keptSettings));

const isReadingName = (name: string): boolean =>
  readingNames.has(name) || readingStarts.some((start) => name.startsWith(start));

/** Whether a program to which a variable is given is known to only read all the same. */
export const isReading = (name: string, value: string): boolean =>
  usedNames.has(name) ||
  (keptNames.has(name) && keptPlace.test(value) && !value.includes(hole)) ||
  (isReadingName(name) && readingValue.test(value)) ||
  (name.endsWith("PAGER") && harmlessValues.has(value)) ||
  (name === "HOME" && isUsualHome(value)) ||
  (name === "PATH" && isUsualPath(value));

/** Judges a variable that is set for a program: what is not known to only read makes the call medium at least. */
export function setForProgram(
  { name, value, program }: { readonly name: string; readonly value: string; readonly program: string },
  scan: Scan,
): void {
  const { risky } = scan.reports;
  checkVariable(name, value, scan);
  // What takes each of its words for text (`echo`) takes nothing from a variable.
  if (scan.reports.risky === risky && !isReading(name, value) && !findReads(program, []).isText)
    reportGiven(name, program, scan);
}

/** Judges what `export`, or `declare -x`, gives to every program that follows. */
export function exportVariables(args: readonly Arg[], scan: Scan): void {
  for (const { text } of args) {
    if (/^[-+]/.test(text)) continue;
    const [, name = text, value] = /^(\w+)(?:\[.*\])?\+?=(.*)$/s.exec(text) ?? [];
    const values = value === undefined ? scan.variables.get(name)?.values : [value];
    // It has no value yet, and may get one that no rule looks at again.
    if (!values && !isReadingName(name) && !usedNames.has(name)) reportGiven(name, "what follows", scan);
    for (const one of values ?? []) setForProgram({ name, value: one, program: "what follows" }, scan);
  }
}

const reportGiven = (name: string, program: string, scan: Scan): void =>
  scan.report("medium", "shell.environment", `${shown(name)} set for ${shown(program)} is not known to only read`);

const riskOfVariable = (name: string): Risk | undefined =>
  codeVariables[name] ??
  (loaderVariable.test(name)
    ? "high"
    : commandVariable.test(name) || interpreterVariable.test(name)
      ? "medium"
      : undefined);

/** A client that is sent elsewhere reaches out, even if its own words do not say so; a host nearby is a setting like any other. */
function checkHost(name: string, value: string, scan: Scan): void {
  const kind = scan.kindOfHost(hostOf(value.trim()));
  if (kind !== "outside") return;
  scan.reach("outside", value.includes(hole));
  scan.report("medium", "reach.outside", `sets ${name} to ${shown(value)}, which policy.egress does not list`);
}
