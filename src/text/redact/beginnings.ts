/** How many characters of a beginning are told. */
const depth = 3;

const ascii = Array.from({ length: 128 }, (_, unit) => String.fromCharCode(unit));

/** For each of the first characters of a match, the codes it can have; fewer than three where their number varies. */
export type Beginning = readonly ReadonlySet<number>[];

/**
 * What the matches of a pattern can begin with. Knows literals, classes, groups, lookaheads and counts; throws for what it
 * does not know, so that no pattern is lost in silence.
 */
export function beginningsOf(source: string): readonly Beginning[] {
  return pathsOf(source).map(({ atoms }) => {
    if (atoms.length === 0) throw new Error(`cannot tell where ${source} begins`);
    return atoms.slice(0, depth).map((atom) => {
      const able = new RegExp(`^${atom}$`);
      return new Set(ascii.filter((character) => able.test(character)).map((character) => character.charCodeAt(0)));
    });
  });
}

/** The atoms of one character that stand first; `isOpen` where what follows them is not known. */
type Path = { readonly atoms: readonly string[]; readonly isOpen: boolean };

const noPath: Path = { atoms: [], isOpen: false };

const pathsOf = (source: string): Path[] => alternativesOf(source).flatMap((one) => pathsFrom(noPath, one));

function pathsFrom(path: Path, source: string): Path[] {
  if (source === "" || path.isOpen || path.atoms.length >= depth) return [path];
  if (/^\(\?[=!]/.test(source)) return pathsFrom(path, source.slice(groupEnd(source)));
  const isGroup = source.startsWith("(?:");
  const atom = isGroup
    ? source.slice(0, groupEnd(source))
    : (/^(?:\[(?:\\.|[^\]\\])*\]|\\.|[\w~/:-])/.exec(source)?.[0] ?? "");
  const [count = "", sign, least = "1", comma] = /^(?:([?*+])|\{(\d+)(,)?\d*\})/.exec(source.slice(atom.length)) ?? [];
  if (atom === "") throw new Error(`cannot tell where ${source} begins`);
  const times = sign === "?" || sign === "*" ? 0 : Number(least);
  const once = isGroup ? pathsOf(atom.slice(3, -1)) : [{ atoms: [atom], isOpen: false }];
  let begun: Path[] = [path];
  for (let time = 0; time < Math.min(times, depth); time++)
    begun = begun.flatMap((first) => once.map((next) => joined(first, next)));
  if (sign !== undefined || comma !== undefined) return begun.map((one) => ({ ...one, isOpen: true }));
  return begun.flatMap((one) => pathsFrom(one, source.slice(atom.length + count.length)));
}

const joined = (first: Path, next: Path): Path =>
  first.isOpen ? first : { atoms: [...first.atoms, ...next.atoms], isOpen: next.isOpen };

/** The end of the group that the source begins with. */
function groupEnd(source: string): number {
  let depth = 0;
  for (const { 0: token, index } of source.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|[()]/g)) {
    if (token === "(") depth++;
    if (token === ")" && --depth === 0) return index + 1;
  }
  throw new Error(`a group of ${source} is not closed`);
}

function alternativesOf(source: string): string[] {
  const parts: string[] = [];
  let [depth, start] = [0, 0];
  for (const { 0: token, index } of source.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|[()|]/g)) {
    if (token === "(") depth++;
    if (token === ")") depth--;
    if (token !== "|" || depth > 0) continue;
    parts.push(source.slice(start, index));
    start = index + 1;
  }
  return [...parts, source.slice(start)];
}
