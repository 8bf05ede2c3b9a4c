import { hasSignWithin, isDrawnInSentence, isSpoken } from "../decide.ts";
import { foreignNames } from "../languages.ts";
import { isDrawnWord, type Rule } from "../rule.ts";

const asked = ["password", "passwd", "passphrase", "passcode", ...foreignNames];
const told = [...asked, "pwd", "creds", "credential", "_auth"];

const others = ["token", "secret", "api key", "access key", "wifi key", "wi-fi key", "wlan key"];

/** A word of a sentence without what closes it; `"user:password"` has two. */
const wordInSentence =
  /(?<![!#$%&*+./\w;<=>?@\\\]^|}~-]|[!-~]["':])(?:"[\w.-]{1,40}:)?((?![("'])[!-~]{8,64}?)(?=["'”“»」）(),.;:!?]*(?:\s|[^ -~]|$))/u;

/** What people and programs say of a secret before they show it: sentences, codes that were sent, the word for a key. */
export const sentenceRules: readonly Rule[] = [
  {
    what: "codes to sign in with",
    isOverLines: true,
    at: ["code", "password"],
    pattern:
      /((?<=(?:scratch|recovery|backup|one[- ]time|emergency|single[- ]use)[\s_-])(?:codes|passwords)[^\n]{0,80}:?[ \t]*\r?\n(?:[ \t]*[-=]*\r?\n)?)((?:[ \t]*(?:[-*]\s|\d{1,2}[.)]\s{1,3})?[\w-]{4,40}(?:[ \t]{1,8}[\w-]{4,40}){0,4}[ \t]*(?:\r?\n|$)){1,30})/i,
    each: /(?<![\w-])(?=[a-z-]{0,30}\d)[\w-]{4,40}/i,
  },
  {
    what: "a code that was sent",
    at: ["code", "otp", "passcode", "pin "],
    pattern:
      /((?<=(?:verification|one[- ]time|2fa|mfa|security|login|confirmation|sign-in|sms|your|access)\s)(?:code|otp|passcode|pin)(?:\s(?!is)[\w#]{1,12}){0,4}(?:\sis:?|:)\s{1,3})(\d{3}[- ]?\d{1,5})(?!\d)/i,
  },
  {
    what: "a one-time password",
    at: ["otp", "one-time password", "passcode"],
    pattern: /((?<![a-z])(?:otp|one-time password|passcode)(?:\s[\w-]{1,20}){0,4}:\s{1,3})(\d{4,8})(?!\d)/i,
  },
  {
    what: "a code before its name",
    needs: [" is your "],
    pattern: /((?<![\w.])(?:[A-Z]-)?)(\d{4,8})(?=\sis\syour\s[^\n]{0,40}\b(?:code|otp|pin|passcode|password)\b)/,
  },
  {
    what: "credentials with a slash",
    at: ["creds", "credentials", "log"],
    pattern:
      /((?<![a-z])(?:creds|credentials|log(?:ged|ging)?\s?in)(?:\s(?:are|is|with|as|of|for))?:?\s[\w.@-]{1,64}\s?\/\s?)([^\s/,;]{6,128})/i,
    when: isSpoken,
  },
  {
    // In any language, with any words between them.
    what: "a drawn word in a sentence on a password",
    at: told,
    pattern: new RegExp(
      String.raw`((?:${told.map(RegExp.escape).join("|")})\p{L}{0,3}(?=[ ,，]|[^ -~]))((?:(?! {2})[^\t\n\\={}<>|;。]|;(?= )){8,120})`,
      "iu",
    ),
    each: wordInSentence,
    when: isDrawnInSentence,
  },
  {
    // Its names stand in logs too, before ids.
    what: "a word with a sign in its midst in a sentence on a secret",
    at: others,
    pattern: new RegExp(
      String.raw`((?<![A-Za-z])(?:${others.join("|")})(?= ))((?:(?! {2})[^\t\n\\={}<>|;。]|;(?= )){8,80})`,
      "iu",
    ),
    each: wordInSentence,
    when: (secret) => isDrawnInSentence(secret) && hasSignWithin.test(secret),
  },
  {
    what: "a secret on the line below",
    isOverLines: true,
    at: ["pass", "secret", "token", "api key", "access key", "credential"],
    pattern:
      /((?<![A-Za-z_-])(?:passwords?|passphrase|passcode|secret(?: key)?|token|api key|access key|credentials?)(?:[ \t][^\n:=]{1,120})?:[ \t]*\r?\n(?:[ \t]*\r?\n){0,2}[ \t]*(?:\$ |> )?)(?!<|[a-z]{1,30}(?:[._-][a-z\d]{1,30}){0,8}=[^=\s])([^\s:"'`{}[\]]{8,500})(?=[ \t]*\r?$)/im,
    when: isDrawnWord,
  },
  {
    what: "the answer to a question for a secret, in a conversation",
    isOverLines: true,
    at: asked,
    pattern: new RegExp(
      String.raw`((?:${asked.map(RegExp.escape).join("|")})[^\n]{0,120}[?？][ \t]*\r?\n(?:\[?\d{1,2}:\d\d(?::\d\d)?\]?[ \t])?(?:<[\w.-]{1,30}>|@?[\p{L}\w.-]{1,30}[:：])[ \t]{1,3})(\S{4,128})(?=[ \t]*\r?$)`,
      "imu",
    ),
    when: isSpoken,
  },
];
