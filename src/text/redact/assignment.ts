import { type NameKind, nameKind } from "./names.ts";

/** `name = value` in all its dresses: env, JSON, YAML, properties, headers, logfmt, hashes of Ruby and PHP, queries. */
const assignment =
  /(?<![\w.-])-{0,2}((?:\d[\d-]{0,6})?[A-Za-z_][\w.-]{0,119})(\\{0,8}["'`]?\]?[ \t]{0,8}(?::[ \t]?&?(?:Option[<[]|Optional\[|Final\[)?(?:'static )?(?:str|[Ss]tring|SecretStr|SecretString|bytes|any|Any|unknown)[>\]?]?(?: \| \w{1,20})?[ \t]=|[ \t]string[ \t]?:?=|(?:[?.+]|:{1,3}|\?\?|\|\|)=|[=!]={1,2}(?=[ \t]{0,4}["'])|=>|::|=|:(?!\/\/))[ \t]{0,16})(?![=~])/y;

/** A name that says something of the value behind its sign: both offsets into the text. */
export type Assignment = {
  readonly name: string;
  readonly kind: NameKind;
  readonly nameAt: number;
  readonly valueAt: number;
};

const inName = 1;
const closing = 2;

/** What ASCII characters are to a name and its sign; what may stand between the two closes the name. */
const roles = Uint8Array.from({ length: 128 }, (_, unit) => {
  const character = String.fromCharCode(unit);
  return /[\w.-]/.test(character) ? inName : /[\\"'`\] \t]/.test(character) ? closing : 0;
});

/** Never reads beyond the table: that would make each later reading slow. */
const roleAt = (text: string, at: number): number => {
  const unit = text.charCodeAt(at);
  return unit < 128 ? (roles[unit] ?? 0) : 0;
};

/** More cannot stand between a name and its sign. */
const longestClosing = 20;

/** A type may be named between the sign of a declaration and its value: `key: SecretStr = "…"`. */
const typed = /:[ \t]?[&'A-Za-z]/y;

/**
 * Reads the assignments of a text in order: the next one from a place on whose name says something of its value; nothing
 * where none comes. Goes from sign to sign and looks back for a name, which takes a tenth of trying a pattern at each word.
 */
export function createReadAssignment(text: string): (from: number) => Assignment | undefined {
  const colon = createNext(text, ":");
  const equals = createNext(text, "=");
  return (from) => {
    for (let done = from; ; ) {
      const sign = Math.min(colon(done), equals(done));
      if (sign === Number.POSITIVE_INFINITY) return undefined;
      const found = assignmentBefore(text, sign, done);
      if (typeof found === "object") return found;
      done = found ?? sign + 1;
    }
  };
}

/** The next place of a character from a place on, which never goes back. */
function createNext(text: string, character: string): (from: number) => number {
  let next = -1;
  return (from) => {
    if (next >= from) return next;
    const found = text.indexOf(character, from);
    next = found === -1 ? Number.POSITIVE_INFINITY : found;
    return next;
  };
}

/** The assignment of this sign, or from where to go on where its name says nothing and a type is told. */
function assignmentBefore(text: string, sign: number, from: number): Assignment | number | undefined {
  let end = closingStart(text, signStart(text, sign, from), from);
  let start = wordStart(text, end, from);
  // Go's `password string = "…"`.
  if (end - start === "string".length && text.startsWith("string", start)) {
    const nameEnd = closingStart(text, start, from);
    const before = wordStart(text, nameEnd, from);
    if (nameEnd < start && before < nameEnd) [start, end] = [before, nameEnd];
  }
  if (start === end || (start > 0 && roleAt(text, start - 1) === inName)) return undefined;
  typed.lastIndex = sign;
  if (nameKind(text.slice(start, end)) === undefined && (text[sign] !== ":" || !typed.test(text))) return undefined;
  assignment.lastIndex = start;
  const match = assignment.exec(text);
  if (!match) return undefined;
  const [whole, name = "", between = ""] = match;
  const valueAt = start + whole.length;
  let kind = nameKind(name);
  if (kind === "weak" && between.includes(":")) kind = nameKind(nameOf(text, start, name));
  return kind === undefined ? valueAt : { name, kind, nameAt: start, valueAt };
}

/** What stands before the sign of `?=`, `.=`, `!=` and their like. */
const beforeSign = "?.+!:|=";

function signStart(text: string, sign: number, from: number): number {
  let start = sign;
  if (text[sign] === "=")
    while (start > from && start > sign - 3 && beforeSign.includes(text[start - 1] ?? " ")) start--;
  return start;
}

function closingStart(text: string, at: number, from: number): number {
  let start = at;
  while (start > from && start > at - longestClosing && roleAt(text, start - 1) === closing) start--;
  return start;
}

function wordStart(text: string, end: number, from: number): number {
  let start = end;
  while (start > from && roleAt(text, start - 1) === inName) start--;
  return start;
}

/** With the words before it: `Auth Token: …`. */
function nameOf(text: string, at: number, name: string): string {
  const before = /([A-Za-z]{2,20}(?:[ \t][A-Za-z]{2,20})?)[ \t]$/.exec(text.slice(Math.max(0, at - 44), at))?.[1];
  return before ? `${before} ${name}` : name;
}
