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

interface FoldLine {
  /** With its end. */
  readonly line: string;
  /** The same for lines that differ in times and ids alone; `unlike` for what equals nothing. */
  readonly key: string;
}

/** Of a mark, or of text too long to compare. */
const unlike = "\0";

/** Takes lines; `finish` hands on what it holds. */
interface LineFold {
  readonly take: (line: FoldLine) => void;
  readonly finish: () => void;
}

/** Folds what an output repeats: near-identical lines that follow each other, then whole sections. Holds a section. */
export function createFold(emit: (text: string) => void): Fold {
  const sections = createSectionFold(emit);
  const lines = createLineFold(sections.take);
  let open = "";
  const flush = (): void => {
    lines.finish();
    sections.take({ line: open, key: unlike });
    sections.finish();
    open = "";
  };
  return {
    push: (piece) => {
      const split = piece.split("\n");
      split[0] = open + split[0];
      open = split.pop() ?? "";
      for (const one of split) lines.take({ line: `${one}\n`, key: keyOf(one) });
      // Text without a line end cannot repeat.
      if (open.length > 64 * comparedCharacters) flush();
    },
    finish: flush,
  };
}

/** Folds five or more near-identical lines into the first, a mark (`× 30`) and, if different, the last. */
function createLineFold(emit: (line: FoldLine) => void): LineFold {
  let held: FoldLine[] = [];
  let count = 0;
  const finish = (): void => {
    const [first] = held;
    const last = held.at(-1);
    const often = `  ⋯ × ${count.toLocaleString("en-US")}`;
    if (count < least || !first || !last) held.forEach(emit);
    else if (first.line === last.line) {
      emit(first);
      emit({ line: `${often}: the same line each time ⋯\n`, key: unlike });
    } else {
      emit(first);
      emit({ line: `${often} like it, the last: ⋯\n`, key: unlike });
      emit(last);
    }
    held = [];
    count = 0;
  };
  const take = (line: FoldLine): void => {
    if (line.key !== held[0]?.key) finish();
    count += 1;
    held.push(line);
    if (held.length >= least) held.splice(1, held.length - 2);
  };
  return { take, finish };
}

/** So many lines in a row make a section known. */
const seedLines = 3;
/** A shorter section is not worth a mark. */
const leastOfSection = { lines: 5, characters: 160 } as const;
const namedCharacters = 60;
/** Compare each section with at most this many shown lines, and each of them with this many that begin alike. */
const mostShown = 2_000;
const mostAlike = 8;

/** Lines that stood further up already, in this order. */
interface SectionRepeat {
  readonly from: number;
  readonly lines: number;
  readonly head: string;
  readonly times: number;
  /** The first line of the newest, if it may differ in its time. */
  readonly newest: string;
}

const firstWords = (lines: readonly FoldLine[]): string => {
  const line = lines.find((one) => one.line.trim() !== "")?.line.trim() ?? "";
  return line.length > namedCharacters ? `${line.slice(0, namedCharacters).toWellFormed()}…` : line;
};

/**
 * Folds a section that stood further up (a container's block, a replica's description, a stack trace) into a mark that names its first
 * line: what differs stays, where it stands.
 */
function createSectionFold(emit: (text: string) => void): LineFold {
  let shown: FoldLine[] = [];
  /** Of each key the last place where it is shown, and of each place the one before. */
  let places = new Map<string, number>();
  let earlier: (number | undefined)[] = [];
  let held: FoldLine[] = [];
  /** Where the lines held stood before; undefined if they are none that are known. */
  let from: number | undefined;
  let repeat: SectionRepeat | undefined;

  const remember = (line: FoldLine): void => {
    if (shown.length >= mostShown) [shown, places, earlier] = [[], new Map(), []];
    earlier.push(line.key === unlike ? undefined : places.get(line.key));
    if (line.key !== unlike) places.set(line.key, shown.length);
    shown.push(line);
  };
  const placeOfHeld = (): number | undefined => {
    let place = places.get(held[0]?.key ?? unlike);
    for (let tries = 0; place !== undefined && tries < mostAlike; tries += 1, place = earlier[place]) {
      const start = place;
      if (held.every(({ key }, at) => key !== unlike && key === shown[start + at]?.key)) return start;
    }
    return undefined;
  };
  const tellRepeat = (): void => {
    if (!repeat) return;
    const { lines, head, times, newest } = repeat;
    repeat = undefined;
    const often = times === 1 ? "" : `× ${times.toLocaleString("en-US")}: `;
    emit(`${newest}  ⋯ ${often}${lines} lines as above, from "${head}" ⋯\n`);
    remember({ line: "", key: unlike });
  };
  const show = (line: FoldLine): void => {
    tellRepeat();
    emit(line.line);
    remember(line);
  };
  const settle = (): void => {
    const lines = held.length;
    const characters = held.reduce((sum, { line }) => sum + line.length, 0);
    const [first] = held;
    if (from !== undefined && lines >= leastOfSection.lines && characters >= leastOfSection.characters) {
      if (repeat?.from !== from || repeat.lines !== lines) tellRepeat();
      const newest = first && `${first.key}\n` !== first.line ? first.line : "";
      const head = firstWords(shown.slice(from, from + lines));
      repeat = { from, lines, head, times: (repeat?.times ?? 0) + 1, newest };
    } else held.forEach(show);
    [held, from] = [[], undefined];
  };
  return {
    take: (line) => {
      const isNext = from !== undefined && line.key !== unlike && shown[from + held.length]?.key === line.key;
      if (from !== undefined && !isNext) settle();
      held.push(line);
      if (from !== undefined || held.length < seedLines) return;
      from = placeOfHeld();
      const first = from === undefined && held.shift();
      if (first) show(first);
    },
    finish: () => {
      settle();
      tellRepeat();
    },
  };
}
