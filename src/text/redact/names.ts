import { foreignWordIn, isOfKey, isOfSigning } from "./languages.ts";

/**
 * Whether a name says that its value is a secret. `strong`: any value is (password); `likely`: one
 * with letters and digits (Ansible's `vault_…`); `weak`: only one that looks drawn at
 * random (key, auth, session), since such names also stand for harmless things; `identifier`: only a
 * long one that nothing but a generator of keys writes.
 */
export type NameKind = "strong" | "likely" | "weak" | "identifier";

/** Last words of a name that is surely secret; joined words (`dbpassword`) count too. */
const strongEnding =
  /(?:pass(?:phrase|code)s?|pa?s{1,2}w(?:o?r)?ds?|passwort|kennwort|contrase[nñ]a|secrets?|(?:^|_)(?:pass|pw|pwd|psk|creds?)|(?:db|user|root|admin|my|bind|ssh|smtp|mail|key|store|become|sudo|ftp|ldap|pg|http|auth|login|require|repl|sql)_?(?:pass|pw|pwd)|pwd|apitokens?|token|credentials?|passwords?_?hash|private_?key(?:_?(?:data|pem|base64|b64))?|client_?key_?data|(?:signing|encryption|session|auth|nonce|logged_in|password|hash)_?salt|(?:setup|join|activation|registration|enroll?ment|api|access|secret|signing|encryption|encrypt|decryption|master|account|storage|shared|auth|app|application|admin|license|licence|ingest|service|session|hmac|aes|rsa|crypto|cipher|webhook|preshared|pre_shared|subscription|primary|secondary|integration|rest|consumer|jwt|cookie|sas|deploy|write|read|root|unseal|recovery|backup|sign|dd|datadog|newrelic|stripe|sendgrid|mailgun|openai|anthropic|rails_master|secret_base|nonce|logged_in|instrumentation)_?keys?(?:_?base(?:64)?)?|keystorepass|truststorepass|masterauth|requirepass|secret_?(?:string|value|data|base|text|id)|otp_?(?:seed|secret)|(?:totp|mfa|recovery|backup)_?(?:seed|codes?)|bearer|jwt|auth_?data|auth_?ident|key_?material|identity_?token|id_?token|refresh_?tokens?|access_?tokens?|auth_?tokens?|bearer_?tokens?|api_?tokens?|session_?tokens?|csrf_?tokens?|xsrf_?tokens?|sas_?url|community|psk|(?:^|_)pin|authtok|mnemonic|(?:seed|recovery|secret)_?phrase|pass(?:word|wd)?_?(?:confirmation|confirm|again|repeat|verify|plain|raw|clear|text|old|new|current)|(?:token|key|password|secret)_?val(?:ue)?|sonar_login|[a-z]_pin|pin_?code|(?:access|door|gate|alarm|unlock|entry|lock|safe|disarm|voicemail)_?code|(?:^|_)puk|setcookie|erlang_?cookie|activation_?code|dnpass)$/;

const weakEnding =
  /(?:^|_)(?:api|access|private|o?auth2?|authorization|encrypt|phrase|code|codes|pat|saml_?(?:response|assertion|request)|assertion|(?:[a-z\d]{3,})?keys?|tokens|sid|session|connect_sid|art_api|cookie|cookies|salt|otp|seed|webhook|psk|license|dsn|crumb|licen[sc]e_?key|ticket|plaintext)$/;

/** Names that hold a secret's neighbour: its place, length, age, policy. */
const harmlessEnding =
  /(?:^|_)(?:public_?key|dns_?key|gpg_?key|pgp_?key|kernel_key|publishable_?key|web_?socket_?key|pub_?key|host_?key|foreign_?key|primary_key|sort_?key|partition_?key|cache_?key|incident_?key|dedup(?:lication)?_?key|event_?key|alert_?key|issue_?key|project_?key|message_?key|lookup_?key|lock_?key|trigger_?key|map_?key|index_?key|shard_?key|unique_?key|hash_?key|correlation_?key|translation_?key|i18n_?key|registry_?key|feature_?key|group_?key|row_?key|object_?key|s3_?key|idempotency_?key|publickey|(?:auth_?)?key_?id|token_?id|file|path|dir|url|uri|endpoint|length|len|size|min|max|limit|count|total|left|used|usage|budget|ttl|timeout|expiry|expires|expired|expiration|expires_(?:at|in|on)|exp|age|days|hours|minutes|seconds|ms|enabled|disabled|required|allowed|policy|type|name|names|id|ids|version|algorithm|alg|field|prompt|hint|label|rotation|format|provider|source|issuer|strategy|ref|refs|manager|bucket|at|by|on|prefix|suffix|header|store|backend|mode|status|state|changed|reset|update|updated|attempts|retries|rate|authentication|auth_method|method|class|service|server|host|port|user|username|engine|mount|reader|writer|rotated|created|last_changed|scope|scopes|kind|group|key_ref|selector|template|address|account|symbol|container|pin_?sha\d*|bits|strength|complexity|history|lifetime|interval|validity|warning|error|errors|failed|failures|count|bytes|index|column|per_second|s)$/;

