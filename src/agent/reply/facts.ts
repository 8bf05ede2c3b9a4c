import { bearsFigure, figuresIn, isUnit, type ReckonedNumbers, reckon, type SaidFigure } from "./figures.ts";
import { readNamedRows } from "./rows.ts";

/** A run as far as facts are read from it. */
interface FactSource {
  readonly servers: readonly string[];
  readonly command: string;
  readonly output: string;
}
interface Fact {
  readonly key: readonly string[];
  readonly value: string;
}
/** What an output says of one thing; `of` has all its words. */
interface FactRow {
  readonly of: ReadonlySet<string>;
  readonly facts: readonly Fact[];
}
interface FactRun extends FactSource {
  readonly lines: readonly string[];
  /** Rows that share a head. */
  readonly table: readonly FactRow[];
  readonly rows: readonly FactRow[];
  readonly head: string;
}

/** A clause, as far as facts can speak against it. */
export interface ReadClause {
  readonly text: string;
  readonly isDenied: boolean;
  /** `all`, `both`; `none`, `nothing` at its start. */
  readonly isEvery: boolean;
  readonly isNone: boolean;
  readonly isRough: boolean;
  /** How many of them `all three` speaks of. */
  readonly count: number | undefined;
  readonly bound: "over" | "under" | undefined;
  /** Words that say what it is about, and their stems. */
  readonly subject: readonly string[];
  readonly stems: ReadonlySet<string>;
}

type StemOf = (word: string) => string;
export type ContradictionFinder = (clause: ReadClause) => string | undefined;

const opposite = "an output shows the opposite";

/** In a name of a value: what it is measured in, not what it is. */
const noKey =
  /^(?:mb|mib|gb|gib|kb|kib|bytes?|ms|sec|secs|seconds|human|number|count|of|in|the|is|no|num|total|current|cores|name|last|size)$/;
const tokensOf = (text: string): readonly string[] =>
  text
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, " ")
    .toLowerCase()
    .match(/\p{L}{2,}/gu) ?? [];
/** `api.example.org`, `pg-b2`, `/var/log`, `10.8.0.4`, with a digit or a sign. */
const isName = (word: string): boolean => /[\d_./@-]/.test(word);
const wordsIn = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .toLowerCase()
      .match(/[\p{L}\p{N}/_@][\p{L}\p{N}_./@:-]*/gu)
      ?.flatMap((word) => [word, word.replace(/[.:/-]+$/, ""), ...word.split(/[/:@]/)]) ?? [],
  );
