import { judgeCode } from "../code/judge-code.ts";
import { anyOptions, hardSecrets, type PathClass } from "../knowledge/paths.ts";
import { asksForSecrets, picks, secretPrints, speaksOfSecrets } from "../knowledge/reveals.ts";
import { holdsLogin, namesSecret, variablesReadIn } from "../knowledge/variables.ts";
import { checkReach, knownReach } from "../reach/egress.ts";
import { takeSettings } from "../reach/settings.ts";
import { asksForHelp, beginsSub } from "../reads.ts";
import { isWrapper, unwrap } from "../shell/unwrap.ts";
import { type CompiledRule, findRule, hasTrait, isClient, isKnown as isInTable, isKnown, judging } from "../table.ts";
import { type Application, applyRule } from "./apply.ts";
import { type Arg, type Flow, hole, isForeign, literal, nothing, quoted, shown, unknownFlow } from "./arg.ts";
import { checkBounds } from "./bounds.ts";
import { place, readPath, writePath } from "./effects.ts";
import { words as split, words } from "./options.ts";
import { printedBy } from "./output.ts";
import { classesOf, isRootTarget, matcherOf, normalise, throughRoot } from "./paths.ts";
import type { Scan, SeenCall } from "./scan.ts";
import { setPositional } from "./variables.ts";
import { findInstalled, findWritten, throughLinks, writtenBelow } from "./written.ts";

/** From a program's words to its level: functions, aliases, wrappers, then the rule table. */

const systemFolders =
  /^\/(usr\/(local\/)?)?(s?bin|lib\/[a-z-]+|libexec)\/|^\/usr\/lib\/postgresql\/\d+\/bin\/|^\/opt\/(bitnami\/)?(apache-)?(cassandra|chef|confluent|couchbase|elasticsearch|flink|gitlab|hadoop|kafka|logstash|mongodb|mssql-tools\d*|mysql|nagios|postgresql|puppetlabs|rabbitmq|redis|spark|splunk|tomcat\d*|zookeeper)\/bin\/|^\/snap\/bin\//;

/** The name a program is looked up by: its last part, without the path. */
export const programName = (text: string): string => text.slice(text.lastIndexOf("/") + 1);

