export type HowToRead =
  | { readonly kind: "page"; readonly page: number }
  | { readonly kind: "tail"; readonly lines: number }
  | { readonly kind: "grep"; readonly text: string };

/** A part of a stored output for `/output` and `read_output`, at most `limit` characters, and a note on what it is. */
export function readOutput(text: string, how: HowToRead, limit: number): { text: string; note: string } {
  const lines = text.replace(/\n$/, "").split("\n");
  switch (how.kind) {
    case "page":
      return readPage(lines, how.page, limit);
    case "tail":
      return readTail(lines, how.lines, limit);
    case "grep":
      return readMatches(lines, how.text, limit);
  }
}

function readPage(lines: readonly string[], page: number, limit: number): { text: string; note: string } {
  const pages = paginate(lines, limit);
  const number = Math.min(Math.max(1, Math.trunc(page) || 1), pages.length);
  const asked = number === page ? "" : ` (there is no page ${page})`;
  return { text: pages[number - 1] ?? "", note: `page ${number} of ${pages.length}${asked}` };
}

/** Pages of at most `limit` characters that end at line ends; a longer line is parted. */
function paginate(lines: readonly string[], limit: number): string[] {
  const pages: string[] = [];
  let page: string[] = [];
  let room = limit;
  const finish = (): void => {
    if (page.length > 0) pages.push(page.join("\n"));
    page = [];
    room = limit;
  };
  for (const piece of lines.flatMap((line) => part(line, limit))) {
    if (piece.length + 1 > room && page.length > 0) finish();
    page.push(piece);
    room -= piece.length + 1;
  }
  finish();
  return pages.length > 0 ? pages : [""];
}

function part(line: string, limit: number): string[] {
  const pieces: string[] = [];
  for (let at = 0; at === 0 || at < line.length; at += limit) pieces.push(line.slice(at, at + limit));
  return pieces;
}

function readTail(lines: readonly string[], wanted: number, limit: number): { text: string; note: string } {
  const count = Math.max(1, Math.trunc(wanted) || 1);
  const kept: string[] = [];
  let room = limit;
  for (const line of lines.slice(-count).reverse()) {
    if (line.length + 1 > room && kept.length > 0) break;
    kept.unshift(line.slice(-limit));
    room -= line.length + 1;
  }
  return { text: kept.join("\n"), note: `the last ${kept.length} of ${lines.length} lines` };
}

function readMatches(lines: readonly string[], wanted: string, limit: number): { text: string; note: string } {
  const needle = wanted.toLowerCase();
  const matches = lines.flatMap((line, index) =>
    line.toLowerCase().includes(needle) ? [`${index + 1}: ${line}`.slice(0, limit)] : [],
  );
  const shown: string[] = [];
  let room = limit;
  for (const match of matches) {
    if (match.length + 1 > room && shown.length > 0) break;
    shown.push(match);
    room -= match.length + 1;
  }
  const left = shown.length < matches.length ? `, the first ${shown.length} shown` : "";
  return { text: shown.join("\n"), note: `${matches.length} of ${lines.length} lines hold the text${left}` };
}
