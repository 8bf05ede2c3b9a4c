/** The effects that a record declares: what a call does with words of its own. One closed list; `engine/declared.ts` reads it. */
import type { Risk } from "../base/types.ts";

/** What a call can do with a word of its own. */
export const effectKinds = [
  "reads",
  "writes",
  "appends",
  "deletes",
  "runs-text",
  "runs-argv",
  "stops",
  "restarts",
] as const;

/**
 * What a call does with words of its own. They are its operands, unless `after`, `operand`, `all`, `stdin` says otherwise. `runs-text`:
 * each is shell text; `runs-argv`: they are a program with its arguments; `stops`, `restarts`: each is a service.
 */
export interface CallEffect {
  /** The programs of the record that it is about; all where none is named. */
  readonly names?: string;
  readonly does: (typeof effectKinds)[number];
  /** The words behind one of these (options or not; `*` at the end); of `runs-argv` all that follow. */
  readonly after?: string;
  /** The operand with this number; of `runs-argv` all from it on. */
  readonly operand?: number;
  /** Every word, options too. */
  readonly all?: boolean;
  /** What it is given on its input. */
  readonly stdin?: boolean;
  /** The words name files that this script may have written, and what they hold is meant. */
  readonly file?: boolean;
  /** A pattern whose group is meant, as often as it fits; the whole word where none is given. */
  readonly if?: string;
  /** Patterns that the call's words must and must not fit, as of a rung. */
  readonly where?: string;
  readonly unless?: string;
  /** True where these are about the operands alone. */
  readonly operands?: boolean;
  /** What doing so adds, whatever comes of it. */
  readonly level?: Risk;
  readonly why?: string;
  /** True where it may be no command: only what must be blocked counts. */
  readonly tried?: boolean;
  /** Of `runs-text`: stands before each text. */
  readonly prefix?: string;
  /** Of `runs-argv`: the words are joined and read as shell text. */
  readonly joins?: boolean;
  /** Of `runs-argv`: the operands before it, but for the first, are appended. */
  readonly appends?: boolean;
  /** Of `writes`: what is written is the input. */
  readonly input?: boolean;
}
