/** Containers and clusters: the command inside is judged, and a mount of the host's root is the host's root. */

import { parseYaml } from "../../base/yaml.ts";
import type { Check, ProgramCall } from "../engine/apply.ts";
import { type Arg, hole, literal, nothing, shown, unknownFlow } from "../engine/arg.ts";
import { isDryRun } from "../engine/dry-run.ts";
import { grammarOf, type Option, type ParsedArguments, parseOptions, words } from "../engine/options.ts";
import { isRootTarget, normalise } from "../engine/paths.ts";
import { kubectlFlags, publicOutputs, silentVerbs } from "../knowledge/kubectl.ts";

/** `docker run|create`: options up to the image, then the program. */
export const docker: Check = (call) => {
  const { args, detail, operands, report, scan, stdin, program } = call;
  const verb = args.findIndex(({ text }) => /^(run|create)$/.test(text));
  const [image] = operands;
  const at = image ? args.indexOf(image) : args.length;
  const { options } = parseOptions(args.slice(verb + 1, at), grammarOf(detail));
  report("medium", `${program} ${shown(args[verb]?.text ?? "")}: starts a container of ${shown(image?.text ?? "?")}`);
  const entrypoint = options.findLast(({ name }) => name === "--entrypoint")?.value;
  // The program in the container: its own root is not the host's, yet a block stays one: it may hold data.
  const words = [...(entrypoint ? [entrypoint] : []), ...args.slice(at + 1)];
  for (const { name, value } of options) {
    const mount = value && mountIn(name, value.text);
    if (mount?.from.startsWith("/")) judgeMount(call, mount, words);
  }
  return words.length === 0 ? unknownFlow : scan.runArgs(words, stdin);
};

interface Mount {
  readonly from: string;
  readonly to: string;
  readonly isReadOnly: boolean;
}

/** `-v FROM:TO:MODE`, `--mount source=FROM,target=TO,readonly`. */
function mountIn(option: string, text: string): Mount | undefined {
  if (option === "-v" || option === "--volume") {
    const [from = "", to = "", mode = ""] = text.split(":");
    return { from, to, isReadOnly: mode.includes("ro") };
  }
  if (option !== "--mount") return undefined;
  const [, from = ""] = /(?:source|src)=([^,]*)/.exec(text) ?? [];
  const [, to = ""] = /(?:target|destination|dst)=([^,]*)/.exec(text) ?? [];
  return { from, to, isReadOnly: /readonly|ro=true|,ro\b/.test(text) };
}

/** A folder of the host in the container: paths below the mount point are the host's. */
function judgeMount({ report, scan }: ProgramCall, { from, to, isReadOnly }: Mount, words: readonly Arg[]): void {
  const isControl = /docker\.sock|containerd\.sock/.test(from);
  if (isControl) report("high", `gives the container ${from}: control of the host`);
  if (isControl || !isRootTarget(literal(from), undefined, scan.protectedPaths)) return;
  report("high", `mounts ${from} of the host into the container`);
  if (isReadOnly || words.length === 0) return;
  const onHost = words.map((word) => ({ ...word, text: word.text.replaceAll(to, from).replaceAll("//", "/") }));
  scan.runArgs(onHost, nothing);
}

// `kubectl` and `oc`: what a call prints of Secrets, and what it takes down by a value or a name.

const grammar = grammarOf({ options: kubectlFlags });
const silent = new Set(words(silentVerbs));

/** Verbs that print the objects they name where they are asked for an output; others are judged by all their words. */
const printing = new Set(words("get label annotate patch apply replace create edit wait set"));

/** Verbs that show an object without being asked for an output. */
const showing = /^(?:edit|extract|(?:view|modify|decode)-secret)$/;

/** A call as kubectl reads it, its flags anywhere. */
interface KubectlCall extends ParsedArguments {
  readonly verb: string;
  /** The operands behind the verb. */
  readonly names: readonly Arg[];
  /** False where an option may take a word that looks like an operand here. */
  readonly isClear: boolean;
}

