import words from "./asserted.json" with { type: "json" };

const seconds: readonly (readonly [RegExp, number])[] = [
  [/^(?:ms|msecs?|millis?|millise[ck]\p{L}+|milisegundos?)$/iu, 0.001],
  [/^(?:s|secs?|second\p{L}*|sekund\p{L}*|segundos?)$/iu, 1],
  [/^(?:min|mins|minut\p{L}*)$/iu, 60],
  [/^(?:h|hrs?|hours?|stunden?|heures?|horas?|ore)$/iu, 3600],
  [/^(?:d|days?|tagen?|jours?|días?|giorni|dias)$/iu, 86_400],
  [/^(?:weeks?|wochen?|semaines?|semanas?|settimane)$/iu, 604_800],
  [/^(?:months?|monaten?|mois|mes(?:es)?|mesi)$/iu, 2_629_800],
  [/^(?:years?|jahren?|ans|années?|años?|anni|anos)$/iu, 31_557_600],
];
const sizeUnit = /^(?:[KMGTP]i?[Bbo]?|bytes?|octets?|[KMGT]bytes|(?:kilo|mega|giga|tera)\p{L}+|gigas?)$/u;
const times = /^(?:times|fold|mal|fois|veces|volte|vezes)$/iu;

/** Numbers from 2, as words. */
export const numerals = new Map<string, number>();
for (const [, word = "", value] of words.numerals.matchAll(/(\S+) (\d+)/g)) numerals.set(word, Number(value));
const scales = new Map([
  ["k", 1000],
  ["hundred", 100],
  ["thousand", 1000],
  ["tausend", 1000],
  ["mille", 1000],
  ["mil", 1000],
]);
/** `2.8 million`, `1,2 Millionen`, `3 millones`. */
const scaleOf = (word = ""): number | undefined =>
  scales.get(word.toLowerCase()) ?? (/^mil(?:l?i[oóõ]|h[oõ]|l[oó])\p{L}*$/iu.test(word) ? 1e6 : undefined);

