/** A run whose output the agent must address (AR-15). */
export interface Trouble {
  readonly number: number;
  /** Such as `exit 1`. */
  readonly what: string;
}

/** Returns whether the words name a run: `by 2`, `**2**`, `#2`; not 2 %, 2.5 or 14:02. */
export const names = (prose: string, number: number): boolean =>
  new RegExp(`(?<![\\w.,:/-])${number}(?![\\w%/-]|[.,:]\\d| ?%)`).test(prose);

/** Returns troubled runs that the words do not name. */
export const unaddressed = (prose: string, trouble: readonly Trouble[]): readonly Trouble[] =>
  trouble.filter(({ number }) => !names(prose, number));
