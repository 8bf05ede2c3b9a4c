/** A word of a command after quotes, variables and braces are resolved as far as the text alone allows. */

/** Stands for a part of a word that only the server knows (`$UNSET`, `$(cat x)`). Controls never reach this point. */
export const hole = "\u0001";

/** Where a text came from, when that makes running it worse: fetched, decoded, or read from a secret file. */
export type Taint = "network" | "decoded" | "secret";

/** Whether a text was fetched or decoded: running it is blocked unread. */
export const isForeign = (one: { readonly taint?: Taint | undefined } | undefined): boolean =>
  one?.taint === "network" || one?.taint === "decoded";

export interface Arg {
  readonly text: string;
  readonly dynamic: boolean;
  /** Holds an unquoted `*`, `?` or `[…]`. */
  readonly glob: boolean;
  readonly taint?: Taint | undefined;
  /** True if what is unknown in it can hold no code: it is a number. */
  readonly isTame?: boolean | undefined;
  /** The variable of the server's own settings in it whose name says that it holds a secret. */
  readonly reveals?: string | undefined;
  /** UTF-16 offsets into the text that was parsed. */
  readonly span?: readonly [start: number, end: number] | undefined;
}

/** What flows through a pipe: the text where it is constant, and its taint. */
export interface Flow {
  readonly text?: string | undefined;
  readonly taint?: Taint | undefined;
  /** True if the text, unknown as it is, is a number. */
  readonly isTame?: boolean | undefined;
  /** What of a text that is not constant as a whole is: enough to find what must be blocked. */
  readonly pieces?: string | undefined;
  /** Globs of the paths it lists (`find /etc`, `ls /`). */
  readonly lists?: readonly string[] | undefined;
  /** For the reader, e.g. `curl https://…`. */
  readonly from?: string | undefined;
  /** True if lines come without end (`yes`). */
  readonly isEndless?: boolean | undefined;
  /** True where there is a pipe, a here-doc or a redirection at all. */
  readonly present: boolean;
}

export const nothing: Flow = { present: false };
export const unknownFlow: Flow = { present: true };
/** What a function may be given where it is called; its body is judged where it stands, too. */
export const perhapsFlow: Flow = { present: true };
export const literal = (text: string): Arg => ({ text, dynamic: false, glob: false });
/** For findings: holes are shown as `…`. */
export const shown = (text: string): string => {
  const visible = text.replaceAll(hole, "…");
  return visible.length > 80 ? `${visible.slice(0, 77)}…` : visible;
};
/** Words as shell text that gives them back whole: an argument stays one word. */
export const quoted = (args: readonly Arg[]): string =>
  args.map(({ text }) => (/^[\w./:=@%+,-]+$/.test(text) ? text : doubleQuoted(text))).join(" ");

/** In double quotes, so that what only the server knows stays unknown. */
const doubleQuoted = (text: string): string => `"${text.replace(/[\\"$`]/g, "\\$&").replaceAll(hole, "$__unknown")}"`;

/** The words of a call as patterns see them: each between blanks, a blank inside one as `␠`. */
export const inWords = (args: readonly Arg[]): string =>
  ` ${args.map(({ text }) => text.replace(/\s/g, "␠")).join(" ")} `;

/** Words joined by spaces, as a program does that hands them to a shell (`ssh`, `eval`, `watch`). */
export const textOf = (args: readonly Arg[]): string => args.map((a) => a.text).join(" ");
