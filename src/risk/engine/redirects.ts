/** Redirections: what is read, what is overwritten, and what the command gets on stdin. */

import type { Redirection } from "../shell/parse.ts";
import { type Arg, type Flow, nothing, shown, unknownFlow } from "./arg.ts";
import { readPath, tryStartup, writePath } from "./effects.ts";
import { normalise } from "./paths.ts";
import type { Scan } from "./scan.ts";
import { resolveOne, resolveParts } from "./words.ts";
import { throughLinks } from "./written.ts";

export interface Redirected {
  readonly stdin: Flow;
  /** A socket of the shell's own (`/dev/tcp/host/port`), where one is opened. */
  readonly socket: Arg | undefined;
  readonly opensDescriptor: boolean;
  /** Told what the command prints, to know what a file then holds. */
  readonly finish: (flow: Flow) => void;
}

/** Applies redirections in order; reports the paths they touch. */
export function applyRedirects(redirects: readonly Redirection[], stdin: Flow, scan: Scan): Redirected {
  let input = stdin;
  let socket: Arg | undefined;
  let opensDescriptor = false;
  const written: string[] = [];
  /** What a descriptor holds is a file to whoever names it (`/dev/fd/3`), and the input where it is the first. */
  const feed = (flow: Flow, { descriptor }: Redirection): void => {
    const number = descriptor?.type === "FileDescriptor" ? descriptor.value : 0;
    if (number === 0) input = flow;
    else for (const folder of ["/dev/fd", "/proc/self/fd"]) scan.files.set(`${folder}/${number}`, flow);
  };
  for (const redirect of redirects) {
    if (redirect.type === "HereDoc") {
      const parts = redirect.body.parts;
      const body = parts && !redirect.delimiter?.quoted ? resolveParts(parts, scan) : undefined;
      const text = body ? body.text : redirect.body.text;
      feed({ present: true, text, taint: body?.taint, from: "the here-document" }, redirect);
      scan.tracer?.redirection(`${redirect.operator} (a text of ${text?.length ?? 0} characters)`);
      continue;
    }
    if (!redirect.target) continue;
    const target = throughLinks(resolveOne(redirect.target, scan), scan);
    scan.tracer?.redirection(`${redirect.operator} ${shown(target.text)}`);
    if (redirect.type === "HereString") {
      feed({ present: true, text: target.dynamic ? undefined : `${target.text}\n`, taint: target.taint }, redirect);
      continue;
    }
    if (/^\/dev\/(tcp|udp)\//.test(target.text)) {
      socket = target;
      scan.tracer?.network(target.text);
      opensDescriptor ||=
        (redirect.descriptor?.type === "FileDescriptor" && redirect.descriptor.value > 2) || redirect.operator === "<>";
      if (redirect.operator === "<") input = { present: true, taint: "network", from: target.text };
      continue;
    }
    if (redirect.operator === "<") {
      readPath(target, scan);
      feed(
        scan.files.get(normalise(target.text, scan.cwd)) ??
          (target.text === "/dev/null" ? { present: true, text: "" } : undefined) ??
          (target.taint ? { present: true, taint: target.taint } : unknownFlow),
        redirect,
      );
      continue;
    }
    if (redirect.operator === "<&") {
      // A descriptor: what it was opened on in this script, or by a coprocess; of any other nothing is known.
      const opened = scan.files.get(`/dev/fd/${target.text}`);
      if (target.taint) input = { present: true, taint: target.taint, from: "a coprocess" };
      else if (target.text !== "-" && target.text !== "0") feed(opened ?? unknownFlow, redirect);
      continue;
    }
    if (redirect.operator.endsWith("&") && /^\d*-?$/.test(target.text)) continue;
    if (target.taint === undefined && target.text === "\u0001" && redirect.target.text.startsWith(">(")) continue;
    writePath(target, redirect.operator.endsWith(">>") ? "append" : "overwrite", scan);
    if (redirect.operator === "<>") readPath(target, scan);
    written.push(normalise(target.text, scan.cwd));
  }
  const finish = (flow: Flow): void => {
    for (const path of written) {
      scan.files.set(path, flow.present ? flow : nothing);
      tryStartup(path, flow.text, scan);
    }
  };
  return { stdin: input, socket, opensDescriptor, finish };
}
