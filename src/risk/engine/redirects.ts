/** Redirections: what is read, what is overwritten, and what the command gets on stdin. */

import type { Redirection } from "../shell/parse.ts";
import { type Arg, type Flow, hole, nothing, shown, unknownFlow } from "./arg.ts";
import { endlessDevice } from "./bounds.ts";
import { readPath, tryStartup, writePath } from "./effects.ts";
import { normalise } from "./paths.ts";
import type { Scan } from "./scan.ts";
import { resolveOne, resolveParts } from "./words.ts";
import { findWritten, throughLinks } from "./written.ts";

export interface RedirectedFlow {
  readonly stdin: Flow;
  /** A socket of the shell's own (`/dev/tcp/host/port`), where one is opened. */
  readonly socket: Arg | undefined;
  /** True where it is only read from. */
  readonly isSocketRead: boolean;
  readonly opensDescriptor: boolean;
  /** Told what the command prints, to know what a file then holds. */
  readonly finish: (flow: Flow) => void;
}

/** What the redirections so far have opened. */
interface OpenedFlows {
  input: Flow;
  socket: Arg | undefined;
  isSocketRead: boolean;
  opensDescriptor: boolean;
  readonly written: { readonly path: string; readonly isAppended: boolean }[];
}

/** Applies redirections in order; reports the paths they touch. */
export function applyRedirects(redirects: readonly Redirection[], stdin: Flow, scan: Scan): RedirectedFlow {
  const opened: OpenedFlows = {
    input: stdin,
    socket: undefined,
    isSocketRead: true,
    opensDescriptor: false,
    written: [],
  };
  for (const redirect of redirects) applyRedirect(redirect, opened, scan);
  const { input, socket, isSocketRead, opensDescriptor, written } = opened;
  const finish = (flow: Flow): void => {
    for (const { path, isAppended } of written) {
      const before = isAppended ? scan.files.get(path) : undefined;
      scan.files.set(path, before ? joined(before, flow) : flow.present ? flow : nothing);
      tryStartup(path, flow.text, scan);
    }
  };
  return { stdin: input, socket, isSocketRead, opensDescriptor, finish };
}

/** What a file holds after something is appended to it. */
function joined(before: Flow, flow: Flow): Flow {
  if (before.taint) return before;
  const isKnown = before.text !== undefined && flow.text !== undefined;
  return { ...flow, present: true, text: isKnown ? `${before.text}${flow.text}` : undefined };
}

/** What a descriptor holds is a file if its path is named (`/dev/fd/3`), and the input if it is the first. */
function feed(flow: Flow, { descriptor }: Redirection, opened: OpenedFlows, scan: Scan): void {
  const number = descriptor?.type === "FileDescriptor" ? descriptor.value : 0;
  if (number === 0) opened.input = flow;
  else for (const folder of ["/dev/fd", "/proc/self/fd"]) scan.files.set(`${folder}/${number}`, flow);
}

function applyRedirect(redirect: Redirection, opened: OpenedFlows, scan: Scan): void {
  if (redirect.type === "HereDoc") {
    const parts = redirect.body.parts;
    const body = parts && !redirect.delimiter?.quoted ? resolveParts(parts, scan) : undefined;
    const text = body ? body.text : redirect.body.text;
    feed({ present: true, text, taint: body?.taint, from: "the here-document" }, redirect, opened, scan);
    scan.tracer?.redirection(`${redirect.operator} (a text of ${text?.length ?? 0} characters)`);
    return;
  }
  if (!redirect.target) return;
  const target = throughLinks(resolveOne(redirect.target, scan), scan);
  scan.tracer?.redirection(`${redirect.operator} ${shown(target.text)}`);
  const { operator, descriptor } = redirect;
  if (redirect.type === "HereString") {
    const text = target.dynamic ? undefined : `${target.text}\n`;
    if (target.reveals)
      scan.report("high", "call.reveals", `shows ${target.reveals}, whose name says that it is a secret`);
    feed({ present: true, text, taint: target.taint }, redirect, opened, scan);
  } else if (/^\/dev\/(tcp|udp)\//.test(target.text)) {
    opened.socket = target;
    opened.isSocketRead &&= operator === "<";
    scan.tracer?.network(target.text);
    opened.opensDescriptor ||= (descriptor?.type === "FileDescriptor" && descriptor.value > 2) || operator === "<>";
    if (operator === "<") opened.input = { present: true, taint: "network", from: target.text };
  } else if (operator === "<") {
    for (const text of target.dynamic ? target.text.split(" ") : [target.text]) readPath({ ...target, text }, scan);
    const isEmpty = target.text === "/dev/null";
    const from = endlessDevice.test(normalise(target.text, scan.cwd)) ? target.text : undefined;
    const unwritten = isEmpty ? { present: true, text: "" } : { ...unknownFlow, taint: target.taint, from };
    feed(findWritten(target, scan) ?? unwritten, redirect, opened, scan);
  } else if (operator === "<&") {
    // A descriptor: what it was opened on in this script, or by a coprocess; of any other nothing is known.
    const known = scan.files.get(`/dev/fd/${target.text}`);
    if (target.taint) opened.input = { present: true, taint: target.taint, from: "a coprocess" };
    else if (target.text !== "-" && target.text !== "0") feed(known ?? unknownFlow, redirect, opened, scan);
  } else if (!(operator.endsWith("&") && /^\d*-?$/.test(target.text)) && !isProcess(redirect.target.text, target)) {
    writePath(target, operator.endsWith(">>") ? "append" : "overwrite", scan);
    if (operator === "<>") readPath(target, scan);
    opened.written.push({ path: normalise(target.text, scan.cwd), isAppended: operator.endsWith(">>") });
  }
}

/** `> >(program)`: what is written goes to a program, which has been judged with the word. */
const isProcess = (written: string, target: Arg): boolean =>
  target.taint === undefined && target.text === hole && written.startsWith(">(");
