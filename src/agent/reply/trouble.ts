/** A run whose output the agent must not pass over (AR-15). */
export interface Trouble {
  /** Of its action. */
  readonly number: number;
  /** In a few words, e.g. `exit 1`. */
  readonly what: string;
}

/** Whether the words name a run by its number: `by 2`, `**2**`, `#2`; not 2 %, 2.5 or 14:02. */
export const names = (prose: string, number: number): boolean =>
  new RegExp(`(?<![\\w.,:/-])${number}(?![\\w%/-]|[.,:]\\d| ?%)`).test(prose);

/** The troubled runs that the words do not name. */
export const unaddressed = (prose: string, trouble: readonly Trouble[]): readonly Trouble[] =>
  trouble.filter(({ number }) => !names(prose, number));
