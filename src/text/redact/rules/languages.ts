import { foreignNames, keyContents } from "../languages.ts";
import { isSecret, isSpoken, type Rule } from "../rule.ts";

/** Longer names first, so that the whole of one is taken. */
const name = `(?:${foreignNames
  .toSorted((a, b) => b.length - a.length)
  .map((one) => RegExp.escape(one))
  .join("|")})`;

/** "for the database", "_DB", "(nuevo)": what may stand between a name and its sign. */
const more = String.raw`(?:[ _-]?[^\s:=：＝"']{1,24}){0,4}?`;
const value = String.raw`(?:"[^"\n]{2,400}"|'[^'\n]{2,400}'|[^\s"'«»“”„‚<>,;。，；]{3,400})`;
const copula = "(?:ist|lautet|wurde|est|es|é|è|is|jest|to|är|er|on|je|это|είναι|là|adalah|は|是|为|為|は|：)";

/** When it was set or ends, and the keys that change it. */
const date = /^(?:\d{1,4}[./-]){2}\d{1,4}\.?$|^\p{L}+(?:\+\p{L}+)+$/u;

/** Windows says only that there is a key where it does not show it. */
const isThere = /^(?:vorhanden|present[e]?|présente?|aanwezig|obecny|присутствует|存在|現在|現用|nicht|absent)/i;

/** Secrets under a name that is not English: settings, labels of forms, sentences. */
export const languageRules: readonly Rule[] = [
  {
    what: "the key of a wireless network",
    at: keyContents,
    pattern: new RegExp(
      String.raw`((?:${keyContents.map((one) => RegExp.escape(one)).join("|")})\s{0,40}[:：]\s{1,3})(\S[^\n]{2,64}?)(?=\s*$)`,
      "imu",
    ),
    when: (secret) => isSecret(secret) && !isThere.test(secret),
  },
  {
    what: "a setting named in another language",
    at: foreignNames,
    pattern: new RegExp(
      String.raw`(${name}${more}["'»”“)\]]{0,2}[\s.]{0,40}(?:=>|:=|[:=：＝]|->|→)\s{0,3}[«“„‚]?)(?!\p{Ll}{2,14}[ ]\p{L}|\d{1,3}[ ]\p{L})(${value})`,
      "iu",
    ),
    when: (secret) => isSecret(secret) && !date.test(secret) && /[\p{N}\p{S}]|[^\p{L}.,;]|\p{Ll}\p{Lu}/u.test(secret),
  },
  {
    what: "a sentence in another language",
    at: foreignNames,
    pattern: new RegExp(
      String.raw`(${name}${more}\s{0,2}${copula}\s{0,2}[:：]?\s{0,2}["'«“„‚「]?\s?|${name}\s{1,2}(?=[^\s]{6,100}[.,;]?$))([^\s"'«»“”」。]{4,400})`,
      "imu",
    ),
    when: isSpoken,
  },
];
