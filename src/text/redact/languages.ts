import * as z from "zod";
import table from "./languages.json" with { type: "json" };

/**
 * What each language calls a secret, as people name it in configs, forms and sentences and as Windows and network devices print
 * it, in small letters: a password; a key, token or secret; what Windows writes before the key of a wireless network.
 */
const languages = Object.values(z.record(z.string(), z.string()).parse(table)).map((line) => {
  const [password = [], key = [], keyContent = []] = line
    .split("; ")
    .map((words) => words.split(", ").filter((word) => word !== ""));
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

/** What a name holds that says something of its value, in any language; longer ones are found in the place of those they begin with. */
export const nameStems = [
  ..."pass pwd psw paswor secret token key cred auth pin otp totp mfa psk salt seed mnemonic phrase cookie sess sid".split(
    " ",
  ),
  ..."code community bearer jwt dsn webhook licen ticket assertion saml pat crumb vault_ pw private access api".split(
    " ",
  ),
  ..."encrypt contrase kennwort sas sonar puk".split(" "),
  ...foreignNames,
  ...keyContents,
];