/** An identifier by its name; by its value it may be the secret that it should only name (Azure's `primary_key` is one). */
const identifier = /(?:^|_)(?:(?:token|secret|password|api_?key|access_?token|auth_?key)_?id|primary_key|storage_key)$/;

const harmlessStart =
  /^(?:max|min|num|n|total|input|output|prompt|completion|cached|reasoning|public|no|is|has|use|enable|disable|allow|require_|generate|last|next|bad|invalid|wrong|count|show|hide|encrypt|forgot|reset|change|update|hashed|external|unexpected)_/;

/** How a secret is kept or written: `password_sha256`, `pass_md5_hex`. Such words are a part of its name. */
const writtenAs =
  /(?<=[a-z])(?:_?(?:sha(?:_?\d{1,3})?|md_?\d?|hex|hash(?:ed)?|digest|bcrypt|scrypt|argon_?\d?(?:id|i|d)?|pbkdf_?\d?|crypt|base_?64|b64|ntlm|salted|encrypted|enc))+$/;

/** An exception's name: `auth.errors.InvalidToken: …`. */
const faultOf =
  /(?:^|_)(?:invalid|expired|missing|bad|unknown|malformed|revoked|unexpected|unauthorized)_(?:\w{1,20}_)?(?:token|password|credentials?|key|session|cookie|jwt)$/;

/** `apiKey`, `API-KEY`, `api.key` and `api key` are one name. */
const normalName = (name: string, isCounted = true): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1_$2")
    .toLowerCase()
    .replace(/[^a-z0-9ñ]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .replace(isCounted ? /_?v?\d{1,3}$/ : /_v\d{1,2}$/, "");

/** Whether a name says that its value stands beside a secret and is none. */
export const isHarmless = (name: string): boolean => harmlessEnding.test(normalName(name.slice(-120)));

/** Logs say the same names again and again. Long ones are seldom the same, and a text may hold any number of others. */
const known = new Map<string, NameKind | "none">();
const mostKnown = 4096;
const longestKnown = 48;

/** What the name of a setting, header, field or flag says about its value. */
export function nameKind(name: string): NameKind | undefined {
  if (name.length > longestKnown) return readKind(name);
  const found = known.get(name);
  if (found !== undefined) return found === "none" ? undefined : found;
  const kind = readKind(name);
  if (known.size >= mostKnown) known.clear();
  known.set(copyOf(name), kind ?? "none");
  return kind;
}

/** A slice would keep the whole text it was cut from in memory. */
const copyOf = (name: string): string => Buffer.from(name).toString();

function readKind(name: string): NameKind | undefined {
  // TLS's own, as openssl prints it; it opens nothing.
  if (name === "Session-ID") return undefined;
  if (/[^ -~]\P{L}?\p{L}*$/u.test(name) && foreignWordIn(name)) return "strong";
  const normal = normalName(name.slice(-120));
  if (/(?:^|_)(?:session|sess|jsession|phpsess)_?id$/.test(normal))
    return harmlessStart.test(normal) ? undefined : "weak";
  if (/(?:^|_)secret_?id$/.test(normal)) return "strong";
  // The id of an S3 store's key: as drawn as the key, and sent with each request in its place.
  if (/(?:^|_)access_key_id$/.test(normal)) return "likely";
  if (faultOf.test(normal)) return undefined;
  if (harmlessEnding.test(normal)) return identifier.test(normal) ? "identifier" : undefined;
  const kept =
    name.length > longestKnown ? normal : normalName(name.replace(/_(?:json|pem)$/i, ""), false).replace(writtenAs, "");
  const isStrong = strongEnding.test(normal) || (!harmlessEnding.test(kept) && strongEnding.test(kept));
  if (/^vault_/.test(normal) && !isStrong && !/(?:addr|address|namespace|role|cacert|verify)$/.test(normal))
    return "likely";
  if (isStrong)
    return harmlessStart.test(normal) && !/pass|(?<!^hashed_)secret$|^reset_token$/.test(normal) ? undefined : "strong";
  return foreignWordIn(name)
    ? "strong"
    : weakEnding.test(normal) || isOfSigning(name) || isOfKey(name)
      ? "weak"
      : undefined;
}