/** Commas part thousands, or stand for the point. */
export const numberOf = (text: string): number => Number(text.replace(/[,  '’](?=\d{3}(?!\d))/g, "").replace(",", "."));

export interface SaidFigure {
  readonly at: number;
  readonly text: string;
  readonly value: number;
  /** What stands behind it. */
  readonly unit: string;
  /** Half of what its last digit that counts is worth. */
  readonly half: number;
}

const partsOfSpan = [604_800, 86_400, 3600, 60, 1];
const secondsOf = (unit: string): number | undefined => seconds.find(([pattern]) => pattern.test(unit))?.[1];

/** Reads the figures of a clause: digits, and words in five languages. */
export function figuresIn(clause: string): readonly SaidFigure[] {
  const found: SaidFigure[] = [];
  const digits =
    /(?<![\p{L}\p{N}_.,:/@#\uE000-])(?:\d{1,3}(?:[,  ’']\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?)(?![\p{N}_:/\uE000]|[.,-]\d|-\p{L})\s?(?<unit>%|[\p{L}]*)/gu;
  for (const match of clause.matchAll(digits)) {
    const { unit = "" } = match.groups ?? {};
    const text = match[0].slice(0, match[0].length - unit.length).trim();
    const scale = scaleOf(unit) ?? 1;
    const value = numberOf(text);
    // `the 99th percentile`
    if (Number.isNaN(value) || /^(?:st|nd|rd|th)$/.test(unit)) continue;
    const decimals = /[.,](\d+)$/.exec(text.replace(/[,’'](?=\d{3}(?!\d))/g, ""))?.[1]?.length ?? 0;
    const zeros = decimals === 0 ? (/0+$/.exec(String(value))?.[0].length ?? 0) : -decimals;
    found.push({
      at: match.index,
      text,
      value: value * scale,
      unit,
      half: (scale * 10 ** Math.min(zeros, String(Math.trunc(value)).length - 1)) / 2,
    });
  }
  const spelled = [...clause.matchAll(/[\p{L}]+/gu)];
  for (let at = 0; at < spelled.length; at += 1) {
    const read = (from: number): number | undefined => numerals.get(spelled[from]?.[0].toLowerCase() ?? "");
    const first = read(at);
    const start = spelled[at];
    if (first === undefined || !start) continue;
    let [value, to] = [first, at];
    const unitDigit = read(at + 1);
    if (first >= 20 && unitDigit !== undefined && unitDigit < 10) [value, to] = [first + unitDigit, at + 1];
    const scale = scaleOf(spelled[to + 1]?.[0]);
    if (scale !== undefined) [value, to] = [value * scale, to + 1];
    const last = spelled[to] ?? start;
    const text = clause.slice(start.index, last.index + last[0].length);
    found.push({
      at: start.index,
      text,
      value,
      unit: spelled[to + 1]?.[0] ?? "",
      half: value >= 100 ? value / 20 : 0.5,
    });
    at = to;
  }
  return joinSpans(clause, sharedUnits(clause, found));
}

/** `97 and 98 %`, `3 to 5 minutes`: one unit for both. */
function sharedUnits(clause: string, figures: readonly SaidFigure[]): readonly SaidFigure[] {
  const ordered = figures.toSorted((a, b) => a.at - b.at);
  return ordered.map((figure, at) => {
    const next = ordered[at + 1];
    const between = next && clause.slice(figure.at + figure.text.length, next.at);
    const isJoined = next !== undefined && /^\s?(?:and|und|et|y|e|or|to|bis|à|a|[–-])\s?$/iu.test(between ?? "");
    return isJoined && (next.unit === "%" || isUnit(next.unit)) ? { ...figure, unit: next.unit } : figure;
  });
}

/** `13 hours and 42 minutes` is one span. */
function joinSpans(clause: string, figures: readonly SaidFigure[]): readonly SaidFigure[] {
  const joined: SaidFigure[] = [];
  for (const figure of figures.toSorted((a, b) => a.at - b.at)) {
    const before = joined.at(-1);
    const [long, short] = [secondsOf(before?.unit ?? ""), secondsOf(figure.unit)];
    const between = before && clause.slice(before.at, figure.at).slice(before.text.length).replace(before.unit, "");
    if (before && long && short && short < long && /^\s*(?:,|y|and|und|et|e)?\s*$/iu.test(between ?? "-")) {
      joined.pop();
      joined.push({
        ...before,
        value: before.value + (figure.value * short) / long,
        half: (figure.half * short) / long,
      });
    } else joined.push(figure);
  }
  return joined;
}

/** What numbers a text holds, and what can be reckoned from them. */
export interface ReckonedNumbers {
  readonly plain: readonly number[];
  /** Numbers of the text that have a `%`, or a unit of size, behind them: they count no things. */
  readonly percents: readonly number[];
  readonly sized: readonly number[];
  /** Sums and differences within a line and down a column, of numbers of one kind. */
  readonly derived: readonly number[];
  /** The same between two outputs. */
  readonly between: readonly number[];
  /** Sums of whole columns, and how many lines there are. */
  readonly totals: readonly number[];
  /** Of the longest output. */
  readonly rows: number;
  readonly shares: readonly number[];
  /** In seconds. */
  readonly spans: readonly number[];
}

const anyNumber = /(?<![\p{L}_])\d+(?:[.,]\d+)*|(?<=[\p{L}_])\d+(?:\.\d+)?/gu;
/** `1 day, 4:10`; `02-04:10:00`, as ps writes how long a process has run. */
const clock =
  /(?<![\d:.])(?:(\d+)(?:\s?(?:days?|d),?\s*|(?<!-\d+)-(?=\d\d:\d\d:)))?(\d{1,3}):(\d\d)(?::(\d\d))?(?![\d:])/g;
/** `1h 30min`, `12 weeks, 3 days`: one span, not half an hour. */
const severalUnits =
  /(?<![\p{L}\d.])\d+\s?(?:weeks?|w|days?|d|hours?|hrs?|h|min(?:ute)?s?)(?:,?\s\d+(?:\.\d+)?\s?(?:days?|d|hours?|hrs?|h|min(?:ute)?s?|s(?:ec(?:ond)?s?)?))+(?!\p{L})/gu;
const behindNumber = /^\s?(?:(?<percent>%)|(?<size>(?:[KMGTP]i?B?|[Kk]?[Bb]ytes|kB)(?![\p{L}\d])))/u;
const compound = /(?<![\p{L}\d.])(?:(\d+)w)?(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+(?:\.\d+)?)s)?(?![\p{L}\d])/gu;

/** Writes `20270308074502Z` and `11/20/2026 7:41:12 PM` as `2027-03-08 07:45:02Z` and `2026-11-20 19:41:12`. */
export const inIsoTimes = (text: string): string =>
  text
    .replace(
      /(?<!\d)(20\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])T?([01]\d|2[0-3])([0-5]\d)([0-5]\d)(?!\d)/g,
      "$& $1-$2-$3 $4:$5:$6",
    )
    .replace(
      /(?<![\d/])(\d{1,2})\/(\d{1,2})\/(20\d\d),? (\d{1,2})(:\d\d(?::\d\d)?) ([AP])M\b/g,
      (_, month: string, day: string, year: string, hour: string, rest: string, half: string) =>
        `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")} ${String((Number(hour) % 12) + (half === "P" ? 12 : 0)).padStart(2, "0")}${rest}`,
    );

/** Moments in seconds, dated ones since 1970. */
export function momentsIn(text: string): readonly number[] {
  const dated = [
    ...text.matchAll(/(?<date>\d{4}-\d\d-\d\d)[T ](?<time>\d\d:\d\d(?::\d\d)?)/g),
    ...text.matchAll(/(?<date>\p{Lu}\p{Ll}{2} [ \d]\d) (?<time>\d\d:\d\d:\d\d) (?:\p{Lu}{3,4} )?(?<year>\d{4})/gu),
  ].map(({ groups }) => Date.parse(`${groups?.date} ${groups?.year ?? ""} ${groups?.time} UTC`) / 1000);
  const clocks = [...text.matchAll(clock)].flatMap(([, days, hours, minutes, rest]) =>
    days === undefined ? [Number(hours) * 3600 + Number(minutes) * 60 + Number(rest ?? 0)] : [],
  );
  return [...dated.filter((one) => !Number.isNaN(one)), ...clocks].slice(0, 60);
}

/** Each output's lines, all or those about something. */
export function reckon(parts: readonly (readonly string[])[], moments: readonly number[]): ReckonedNumbers {
  const plain: number[] = [];
  const percents: number[] = [];
  const sized: number[] = [];
  const derived: number[] = [];
  const between: number[] = [];
  const totals: number[] = [];
  const shares: number[] = [];
  const spans: number[] = [];
  const pair = (a: number, b: number, into = derived): void => {
    if (a !== b) into.push(a + b, Math.abs(a - b));
    if (a !== 0 && b !== 0) {
      shares.push((100 * a) / b, (100 * b) / a, 100 - (100 * a) / b, 100 - (100 * b) / a);
      shares.push((100 * a) / (a + b), (100 * b) / (a + b));
    }
  };
  /** Of the outputs before, by column. */
  const earlier = new Map<number, number[]>();
  const share = (one: number): void => {
    if (one > 0 && one < 1) shares.push(100 * one);
  };
  for (const lines of parts) {
    const columns = new Map<number, { readonly kind: string; readonly values: number[] }>();
    const isTable = /^\s*(?:\p{Lu}{2,}[\p{Lu}\s%()/-]*|\w+(?:\s{2,}\w+)+)$/u.test(lines[0] ?? "");
    totals.push(lines.length - (isTable ? 1 : 0));
    for (const line of lines) {
      for (const { 0: text, index } of line.matchAll(anyNumber)) {
        const one = numberOf(text);
        if (Number.isNaN(one)) continue;
        const unit = behindNumber.exec(line.slice(index + text.length))?.groups;
        (unit?.percent ? percents : unit?.size ? sized : plain).push(one);
        share(one);
      }
      // Thousandths of a processor.
      for (const [, one] of line.matchAll(/(?<![\w.])(\d{2,6})m(?!\w)/g)) plain.push(Number(one) / 1000);
      // `4.12.0` is also 4 and 4.12.
      for (const [one] of line.matchAll(/\d+(?:\.\d+){2,}/g))
        plain.push(Number.parseFloat(one), Number.parseInt(one, 10));
      const counted = [...line.replace(clock, " ").matchAll(/(?<![\p{L}\d_.[/-]|\d:)\d+(?:[.,]\d+)?(?![\d:\]-])/gu)]
        .map(({ 0: one, index, input }) => ({
          value: numberOf(one),
          kind: Object.entries(behindNumber.exec(input.slice(index + one.length))?.groups ?? {}).find(
            ([, text]) => text !== undefined,
          )?.[0],
        }))
        .slice(0, 12);
      for (const [place, { value, kind = "" }] of counted.entries()) {
        const column = columns.get(place);
        columns.set(place, {
          kind: column && column.kind !== kind ? "" : kind,
          values: [...(column?.values ?? []).slice(-60), value],
        });
        for (const other of counted.slice(place + 1)) if ((other.kind ?? "") === kind) pair(value, other.value);
      }
      for (const [, days, hours, minutes, rest] of line.matchAll(clock)) {
        spans.push(Number(days ?? 0) * 86_400 + Number(hours) * 3600 + Number(minutes) * 60 + Number(rest ?? 0));
        if (rest === undefined && days === undefined) spans.push(Number(hours) * 60 + Number(minutes));
      }
      for (const [, w, d, h, m, s] of line.matchAll(compound))
        spans.push([w, d, h, m, s].reduce((sum, part, at) => sum + Number(part ?? 0) * (partsOfSpan[at] ?? 0), 0));
      const bare = line
        .replace(severalUnits, (several) => {
          const parts = [...several.matchAll(/(\d+(?:\.\d+)?)\s?(\p{L}+)/gu)].map(
            ([, number = "", unit = ""]) => Number(number) * (secondsOf(unit === "w" ? "weeks" : unit) ?? 0),
          );
          spans.push(
            parts[0] ?? 0,
            parts.reduce((sum, one) => sum + one, 0),
          );
          return " ";
        })
        .replace(clock, " ")
        .replace(compound, " ");
      // `find … -mtime +30`
      for (const [, days] of line.matchAll(/\s-[acm]time\s+[+-]?(\d+)(?!\S)/g)) spans.push(Number(days) * 86_400);
      // `Power_On_Hours … 45901`: the unit is in what the line is called.
      const own = (line.match(/\p{L}{4,}/gu) ?? []).map((word) => secondsOf(word)).find((one) => one !== undefined);
      if (own !== undefined) spans.push(...counted.map(({ value }) => value * own));
      for (const [, number = "", unit = ""] of bare.matchAll(/(\d+(?:[.,]\d+)?)\s?(\p{L}*)/gu)) {
        const named = secondsOf(unit);
        spans.push(...(named === undefined ? [0.001, 1, 60] : [named]).map((one) => one * numberOf(number)));
      }
    }
    for (const [place, { kind, values: column }] of columns) {
      const sum = column.reduce((before, one) => before + one, 0);
      // Without a row above or below: `(3 rows)`.
      if (kind !== "percent") totals.push(sum, sum - (column[0] ?? 0), sum - (column.at(-1) ?? 0));
      for (const [at, one] of column.entries()) for (const other of column.slice(at + 1)) pair(one, other);
      const before = parts.length === 2 ? [...earlier.values()].flat() : (earlier.get(place) ?? []);
      for (const one of column.slice(0, 20)) for (const other of before) pair(one, other, between);
    }
    for (const [place, { values }] of columns) {
      earlier.set(place, [...(earlier.get(place) ?? []), ...values].slice(-20));
    }
  }
  // `1019` of one output, a limit of another.
  const numbersOf = parts.map((lines) =>
    lines.flatMap((line) => (line.match(/(?<![\w.:-])\d+(?:\.\d+)?(?![\w.:-])/g) ?? []).map(Number)),
  );
  for (const [at, few] of numbersOf.entries())
    if (few.length < 3 && parts.length > 2)
      for (const one of few)
        for (const other of numbersOf.flatMap((all, place) => (place === at ? [] : all.slice(0, 20))))
          pair(one, other, between);
  for (const [at, one] of moments.entries())
    for (const other of moments.slice(at + 1)) spans.push(Math.abs(one - other));
  const ordered = (numbers: readonly number[]) => numbers.filter((one) => !Number.isNaN(one)).toSorted((a, b) => a - b);
  return {
    plain: ordered(plain),
    percents: ordered(percents),
    sized: ordered(sized),
    derived: ordered(derived),
    between: ordered(between),
    totals: ordered(totals),
    rows: Math.max(0, ...parts.map((lines) => lines.length)),
    shares: ordered(shares),
    spans: ordered(spans),
  };
}

const spanUnit = `(?:hours?|days?|weeks?|months?|years?|stunden?|tag(?:en?)?|wochen?|monat(?:en?)?|jahr(?:en?)?|heures?|jours?|semaines?|mois|ans?|années?|horas?|días?|dias?|semanas?|mes(?:es)?|años?|anos?|ore|giorn[io]|settiman[ae]|mesi|ann[io])`;
const halfMore: readonly RegExp[] = [
  new RegExp(String.raw`(?<![\p{L}\d.])(\p{L}+|\d+)\sand a half\s(${spanUnit})`, "giu"),
  new RegExp(
    String.raw`(?<![\p{L}\d.])(\p{L}+|\d+)\s(${spanUnit})\s(?:and a half|et demie?|y medi[ao]|e mezz[ao]|e mei[ao])(?!\p{L})`,
    "giu",
  ),
  new RegExp(String.raw`(?<!\p{L})(zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn)einhalb\s(${spanUnit})`, "giu"),
];
/** `half a minute`, `a quarter of an hour`, `half full`, `sixteen to one`. */
const portions: readonly (readonly [RegExp, string])[] = [
  [/(?<!\p{L})half a minute(?!\p{L})/giu, "30 seconds"],
  [
    /(?<!\p{L})(?:a quarter of an hour|einer viertelstunde|un quart d['’]heure|un cuarto de hora)(?!\p{L})/giu,
    "15 minutes",
  ],
  [/(?<!\p{L})half a day(?!\p{L})/giu, "12 hours"],
  [/(?<!\p{L})(?:half|halb)(?=[ -](?:full|empty|voll|leer)(?!\p{L}))/giu, "50 %"],
  [/(?<=\p{L}|\d)\sto one(?!\p{L})/giu, " times"],
];
const halfHour =
  /(?<!\p{L})(?:half an hour|(?:einer?\s)?halben? stunde|une demi-heure|media hora|mezz['’]ora|meia hora)(?!\p{L})/giu;
/** `sei` and `seis` are other words, too. */
const sixSpans = new RegExp(String.raw`(?<!\p{L})(?:six|sechs|seis|sei)\s(?=${spanUnit}(?!\p{L}))`, "giu");
/** `a week ago`, `for an hour`, not `once a week`. */
const oneSpan = new RegExp(
  String.raw`(?<=(?<!\p{L})(?:for|since|than|over|about|nearly|almost|exactly|after|seit|vor|fast|depuis|hace|casi|da|há|quasi)\s)(?:an?|one|einer|einem|eine|une?|una|um|uma)\s(?=${spanUnit}(?!\p{L}))|(?<!\p{L})(?:an?|one)\s(?=${spanUnit}\s(?:ago|earlier|late|old)(?!\p{L}))`,
  "giu",
);

/** Writes `seven and a half hours` and `an hour ago` in digits. */
export const inDigits = (sentence: string): string =>
  halfMore
    .reduce(
      (text, pattern) =>
        text.replace(pattern, (whole: string, count: string, unit: string) => {
          const number = /^(?:one|an?|eine?|une?|una)$/iu.test(count)
            ? 1
            : (numerals.get(count.toLowerCase()) ?? Number(count));
          return Number.isNaN(number) ? whole : `about ${number}.5 ${unit}`;
        }),
      portions
        .reduce((text, [pattern, digits]) => text.replace(pattern, digits), sentence)
        .replace(halfHour, "30 minutes")
        .replace(sixSpans, "6 "),
    )
    .replace(oneSpan, "1 ");

/** Whether any of these, in their order, is as near as this. */
export function holdsNear(ordered: readonly number[], value: number, within: number): boolean {
  let [from, to] = [0, ordered.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((ordered[middle] ?? 0) < value - within) from = middle + 1;
    else to = middle;
  }
  return (ordered[from] ?? Infinity) <= value + within;
}

const sizes = [1, 1000, 1024, 1e6, 1024 ** 2, 1e9, 1024 ** 3, 1e12, 1024 ** 4];

/** Whether what a text holds bears a figure: as it stands, rounded, in another unit, or reckoned. */
export function bearsFigure(
  figure: SaidFigure,
  isRough: boolean,
  numbers: ReckonedNumbers,
  bound?: "over" | "under",
): boolean {
  const { derived, totals, shares, spans } = numbers;
  const { value, unit, half } = figure;
  const isSize = sizeUnit.test(unit);
  const isShare = unit === "%" || /^(?:percent|prozent|pour|por)$/i.test(unit);
  const isCount = !isSize && /^(?:\p{Ll}{3,}s|\p{Lu}\p{L}{3,})$/u.test(unit);
  const texts = [
    numbers.plain,
    ...(isSize || isCount ? [] : [numbers.percents]),
    ...(isShare || isCount ? [] : [numbers.sized]),
  ];
  if (bound !== undefined) {
    // `more than 60,000` of 74,000; of 600,000 nobody says so.
    const middle = value * (bound === "over" ? 1.15 : 0.85);
    const close = { ...figure, value: middle, half: value * 0.15 + half * 0.1 };
    if (bearsFigure(close, true, numbers)) return true;
  }
  const exact = !Number.isInteger(value) ? half * 1.02 : value >= 10_000 ? half : 0.501;
  const within = isRough ? Math.max(half * 1.1, value * 0.03, Math.min(0.6, Math.max(half, value * 0.06))) : exact;
  const span = secondsOf(unit);
  if (span !== undefined)
    return holdsNear(
      spans,
      value * span,
      Math.max(span * Math.min(half, 0.75), value * span * (isRough ? 0.12 : 0.04)),
    );
  if (texts.some((some) => holdsNear(some, value, within))) return true;
  if (isShare)
    return (
      holdsNear(shares, value, isRough ? Math.max(2, half) : Number.isInteger(value) ? 0.6 : half * 1.1) ||
      holdsNear(derived, value, 0.501)
    );
  if (times.test(unit) && holdsNear(shares, value * 100, 20)) return true;
  return [...texts, derived, totals].some(
    (some) =>
      holdsNear(some, value, within) ||
      (isSize &&
        sizes.some(
          (size) => holdsNear(some, value * size, within * size) || holdsNear(some, value / size, within / size),
        )),
  );
}

/** `5 minutes`. */
export const isSpan = ({ unit }: SaidFigure): boolean => secondsOf(unit) !== undefined;
/** Whether a figure may count some rows of a list. */
export const isFew = ({ value, unit }: SaidFigure): boolean =>
  Number.isInteger(value) && value <= 12 && unit !== "%" && !isUnit(unit) && !times.test(unit);
/** Whether a word is a unit, not what is counted. */
export const isUnit = (word: string): boolean => secondsOf(word) !== undefined || sizeUnit.test(word);