const respell = (arg: Arg): Arg => {
  const [flag = ""] = arg.text.split("=", 1);
  const isSpelled = !flag.startsWith("--") || !flag.includes("_");
  return isSpelled ? arg : { ...arg, text: flag.replaceAll("_", "-") + arg.text.slice(flag.length) };
};

const valuesOf = ({ options }: Pick<ParsedArguments, "options">, ...names: readonly string[]): readonly Arg[] =>
  options.flatMap((option: Option) => (option.value && names.includes(option.name) ? [option.value] : []));

/** Whether a kind is Secret, or may be. */
const mayBeSecret = (kind: string): boolean =>
  kind.includes(hole) || /^secrets?(?:\.(?:v1)?(?:\.(?:core)?)?)?$/i.test(kind);

const kindsIn = (word: string): readonly string[] => word.split(",").map((part) => part.split("/")[0] ?? "");

/** The kinds that a call names, as kubectl finds them: before each `/`, else in the first word. */
function kindsNamed({ verb, names, isClear }: KubectlCall): readonly string[] {
  if (!isClear || !printing.has(verb)) return names.flatMap(({ text }) => kindsIn(text));
  const [first, ...others] = /^(?:set|apply)$/.test(verb)
    ? names.slice(verb === "set" || names.length > 1 ? 1 : 0)
    : names;
  if (!first || verb === "create") return first ? [first.text] : [];
  const isPair = ({ text }: Arg): boolean => text.includes("=") || text.endsWith("-");
  const end = /^(?:label|annotate|set)$/.test(verb) ? others.findIndex(isPair) : -1;
  const more = (end < 0 ? others : others.slice(0, end)).map(({ text }) => text);
  const hasPairs = first.text.includes("/");
  return [first.text, ...more.filter((text) => text.includes("/") || (hasPairs && text.includes(hole)))].flatMap(
    kindsIn,
  );
}

/** What a call reads its objects from; undefined for an unknown text. */
function textsRead(call: KubectlCall, { scan, stdin }: ProgramCall): readonly (string | undefined)[] {
  const files = valuesOf(call, "-f", "--filename").map(({ text }) =>
    text === "-" ? stdin.text : scan.files.get(normalise(text, scan.cwd))?.text,
  );
  return [...files, ...valuesOf(call, "-k", "--kustomize").map(() => undefined)];
}

/** Whether a text of objects may hold a Secret: it is none where each `kind` in it is plainly another. */
function mayHoldSecret(text: string | undefined): boolean {
  if (text === undefined || text.includes("\\") || text.includes(hole)) return true;
  const kinds = [...text.matchAll(/\bkind["']?\s*:\s*["']?([A-Z][A-Za-z]*)["']?\s*(?=[,}\n]|$)/g)].map(
    ([, kind = ""]) => kind,
  );
  const isRead = kinds.length > 0 && kinds.length === (text.match(/\bkind\b/gi) ?? []).length;
  return !isRead || kinds.some((kind) => /^Secret(?:List)?$/.test(kind));
}

/** Whether it prints the data of an object of kind Secret, or of one whose kind is not known, in any form. */
function showsSecret(call: KubectlCall, given: ProgramCall): boolean {
  const { verb, names, options } = call;
  const sub = `${verb} ${names[0]?.text ?? ""}`;
  if (sub === "set env" && options.some(({ name, value }) => name === "--resolve" && value?.text !== "false"))
    return true;
  const isTracing = valuesOf(call, "-v", "--v").some(({ text }) => !/^[0-7]$/.test(text));
  const isAsked =
    valuesOf(call, "--template").length > 0 ||
    valuesOf(call, "-o", "--output").some(({ text }) => !publicOutputs.test(text));
  const isPrinted =
    isTracing || showing.test(verb) || sub === "apply view-last-applied" || sub === "apply edit-last-applied";
  if (!isPrinted && (!isAsked || (call.isClear && silent.has(verb)))) return false;
  if (verb.endsWith("-secret")) return true;
  return kindsNamed(call).some(mayBeSecret) || (!isTracing && textsRead(call, given).some(mayHoldSecret));
}

