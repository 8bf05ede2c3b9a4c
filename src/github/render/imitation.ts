/** An entry of a checklist as `card.ts` draws it: a task with a number in bold and a risk. */
const entry = /^\s*[-*+] \[[ xX]\] (?:~~)?\*\*(\d{1,6})\*\* · (?:🟢|🟡|🔴|⛔)/u;
const marker = /<!--\s*countersign\b/i;

/**
 * The numbers that a comment of somebody else shows as if it were a card of ours (SR-30): our hidden marker, or an entry as our
 * renderer makes it. `talk` are the lines that are the author's own words, `raw` all that are not quoted. Nothing where the
 * comment does not imitate us.
 */
export function imitatedNumbers(talk: readonly string[], raw: readonly string[]): readonly number[] | undefined {
  const numbers = talk.flatMap((line) => {
    const number = entry.exec(line)?.[1];
    return number === undefined ? [] : [Number(number)];
  });
  return numbers.length > 0 || raw.some((line) => marker.test(line)) ? numbers : undefined;
}
