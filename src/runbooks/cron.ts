/** Whether a text is a five-field cron expression; when it is due is the scheduler's matter. */

interface Field {
  readonly min: number;
  readonly max: number;
  /** Names that stand for `min`, `min + 1` … */
  readonly words: readonly string[];
}

const fields: readonly Field[] = [
  { min: 0, max: 59, words: [] },
  { min: 0, max: 23, words: [] },
  { min: 1, max: 31, words: [] },
  { min: 1, max: 12, words: ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"] },
  { min: 0, max: 7, words: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] },
];

/** True for `minute hour day month weekday` with `*`, lists, ranges, steps and English names of months and days. */
export function isCron(text: string): boolean {
  const given = text.trim().toLowerCase().split(/\s+/);
  return (
    given.length === fields.length &&
    fields.every((field, index) => (given[index] ?? "").split(",").every((part) => isPart(part, field)))
  );
}

function isPart(part: string, { min, max, words }: Field): boolean {
  const match = /^(\*|([a-z0-9]+)(?:-([a-z0-9]+))?)(?:\/(\d{1,2}))?$/.exec(part);
  if (!match) return false;
  const [, range, from, to, step] = match;
  const numberOf = (text: string) => {
    const word = words.indexOf(text);
    return word >= 0 ? word + min : /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  };
  const inside = (value: number) => value >= min && value <= max;
  if (step !== undefined && Number(step) < 1) return false;
  if (range === "*" || from === undefined) return true;
  if (!inside(numberOf(from))) return false;
  return to === undefined || (inside(numberOf(to)) && numberOf(to) >= numberOf(from));
}
