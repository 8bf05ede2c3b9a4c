import { foreignNames } from "../languages.ts";
import { type NameKind, nameKind } from "../names.ts";
import { isDrawn, looksLikeKey } from "../randomness.ts";
import { isCount, isIdentifier, isPlainWord, isSecretValue, withoutBrackets } from "../values.ts";

/** What the name in a cell says of the value that belongs to it. */
export type Column = { readonly name: string; readonly kind: NameKind };

/** A name in a table is short, and no sentence. */
const nameCell = /^["'`*]*(?:\p{L}|\/(?=.*\/))[\p{L}\p{N} _.:()/-]{0,40}(?<![.:])["'`*]*$/u;

/** Accounts' plug-ins, which are called after what they check. */
const plugin = /^(?:mysql_native|caching_sha2|sha256|mysql_old|mysql_clear|scram|md5)_password$/i;

const foreign = new Set(foreignNames);

/** The secret that a cell names; nothing where it names none. */
export function columnOf(cell: string): Column | undefined {
  const name = cell.trim().replace(/["'`*]/g, "");
  if (name === "" || !nameCell.test(name) || plugin.test(name)) return undefined;
  const kind = foreign.has(name.toLowerCase()) ? "strong" : nameKind(name.replaceAll("/", "."));
  return kind && { name, kind };
}

/** What each heading says of the cells below it: a value beside the name of a key is a key. */
export function columnsOf(headings: readonly string[]): readonly (Column | undefined)[] {
  const isOfKeys = headings.some((heading) => /^key[ _-]?name$/i.test(heading));
  // `Secret | Value`: the first has names.
  const isNamed = (heading: string): boolean =>
    /^["'`*]*secrets?["'`*]*$/i.test(heading) && headings.some(isValueHeadingOfItsOwn);
  return headings.map(
    (heading) =>
      (isNamed(heading) ? undefined : columnOf(heading)) ??
      (isOfKeys && isValueHeading(heading) ? { name: "key", kind: "weak" } : undefined),
  );
}

/** Words that hold a place: no heading has them, and no secret. */
const stand = /^(?:null|nil|none|true|false|yes|no|on|off|t|f|n\/a|-+|\d.*)$/i;

/** Whether a row's cells can all be headings of columns. */
export const isHeading = (cells: readonly string[]): boolean => {
  const said = cells.filter((cell) => cell !== "");
  return (
    said.length > 0 &&
    new Set(said).size === said.length &&
    said.every((cell) => nameCell.test(cell) && !stand.test(cell) && !looksLikeKey(cell))
  );
};

/** A heading over what belongs to a name: types, ages, owners. */
const harmless =
  /^(?:.*[ _-])?(?:type|kind|data|age|created|updated|modified|changed|status|state|ready|restarts|driver|u?u?id|guid|digest|checksum|fingerprint|hash|sha-?\d{1,3}|md5|e-?tag|commit|revision|namespace|labels?|owner|schema|table|size|rows|count|null|nullable|collation|default|extra|host|user|login|mail|e-?mail|unit|description|comment|note|since|expires|expiry|version|scope|source|plugin|access|accessor|rotated|used|by|at|on|date|time|storage|compression|privileges)(?:[ _-](?:at|on|by|id))?$/i;

export const isHarmlessHeading = (heading: string): boolean => harmless.test(heading.trim());

/** A heading over the values of the names beside it. */
const valued =
  /^(?:.*[ _-])?(?:values?|val|setting|current|content|text|plain|secret|wert|inhalt|valeur|valor|contenu)$/i;
const naming = /^(?:.*[ _-])?(?:names?|key|variable|parameter|param|setting|option|field|item|property|entry)$/i;

const isValueHeadingOfItsOwn = (heading: string): boolean => /^values?$/i.test(heading);

export const isValueHeading = (heading: string): boolean => valued.test(heading.trim());
export const isNameHeading = (heading: string): boolean => naming.test(heading.trim());

/** Without a rule below it a heading says by some word that it is one. */
export const isPlainHeading = (cells: readonly string[]): boolean =>
  !cells.some((cell) => cell === "" || /[./]/.test(cell)) &&
  (cells.length < 3 || cells.some((cell) => !columnOf(cell))) &&
  cells.some((cell) => columnOf(cell) || isNameHeading(cell) || isValueHeading(cell) || harmless.test(cell));

/** Between a name and its value there may stand what kind of value it is. */
const typeWord =
  /^(?:str(?:ing)?|text|password|secret|secure ?string|encrypted|plain|bool(?:ean)?|int(?:eger)?|number|json|yaml|env|opaque|bytea|blob|uuid|(?:n?var)?char(?:acter)?(?: varying)?(?:2)?(?:\(\d+\))?|(?:tiny|medium|long)(?:text|blob)|(?:small|big)int(?:\(\d+\))?|reg_\w+|not null|u?int\d+|\w{0,6}property|\w{0,6}method)$/i;

export const isTypeWord = (cell: string): boolean => typeWord.test(cell);

/** A name of another setting or object, as a list has it: no value. */
const listed = /^[A-Za-z][A-Za-z]*(?:[_.-][A-Za-z]+)*$/;

/** Whether what stands in a cell is the secret itself. */
export const secretIn = (value: string, { name, kind }: Column): boolean =>
  value !== "" &&
  // A cell holds no tag of YAML, and a bracket opens nothing unless it closes.
  isSecretValue(/^[\w.]+\(.*\)$/.test(value) ? value : withoutBrackets(value.replace(/^!/, "")), kind) &&
  !isCount(name, value) &&
  !isIdentifier(name, value) &&
  !isPlainWord(value) &&
  !(listed.test(value) && columnOf(value)?.kind === "strong") &&
  !(
    /^(?:secrets?|credentials?)$/i.test(name) &&
    /^[a-z]+(?:[-/.][a-z0-9]+)+$/.test(value) &&
    !/\d[a-z]+\d/.test(value)
  );

/** A setting's own name, and a word that may be its value as well as one of a list. */
export const isWordOf = (value: string, name: string, others: readonly string[]): boolean =>
  /[a-z\d][_.][a-z]|[a-z][A-Z]/i.test(name) &&
  /^\p{L}{4,30}\d{0,4}$/u.test(value) &&
  !/^(?:table|view|index|sequence|vault|file|environment)$/i.test(value) &&
  (others.length === 0 || others.some((other) => /^\d|[/@:]|^(?:true|false|yes|no)$/.test(other)));

/** A kind or a state, as a column that is not of values has them: `ClusterSecretStore`, `OutOfSync`. */
export const isKindWord = (value: string): boolean => /^[A-Z]?[a-z]+(?:[A-Z][a-z]+)+$/.test(value);

/** Where nothing says that a table goes here: no word of a sentence, program or list. */
export const isDrawnCell = (value: string, name: string): boolean =>
  value.length >= 6 &&
  isDrawn(value) &&
  !/\s/.test(value) &&
  // A list's type: `ApiKey[]`.
  !/^(?:[A-Z][a-z]+)+\[\]$/.test(value) &&
  // `address2` may stand beside `password` in a list, but not beside a setting's name.
  (/[._/-]|[a-z][A-Z]/.test(name) || !/^[A-Z]?[a-z]+[_-]?\d$/.test(value)) &&
  !/^[\w.-]+@[\w-]+\.[\w.]+$|^[A-Z]?[a-z]+[_-]?$|^[\w-]+(?:\.[\w-]+)+(?::\d+)?$/.test(value) &&
  (/\d/.test(value) || /[a-z][A-Z]|[^\w\s.,:;'-]/.test(value));
