/** Fewer are not worth a mark. */
const least = 5;
/** Longer lines are compared as they are. */
const comparedCharacters = 1_000;

/** Varying parts are ignored only in lines of logs. */
const logLine =
  /^[\s[(]{0,3}(?:\d{4}-\d\d-\d\d[T ]\d\d:|\d\d\/\w{3}\/\d{4}:|\w{3} [ \d]\d \d\d:\d\d|\d\d:\d\d:\d\d|\d{10}(?:\.\d+)?\b)/;
const times =
  /\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?|\d\d\/\w{3}\/\d{4}:\d\d:\d\d:\d\d|\w{3} [ \d]\d \d\d:\d\d:\d\d|\b\d\d:\d\d:\d\d(?:[.,]\d+)?|\b\d{10}(?:\.\d+)?\b/g;
/** Ids, long numbers and counts of requests; codes and shares stay. */
const ids =
  /\[\d+\]|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b(?=[a-f]*\d)[0-9a-f]{8,}\b|\b\d{5,}\b|(?<=\b(?:request|attempt|retry|try|job|task|worker|connection|conn|id)[ =:#]{1,2})\d+|(?<=#)\d+/gi;

const keyOf = (line: string): string =>
  line.length <= comparedCharacters && logLine.test(line) ? line.replace(times, "T").replace(ids, "N") : line;

export interface Fold {
  readonly push: (piece: string) => void;
  readonly finish: () => void;
}

/** Folds five or more near-identical lines into the first, a mark (`× 30`) and, if different, the last. Holds a few lines. */
export function createFold(emit: (text: string) => void): Fold {
  let open = "";
  let key: string | undefined;
  let held: string[] = [];
  let count = 0;
  const flush = (): void => {
    const [first = ""] = held;
    const last = held.at(-1) ?? "";
    if (count < least) emit(held.join(""));
    else if (first === last) emit(`${first}  ⋯ × ${count.toLocaleString("en-US")}: the same line each time ⋯\n`);
    else emit(`${first}  ⋯ × ${count.toLocaleString("en-US")} like it, the last: ⋯\n${last}`);
    held = [];
    count = 0;
  };
  const take = (line: string): void => {
    const next = keyOf(line);
    if (next !== key) flush();
    key = next;
    count += 1;
    held.push(line);
    if (held.length >= least) held.splice(1, held.length - 2);
  };
  return {
    push: (piece) => {
      const lines = piece.split("\n");
      lines[0] = open + lines[0];
      open = lines.pop() ?? "";
      for (const line of lines) take(`${line}\n`);
      // Text without a line end cannot repeat.
      if (open.length > 64 * comparedCharacters) {
        flush();
        key = undefined;
        emit(open);
        open = "";
      }
    },
    finish: () => {
      flush();
      emit(open);
      open = "";
    },
  };
}
