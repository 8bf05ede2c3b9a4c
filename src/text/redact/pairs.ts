import type { NameKind } from "./names.ts";

/** Where a reader saw a name and its value. */
export type Place =
  /** A sign stands between them: `name = value`, `name: value`, `<name>value</name>`, `-name value`. */
  | "setting"
  /** Two literals or members of one object: `("NAME", "value")`, `{name: NAME, value: …}`, columns of a record. */
  | "member"
  /** A config's or device's line: the name, perhaps its type, the value. */
  | "directive"
  /** A sentence or a label of several words says the value. */
  | "sentence"
  /** The value stands on the name's line, or alone below it, and nothing else ties them. */
  | "near";

/** A name and what stands in its value's place: offsets into the text. */
export type Pair = {
  readonly name: string;
  readonly kind: NameKind;
  readonly nameAt: number;
  readonly start: number;
  readonly end: number;
  /** Where the value begins with its quote. */
  readonly at: number;
  readonly from: Place;
};
