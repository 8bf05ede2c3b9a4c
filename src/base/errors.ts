/** The only error classes. A *refusal*, which a person can fix, is a value instead. */

export interface Problem {
  /** `countersign.yml:12:5`, or the name of a setting. */
  readonly place: string;
  readonly message: string;
  readonly remedy?: string | undefined;
  readonly login?: string | undefined;
}

export interface Refusal {
  readonly ok: false;
  readonly reason: string;
  readonly remedy: string;
}

export const refuse = (reason: string, remedy: string): Refusal => ({ ok: false, reason, remedy });

/** Exit code 2 at the command line. */
export class OperatorError extends Error {
  override readonly name = "OperatorError";
  readonly problems: readonly Problem[];

  constructor(given: Problem | readonly Problem[]) {
    const problems = [given].flat();
    super(problems.map((p) => `${p.place}: ${p.message}${p.remedy ? ` — ${p.remedy}` : ""}`).join("\n"));
    this.problems = problems;
  }
}

/** The queue retries the job and counts no failure. */
export class RetryLater extends Error {
  override readonly name = "RetryLater";
}

const another = "name another path";
const rights = "give this account the right to it, or name another path";

const fileTrouble: Readonly<Record<string, readonly [message: string, remedy: string]>> = {
  ENOENT: ["there is no such file or folder", "create it, or correct the path"],
  ENOTDIR: ["a part of its path is a file, not a folder", another],
  EISDIR: ["it is a folder, not a file", another],
  EEXIST: ["it exists already", another],
  ENOTEMPTY: ["the folder is not empty", another],
  EACCES: ["this account has no permission for it", rights],
  EPERM: ["this account has no permission for it", rights],
  EROFS: ["its file system is read-only", "name a path on another file system"],
  ENOSPC: ["the disk is full", "make room, or name a path on another disk"],
  EDQUOT: ["this account's quota on the disk is used up", "make room, or name a path on another disk"],
  EMFILE: ["this process has too many files open", "raise its limit (`ulimit -n`)"],
  ELOOP: ["its links lead in a circle", another],
};
/** Node reports a folder as missing if the file system refuses to create its parent. */
const cannotMake = ["it cannot be made: its file system may be read-only", another] as const;

/** Undefined if it is no file system error. */
export function fileProblem(thrown: unknown): (Problem & { readonly remedy: string }) | undefined {
  if (!(thrown instanceof Error)) return undefined;
  const { code, syscall, path, dest } = thrown as NodeJS.ErrnoException & { readonly dest?: string };
  const known = syscall === "mkdir" && code === "ENOENT" ? cannotMake : fileTrouble[code ?? ""];
  if (syscall === undefined || known === undefined) return undefined;
  return { place: dest ?? path ?? "", message: `${known[0]} (${code})`, remedy: known[1] };
}

/** An error in words, never its stack; with a file's path unless it is `known`. */
export function messageOf(thrown: unknown, known?: string): string {
  const problem = fileProblem(thrown);
  if (problem)
    return `${problem.place === "" || problem.place === known ? "" : `${problem.place}: `}${problem.message}`;
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Opens a sentence; the name of a unit, server or file keeps its case. */
export const capital = (text: string): string =>
  /^\p{L}*(?:[-._/@][\p{L}\d]|\d)/u.test(text) ? text : text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());

const pronouns =
  "it|this|that|there|these|those|what|which|who|everything|nothing|something|nobody|one|all|none|a|the|no|he|she|we|you|they|i";
/** `nginx is down`, `postgres on db-1`: a word that is said to be or to run somewhere may be a name. */
const subject = new RegExp(
  `^(?!(?:${pronouns})\\s)\\p{Ll}+\\s(?:on|is|was|has|had|does|did|cannot|runs?|ran|hangs?|fails?|failed|restarts?|crash(?:es|ed)|dies|died|answers?|returns?|refuses?|logs?|uses?|needs?|keeps?|stopped|started|serves?)(?!\\p{L})`,
  "u",
);

/** The same for others' words, which may begin with a name that looks like any word. */
export const capitalOfOthers = (text: string): string => (subject.test(text) ? text : capital(text));

/** `a` and `b` become `a. B.` */
export const sentences = (...parts: readonly (string | undefined)[]): string =>
  parts
    .flatMap((part) => part || [])
    // Keeps a leading server name as it is.
    .map((part, at) => (at === 0 && !part.startsWith("the ") ? part : capital(part)))
    .map((part) => (/[.!?:]$/.test(part) ? part : `${part}.`))
    .join(" ");
