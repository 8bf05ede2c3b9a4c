/** What goes along with a call that is no literal of it. */
import { type Arg, type Flow, hole, shown } from "../engine/arg.ts";
import type { ParsedArguments } from "../engine/options.ts";
import { hostOfAddress } from "./hosts.ts";
import type { ReachRecord, ReachTarget } from "./targets.ts";

/** What goes along with a call that is no literal of it: the argument, or words for a file or a pipe; undefined where nothing does. */
export function sentBy({
  program,
  parsed,
  known,
  targets,
  stdin,
}: {
  readonly program: string;
  readonly parsed: ParsedArguments;
  readonly known: ReachRecord;
  readonly targets: readonly ReachTarget[];
  readonly stdin: Flow;
}): Arg | string | undefined {
  const { reach, files, keeps } = known;
  const { options, operands } = parsed;
  for (const { name, value } of options) {
    if (!value || keeps.has(name)) continue;
    const file = files.has(name) ? value.text : fileIn(name, value.text);
    if (file === undefined) {
      if (isData(value)) return value;
    } else if (file !== "-" && file !== "") return `the file ${shown(file)}`;
    else if (isFed(stdin)) return "what comes in by a pipe";
  }
  if (reach.kind === "account") {
    // The name of a bucket that data is a part of: who owns it reads the name.
    const named = targets.find(({ host }) => host.includes(hole) && host.replaceAll(hole, "") !== "");
    if (named) return named.arg;
    const verb = operands.findIndex(({ text }) => uploading.test(text));
    const from = verb < 0 ? undefined : operands[verb + 1];
    if (from && targets.length > 0 && !targets.some(({ arg }) => arg === from)) return `the file ${shown(from.text)}`;
  } else if (reach.kind === "copy" && !reach.operands) {
    const last = operands.at(-1);
    const from = operands.slice(0, -1).find((operand) => !targets.some(({ arg }) => arg === operand));
    if (from && targets.some(({ arg }) => arg === last)) return `the file ${shown(from.text)}`;
  } else {
    // What a shell on the other host is given is judged as a command; the other operands of a copy are its own matter.
    const given = reach.kind === "copy" && reach.operands !== "hosts" ? operands.slice(0, 1) : operands;
    const data = given.find((operand) => isDataBesideHost(operand, targets));
    if (data) return data;
  }
  if (program === "git" && /^(push|send-pack|send-email)$/.test(operands[0]?.text ?? ""))
    return "the repository's commits";
  return reach.stdin && isFed(stdin) ? "what comes in by a pipe" : undefined;
}

/** `@file`, `name=@file`, `<file` in the value of an option that sends. */
const fileIn = (name: string, value: string): string | undefined =>
  name === "--data-raw" || name === "--form-string"
    ? undefined
    : (/^(-H|--header|--proxy-header)$/.test(name)
        ? /^@(.+)/
        : name === "--data-urlencode"
          ? /^[^=@]*@(.+)/
          : /(?:^|=)[@<]([^;]+)/
      ).exec(value)?.[1];

/** Verbs of cloud clients that copy their first operand to the place that the next one names. */
const uploading = /^(cp|copy|copyto|sync|mv|move|moveto|put|upload|rsync|upload-batch|put-object|bisync|mirror)$/;

const isFed = ({ present, text, taint }: Flow): boolean => present && (text === undefined || taint !== undefined);

/** Whether a word holds what is no literal of the command. */
export const isData = ({ text, dynamic, taint, glob }: Arg): boolean =>
  dynamic || taint !== undefined || text.includes(hole) || (glob && hostOfAddress(text) === undefined);

/** A host that is known only when the command runs is no data by itself: it cannot have been chosen to receive data. */
function isDataBesideHost(arg: Arg, targets: readonly ReachTarget[]): boolean {
  if (!isData(arg)) return false;
  const target = targets.find((one) => one.arg === arg);
  // What stands for a host is no pattern of file names (`es:9200/_tasks?detailed`).
  if (target && !isData({ ...arg, glob: false })) return false;
  if (target?.kind !== "unseen" || targets.some(({ kind }) => kind === "outside" || kind === "near")) return true;
  return arg.taint === "secret" || arg.text.replace(target.host, "").includes(hole);
}
