/** What the classifier saw, for a person or a program that asks why: the tree of simple commands, and what they touch. */

/** A simple command after quotes, variables and braces are resolved; `…` is what only the server knows. */
export interface SeenCommand {
  words: readonly string[];
  /** Where it was found, e.g. `in bash -c`, `in a substitution`; absent where it stands beside its parent's other commands. */
  readonly seen?: string;
  /** e.g. `> /etc/hosts`. */
  readonly redirections?: readonly string[];
  /** What it runs in turn: the command after a wrapper, the script in a text, the substitutions in its words. */
  readonly within?: readonly SeenCommand[];
}

export interface Trace {
  readonly commands: readonly SeenCommand[];
  readonly files: {
    readonly read: readonly string[];
    readonly written: readonly string[];
    readonly deleted: readonly string[];
  };
  /** What comes or goes over the network, e.g. `curl https://…`. */
  readonly network: readonly string[];
}

interface Draft extends SeenCommand {
  readonly redirections: string[];
  readonly within: SeenCommand[];
}

export interface Tracer {
  /** Everything reported until it is closed belongs to this command. */
  open(seen: string): void;
  words(words: readonly string[]): void;
  redirection(text: string): void;
  close(): void;
  file(how: "read" | "written" | "deleted", path: string): void;
  network(what: string): void;
  /** What was collected. */
  finish(): Trace;
}

/** More commands and paths than that are not listed. */
const maxListed = 200;

/** Collects one classification's trace; a command seen twice beside itself (in a loop of two values) is listed once. */
export function createTracer(): Tracer {
  const top: Draft = { words: [], redirections: [], within: [] };
  const open: Draft[] = [top];
  const files = { read: new Set<string>(), written: new Set<string>(), deleted: new Set<string>() };
  const network = new Set<string>();
  let count = 0;
  const current = (): Draft => open.at(-1) ?? top;
  const list = (into: Set<string>, text: string): void => {
    if (into.size < maxListed) into.add(text);
  };
  return {
    open: (seen) => {
      const isSubstitution = open.length > 1 && current().words.length === 0;
      const where = isSubstitution ? "in a substitution" : seen;
      open.push({ words: [], ...(where ? { seen: where } : {}), redirections: [], within: [] });
    },
    words: (words) => {
      current().words = words;
    },
    redirection: (text) => {
      current().redirections.push(text);
    },
    close: () => {
      const closed = open.length > 1 ? open.pop() : undefined;
      if (!closed || count >= maxListed) return;
      const { words, seen, redirections, within } = closed;
      const command: SeenCommand = {
        words,
        ...(seen ? { seen } : {}),
        ...(redirections.length > 0 ? { redirections } : {}),
        ...(within.length > 0 ? { within } : {}),
      };
      const beside = current().within;
      if (beside.some((other) => JSON.stringify(other) === JSON.stringify(command))) return;
      count++;
      beside.push(command);
    },
    file: (how, path) => list(files[how], path),
    network: (what) => list(network, what),
    finish: () => ({
      commands: top.within,
      files: { read: [...files.read], written: [...files.written], deleted: [...files.deleted] },
      network: [...network],
    }),
  };
}