/** Judges a program call; adds findings and gives back what it would print. Never throws for strange input. */
export function judge(args: readonly Arg[], stdin: Flow, scan: Scan): Flow {
  const [first, ...given] = args;
  if (!first || !scan.spend()) return nothing;
  const name = throughLinks(first, scan);
  const rest = given.map((arg) => throughLinks(arg, scan, programName(name.text)));
  if (isForeign(name)) {
    scan.report("block", "flow.run", "runs as a program what was downloaded or decoded", name);
    return unknownFlow;
  }
  if (name.dynamic || name.glob) {
    // The program's name is a variable or a glob: high, and block where any program with these words would be one.
    scan.markUnknown();
    scan.report("high", "call.dynamic", `the program ${shown(name.text)} is known only when it runs`, name);
    const isForced = rest.some((a) => /^-[a-zA-Z]*[rRf]|^--(recursive|force|no-preserve-root)/.test(a.text));
    const root = rest.find(
      (a) => !a.text.startsWith("-") && a.text !== hole && isRootTarget(a, scan.cwd, scan.protectedPaths),
    );
    // `[s]ystemctl` is only one name.
    const single = name.text.replace(/\[(\w)\]/g, "$1");
    if (name.glob)
      for (const text of programsOf(single, scan))
        scan.attempt(() => scan.runArgs([{ ...name, text, dynamic: false, glob: false }, ...rest], nothing));
    // Most unknown parts are empty when it runs (`r$@m`).
    const isPartly = name.text !== hole && name.text.includes(hole);
    if (isPartly)
      scan.attempt(() =>
        scan.runArgs([{ ...name, text: name.text.replaceAll(hole, ""), dynamic: false }, ...rest], nothing),
      );
    if (isForced && root)
      scan.report("block", "call.dynamic", `would hit ${shown(root.text)} whatever the program is`, root);
    if (rest.some((a) => /^of=\/dev\/(sd|nvme|vd|xvd|hd|mapper)/.test(a.text))) {
      scan.report("block", "call.dynamic", "would write to a raw disk whatever the program is", name);
    }
    return unknownFlow;
  }
  const called = callFunction(name, rest, stdin, scan);
  if (called) return called;
  const alias = scan.aliases.get(name.text);
  if (alias && programName(alias.split(" ")[0] ?? "") !== name.text) {
    return scan.runShell(`${alias} ${quoted(rest)}`, stdin, `alias ${name.text}`);
  }
  const script = /^\/etc\/(?:rc\.d\/)?(?:init|rc)\.d\/([\w.-]+)$/.exec(name.text)?.[1];
  if (script !== undefined) return scan.runArgs([literal("service"), { ...name, text: script }, ...rest], stdin);
  if (name.text.includes("/") || findInstalled(name.text, scan)) {
    // A program named by a path: fetched by this very script is block, from a folder anybody may write to is high.
    const path = normalise(name.text, scan.cwd);
    const written = name.text.includes("/") ? findWritten(name, scan) : findInstalled(name.text, scan);
    if (written) {
      if (written.taint)
        scan.report("block", "flow.run", `runs ${shown(path)}, which was downloaded or decoded just before`, name);
      else if (written.text !== undefined) scan.runShell(written.text, stdin, `in ${shown(path)}`);
      else
        scan.report(
          "high",
          "flow.run",
          `runs ${shown(path)}, which was written just before, with text known only when it runs`,
          name,
        );
    }
    if (/^\/(tmp|var\/tmp|dev\/shm|run\/user)\//.test(path) || /^\/home\//.test(path)) {
      scan.report("high", "call.folder", `runs a program from ${shown(path)}, where anybody may have put it`, name);
    }
  }
  return judgeProgram(name, rest, stdin, scan);
}

