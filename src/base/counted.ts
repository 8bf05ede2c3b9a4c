/** A number with what it counts: `1 server`, `2 servers`, `0 servers`. The plural is the word with an `s` unless it is given. */
export const counted = (count: number, word: string, plural = `${word}s`): string =>
  `${count.toLocaleString("en")} ${count === 1 ? word : plural}`;