/** Zero as Go reads a number (`strconv`, base 0), and as YAML and JSON have it; an unknown value may be zero. */
const isZero = (value: unknown): boolean =>
  /^[+-]?(?:0[xob]_?)?0[0_]*(?:\.0*)?(?:e[+-]?\d+)?$/i.test(String(value).replaceAll(hole, "0").trim());

/** Whether a value that is set has a `replicas` of zero somewhere in it. */
function setsZero(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(setsZero);
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(
    ([key, inner]) => key !== "metadata" && ((/^replicas$/i.test(key) && isZero(inner)) || setsZero(inner)),
  );
}

/** Whether an operation of a JSON patch sets `replicas` to zero, or to what stands elsewhere in the object. */
function operationSetsZero(operation: unknown): boolean {
  if (typeof operation !== "object" || operation === null) return false;
  const { op, path, value } = operation as { readonly op?: unknown; readonly path?: unknown; readonly value?: unknown };
  const isOfReplicas = /\/replicas$/i.test(String(path));
  if (/^(?:copy|move)$/i.test(String(op))) return isOfReplicas;
  return /^(?:add|replace)$/i.test(String(op)) && ((isOfReplicas && isZero(value)) || setsZero(value));
}

/** Whether a patch, or a manifest that is applied, takes something down to nothing; one that cannot be read may. */
function scalesToZero(text: string): boolean {
  return text.split(/^---.*$/m).some((part) => {
    const read = parseYaml(part.replaceAll(hole, "0"), "patch");
    if (!read.ok) return /replicas|\\/i.test(part);
    return setsZero(read.value) || (Array.isArray(read.value) && read.value.some(operationSetsZero));
  });
}

function takesDown(call: KubectlCall, { args, scan, stdin }: ProgramCall): boolean {
  if (isDryRun({ args, options: call.options, known: grammar.known }, (name) => name === "--dry-run")) return false;
  const textOf = ({ text }: Arg): string | undefined =>
    text === "-" || text === "/dev/stdin" ? stdin.text : scan.files.get(normalise(text, scan.cwd))?.text;
  switch (call.verb) {
    case "scale":
      return valuesOf(call, "--replicas").some(({ text }) => isZero(text));
    case "patch":
      return [
        ...valuesOf(call, "-p", "--patch").map(({ text }) => text),
        ...valuesOf(call, "--patch-file").map(textOf),
      ].some((text) => text !== undefined && scalesToZero(text));
    case "apply":
      return valuesOf(call, "-f", "--filename")
        .map(textOf)
        .some((text) => text !== undefined && scalesToZero(text));
    default:
      return false;
  }
}

/** An ephemeral container is what `debug` starts. */
const startsDebugging = (call: KubectlCall): boolean =>
  call.verb !== "get" &&
  valuesOf(call, "--subresource", "--raw").some(({ text }) => /ephemeralcontainers/i.test(text) || text.includes(hole));

/** Not in the table: it depends on the kind that is printed, and on the value that is set. */
export const kubectl: Check = (given) => {
  const { args, program, report, scan, stdin } = given;
  const spelled = args.map(respell);
  // Also as kubectl reads it: `--dry_run=none` undoes a `--dry-run`.
  if (spelled.some((arg, at) => arg !== args[at])) return scan.runArgs([literal(program), ...spelled], stdin);
  const parsed = parseOptions(args, grammar);
  const [verb, ...names] = parsed.operands;
  const call = {
    ...parsed,
    verb: verb?.text ?? "",
    names,
    isClear: parsed.options.every(({ name, value }) => value !== undefined || grammar.known.has(name)),
  };
  if (showsSecret(call, given)) {
    report("high", `${program}: shows the content of secrets`);
    scan.answerSecret("prints Kubernetes secrets");
  }
  if (takesDown(call, given)) report("high", `${program}: scales to zero: downtime`);
  if (startsDebugging(call)) report("high", `${program}: starts a debug container`);
  return undefined;
};
