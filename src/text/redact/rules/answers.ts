import { isNamedSecret, isRandom, type Rule } from "../rule.ts";

/** What programs print: dumps of values with their types, numbered replies, jars of cookies; addresses that are keys. */
export const answerRules: readonly Rule[] = [
  {
    what: "a jar of cookies",
    at: "^",
    pattern: /(^\S{1,200}\t(?:TRUE|FALSE)\t\S{1,200}\t(?:TRUE|FALSE)\t\d{1,12}\t([^\s=]{1,128})\t)(\S{4,4000})/m,
    when: (secret, name) => isNamedSecret(secret, name) || (secret.length >= 10 && isRandom(secret)),
  },
  {
    what: "the seed of an authenticator's file",
    at: "^",
    pattern: /(^)([A-Z2-7]{16,128})(?=\r?\n" [A-Z_]{4,20})/m,
  },
  {
    what: "the scratch codes of an authenticator's file",
    isOverLines: true,
    at: ['" totp_auth', '" hotp_counter'],
    pattern: /(" (?:TOTP_AUTH|HOTP_COUNTER[^\n]{0,20})\r?\n)((?:\d{8}[ \t]*(?:\r?\n|$)){1,20})/i,
    each: /\d{8}/,
  },
  {
    what: "an address that lets in who has it: what it does, then the drawn part",
    at: ["/reset", "/verify", "/confirm", "/invit", "/activat", "/magic", "/recover", "/unsubscribe", "/set-password"],
    pattern:
      /((?<=:\/\/[^\s"'<>]{1,200})\/(?:reset|verify|verification|confirm|confirmation|invite|invites|invitation|invitations|activate|activation|magic|recover|recovery|unsubscribe|set)(?:[-_]?(?:password|email|link|account|token|login))?\/(?:[\w-]{1,15}\/)?)([\w+=%.-]{20,1000})(?![\w+=%/.-])/i,
    when: (secret) => /\d/.test(secret) && isRandom(secret),
  },
  {
    what: "Oracle's pre-authenticated request",
    at: ["/p/"],
    pattern: /((?<=objectstorage\.[^\s"'<>]{1,120})\/p\/)([\w-]{20,200})(?=\/n\/)/i,
  },
];
