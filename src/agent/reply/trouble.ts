/** A run whose output the agent must address (AR-15). */
export interface Trouble {
  readonly number: number;
  /** Such as `exit 1`. */
  readonly what: string;
  /** The lines that tell of it. */
  readonly lines?: readonly string[];
}

/** Returns whether the words name a run: `by 2`, `**2**`, `#2`; not 2 %, 2.5 or 14:02. */
export const names = (prose: string, number: number): boolean =>
  new RegExp(`(?<![\\w.,:/-])${number}(?![\\w%/-]|[.,:]\\d| ?%)`).test(prose);

/** Words that tell one trouble from another: `CrashLoopBackOff`, `refused`, `cart-7d9`. */
const tellingWords = (line: string): readonly string[] =>
  [...new Set(line.toLowerCase().match(/[\p{L}_][\p{L}\d_-]{4,}/gu) ?? [])].filter(
    (word) => !/^(?:error|errors|failed|fatal|warning)$/.test(word),
  );

/** A line is named by one name that only programs write, or by two words of it. */
function namesTrouble(prose: string, lines: readonly string[]): boolean {
  const said = new Set(tellingWords(prose));
  return lines.some((line) => {
    const common = tellingWords(line).filter((word) => said.has(word));
    const coined = new Set(line.match(/\b(?:[A-Z][a-z]+){2,}\b|\bE[A-Z]{4,}\b/g)?.map((word) => word.toLowerCase()));
    return common.length >= 2 || common.some((word) => coined.has(word));
  });
}

/** Returns troubled runs that the words name neither by number nor by what is wrong. */
export const unaddressed = (prose: string, trouble: readonly Trouble[]): readonly Trouble[] =>
  trouble.filter(({ number, lines = [] }) => !names(prose, number) && !namesTrouble(prose, lines));
