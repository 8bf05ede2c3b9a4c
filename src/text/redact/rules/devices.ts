import { anyCase } from "../../../base/any-case.ts";
import { isDrawnWord, isUnnamedSecret, type Rule } from "../rule.ts";

/** Words a line begins with in the configs of routers, switches and firewalls. */
const directive = String.raw`(?:set|ip|ipv6|crypto|neighbor|radius[\w-]*|tacacs[\w-]*|aaa|snmp[\w-]*|ntp|standby|vrrp|username|user|enable|ppp|isis|area|key|key-string|tunnel-group|ikev[12]|peer|server|server-private|wpa[\w-]*|local-user|super|protocols|security|authentication|bgp|vpn|(?-i:password|secret)|pre-shared-key|passphrase|shared-secret|edit|add|config|mgmt-user|group|host|auth-server|authentication-key|dot11|wlan|encryption|console|line|login|ipsec|xauth|l2tp|pptp|eap)`;

const secretWord = String.raw`(?:[\w-]{0,30}(?:password|passwd|passphrase|secret|psk)|pre-shared-(?:key|secret)|[\w-]{0,20}key|key-string|psksecret|md5|community|authentication(?=[ \t](?:text|md5)[ \t])|authentication-data|plain-text-password-value)`;

/** How the value is written: Cisco's types, Juniper's, Huawei's and Fortinet's words. */
const type = String.raw`(?:(?:0|[4-9]|1[05]|8a|ENC|encrypted|cipher|simple|hash|irreversible-cipher|plaintext|plain-text|text|ascii-text|ascii|hexadecimal|hex|local|remote|sha512|md5|scrypt)\s{1,3})`;

const isDrawnSecret = (secret: string): boolean => isDrawnWord(secret) && !/^[\w-]+=/.test(secret);

/** Behind a directive a name of two words is no keyword. */
const isChosen = (secret: string): boolean =>
  isDrawnSecret(secret) || (isUnnamedSecret(secret) && /^[A-Z][a-z]+(?:[-_.][A-Z][a-z]+)*$/.test(secret));

const words = ["pass", "secret", "psk", "key", "md5", "community", "authentication", "pre-shared", "plain-text"];

/** Network gear: `… key 7 0822455D`, `… password secret1` behind a directive. */
export const deviceRules: readonly Rule[] = [
  {
    what: "a secret with its type",
    at: words,
    pattern: new RegExp(
      String.raw`((?<![a-z])${secretWord}\s{1,3}(?:(?:\d{1,3}|read|write)\s{1,3})?${type}{1,2})("[^"\n]{3,300}"|[^\s"]{3,300})`,
      "i",
    ),
    when: isChosen,
  },
  {
    what: "a secret at the end of a directive",
    at: words,
    pattern: new RegExp(
      anyCase(
        String.raw`(?i:((?<![a-z])${secretWord}[ \t]{1,3})(?!${type})("[^"\n]{3,300}"|'[^'\n]{3,300}'|[^\s"]{3,300})(?=[ \t]*$|[ \t](?:address|role|encrypted|level|ro|rw|view|vrf|group|hostname|mode|md5|sha|\d{1,4}$))(?<=^[ \t]{0,20}(?:\S{1,60}[#>][ \t]?)?${directive}[ \t][^\n]{0,200}))`,
      ),
      "m",
    ),
    when: isChosen,
  },
  {
    what: "the key that a switch shares with the server of its logins",
    at: ["radius", "tacacs"],
    pattern: new RegExp(
      String.raw`((?<![\w-])(?:radius|tacacs)[\w-]*[ \t](?:[^\n]{1,100}[ \t])?key[ \t]{1,3}${type}?)("[^"\n]{3,300}"|[^\s"]{6,300})(?=[ \t]*\r?$)`,
      "im",
    ),
    when: isUnnamedSecret,
  },
  {
    what: "SNMP community of a host",
    at: ["snmp-server host "],
    pattern:
      /(snmp-server\shost\s\S{1,80}\s(?:vrf\s\S{1,40}\s)?(?:(?:traps?|informs?)\s)?(?:version\s(?:1|2c)\s)?)([^\s"]{4,80})/i,
    when: isDrawnSecret,
  },
  {
    what: "SNMP user",
    at: ["md5", "sha", "aes", "des", "3des", "priv 0x"],
    pattern:
      /((?<=\b(?:auth|priv|createUser)\b[^\n]{0,120}\s)(?:md5|sha|aes|des|3des)(?:[ -]?(?:128|192|224|256|384|512))?\s|priv\s(?=0x))("[^"\n]{6,128}"|[^\s"]{6,128})/i,
    when: isDrawnSecret,
  },
  {
    what: "Cisco secret without its type",
    at: ["enable ", "username "],
    pattern:
      /((?<=^[^\S\n]{0,4}(?:\S{1,40}[#>][^\S\n]?)?)(?:enable|username\s(?!and\s|or\s)\S{1,64}(?:\sprivilege\s\d{1,2})?)\s(?:secret|password)\s)([^\s,.:;]{4,128})(?=[^\S\n]*$)/im,
    when: isUnnamedSecret,
  },
  {
    what: "SNMP daemon's community",
    at: ["rocommunity", "rwcommunity", "com2sec"],
    pattern: /((?:r[ow]community6?|com2sec\s\S{1,40}\s\S{1,40})\s{1,4})(\S{4,128})/,
    when: (secret) => !/^(?:public|private|default)$/.test(secret),
  },
];
