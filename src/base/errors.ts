/**
 * The only classes of the code base. A *refusal* (a person can fix it) is a value of a union, not an error;
 * these are for what stops a process or a job.
 */

/** One thing wrong in a file or setting: where, what, and what to do about it. */
export interface Problem {
  /** File and place, e.g. `countersign.yml:12:5`, or the name of a setting. */
  readonly place: string;
  readonly message: string;
  readonly remedy?: string | undefined;
}

/** The operator's input cannot be used; carries every problem at once. Exit code 2 at the command line. */
export class OperatorError extends Error {
  override readonly name = "OperatorError";
  readonly problems: readonly Problem[];

  constructor(given: Problem | readonly Problem[]) {
    const problems = [given].flat();
    super(problems.map((p) => `${p.place}: ${p.message}${p.remedy ? ` — ${p.remedy}` : ""}`).join("\n"));
    this.problems = problems;
  }
}

/** A job cannot be done yet, through no fault of its own: it is tried again, and that counts as no failure. */
export class RetryLater extends Error {
  override readonly name = "RetryLater";
}

/** What is wrong with a file, by the code of the error. */
const fileTrouble: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or folder",
  ENOTDIR: "a part of its path is a file, not a folder",
  EISDIR: "it is a folder, not a file",
  EEXIST: "it exists already",
  ENOTEMPTY: "the folder is not empty",
  EACCES: "this account has no permission for it",
  EPERM: "this account has no permission for it",
  EROFS: "its file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "this account's quota on the disk is used up",
  EMFILE: "this process has too many files open",
  ELOOP: "its links lead in a circle",
};

/** What to print of a thrown value: its message, of a file's trouble in words; never its stack (stacks go to the log). */
export function messageOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const { code, syscall, path, dest } = thrown as NodeJS.ErrnoException & { readonly dest?: string };
  const trouble = syscall === undefined || code === undefined ? undefined : fileTrouble[code];
  if (trouble === undefined || code === undefined) return thrown.message;
  return `${[dest ?? path, trouble].filter(Boolean).join(": ")} (${code})`;
}

/** What is wrong and what to do about it as sentences: `a` and `b` are `a. B.` */
export const sentences = (...parts: readonly (string | undefined)[]): string =>
  parts
    .flatMap((part) => part || [])
    .map((part, at) => (at === 0 ? part : part.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())))
    .map((part) => (/[.!?:]$/.test(part) ? part : `${part}.`))
    .join(" ");
