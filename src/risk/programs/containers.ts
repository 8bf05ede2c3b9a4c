/** Containers: the command inside is judged, and a mount of the host's root is the host's root. */
import type { Check, ProgramCall } from "../engine/apply.ts";
import { type Arg, literal, nothing, shown, unknownFlow } from "../engine/arg.ts";
import { grammarOf, parseOptions } from "../engine/options.ts";
import { isRootTarget } from "../engine/paths.ts";

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
