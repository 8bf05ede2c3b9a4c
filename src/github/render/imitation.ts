/**
 * An entry of a checklist as `card.ts` draws it, by what a reader sees: a number and a risk, and between them the dot, or one that
 * could be taken for it.
 */
const entry = /^(\d{1,6}) ?[·•∙⋅‧・･᛫⸱] ?[🟢🟡🔴⛔🟩🟨🟥🚫]/u;
const marker = /<!--\s*countersign\b/i;

/**
 * The numbers that a comment of somebody else shows as if it were a card of ours (SR-30): our hidden marker, or an entry as our
 * renderer makes it. `tasks` are the words of the author's own tasks, `raw` all lines that are not quoted. Nothing where the
 * comment does not imitate us.
 */
export function imitatedNumbers(tasks: readonly string[], raw: readonly string[]): readonly number[] | undefined {
  const numbers = tasks.flatMap((words) => {
    const number = entry.exec(words)?.[1];
    return number === undefined ? [] : [Number(number)];
  });
  return numbers.length > 0 || raw.some((line) => marker.test(line)) ? numbers : undefined;
}
