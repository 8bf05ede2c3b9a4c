import { nameKind } from "../names.ts";
import { looksLikeKey } from "../randomness.ts";
import { isDrawnWord, isNamedSecret, isRandom, isUnnamedSecret, type Rule } from "../rule.ts";
import { withoutBrackets } from "../values.ts";

/** `user:password` behind base64. */
const isCredentialPair = (secret: string): boolean =>
  /^[\x20-\x7e]*:[\x20-\x7e]*$/.test(Buffer.from(secret, "base64").toString("latin1"));

/** A cookie's value is one unless it is a word: sessions have names of every kind. */
const isCookieSecret = (secret: string, name: string): boolean =>
  nameKind(name) !== undefined
    ? isUnnamedSecret(secret)
    : secret.length >= 10 && /\d/.test(secret) && isUnnamedSecret(secret);

/** Headers, addresses, queries and protocols; what authenticators keep. */
export const networkRules: readonly Rule[] = [
  {
    what: "authorization header",
    at: ["authorization", "authorisation"],
    pattern:
      /(authori[sz]ation(?:\\{0,4}["'])?(?:\s{0,3}[:=]|\s{0,3},?(?=\s{1,3}(?:\\{0,4}["'])(?:bearer|basic|token)\s))\s{0,3}(?:\\{0,4}["'])?(?:(?:bearer|basic|token|pveapitoken=[^\s=]{1,100}=|apikey|api-key|negotiate|ntlm|key|bot|oauth|splunk|genie-?key)(?:\s{1,3}|(?<==)))?(?:token=|username="[^"]{0,80}",\s?)?)([^\s"'`\\,;&]{6,8000})/i,
    when: (secret) => isUnnamedSecret(secret) && !/^(?:aws4-hmac|(?:digest|bearer|negotiate)$|realm=)/i.test(secret),
  },
  {
    what: "digest response",
    at: ["digest "],
    pattern: /(digest\s[^\n]{0,600}?\bresponse=")([0-9a-f]{32,64})/i,
  },
  {
    what: "basic credentials",
    at: ["basic "],
    pattern: /(\bbasic\s)([A-Za-z0-9+/]{8,2000}={0,2})(?![\w/+])/i,
    when: isCredentialPair,
  },
  {
    what: "cookies sent",
    at: ["cookie"],
    pattern: /((?<![\w-])cookies?(?:\\{0,4}["'])?\s{0,2}:\s{0,3}(?:\\{0,4}["'])?)([\w.%-]{1,80}=[^\n"']{4,8000})/i,
    each: /([\w.%-]{1,80})=([^;\s"']{4,8000})/,
    when: isCookieSecret,
  },
  {
    what: "cookie set",
    at: ["set-cookie"],
    pattern: /(set-cookie(?:\\{0,4}["'])?\s{0,2}[:=]\s{0,3}(?:\\{0,4}["'])?[^=;\s"']{1,128}=)([^;\s"']{4,8000})/i,
    when: isUnnamedSecret,
  },
  {
    what: "password in an address",
    at: ["://"],
    pattern:
      /(:\/\/(?:[^\s:@/"'<>]{1,64}@)?[^\s:@/"'<>]{0,256}:)((?:[^\s"'<>@]{1,128}@[^\s"'<>@.]{1,64}(?=@[\w.-]{1,128}:\d{2,5}(?:[/?,\s"']|$))|(?:[^\s"'<>/@]{1,128}@(?![\w.-]{1,128}(?::\d{1,5})?(?:[/?,#\s"'<>]|$)|\[)){1,3}[^\s"'<>@]{0,128}(?=@)|(?!\d{1,5}[<>])[^\s"'/]{1,256}(?=@)|(?!\d{1,5}\/|\/)[^\s"'<>]{1,128}?(?=@)))(?=@[\w.[$%])/,
    // A regular expression of addresses.
    when: (secret) => isUnnamedSecret(withoutBrackets(secret)) && !/\(\.[*+]|\[\^/.test(secret),
  },
  {
    what: "password in an address that is written for a query",
    at: ["%3a%2f%2f"],
    pattern: /(%3A%2F%2F[\w.~-]{0,128}%3A)((?:(?!%40)[\w.~%!*'()+-]){1,256})(?=%40)/i,
    when: isUnnamedSecret,
  },
  {
    what: "a query within a query",
    at: ["%3d"],
    pattern: /((?<=(?:%26|%3F|[?&])([\w.-]{1,60}))%3D)((?:(?!%26)[^\s&"'#<>]){4,2000})/i,
    when: isNamedSecret,
  },
  {
    what: "token as the user of an address",
    at: ["://"],
    pattern: /(:\/\/)([\w.~%-]{16,512})(?=(?::x-oauth-basic)?@)/,
    when: (secret) => /\d/.test(secret) && !secret.includes("%40") && isRandom(secret),
  },
  {
    what: "a key of IPsec's states",
    at: ["enc ", "auth ", "auth-trunc ", "aead "],
    pattern: /((?:enc|auth|auth-trunc|aead)\s[\w()-]{3,60}\s)(0x[0-9a-f]{16,512})(?=\s|$)/i,
  },
  {
    what: "OpenWrt's key of a wireless network",
    at: ["wireless."],
    pattern:
      /((?<=^[ \t]{0,8})wireless\.[\w@[\]-]{1,60}\.(?:key\d?|sae_password|auth_secret|acct_secret|priv_key_pwd2?)=)('[^'\n]{2,200}'|[^\s']{2,200})/m,
    when: isUnnamedSecret,
  },
  {
    what: "OpenWrt's key of a wireless network, in its file",
    at: ["option key", "option sae_password"],
    pattern:
      /((?<=config wifi-(?:iface|station)[^\n]{0,60}(?:\n[ \t]{1,8}\S[^\n]{0,100}){0,16}\n[ \t]{1,8})option (?:key\d?|sae_password) )('[^'\n]{2,200}'|"[^"\n]{2,200}")/,
    when: isUnnamedSecret,
  },
  {
    what: "a key that WireGuard dumps: an interface's private one",
    at: "^",
    pattern:
      /(^(?:[\w.=+-]{1,15}[ \t]{1,8})?)([\w+/]{43}=)(?=[ \t]{1,8}[\w+/]{43}=[ \t]{1,8}\d{1,5}[ \t]{1,8}(?:off|0x[\da-f]{1,8})[ \t]*\r?$)/m,
  },
  {
    what: "a key that WireGuard dumps: one shared with a peer",
    at: "^",
    pattern:
      /(^(?:[\w.=+-]{1,15}[ \t]{1,8})?[\w+/]{43}=[ \t]{1,8})([\w+/]{43}=)(?=[ \t]{1,8}(?:\(none\)|\S{1,64}:\d{1,5})[ \t])/m,
  },
  { what: "Sentry DSN", at: ["://"], pattern: /(:\/\/)([0-9a-f]{32})(?=(?::[0-9a-f]{32})?@)/ },
  {
    what: "signature or code in a query",
    at: ["?", "&"],
    pattern:
      /([?&](?:amp;)?(?:sig|signature|x-amz-(?:signature|credential|security-token)|x-goog-(?:signature|credential)|code|key|hmac|auth|ticket|assertion|oauth_\w{1,20}|invite|reset\w{0,10}|t)=)([^&\s"'#<>]{8,4000})/i,
    when: isRandom,
  },
  {
    what: "a login in a query",
    at: ["&p=", "&pw=", "&pwd="],
    pattern: /((?<=[?&](?:u|user|login|name|username)=[^&\s]{1,80})&p(?:wd?)?=)([^&\s"'#<>]{3,400})/i,
    when: isUnnamedSecret,
  },
  { what: "request signature", at: ["signature="], pattern: /(signature="?)([A-Za-z0-9+/=%]{20,600})/i },
  { what: "request credential", at: ["credential="], pattern: /(credential=)([A-Z0-9]{16,40})(?=\/)/i },
  {
    what: "Slack webhook",
    at: ["hooks.slack"],
    pattern: /(hooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\/)([\w/-]{12,200})/i,
  },
  { what: "Zapier webhook", at: ["hooks.zapier"], pattern: /(hooks\.zapier\.com\/hooks\/catch\/)([\w/]{6,100}\w)/i },
  {
    what: "an address that is a key: what it is for, then the drawn part",
    at: [
      "/hook",
      "/webhook",
      "/incoming",
      "/receiver",
      "/collector",
      "/input",
      "/intake",
      "/ingest",
      "/token/",
      "/key/",
    ],
    pattern:
      /((?<=:\/\/[^\s"'<>]{1,200})\/(?:(?:web)?hooks?|incoming|receivers?|collectors?|inputs?|intake|ingest|token|key)\/(?:[\w.-]{1,15}\/){0,3}?)([\w+/=%-]{20,600})(?![\w+/=%-])/i,
    when: (secret) => /\d/.test(secret) && isRandom(secret),
  },
  {
    what: "headers of a config, which are the same for each request",
    isOverLines: true,
    at: ["headers:"],
    pattern: /(headers:[ \t]*\n)((?:[ \t]{1,40}[\w-]{1,60}:[ \t][^\n]{1,600}(?:\n|$)){1,20})/i,
    each: /^[ \t]+([\w-]{1,60}):[ \t]+["']?([\w+/.~=-]{16,400})["']?[ \t]*$/m,
    when: (secret, name) => looksLikeKey(secret) && !/(?:^|[-_])(?:id|ids|etag|trace\w*)(?:[-_]\d)?$/i.test(name),
  },
  { what: "Discord webhook", at: ["/webhooks/"], pattern: /(\/webhooks\/)(\d{10,25}\/[\w-]{20,200})/i },
  {
    what: "Teams webhook",
    at: ["/webhookb2/", "/webhook/"],
    pattern: /(\/webhook(?:b2)?\/)(?=[^/\s]{1,80}@)([\w@/-]{20,400})/i,
  },
  {
    what: "Google Chat webhook",
    at: ["chat.googleapis.com"],
    pattern: /(chat\.googleapis\.com\/v1\/spaces\/[^\s?]{1,80}\?)([^\s"'<>]{20,400})/i,
  },
  { what: "Telegram address", at: ["/bot"], pattern: /(\/bot)(\d{6,12}:[\w-]{20,80})/i },
  {
    what: "Oracle address",
    at: ["jdbc:oracle:"],
    pattern: /(jdbc:oracle:\w{1,8}:[\w$#]{1,60}\/)([^\s@"']{1,128})(?=@)/i,
  },
  {
    what: "Go's database address",
    needs: ["@tcp(", "@unix(", "@udp(", "@("],
    pattern: /((?<![\w.-])[\w.-]{1,64}:)([^\s:@"']{1,128})(?=@(?:tcp|unix|udp)?\()/,
  },
  {
    what: "SMTP AUTH",
    at: ["auth plain ", "auth login ", "auth xoauth2 "],
    pattern: /(AUTH\s(?:PLAIN|LOGIN|XOAUTH2)\s)([A-Za-z0-9+/]{8,2000}={0,2})/i,
  },
  {
    what: "FTP PASS",
    at: ["pass"],
    pattern: /((?<=^|["']|[>\]:]\s{0,3})PASS\s)(\S{3,128}?)(?=\s*$|\\r\\n)/m,
    when: (secret) => !/^\(|[/]|\.[a-z]{1,5}$/.test(secret),
  },
  {
    what: "IMAP login",
    at: ["login "],
    pattern:
      /((?<=(?:^|\s)[\w.]{1,12}\s)LOGIN\s(?!ON\s|PASSWORD\s)(?:"[^"\n]{1,100}"|[^\s"]{1,100})\s)("[^"\n]{3,200}"|[^\s"]{3,200})/,
    when: isDrawnWord,
  },
  {
    what: "SMTP's answer to a prompt",
    isOverLines: true,
    at: ["334 ugfzc3dvcmq6"],
    pattern: /(334 UGFzc3dvcmQ6[^\n]{0,4}\n(?:[^\n]{0,40}\s)?)([A-Za-z0-9+/]{4,400}={0,2})(?=\s*$)/im,
  },
  {
    what: "Proxmox API token",
    at: ["!"],
    pattern: /((?<=[\w.-]@\w{2,20})![\w-]{1,40}=)([0-9a-f]{8}-[0-9a-f-]{27})/i,
  },
  {
    what: "a modem's command that signs in",
    at: ["at+", "at^", "at$", "at#", "at%"],
    pattern: /(at[+^$#%](?=\w{0,12}(?:auth|jap|cstt|cpin|cpwd|csgp|clck|usercfg|conn))\w{3,14}=)([^\n]{3,300})/i,
    each: /(?<=[,=])"([^"\n]{4,64})"/,
    when: (secret) => isDrawnWord(secret) || /^\d{4,8}$/.test(secret),
  },
  {
    what: "authenticator export",
    at: ["otpauth-migration:"],
    pattern: /(otpauth-migration:[^\s?]{0,40}\?data=)([^\s"'&]{8,4000})/i,
  },
  {
    what: "redis AUTH, typed",
    at: ["auth "],
    pattern: /((?<=(?:^|[>\]] ?|\n))AUTH\s(?:\w{1,64}\s)?)([^\s"]{3,256})(?=\s*$)/m,
    when: isUnnamedSecret,
  },
  {
    what: "a login that a RADIUS server tells",
    at: ["login incorrect", "login ok", "invalid user"],
    pattern: /((?:login\s(?:incorrect|ok)|invalid\suser)[^[\n]{0,80}\[[^\]/\n]{1,64}\/)([^\]\n]{3,128})(?=\])/i,
    when: (secret) => !secret.startsWith("<"),
  },
  {
    what: "redis AUTH",
    at: ["auth"],
    pattern: /(auth["']?\s{1,3}(?:"[\w.-]{1,64}"\s{1,3})?)("[^"\n]{3,256}")/i,
    when: isUnnamedSecret,
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