const isNumeric = (value: string): boolean =>
  /^-?\d+(?:,\d{3})*(?:[.,]\d+)?\s?(?:%|[KMGTP]?i?B?|m|Mi|Gi|Ki)?(?:$|\s\()/.test(value);

/** The numbers of a text as they stand, without clocks and addresses. */
const readAlone = (text: string): ReckonedNumbers => {
  const bare = text.replace(/\d{4}-\d\d-\d\d|\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?|\d+(?:\.\d+){2,}/g, " ");
  // `00:41:12` alone in its cell is a span.
  const spanned = text.replace(/\d{4}-\d\d-\d\d[T ][\d:.]+|\p{Lu}\p{Ll}{2} [ \d]\d [\d:]{8}/gu, " ");
  return {
    ...reckon([[bare]], []),
    spans: reckon([[spanned]], []).spans,
    derived: [],
    between: [],
    totals: [],
    shares: [],
    rows: 0,
  };
};

/** An output that people see has no more. */
const mostLines = 400;

/** States that exclude each other. */
const exclusive: readonly (readonly string[])[] = [
  ["accept", "drop", "reject"],
  ["red", "yellow", "green"],
  ["enabled", "disabled"],
  ["primary", "secondary"],
  ["automatic", "manual"],
  ["hard", "soft"],
];

const barsIn = (line = ""): number => line.split("|").length - 1;

interface Cell {
  readonly key: string;
  readonly value: string;
}
const factRow = (cells: readonly Cell[]): FactRow => ({
  of: wordsIn(cells.map(({ value }) => value).join("\n")),
  facts: cells.map(({ key, value }) => ({
    key: tokensOf(key).filter((token) => !noKey.test(token)),
    value: `${value.replace(/[,;]$/, "").replace(/^["']|["']$/g, "")}${key.includes("%") && /^[\d.]+$/.test(value) ? "%" : ""}`,
  })),
});

/** `check =  8.3%`, `finish=91.2min`. */
const inlinePairs = (line: string): readonly (readonly Cell[])[] =>
  [
    ...line.matchAll(
      /(?<![\w.-])(?<key>[A-Za-z][\w.-]{1,40})["']?\s{0,3}[=:]\s{0,3}["']?(?<value>-?\d+(?:[.,]\d+)*%?)(?![\w:.-])/g,
    ),
  ].map(({ groups }) => [{ key: groups?.key ?? "", value: groups?.value ?? "" }]);

/** The rows of a table whose columns stand below their heads. */
function alignedRows(lines: readonly string[]): readonly (readonly Cell[])[] {
  const at = lines.findIndex(
    (line, place) => !/\d/.test(line) && line.trim().split(/\s+/).length > 2 && /\d/.test(lines[place + 1] ?? ""),
  );
  const head = at < 0 ? undefined : lines[at];
  if (head === undefined) return [];
  const places = (line: string) =>
    [...line.matchAll(/\S+/g)].map(({ 0: word, index }) => ({ word, from: index, to: index + word.length }));
  const heads = places(head);
  return lines.slice(at + 1, at + 60).flatMap((line) => {
    const cells = new Map<number, string[]>();
    for (const { word, from, to } of places(line)) {
      const shared = heads.map((one) => Math.min(to, one.to) - Math.max(from, one.from));
      const best = shared.indexOf(Math.max(...shared));
      cells.set(best, [...(cells.get(best) ?? []), word]);
    }
    // Else it is no row of this table.
    const isRow =
      cells.size >= Math.max(2, heads.length - 1) &&
      [...cells.values()].filter((words) => words.length > 2).length === 0;
    return isRow ? [heads.map(({ word }, place) => ({ key: word, value: (cells.get(place) ?? []).join(" ") }))] : [];
  });
}

/** Creates the reader of what outputs say against a clause: of the same thing, by the same name, another value. */
export function createFindContradicted(sources: readonly FactSource[], stemOf: StemOf): ContradictionFinder {
  const read = new Map<string, ReckonedNumbers>();
  const alone = (text: string): ReckonedNumbers => {
    const known = read.get(text) ?? readAlone(text);
    read.set(text, known);
    return known;
  };
  const runs = sources.map((source): FactRun => {
    const lines = source.output
      .split("\n")
      .filter((line) => /[\p{L}\p{N}]/u.test(line))
      .slice(0, mostLines);
    const named = readNamedRows(source.command, source.output).map(({ cells }) => cells);
    const widest = Math.max(0, ...named.map((cells) => cells.length));
    const isTable = widest > 1 && named.filter((cells) => cells.length === widest).length > 1;
    const rows = [...named, ...(isTable ? [] : alignedRows(lines)), ...lines.flatMap(inlinePairs)].map(factRow);
    return {
      ...source,
      lines,
      rows,
      table: isTable
        ? rows.slice(0, named.length).filter(({ facts }) => facts.length === widest)
        : rows.slice(named.length).filter(({ facts }) => facts.length > 1),
      head: [...source.servers, source.command].join(" ").toLowerCase(),
    };
  });

  const names = (clause: ReadClause): readonly string[] => {
    const own = clause.subject.filter(isName);
    return own.length > 0
      ? own
      : clause.subject.filter((word) =>
          runs.some(
            ({ table, lines }) =>
              table.some(({ of }) => of.has(word)) ||
              lines.some((line) => /\d/.test(line) && line.trim().toLowerCase().startsWith(`${word} `)),
          ),
        );
  };

  /** `mail.out has one consumer` where the row of mail.out has 0 in the column of consumers. */
  const attributeFault = (clause: ReadClause): string | undefined => {
    if (clause.isDenied || clause.isEvery) return undefined;
    const figures = figuresIn(clause.text.replace(/(?<!\p{L})(?:one|a single|exactly one)(?=\s\p{L})/giu, "1"));
    const [figure] = figures;
    if (!figure || figures.length > 1) return undefined;
    // `PID 30122` is a name.
    const [label = ""] = /\p{L}+(?=\s#?$)/u.exec(clause.text.slice(0, figure.at)) ?? [];
    const isLabel = runs.some(
      ({ rows, lines }) =>
        rows.some(({ facts }) => facts.some(({ key }) => key.includes(label.toLowerCase()))) &&
        lines.some((line) => holdsName(line, figure.text)),
    );
    if (isLabel) return undefined;
    const beside = (labelsIn(clause.text).includes(figure.text) ? tokensOf(label) : nearWords(clause.text, figure)).map(
      stemOf,
    );
    const own = names(clause);
    for (const run of runs) {
      const facts = run.rows.flatMap((row) =>
        row.facts
          .filter(
            ({ key, value }) =>
              isNumeric(value) &&
              (figure.unit !== "%" || value.endsWith("%")) &&
              key.length > 0 &&
              key.every((token) => clause.stems.has(stemOf(token))) &&
              key.some((token) => beside.includes(stemOf(token))),
          )
          .map((fact) => ({ ...fact, row, isOwn: own.some((name) => row.of.has(name)) })),
      );
      const isHere = run.servers.some((server) => own.includes(server.toLowerCase()));
      const mine = facts.some(({ isOwn }) => isOwn)
        ? facts.filter(({ isOwn }) => isOwn)
        : own.length === 0 || isHere || own.every((name) => facts.some(({ key }) => key.includes(name)))
          ? facts
          : [];
      const isElsewhere = own.some(
        (name) =>
          !mine.some(({ row }) => row.of.has(name)) && run.lines.some((line) => holdsName(line.toLowerCase(), name)),
      );
      if (mine.length === 0 || (isElsewhere && mine.some(({ isOwn }) => isOwn))) continue;
      const all = reckon([mine.map(({ value }) => value)], []);
      const sum = mine.reduce((before, { value }) => before + Number.parseFloat(value), 0);
      if (bearsFigure(figure, clause.isRough, { ...all, totals: [sum], shares: [] }, clause.bound)) return undefined;
      // Elsewhere it may be called otherwise.
      const isBeside = runs.some(({ lines }) =>
        lines.some(
          (line) =>
            !mine.some(({ row }) => row.facts.every(({ value }) => line.includes(value))) &&
            (own.length === 0 && mine.every(({ key }) => key.length === 1) && figure.value > 12
              ? true
              : mine.some(({ key }) => key.some((token) => line.toLowerCase().includes(stemOf(token))))) &&
            bearsFigure(figure, clause.isRough, alone(line), clause.bound),
        ),
      );
      if (!isBeside) return opposite;
    }
    return undefined;
  };

  /** `all three pods are in CrashLoopBackOff` where a row has another state. */
  const everyFault = (clause: ReadClause): string | undefined => {
    // `nearly all` leaves some.
    if (!clause.isEvery || clause.isDenied || (clause.isRough && clause.bound === undefined)) return undefined;
    const said = wordsIn(clause.text);
    const figures = figuresIn(clause.text);
    for (const run of runs) {
      const sets = [
        run.table.filter(({ of }) =>
          [...of].some((word) => clause.subject.some((one) => one.length > 3 && word.includes(stemOf(one)))),
        ),
        run.table,
        // `orders-6f7d9c4b8d-2xkqp` and its like.
        ...Map.groupBy(run.table, ({ facts }) => /^\D*?(?=-[^-]*\d|$)/.exec(facts[0]?.value ?? "")?.[0] ?? "").values(),
      ].filter((rows) => rows.length > 1 && (clause.count === undefined || rows.length === clause.count));
      for (const rows of sets) {
        const width = rows[0]?.facts.length ?? 0;
        for (let place = 0; place < width; place += 1) {
          const cells = rows.map(({ facts }) => facts[place] ?? { key: [], value: "" });
          const has = ({ value }: Fact): boolean =>
            /\p{L}{3,}/u.test(value) && value.split(/\s/).some((word) => said.has(word.toLowerCase()));
          const labels = labelsIn(clause.text);
          const numberedRows = cells.filter(({ value }) => labels.includes(value)).length;
          if (place > 0 && numberedRows > 0 && numberedRows < cells.length) return opposite;
          const some = cells.filter(has).length;
          // The first column names them.
          if (place > 0 && some > 0 && some < cells.length) return opposite;
          const isMeant =
            cells.every(({ value }) => isNumeric(value)) &&
            (cells.every(({ value }) => value.endsWith("%")) ||
              cells[0]?.key.some((token) => clause.stems.has(stemOf(token))) === true);
          const figure = figures.find(({ value, unit }) => value !== clause.count && (unit === "%" || !isUnit(unit)));
          if (!isMeant || figure === undefined) continue;
          const holds = cells.filter(({ value }) =>
            clause.bound === undefined
              ? bearsFigure(figure, clause.isRough, alone(value))
              : clause.bound === "over"
                ? Number.parseFloat(value) >= figure.value
                : Number.parseFloat(value) <= figure.value,
          ).length;
          if (holds < cells.length && (holds > 0 || clause.bound !== undefined)) return opposite;
        }
      }
      // Lines of a log: `all four errors were for /pay`.
      const literals = [...said].filter((word) => /^\/\w/.test(word));
      if (clause.count === undefined || run.lines.length !== clause.count) continue;
      for (const literal of literals) {
        const some = run.lines.filter((line) => holdsName(line.toLowerCase(), literal)).length;
        if (some > 0 && some < run.lines.length) return opposite;
      }
    }
    return undefined;
  };

  /** `no queue has consumers` where a row has 8 of them; `nothing listens on port 443` where a line has both. */
  const noneFault = (clause: ReadClause): string | undefined => {
    const lacked = lacks.exec(clause.text)?.groups?.what;
    const own = names(clause);
    if (
      lacked !== undefined &&
      own.length > 0 &&
      runs.some(({ table }) =>
        table
          .filter(({ of }) => own.some((name) => of.has(name)))
          .some(({ facts }) =>
            facts.some(
              ({ key, value }) => key.length === 1 && stemOf(key[0] ?? "") === stemOf(lacked) && /^[1-9]/.test(value),
            ),
          ),
      )
    )
      return opposite;
    if (!clause.isNone || clause.isEvery) return undefined;
    const last = stemOf(clause.subject.at(-1) ?? "");
    const literals = [...clause.subject.filter((word) => /\d/.test(word)), ...labelsIn(clause.text)];
    for (const run of runs) {
      if (
        literals.length === 0 &&
        run.table.length > 1 &&
        run.table.some(({ facts }) =>
          facts.some(
            ({ key, value }) => key.length === 1 && stemOf(key[0] ?? "") === last && Number.parseFloat(value) > 0,
          ),
        )
      )
        return opposite;
      const others = clause.subject.filter((word) => !isName(word) && word.length > 3).map(stemOf);
      if (
        literals.length > 0 &&
        run.lines.some(
          (line) =>
            literals.every((name) => holdsName(line.toLowerCase(), name)) &&
            others.some((stem) => new RegExp(`(?<!\\p{L})${RegExp.escape(stem)}`, "iu").test(line)),
        )
      )
        return opposite;
      // `grep -c` has counted them.
      const counted =
        /(?:grep\b[^|]*\s-\w*c\w*\s|\|\s*wc\s+-l)/.test(run.command) && /^\s*[1-9]\d*\s*$/.test(run.output);
      const sought = tokensOf(run.command.replace(/^[^|]*\|(?=[^|]*grep)/, ""));
      if (counted && clause.subject.some((word) => word.length > 2 && sought.includes(word))) return opposite;
    }
    return undefined;
  };

  /** `embed-0 uses 2.2 GB` where that stands in the row of another one. */
  const swapFault = (clause: ReadClause): string | undefined => {
    if (
      clause.isDenied ||
      clause.isEvery ||
      /(?<!\p{L})(?:together|than|both|combined|zusammen|ensemble|juntos)(?!\p{L})/iu.test(clause.text)
    )
      return undefined;
    const called = names(clause);
    const own = called.length > 0 ? called : labelsIn(clause.text);
    if (own.length === 0) return undefined;
    const said = [
      ...figuresIn(clause.text)
        .filter(({ value, unit, text }) => !own.includes(text) && (value > 4 || isUnit(unit) || unit === "%"))
        .map(
          (figure) =>
            (line: string): boolean =>
              bearsFigure(figure, clause.isRough, alone(line), clause.bound),
        ),
      ...[...clause.text.matchAll(/(?<![\p{L}\d_-])\p{Lu}[\p{Lu}_]{2,}(?![\p{L}\d_-])/gu)].map(
        ([word]) =>
          (line: string): boolean =>
            holdsName(line, word),
      ),
    ];
    const isOf = (line: string): boolean => own.some((name) => holdsName(line.toLowerCase(), name));
    for (const bears of said)
      for (const run of runs) {
        const mine = run.lines.filter(isOf);
        const shapes = new Set(mine.map(shapeOf));
        const other = run.lines.find(
          (line) => !mine.includes(line) && /\d/.test(line) && shapes.has(shapeOf(line)) && bears(line),
        );
        if (mine.length === 0 || other === undefined || mine.some(bears)) continue;
        const isBeside = runs.some(({ lines }) =>
          lines.some((line) => bears(line) && (isOf(line) || !shapes.has(shapeOf(line)))),
        );
        if (!isBeside) return opposite;
      }
    return undefined;
  };

  /** `stock failed` where its row says `done`, and another one `failed`. */
  const stateFault = (clause: ReadClause): string | undefined => {
    if (clause.isDenied || clause.isEvery) return undefined;
    const own = names(clause);
    const text = clause.text.toLowerCase();
    for (const { table } of runs)
      for (const name of own) {
        const mine = table.filter(({ of }) => of.has(name));
        const others = table.filter((row) => !mine.includes(row));
        if (
          mine.length !== 1 ||
          own.some((one) => one !== name && others.some(({ facts }) => facts[0]?.value.toLowerCase() === one))
        )
          continue;
        const said = new RegExp(
          `${RegExp.escape(name)}(?:\\s(?:is|was|has|are|still|now|ist|war|est|está|é|è|the|der|die|le|el)){0,3}\\s(?<state>\\p{L}{4,})(?!\\p{L})`,
          "u",
        ).exec(text)?.groups?.state;
        const has = (row: FactRow): boolean => row.facts.slice(1).some(({ value }) => value.toLowerCase() === said);
        if (
          said !== undefined &&
          others.some(has) &&
          !mine.some(has) &&
          ![...(mine[0]?.of ?? [])].some((word) => word.includes(said))
        )
          return opposite;
      }
    return undefined;
  };

  /** `five partitions` where an output lists three of them. */
  const listedFault = (clause: ReadClause): string | undefined => {
    if (clause.isDenied || clause.isRough) return undefined;
    for (const figure of figuresIn(clause.text)) {
      if (!Number.isInteger(figure.value) || figure.value > 12 || figure.value < 2 || isUnit(figure.unit)) continue;
      const [noun = ""] = /^\s*\p{L}{4,}/u.exec(clause.text.slice(figure.at + figure.text.length)) ?? [];
      const stem = stemOf(noun.trim());
      if (stem.length < 4) continue;
      const listed = runs.map(({ lines }) =>
        lines.filter((line) => tokensOf(line).some((token) => token.startsWith(stem))),
      );
      const most = Math.max(...listed.map(({ length }) => length));
      if (
        runs.some(({ table }) =>
          table.some(({ facts }) => facts.some(({ key }) => key.some((token) => token.startsWith(stem)))),
        )
      )
        continue;
      const isSaid = listed.flat().some((line) => bearsFigure(figure, false, alone(line)));
      // Some rows between bars say the word, and there are as many as the clause has things.
      const isWhole = runs.some(
        ({ lines: [first, ...rest] }) =>
          rest.length + 1 === figure.value && barsIn(first) > 2 && rest.every((line) => barsIn(line) === barsIn(first)),
      );
      if (most > 1 && figure.value > most && !isSaid && !isWhole) return opposite;
    }
    return undefined;
  };

  /** `a1 has more sessions than a2` where each of a1's numbers is the smaller one. */
  const comparedFault = (clause: ReadClause): string | undefined => {
    const groups = compared.exec(clause.text.toLowerCase())?.groups;
    if (!groups || clause.isDenied) return undefined;
    const { one = "", other = "", how = "" } = groups;
    const isMore =
      /^(?:more|larger|bigger|higher|greater|older|longer|busier|mehr|größer|höher|plus|más|mayor|mais|maior)/.test(
        how,
      );
    for (const { lines } of runs) {
      const [mine, theirs] = [one, other].map((name) => {
        const own = lines.filter((line) => holdsName(line.toLowerCase(), name));
        return own.length === 1 ? numbersIn(own[0] ?? "") : [];
      });
      if (!mine?.length || mine.length !== theirs?.length) continue;
      const differ = mine.flatMap((value, at) => (value === theirs[at] ? [] : [value - (theirs[at] ?? 0)]));
      if (differ.length > 0 && differ.every((by) => (isMore ? by < 0 : by > 0))) return opposite;
    }
    return undefined;
  };

  /** `the policy is accept` where outputs have `policy drop`; `the cluster is yellow` where `red` is all they have. */
  const exclusiveFault = (clause: ReadClause): string | undefined => {
    if (clause.isDenied) return undefined;
    const said = clause.text.toLowerCase();
    for (const group of exclusive) {
      const meant = group.filter((word) => new RegExp(`(?<![\\p{L}-])${word}(?![\\p{L}-])`, "u").test(said));
      const [word] = meant;
      if (word === undefined || meant.length > 1) continue;
      const text = runs.map(({ output }) => output.toLowerCase()).join("\n");
      const is = (one: string, before = ""): boolean =>
        new RegExp(`(?<![\\p{L}-])${before}${one}(?![\\p{L}-])`, "u").test(text);
      const others = group.filter((one) => one !== word);
      const keys = clause.subject.filter((one) => !isName(one) && one.length > 3 && one !== word);
      for (const key of keys) {
        const between = `${RegExp.escape(key)}["']?\\s?[:=]?\\s?["']?`;
        if (others.some((one) => is(one, between)) && !is(word, between)) return opposite;
      }
      if (
        !is(word) &&
        others.filter((one) => is(one)).length === 1 &&
        /(?<!\p{L})(?:is|are|ist|est|es|está|sind|steht)(?!\p{L})/u.test(said)
      )
        return opposite;
    }
    return undefined;
  };

  /** `10.0.0.3 answers with 203.0.113.10` where that stands only in what was asked of 10.0.0.2. */
  const otherRunFault = (clause: ReadClause): string | undefined => {
    if (clause.isDenied || clause.isEvery) return undefined;
    const said = [...wordsIn(clause.text)].filter(
      (word) => /\d/.test(word) && /[.\p{L}]/u.test(word) && word.length > 2,
    );
    for (const name of said) {
      const own = runs.filter(({ head }) => holdsName(head, name));
      if (own.length === 0 || own.length === runs.length) continue;
      const program = own[0]?.command.split(" ")[0];
      const alike = runs.filter((run) => !own.includes(run) && run.command.split(" ")[0] === program);
      for (const value of said) {
        if (value === name || runs.some(({ head }) => holdsName(head, value))) continue;
        const isIn = (some: readonly FactRun[]): boolean =>
          some.some(({ output }) => holdsName(output.toLowerCase(), value));
        const rest = runs.filter((run) => !alike.includes(run));
        if (isIn(alike) && !isIn(rest) && !alike.some(({ output }) => holdsName(output.toLowerCase(), name)))
          return opposite;
      }
    }
    return undefined;
  };

  return (clause) =>
    attributeFault(clause) ??
    everyFault(clause) ??
    noneFault(clause) ??
    swapFault(clause) ??
    stateFault(clause) ??
    listedFault(clause) ??
    comparedFault(clause) ??
    exclusiveFault(clause) ??
    otherRunFault(clause);
}

/** Lines of one shape are rows of one list. */
const shapeOf = (line: string): string => {
  const cells = line.trim().split(/\s{2,}|\t|\s*\|\s*|,\s?/);
  const key = /^\s*[^\s:=]+[:=]/.exec(line)?.[0] ?? "";
  return `${key} ${cells.length > 1 ? `${cells.length} cells` : line.trim().split(/\s+/).length}`;
};

/** Up to three words on each side of a figure. */
function nearWords(text: string, figure: SaidFigure): readonly string[] {
  const before =
    text
      .slice(0, figure.at)
      .toLowerCase()
      .match(/[\p{L}_]{2,}/gu) ?? [];
  const after =
    text
      .slice(figure.at + figure.text.length)
      .toLowerCase()
      .match(/[\p{L}_]{2,}/gu) ?? [];
  return [...before.slice(-3), ...after.slice(0, 3)].flatMap((word) => tokensOf(word));
}

/** `has no consumers`. */
const lacks =
  /(?<!\p{L})(?:has|have|with|hat|haben|a|ont|tiene|tem|ha)\s(?:no|zero|kein\p{L}*|aucune?|ningún|nenhum)\s(?<what>\p{L}{3,})[^\p{L}]*$/iu;

const behindLabel = String.raw`\s#?(?<number>\d{1,9})(?![\p{L}\p{N}:%-]|[.,]\d|\s?(?:%|[KMGT]i?B))`;
const numbered: readonly RegExp[] = [
  new RegExp(
    String.raw`(?<!\p{L})(?!(?:Runs?|Checks?|Steps?|Actions?|About|Over|Only|Just|Exactly|Nearly)\s)\p{Lu}\p{L}+${behindLabel}`,
    "gu",
  ),
  new RegExp(
    String.raw`(?<!\p{L})(?:ports?|porta|puerto|pid|partition|process|thread|broker|job|line|shard|session|slot|disk|vlan|timeline|sitzung|gpu)${behindLabel}`,
    "giu",
  ),
];
/** `port 443`, `Partition 6`. */
const labelsIn = (text: string): readonly string[] =>
  numbered.flatMap((pattern) => [...text.matchAll(pattern)].map(({ groups }) => groups?.number ?? ""));
const numbersIn = (text: string): readonly number[] =>
  [...text.matchAll(/(?<![\p{L}\d_.:/-])\d+(?:\.\d+)?(?![\d:]|[.-]\d)/gu)].map(([one]) => Number(one));
export const holdsName = (text: string, name: string): boolean =>
  text.includes(name) &&
  new RegExp(
    `${name.startsWith("/") ? "" : "(?<![\\p{L}\\p{N}_]|[\\p{L}\\p{N}][.-])"}${RegExp.escape(name)}(?![\\p{L}\\p{N}_]|[.-][\\p{L}\\p{N}])`,
    "u",
  ).test(text);
const compared =
  /(?<![\p{L}\d])(?<one>[\p{L}\d][\w./-]*)\s(?:\p{L}+\s){0,3}?(?<how>more|larger|bigger|higher|greater|older|longer|busier|fewer|less|smaller|lower|shorter|mehr|größer|höher|weniger|kleiner|plus|moins|más|menos|mais)(?:\s\p{L}+){0,3}?\s(?:than|als|que|de|do que)\s(?<other>[\w./-]*\w)/u;
