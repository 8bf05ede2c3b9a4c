/** `1 server`, `2 servers`, `0 servers`. */
export const counted = (count: number, word: string, plural = `${word}s`): string =>
  `${count.toLocaleString("en")} ${count === 1 ? word : plural}`;
