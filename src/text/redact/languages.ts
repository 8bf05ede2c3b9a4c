import * as z from "zod";
import table from "./languages.json" with { type: "json" };

const words = z.array(z.string()).default([]);

/**
 * What each language calls a secret, as people name it in configs, forms and sentences and as Windows and network devices print
 * it, in small letters: a password; a key, token or secret; what Windows writes before the key of a wireless network.
 */
const languages = Object.values(
  z.record(z.string(), z.strictObject({ password: words, key: words, keyContent: words })).parse(table),
);

/** What Windows writes before the key of a wireless network, in the languages it speaks. */
export const keyContents = languages.flatMap(({ keyContent }) => keyContent);

/** Names of secrets in languages other than English. */
export const foreignNames = [...languages.flatMap(({ password }) => password), ...languages.flatMap(({ key }) => key)];