/** Judges a program by its place and its name: what holds for any, then what it starts, then its rules. */
function judgeProgram(name: Arg, rest: readonly Arg[], stdin: Flow, scan: Scan): Flow {
  const program = programName(normalise(name.text, undefined));
  const isOwn = name.text.includes("/") && !systemFolders.test(normalise(name.text, scan.cwd));
  const isLiteral = rest.every(({ dynamic, glob }) => !dynamic && !glob);
  const begins = (key: string, word: string): boolean => key === word || key.startsWith(`${word}_`);
  const isSub = (word: string): boolean =>
    beginsSub(program, word) ||
    (findRule(program, scan)?.some(({ sub, deep }) =>
      [...sub.keys(), ...deep.keys()].some((key) => begins(key, word)),
    ) ??
      false);
  const asks = /^(--version|--help|-V)$/.test(rest[0]?.text ?? "") && rest.length === 1;
  if (
    !isOwn &&
    (asks ||
      (isLiteral &&
        asksForHelp(
          program,
          rest.map(({ text }) => text),
          isSub,
        )))
  ) {
    if (!isKnown(program, scan.table) && !findRule(program, scan)) scan.markUnknown();
    scan.report("low", "call.version", `asks ${program} for its version or help`, name);
    return unknownFlow;
  }
  if (checkLookAlike(name, scan)) return unknownFlow;
  if (isOwn)
    scan.report("medium", "call.path", `runs ${shown(name.text)}, which is not the system's own ${program}`, name);
  touchAnywhere(program, rest, scan);
  const found = findRule(program, scan);
  const call = { program, name, args: rest, stdin, scan, rule: found };
  if (!isWrapper(program, scan.table) || knownReach(program, found)) checkReach(call);
  checkBounds(call);
  noteSecrets(call);
  const unwrapped = unwrap(call);
  if (unwrapped) return unwrapped;
  if (stdin.from === "a shell" && hasTrait(program, "client", scan.table))
    scan.report("block", "shell.reverse", `connects a shell to the network through ${program}: a reverse shell`, name);
  checkSecrets(program, rest, scan);
  // A variable that the server holds and that is shown by itself: nothing in the output says that it is a secret.
  const shows = /^(echo|printf)$/.test(program) ? rest.flatMap(({ reveals }) => reveals ?? []) : [];
  const isNamed = program === "printenv" || (/^(declare|typeset|export)$/.test(program) && rest[0]?.text === "-p");
  const named = rest.flatMap(({ text }) => (isNamed ? [text] : evaluates.test(program) ? variablesReadIn(text) : []));
  for (const name of new Set([...shows, ...named]))
    if (namesSecret(name)) scan.report("high", "call.reveals", `shows ${name}, whose name says that it is a secret`);
    else if (holdsLogin(name)) scan.report("medium", "call.reveals", `shows ${name}, which usually holds a login`);
  noteFetched(program, rest, scan);
  checkGiven(program, rest, scan);
  const rule = judging(found);
  if (rule) return judgeByRule({ ...call, rule });
  scan.markUnknown();
  scan.report("medium", "call.unknown", `runs ${shown(program)}, a program the rules do not know`, name);
  tryTexts(program, rest, scan);
  const isFetch = rest.some((arg) => /^(https?|ftp):\/\//.test(arg.text));
  return isFetch ? { present: true, taint: "network", from: program } : printedBy(program, rest, stdin, scan);
}

/** They run their arguments as a program; `grep 'env("DB_PASSWORD")'` only looks for the words. */
const evaluates = /^(?:[gmn]?awk|original-awk|jq|gojq|jaq|yq|python[\d.]*|perl|ruby|node|php)$/;

// What an argument means for any program, known or not: an option that writes a file, an option that runs a command,
// a library to load, a shell by its path, a secret or a raw disk given to an unknown program.

const shellPath = /\/bin\/(ba|da|z|k|a|c|tc)?sh\b/;
const wholeShell = /^(\/(usr\/)?(local\/)?bin\/)?(ba|da|z|k|a)?sh(\s|$)/;
/** A word of some language that runs what follows it: `!/bin/sh`, `system("/bin/sh")`, `%(/bin/sh)`. */
const runsShell =
  /(!|system|exec\w*|spawn|popen|write18|esyscmd|shell-command|callCommand|%|term|path=)\W{0,4}\/(usr\/)?bin\/\w*sh\b/;

interface GivenProgram {
  readonly name: string;
  readonly value: Arg;
}

/** Options with what may be their value: after `=`, or the next word. */
function optionsOf(args: readonly Arg[]): GivenProgram[] {
  return args.flatMap((arg, i): GivenProgram[] => {
    const [, name, text] = /^(--?[A-Za-z][\w-]*)(?:=(.*))?$/s.exec(arg.text) ?? [];
    if (name === undefined) return [];
    if (text !== undefined) return [{ name, value: { ...arg, text } }];
    const next = args[i + 1];
    return next && !next.text.startsWith("-") ? [{ name, value: next }] : [];
  });
}

/** Looks at the arguments of any program before its own rules do; reports only what is more than low. */
function touchAnywhere(program: string, args: readonly Arg[], scan: Scan): void {
  const isKnown = isInTable(program, scan.table);
  const wraps = isWrapper(program, scan.table);
  // Most calls have nothing to look at, and three thousand nested ones are looked at three thousand times.
  if (isKnown && !args.some(({ text }) => /[-/!(%]/.test(text))) return;
  const options = optionsOf(args);
  const isText = hasTrait(program, "text", scan.table);
  for (const { name, value } of options) {
    if (anyOptions.library.test(name)) checkLibrary(value, scan);
    if (anyOptions.settings.test(name)) checkSettings(program, { name, value }, scan);
  }
  checkProcess(program, args, scan);
  if (isText) return;
  for (const { name, value } of options) {
    if (anyOptions.output.test(name) && !asking.has(`${program} ${name}`))
      checkOutput(wraps || takesNoFile.has(program) ? "-" : name, value, scan);
    if (hasTrait(program, "names", scan.table) || wraps) continue;
    if (anyOptions.command.test(name)) {
      // An option that names a command: a shell is high, and what must never run is blocked there, too.
      if (wholeShell.test(value.text) || shellPath.test(value.text))
        scan.report("high", "call.shell", `gives ${program} a shell: ${shown(value.text)}`, value);
      scan.attempt(() => scan.runShell(value.text, nothing, `in an option of ${program}`));
    }
  }
  if (!wraps) {
    // Options that show a secret in any program, by their name.
    for (const arg of args) {
      if (arg.text[0] !== "-" || arg.text.length < 4) continue;
      const name = arg.text.split("=", 1)[0] ?? "";
      if (anyOptions.reveals.test(name))
        scan.report("high", "call.reveals", `${program} ${shown(name)}: shows what is kept secret`, arg);
    }
  }
  if (wraps || hasTrait(program, "names", scan.table)) return;
  const shell = args.find(
    ({ text }) => runsShell.test(text) || (!isKnown && (shellPath.test(text) || wholeShell.test(text))),
  );
  if (shell) scan.report("high", "call.shell", `gives ${program} a shell: ${shown(shell.text)}`, shell);
  if (shell && !isKnown && wholeShell.test(shell.text) && args.some(({ text }) => /^\d{2,5}$/.test(text)))
    scan.report("block", "shell.reverse", `gives ${program} a shell and a port: a reverse shell`, shell);
  if (!shells.test(program)) checkDevices(program, args, { isKnown, scan });
  if (isKnown) return;
  args.forEach((arg, i) => {
    if (arg.text.startsWith("-") || isKeyGiven(arg, args[i - 1]?.text ?? "", undefined)) return;
    readPath(arg, scan);
  });
}

/** An option for a file of settings; of what only prints its words it is one of them. */
function checkSettings(program: string, { name, value }: GivenProgram, scan: Scan): void {
  const client = isClient(program, scan.table.get(program));
  if (value.text.includes("=") || (!client && hasTrait(program, "text", scan.table))) return;
  takeSettings(value, { said: `takes ${name} from`, client }, scan);
}

/** A key that a program is to use, and does not show: by its record, else after an option for keys. Account files are never one. */
function isKeyGiven({ text }: Arg, before: string, rule: readonly CompiledRule[] | undefined): boolean {
  if (/\/etc\/(g?shadow|security\/opasswd)/.test(text)) return false;
  if (rule?.some(({ grammar }) => grammar.kinds.get(before) === "secret")) return true;
  return anyOptions.key.test(before) || /^--?[\w-]*(key|cert|identity)[\w-]*=/i.test(text);
}

/** A wrapper that changes a running process instead of starting one (`ionice -c3 -p 42`). */
function checkProcess(program: string, args: readonly Arg[], scan: Scan): void {
  const sets = split(scan.table.get(program)?.[0]?.program.wraps?.sets);
  const isNamed = args.some(({ text }) => /^(-p|-P|--pid\b|--pgid\b)/.test(text));
  const hasProgram = args.some(({ text }) => !/^-|^[\d:,]+$|^(unlimited|idle|realtime|best-effort|none)$/.test(text));
  if (!isNamed || hasProgram) return;
  const change = args.find(({ text }) => sets.some((start) => text.startsWith(start)));
  if (change)
    scan.report("medium", "call.process", `${program} changes a running process: ${shown(change.text)}`, change);
}

const shells = /^(ba|da|z|k|a|fi|c|tc)?sh$|^source$|^\.$/;
const erases = /(^|[-_.:\s'"(])(format|erase|wipe|sanitize|zero|mklabel|destroy|low-level|pwrite|overwrite)/i;
const writes =
  /\b(write|dump|fopen|open|FileWriter|FileOutputStream|put|get|cp|save|output|Out-File|Set-Content|content|download)\b|>/;

/** A file that a text in some language says it writes. */
const namesWritten =
  /(?:\bdump \w+|\bfopen\W|Out-File|Set-Content|FileWriter\W|\.output|\bsave)\s*["'(]*\s*(\/[\w/.-]+)/;

/** A raw disk in a text that writes (`gdb -ex 'dump value /dev/sda …'`), or given to a program that erases. */
function checkDevices(
  program: string,
  args: readonly Arg[],
  { isKnown, scan }: { isKnown: boolean; scan: Scan },
): void {
  const isErasing = !isKnown && [program, ...args.map((arg) => arg.text)].some((text) => erases.test(text));
  for (const arg of args) {
    if (isErasing && classesOf(arg, scan.cwd).has("device"))
      scan.report("block", "path.device", `${program} erases ${place(arg, scan)}, a raw disk`, arg);
    if (!/[\s(]/.test(arg.text) || !writes.test(arg.text)) continue;
    const named = namesWritten.exec(arg.text)?.[1];
    if (named) {
      const classes = classesOf({ ...arg, text: named }, undefined);
      if (["login", "startup", "core-log"].some((name) => classes.has(name as PathClass)))
        writePath({ ...arg, text: named }, "overwrite", scan);
    }
    const path = /(?:^|[\s"'=>])(\/dev\/[\w/.-]+)/.exec(arg.text)?.[1];
    if (path && classesOf({ ...arg, text: path }, undefined).has("device"))
      scan.report("block", "path.device", `${program} writes ${shown(path)}, a raw disk`, arg);
  }
}

/** A file named after `-o` or `--output`: a raw disk, the login files and what runs by itself for every program. */
function checkOutput(name: string, value: Arg, scan: Scan): void {
  const classes = classesOf(value, scan.cwd);
  const isPlace = classes.has("device") || classes.has("login") || classes.has("startup");
  const isPath =
    /^(\/|\.\.?\/|~\/)/.test(value.text) ||
    (/^(--|-o$)/.test(name) && /^[\w.-]+(\/[\w.-]+)+$|^[\w-]+\.[A-Za-z]\w{0,4}$/.test(value.text));
  const isFile = isPath && (/^(--|-o)/.test(name) || /-?(file|path|dir|out|output)$/.test(name));
  if (isPlace || isFile) writePath(value, "replace", scan);
}

/** Programs whose `-o` is a switch or a form, so that a path behind it is what they read. */
const takesNoFile = new Set(
  split(
    "ls dir vdir od strings nm lsof ps df ss netstat readelf objdump test [ stat id who uname hexdump egrep fgrep zgrep zegrep bzgrep xzgrep ag ack ugrep pcregrep pcre2grep",
  ),
);

/** Options that ask for a setting if what follows is a disk. */
const asking = new Set(["hdparm -W"]);

/** Code that a program loads from a place that is not the system's own. */
function checkLibrary(value: Arg, scan: Scan): void {
  const path = normalise(value.text, scan.cwd);
  const isCode = value.text.startsWith("../..") || /\.so(\.\d+)*$/.test(path);
  if (!isCode || /^\/(usr\/(local\/)?)?lib(64)?\//.test(path)) return;
  scan.report("high", "call.library", `loads code from ${place(value, scan)}`, value);
}

/** A program that the rules know; what must never run is looked for in its words where it does more than look. */
function judgeByRule(call: Application): Flow {
  const { program, name, args, stdin, scan } = call;
  const before = { ...scan.reports };
  const flow = applyRule(call);
  if (scan.reports.all === before.all && scan.trials === 0 && !flow)
    scan.report("medium", "call.unclear", `runs ${shown(program)} in a way the rules say nothing about`, name);
  // Pagers take `+!command`.
  const escapes = args.filter((arg) => /^[+:]*!.*\s/s.test(arg.text));
  if (escapes.length > 0) tryTexts(program, escapes, scan);
  if (!hasTrait(program, "plain", scan.table)) tryEscapes(program, stdin.text, scan);
  if (scan.reports.risky > before.risky) {
    raiseDecoded(call, scan.reports.high > before.high);
    tryTexts(program, args, scan);
    if (stdin.text !== undefined && !hasTrait(program, "text", scan.table))
      checkSecrets(program, [literal(stdin.text)], scan);
  }
  return flow ?? printedBy(program, args, stdin, scan);
}

/** Judges a call that does more than look one level stricter if one of its words is unreadable, because the word may be anything. */
function raiseDecoded({ program, name, args, scan }: Application, isHigh: boolean): void {
  const word = args.find(({ taint }) => taint === "decoded");
  if (!word) return;
  scan.report(isHigh ? "block" : "high", "call.decoded", `gives ${program} what was decoded`, name);
}

/** Arguments that may be a command (`foo -c 'rm -rf /'`, `vim -c ':!…'`): what must never run is blocked there too. */
function tryTexts(program: string, args: readonly Arg[], scan: Scan): void {
  if (scan.trials > 1) return;
  const tried = hasTrait(program, "text", scan.table)
    ? args.filter((arg) => /^[+:]*!|=!|(exec|pager|pack|command|cmd)=/i.test(arg.text))
    : args;
  for (const arg of tried) tryText(program, arg, scan);
  if (hasTrait(program, "text", scan.table)) return;
  args.slice(0, maxWrapped).forEach((arg, i) => {
    if (runnable.test(arg.text)) scan.attempt(() => scan.runArgs(args.slice(i), nothing));
  });
}

/** Programs that an unknown wrapper may be given (`cpulimit -l 50 -- rm …`). */
const runnable =
  /^(\/[\w./]+\/)?(rm|dd|mkfs(\.\w+)?|shred|wipefs|sh|bash|cat|find|chmod|chown|nc|mv|env|sudo|python3?|perl)$/;
const maxWrapped = 8;

function tryText(program: string, arg: Arg, scan: Scan): void {
  const text = arg.text
    .replace(/^(--?)?[\w.-]+=/, "")
    .replace(/^[+:!\s]+(?:(?:exec|exe|shell|system|spawn|silent)\s+)*!?/, "");
  const written = findWritten(arg.text === text ? arg : literal(text), scan)?.text;
  if (written !== undefined) {
    scan.attempt(() => scan.runShell(written, nothing, `in what ${program} reads`));
    scan.attempt(() =>
      judgeCode(written, { report: (risk, why) => scan.report(risk, "call.code", why), scan, program }),
    );
  }
  if (!/\S\s+\S/.test(text) || text.length > 2000) return;
  scan.attempt(() => scan.runShell(text, nothing, `in an argument of ${program}`));
}

/** Lines of a program's input that leave it for the shell (`!command` in ed, bc, ftp; `~!command` in mail). */
function tryEscapes(program: string, text: string | undefined, scan: Scan): void {
  if (!text || scan.trials > 0) return;
  for (const [, command = ""] of [...text.matchAll(programEscape)].slice(0, 20))
    scan.attempt(() => scan.runShell(command, nothing, `in the input of ${program}`));
  if (!text.includes("!")) return;
  for (const [, command = ""] of [...text.matchAll(/^\s*[~:]*!\s*(.+)$/gm)].slice(0, 20))
    scan.attempt(() => scan.runShell(command, nothing, `in the input of ${program}`));
}

/** A call in the program's own language that runs a command (`esyscmd(…)` in m4, `system "…"` in gnuplot). */
const programEscape = /\b(?:e?syscmd|system|shell|popen|exec)\s*[("'`{]+\s*([^"'`)}]+)/g;

/** A program that is given an address and a path: what it leaves there came over the network. A script it runs did not. */
function noteFetched(program: string, args: readonly Arg[], scan: Scan): void {
  noteUnpacked(program, args, scan);
  const address = args.find((arg) => /^(https?|ftp|s3|gs|git|sftp|ssh):\/\/|^git@/.test(arg.text));
  if (!address || hasTrait(program, "text", scan.table)) return;
  const script = scriptOf(program, args.slice(0, args.indexOf(address)), scan);
  for (const arg of args)
    if (arg !== script && /^(\.?\/|~\/|\.$)/.test(arg.text))
      // The path may be a folder, in which what is fetched keeps its name.
      for (const path of [arg.text, `${arg.text}/${programName(address.text)}`])
        scan.files.set(normalise(path, scan.cwd), { present: true, taint: "network", from: shown(address.text) });
}

/** Programs that run the file, or the files of the folder, they are given. */
function checkGiven(program: string, args: readonly Arg[], scan: Scan): void {
  if (!/^(java|ansible-playbook|[gm]?awk|run-parts)$/.test(program) || scan.files.size === 0) return;
  const isCode = (arg: Arg, at: number): boolean =>
    !/awk$/.test(program) || /^(-f|--file)$/.test(args[at - 1]?.text ?? "") || /^(-f|--file=)./.test(arg.text);
  for (const arg of args.filter(isCode)) {
    const file = literal(arg.text.replace(/^(-f|--file=)/, ""));
    const flows = [findWritten(file, scan), ...writtenBelow(file, scan).map(([, flow]) => flow)];
    if (file.text !== "" && flows.some(isForeign))
      scan.report("block", "flow.run", `${program} runs ${shown(file.text)}, which was downloaded or decoded`, arg);
  }
}

const takesIn =
  /^(git|docker|podman|nerdctl|kubectl|oc|sftp|g?(un)?zip|b(un)?zip2|(un)?(xz|zstd|lz4)|7za?|bsdtar|unar|jar|cpio)$/;

/** A folder that is cloned or unpacked: of a clone it is unknown what it holds; what a fetched archive holds was fetched. */
function noteUnpacked(program: string, args: readonly Arg[], scan: Scan): void {
  if (!takesIn.test(program)) return;
  const words = args.filter(({ text }) => !text.startsWith("-"));
  if (program === "git" && words.some(({ text }) => text === "clone")) {
    const [address, folder] = words.slice(words.findIndex(({ text }) => text === "clone") + 1);
    const name =
      folder?.text ??
      address?.text
        .replace(/(\/|\.git)+$/, "")
        .split(/[/:]/)
        .pop();
    if (name) scan.files.set(`${normalise(name, scan.cwd)}/**`, { present: true, from: "git clone" });
  }
  const [last, from] = [words.at(-1), words.at(-2)];
  const isCopy = /^(docker|podman|nerdctl|kubectl|oc)$/.test(program) && words.some(({ text }) => text === "cp");
  const isRemote = (arg: Arg | undefined): boolean => /^[^/:]+:./.test(arg?.text ?? "");
  if (isCopy && last && from && isRemote(from) && !isRemote(last))
    for (const path of [last.text, `${last.text}/${programName(from.text)}`])
      scan.files.set(normalise(path, scan.cwd), { present: true, from: `${program} cp` });
  const [remote, local] = words;
  if (program === "sftp" && remote && isRemote(remote)) {
    const fetched = { present: true, taint: "network", from: "sftp" } as const;
    for (const path of [local?.text ?? ".", `${local?.text ?? "."}/${programName(remote.text.replace(/^.*:/, ""))}`])
      if (path !== ".") scan.files.set(normalise(path, scan.cwd), fetched);
  }
  if (/^(gunzip|gzip|bunzip2|bzip2|unxz|xz|unzstd|zstd|unlz4|lz4)$/.test(program))
    for (const arg of words) {
      const flow = findWritten(arg, scan);
      if (flow?.taint) scan.files.set(normalise(arg.text.replace(/\.\w+$/, ""), scan.cwd), flow);
    }
  if (!/^(unzip|7za?|bsdtar|unar|jar|cpio)$/.test(program)) return;
  const packed = words.map((arg) => findWritten(arg, scan)).find((flow) => flow?.taint);
  const at = args.findIndex(({ text }) => /^-[dC]$/.test(text));
  const folder = (at < 0 ? undefined : args[at + 1]?.text) ?? args.find(({ text }) => /^-o./.test(text))?.text.slice(2);
  if (packed) scan.files.set(`${normalise(folder ?? ".", scan.cwd)}/**`, packed);
}

/** The script that an interpreter or shell runs; none where it is given its program text in an option. */
function scriptOf(program: string, args: readonly Arg[], scan: Scan): Arg | undefined {
  const check = findRule(program, scan)?.find(({ detail }) => runsScripts.test(detail.check ?? ""))?.detail.check;
  if (!check || args.some(({ text }) => (check === "interpreter" ? /^-\w*[ceEr]$|^--eval/ : /^-\w*c/i).test(text)))
    return undefined;
  return args.find(({ text }) => /^(\.?\/|~\/)|^[\w-]+\.\w{1,4}$/.test(text));
}
const runsScripts = /^(interpreter|shell|sourceFile|pwsh)$/;

/** A key or password file named to a program that is not known to look at names only: it may be read. */
function checkSecrets(program: string, args: readonly Arg[], scan: Scan): void {
  const rule = findRule(program, scan);
  args.forEach((arg, i) => {
    if (hasTrait(program, "names", scan.table) && !/^--files0?-from=/.test(arg.text)) return;
    const before = args[i - 1]?.text ?? "";
    if (isKeyGiven(arg, before, rule)) return;
    for (const part of arg.text.replace(/^-\w(?=\/)/, "").split(/[=@,:<>|\s'"(){}[\]]+/)) {
      if (!part.includes("/") || !hardSecrets.test(throughRoot(normalise(part, scan.cwd)))) continue;
      scan.report("block", "path.secret", `gives the secret ${shown(part)} to ${program}`, arg);
    }
  });
}

const prints = new Map(
  Object.entries(secretPrints).flatMap(([names, list]) => words(names).map((name) => [name, list] as const)),
);

/** Prints secrets by design, so a person must ask for it. */
function noteSecrets({ program, args, scan }: SeenCall): void {
  const line = ` ${args.map(({ text }) => text).join(" ")} `;
  const found = prints.get(program)?.find((one) => (one.if?.test(line) ?? true) && !one.unless?.test(line));
  if (!found) return;
  scan.reveal(found.what);
  const [filter = ""] = scan.filters;
  const { level = picks.test(filter) && !speaksOfSecrets.test(filter) ? "low" : "medium" } = found;
  const isAsked = level === "low" && scan.filters.some((one) => asksForSecrets.test(one));
  scan.report(isAsked ? "medium" : level, "call.reveals", found.what);
}

/** A function of this script: its body with these arguments. */
function callFunction(name: Arg, rest: readonly Arg[], stdin: Flow, scan: Scan): Flow | undefined {
  const body = scan.functions.get(name.text);
  if (!body) return undefined;
  if (scan.depth > 8 || !scan.spend(rest.length)) return unknownFlow;
  setPositional(rest, scan);
  scan.depth++;
  const flow = scan.runNode(body, stdin);
  scan.depth--;
  return flow;
}

const maxPrograms = 12;

/** The programs of the rules that a glob may stand for (`/sbin/auditct*`, `/bin/r?`). */
function programsOf(glob: string, scan: Scan): readonly string[] {
  const last = glob.slice(glob.lastIndexOf("/") + 1);
  if (!/[*?[]/.test(glob)) return [glob];
  // A name of stars only may be anything: nothing is learnt by trying.
  const matcher = /\w/.test(last) ? matcherOf(last) : undefined;
  if (!matcher || !scan.spend(scan.table.size >> 6)) return [];
  return [...scan.table.keys()].filter((name) => matcher.test(name)).slice(0, maxPrograms);
}

/** Letters of another script in a program's name: never what it looks like. */
function checkLookAlike(name: Arg, scan: Scan): boolean {
  if (!/[^ -~]/.test(name.text)) return false;
  const plain = name.text.normalize("NFKC");
  scan.markUnknown();
  scan.report("high", "call.look-alike", `the program's name ${shown(name.text)} has letters that are not ASCII`, name);
  if (plain !== name.text) scan.runShell(plain, nothing, "after Unicode normalisation");
  return true;
}
