import * as z from "zod";
import table from "./languages.json" with { type: "json" };
import phraseTable from "./phrases.json" with { type: "json" };

/** Letters that are no plain one with a sign. */
const plainLetters: Readonly<Record<string, string>> = {
  ð: "d",
  þ: "th",
  ł: "l",
  đ: "d",
  ø: "o",
  æ: "ae",
  ı: "i",
  ß: "ss",
};

/** As people write a Latin word in the name of a variable: `lykilorð` is `LYKILORD`. Other scripts stay. */
const inPlainLetters = (word: string): string => {
  const plain = word
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replace(/[ðþłđøæıß]/g, (letter) => plainLetters[letter] ?? letter);
  return /^[\x20-\x7e]+$/.test(plain) ? plain : word;
};

const byLanguage = z.record(z.string(), z.string());

/** What languages say beside a secret: what is about one, how one is set, how it stands with one, what signs, what a key is. */
const phrases = z
  .strictObject({
    beside: byLanguage,
    setTo: byLanguage,
    setToBefore: byLanguage,
    state: byLanguage,
    signing: byLanguage,
    key: byLanguage,
  })
  .parse(phraseTable);

/**
 * What each language calls a secret, as people name it in configs, forms and sentences and as Windows and network devices print
 * it, in small letters: a password; a key, token or secret; what Windows writes before the key of a wireless network.
 */
const languages = Object.values(z.record(z.string(), z.string()).parse(table)).map((line) => {
  const [password = [], key = [], keyContent = []] = line.split("; ").map((words) => [
    ...new Set(
      words
        .split(", ")
        .filter(Boolean)
        .flatMap((word) => [word, inPlainLetters(word)]),
    ),
  ]);
  return { password, key, keyContent };
});

/** What Windows writes before the key of a wireless network, in the languages it speaks. */
export const keyContents = languages.flatMap(({ keyContent }) => keyContent);

/** Names of secrets in languages other than English. */
export const foreignNames = [...languages.flatMap(({ password }) => password), ...languages.flatMap(({ key }) => key)];

const anyForeign = new RegExp(
  [...foreignNames, ...keyContents]
    .toSorted((a, b) => b.length - a.length)
    .map((one) =>
      /^[\x20-\x7e]+$/.test(one) ? `(?<![a-z])${one.replaceAll(" ", "[ _-]?")}(?![a-z])` : RegExp.escape(one),
    )
    .join("|"),
  "u",
);

/** Whether a name or label holds a word for a secret that is not English; of one in plain letters only the whole word counts. */
export const foreignWordIn = (name: string): boolean =>
  anyForeign.test(name.replace(/([a-z])([A-Z])/g, "$1_$2").toLowerCase());

/** All languages' words for one thing, the longest first, as a pattern's alternatives. */
const wordsOf = (byLanguage: Readonly<Record<string, string>>): readonly string[] => [
  ...new Set(Object.values(byLanguage).flatMap((line) => line.split(", "))),
];
const alternatives = (words: readonly string[]): string =>
  words
    .toSorted((a, b) => b.length - a.length)
    .map((one) => one.split(" ").map(RegExp.escape).join("[ _-]?"))
    .join("|");

const { English: _english, ...foreignBeside } = phrases.beside;

const besideBehind = new RegExp(
  `(?:${alternatives(foreignNames)})\\p{L}{0,2}[ _-]?(?:${alternatives(wordsOf(phrases.beside))})[\\p{L}_-]*$`,
  "u",
);

/** Whether a compound's head is the policy, form or reset of a secret: `Passwort-Richtlinie`, `lösenordspolicy`. */
export const isBesideForeign = (name: string): boolean => besideBehind.test(name.toLowerCase());

const besideBefore = new RegExp(
  `(?<!\\p{L})(?:${alternatives(wordsOf(foreignBeside))})\\p{L}{0,8}(?:[ ](?:a|de|del|della|di|da|do|du|des|la|le|el|las|los|les|der|des|für|van|voor|for|til|till|na|dla|tu|su|votre|sua)){0,2}[ ](?:d['’]|l['’])?$`,
  "iu",
);

/** Whether such a head stands before a secret's name: `Política de contraseña`. English says `reset password:` of a new password. */
export const isBesideBefore = (before: string): boolean => besideBefore.test(before);

/** `definida como`, `geändert auf`: what stands in a sentence between a secret's name and its new value. */
export const setTo = `(?:${alternatives(wordsOf(phrases.setTo))})[a-zà-ÿа-яё\u0100-\u017f]{0,4} (?:${alternatives(wordsOf(phrases.setToBefore))})`;

const states = wordsOf(phrases.state);
const ofOwnScript = states.filter((state) => /[\u3040-\ud7af]/.test(state));

/** A shorter word only joins others; a longer one may have an ending. */
const leastState = 5;
const longestEnding = 3;

/** Whether words say how it stands with a secret or where it is kept: `nicht gefunden`, `caducada`, `期限切れ`. */
export function isState(value: string): boolean {
  if (!/^(?:[\p{L}\p{M} '’"„“«».,;!/。、]|\d(?=.*[\u3040-\ud7af]))+$/u.test(value)) return false;
  if (/[\u3040-\ud7af]/.test(value)) return ofOwnScript.some((state) => value.includes(state));
  const words = value.toLowerCase().split(/[^\p{L}\p{M}]+/u);
  return words.some((word) =>
    states.some((state) =>
      state.length < leastState
        ? word === state && words.length > 1
        : word.startsWith(state) && word.length <= state.length + longestEnding,
    ),
  );
}

const signs = wordsOf(phrases.signing);

/** A signing key by its name: `PASARELA_FIRMA`. Alone the word names a signature, or a company. */
const signing = new RegExp(
  `(?:^|[_.-])(?:(?<=[\\p{L}\\d][_.-])(?:${alternatives(signs)})(?!\\p{L})|(?:${alternatives(signs)})(?=[_.-](?!sha|md5|alg)\\p{L}|s?(?:schl(?:ü|ue)ssel|key|sleutel|nyckel|nøkkel)))`,
  "u",
);
export const isOfSigning = (name: string): boolean =>
  signing.test(name.replace(/([a-z])([A-Z])/g, "$1_$2").toLowerCase());

const foreignKeys = wordsOf(phrases.key);
const foreignKey = new RegExp(`(?:^|[^\\p{L}])(?:${alternatives(foreignKeys)})$`, "u");

/** Whether a name ends with another language's word for "key", which stands for harmless things too. */
export const isOfKey = (name: string): boolean => foreignKey.test(name.toLowerCase());

/** What a name holds that says something of its value, in any language; longer ones are found in the place of those they begin with. */
export const nameStems = [
  ..."pass pwd psw paswor secret token key cred auth pin otp totp mfa psk salt seed mnemonic phrase cookie sess sid".split(
    " ",
  ),
  ..."code community bearer jwt dsn webhook licen ticket assertion saml pat crumb vault_ pw private access api".split(
    " ",
  ),
  ..."plaintext encrypt contrase kennwort sas sonar puk signature".split(" "),
  ...foreignNames,
  ...keyContents,
  ...signs,
  ...foreignKeys,
];
