import { isDrawnPassword } from "./randomness.ts";

/** Codes of languages that a file of translations is called after. */
const codes =
  "en|de|fr|es|it|pt|nl|sv|da|nb|nn|no|fi|pl|cs|sk|hu|ro|bg|hr|sr|sl|et|lv|lt|ru|uk|el|tr|he|ar|fa|hi|bn|ta|ja|zh|ko|vi|th|ca|eu|gl";

const file = new RegExp(
  String.raw`[\s/](?:i18n|l10n|locales?|langs?|languages?|translations?|LC_MESSAGES|lproj)/|(?:messages|strings|labels|translations?|Localizable|i18n|locale|lang)(?:[._-](?:${codes})(?:[_-][A-Za-z]{2,4})?)?\.(?:properties|strings|xml|json|ya?ml|ts|js|php)(?![\w.])|[\s/._-](?:${codes})(?:[-_][A-Za-z]{2,4})?\.(?:json|ya?ml|properties|php|ts|js)(?![\w.])|\.(?:po|pot|arb|xlf|xliff|ftl|strings|resx)(?![\w.])`,
);

/** Whether a command shows a file of translations. */
export const showsTranslations = (command: string | undefined): boolean => command !== undefined && file.test(command);

/** What a person reads on a form: words with their punctuation, places for values, nothing drawn. */
export const isPhrase = (value: string): boolean =>
  /^(?:[\p{L}\p{M} '’"“”„«»‹›.,;:!?¿¡…()/、。，！？ー–—-]|%\d?\$?[a-z@]|%?\{\{?[\w.]{0,40}\}?\})+$/u.test(value) &&
  /\p{L}{2}/u.test(value) &&
  !/\p{Ll}\p{Lu}|^[a-z]+(?:[-.][a-z]+)+$|^\p{L}+(?:\.\p{L}+)+$/u.test(value) &&
  !isDrawnPassword(value);

/** A setting on a line of its own, or an element with a name: what it says. */
const setting =
  /^[ \t]*(?:(?:["'][^"'\n]{1,80}["']|[a-z][\w-]{0,40}[._][\w.-]{1,80}|(?<=[ \t])[a-z]\w{0,80})[ \t]{0,8}(?::|=>?)[ \t]{0,8}|<[a-z]+ name="[\w.-]{1,80}">)(["']?)([^\n]{1,300}?)\1(?:<\/[a-z]+>)?[,;]?[ \t]*\r?$/gmu;

/** This many settings tell what a text is. */
const leastSettings = 4;
const mostSettings = 200;

/** A phrase that no one word in small letters is: such a word is a password as well. */
export const isLabel = (value: string): boolean =>
  isPhrase(value) && /^\P{Ll}/u.test(value) && (/\p{L} \p{L}/u.test(value) || /[^\x20-\x7e]/.test(value));

/** Whether nearly all settings of a text are phrases and none is a machine's: a number, a switch, an address, a path. */
export function isForPeople(text: string): boolean {
  let [all, phrases] = [0, 0];
  for (const [, , value = ""] of text.matchAll(setting)) {
    if (/^(?:\d[\d.]*|true|false|null|yes|no|on|off)$|:\/\/|^[.~]?\/|^[\w-]+(?:\.[\w-]+)+$|:\d{2,5}$|@/.test(value))
      return false;
    if (/^[[{|>]/.test(value)) continue;
    all++;
    if (isLabel(value)) phrases++;
    if (all === mostSettings) break;
  }
  return all >= leastSettings && phrases * 4 >= all * 3;
}
