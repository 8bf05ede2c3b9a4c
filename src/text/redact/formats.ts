import { beginningsOf } from "./beginnings.ts";
import type { Find, Span } from "./span.ts";
import { unitsOf } from "./units.ts";

/** What vendors call a key, between its first word and its drawn part. */
const keyWords =
  "(?:live|test|prod|sandbox|secret|sk|pk|pat|api|key|apikey|token|tok|oauth|access|refresh|priv|personal|service|svc|sa|bot|srv|ci)";

/**
 * Tokens that are known by their shape alone. Each pattern starts where no word character stands before it, is linear
 * (bounded, or a run that always matches once its least length is reached) and matches nothing but the secret.
 */
const formats: Readonly<Record<string, string>> = {
  "AWS access key id": "(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])",
  "AWS session token": "(?:IQoJb3JpZ2lu|FwoGZXIvYXdz|FQoGZXIvYXdz)[A-Za-z0-9+/=]{20,}",
  "GitHub token": "gh[pousr]_[A-Za-z0-9_.-]{20,}",
  "GitHub fine-grained token": "github_pat_[A-Za-z0-9_]{20,}",
  "GitLab token": "gl(?:pat|oas|dt|rt|cbt|ptt|ft|imt|agent|soat|ffct)-[A-Za-z0-9_.=-]{16,}",
  "GitLab runner": "GR1348941[A-Za-z0-9_-]{16,}",
  "Slack token": "xox[a-z](?:\\.xox[a-z])?-[A-Za-z0-9-]{8,}",
  "Slack app token": "xapp-[0-9]-[A-Za-z0-9-]{10,}",
  "Stripe key": "(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{10,}",
  "webhook signing secret": "whsec_[A-Za-z0-9+/=]{16,}",
  "Google API key": "AIza[A-Za-z0-9_-]{30,}",
  "Google OAuth token": "ya29\\.[A-Za-z0-9_.-]{20,}",
  "Google OAuth secret": "GOCSPX-[A-Za-z0-9_-]{20,}",
  "Google refresh token": "1//0[A-Za-z0-9_-]{20,}",
  "npm token": "npm_[A-Za-z0-9]{30,}",
  "PyPI token": "pypi-[A-Za-z0-9_-]{20,}",
  "RubyGems key": "rubygems_[a-f0-9]{40,}",
  "crates.io token": "cio[A-Za-z0-9]{32}(?![A-Za-z0-9])",
  "NuGet key": "oy2[a-z0-9]{43}(?![A-Za-z0-9])",
  "JSON web token": "eyJ[A-Za-z0-9_-]{6,}(?:\\.[A-Za-z0-9_-]{4,}){1,4}",
  "Twilio key": "SK[0-9a-f]{32}(?![A-Za-z0-9])",
  "SendGrid key": "SG\\.[A-Za-z0-9_-]{10,64}\\.[A-Za-z0-9_-]{16,}",
  "Mailgun key": "key-[0-9a-f]{32}(?![A-Za-z0-9])",
  "Mailchimp key": "[0-9a-f]{32}-us[0-9]{1,2}(?![A-Za-z0-9])",
  "Mailjet or Brevo key": "xkeysib-[A-Za-z0-9-]{30,}",
  "Telegram bot token": "[0-9]{8,10}(?::|%3A)AA[A-Za-z0-9_-]{30,}",
  "Discord bot token": "[MNO][A-Za-z0-9_-]{22,28}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,}",
  "Vault token": "hv[sbr]\\.[A-Za-z0-9_.-]{20,}",
  "Vault token, old": "[sb]\\.[A-Za-z0-9]{24}(?![A-Za-z0-9])",
  "DigitalOcean token": "(?:do[opr]_v1_[a-f0-9]{40,}|DO00[A-Z0-9]{16}(?![A-Za-z0-9]))",
  "Heroku key": "HRKU-[A-Za-z0-9_-]{20,}",
  "New Relic key": "NR(?:AK|AA|RA|II|JS)-[A-Za-z0-9]{19,}",
  "New Relic license key": "[a-f0-9]{36}NRAL(?![A-Za-z0-9])",
  "OpenAI or Anthropic key": "sk-(?:[a-z]{2,10}[0-9]{0,3}-)*[A-Za-z0-9_-]{20,}",
  "Hugging Face token": "(?:hf|api_org)_[A-Za-z0-9]{30,}",
  "Replicate token": "r8_[A-Za-z0-9]{30,}",
  "Groq or xAI key": "(?:gsk_|xai-)[A-Za-z0-9]{30,}",
  "Perplexity key": "pplx-[A-Za-z0-9]{30,}",
  "age key": "AGE-SECRET-KEY-1[0-9A-Z]{20,}",
  "Azure AD secret": "[A-Za-z0-9_~.]{3}[78]Q~[A-Za-z0-9_~.-]{30,40}(?![A-Za-z0-9_~.-])",
  "Databricks token": "dapi[a-f0-9]{32}",
  "Terraform Cloud token": "[A-Za-z0-9]{14}\\.atlasv1\\.[A-Za-z0-9_=-]{40,}",
  "Pulumi token": "pul-[a-f0-9]{40}",
  "Doppler token": "dp\\.(?:pt|st|ct|sa|scim|audit)\\.[A-Za-z0-9._-]{30,}",
  "Linear key": "lin_(?:api|oauth)_[A-Za-z0-9]{30,}",
  "Notion token": "(?:ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{40,})",
  "Figma token": "figd_[A-Za-z0-9_-]{30,}",
  "Shopify token": "shp(?:at|ca|pa|ss|tka)_[A-Fa-f0-9]{32,}",
  "Square token": "(?:sq0[a-z]{3}-[A-Za-z0-9_-]{20,}|EAAA[A-Za-z0-9_-]{56,})",
  "Grafana token": "gl(?:sa|c)_[A-Za-z0-9+/=_]{30,}",
  "Sentry token": "sntry[su]_[A-Za-z0-9+/=_]{30,}",
  "PlanetScale token": "pscale_(?:tkn|oauth|pw)_[A-Za-z0-9_.=-]{30,}",
  "Fly.io token": "(?:fo1_[A-Za-z0-9_-]{40,}|fm[12][ar]?_[A-Za-z0-9+/=_-]{40,})",
  "Docker Hub token": "dck(?:r_pat|r_oat)_[A-Za-z0-9_-]{20,}",
  "Dynatrace token": "dt0[a-z][0-9]{2}\\.[A-Z0-9]{24}\\.[A-Z0-9]{60,}",
  "Atlassian token": "AT(?:ATT3|CTT3|BB)[A-Za-z0-9_=-]{20,}(?:%3D[A-F0-9]{8})?",
  "Postman key": "PMAK-[a-f0-9]{24}-[a-f0-9]{30,}",
  "Facebook token": "EAA[A-Za-z0-9]{80,}",
  "PagerDuty key": "pdus\\+_[A-Za-z0-9_-]{16,}",
  "Tailscale key": "tskey-[a-z]{2,10}-[A-Za-z0-9-]{16,}",
  "Cloudflare origin key": "v1\\.0-[a-f0-9]{20,}-[a-f0-9]{100,}",
  "1Password token": "(?:ops_eyJ[A-Za-z0-9_-]{40,}|A3-[A-Z0-9]{6}-[A-Z0-9-]{20,})",
  "Alibaba or Tencent key": "(?:LTAI[A-Za-z0-9]{16,24}|AKID[A-Za-z0-9]{32})(?![A-Za-z0-9])",
  "Kubernetes bootstrap or Okta": "00[A-Za-z0-9_-]{40}(?![A-Za-z0-9_-])",
  "Airtable token": "pat[A-Za-z0-9]{14}\\.[a-f0-9]{40,}",
  "Honeycomb key": "hc[a-z]{2,4}k_[A-Za-z0-9]{30,}",
  "JFrog key": "(?:AKCp[A-Za-z0-9]{60,}|cmVmd[A-Za-z0-9]{50,})",
  "NATS seed": "S[ANOUCX][A-Z2-7]{56}(?![A-Za-z0-9])",
  "extended private key": "[xyztuv]prv[A-Za-z0-9]{90,}",
  "private key in base64": "LS0tLS1CRUdJTiB(?!D|QVUJMSUMg)[A-Za-z0-9+/=]{20,}",
  "Bitcoin key": "(?:5[HJK][1-9A-HJ-NP-Za-km-z]{49}|[KL][1-9A-HJ-NP-Za-km-z]{51})(?![A-Za-z0-9])",
  "Clojars token": "CLOJARS_[a-z0-9]{40,}",
  "Duffel token": "duffel_(?:test|live)_[A-Za-z0-9_=-]{30,}",
  "EasyPost key": "EZ[AT]K[A-Za-z0-9]{50,}",
  "Flutterwave key": "FLW(?:SECK|PUBK)(?:_TEST)?-[A-Za-z0-9]{12,}(?:-X)?",
  "Frame.io token": "fio-u-[A-Za-z0-9_=-]{40,}",
  "Grafana key, old": "eyJrIjoi[A-Za-z0-9]{40,}={0,3}",
  "Harness token": "[ps]at\\.[A-Za-z0-9_-]{22}\\.[A-Za-z0-9]{24}\\.[A-Za-z0-9]{20}",
  "Intra42 token": "s-s4t2(?:ud|af)-[a-f0-9]{60,}",
  "MaxMind key": "[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk",
  "OpenShift token": "sha256~[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])",
  "Octopus key": "API-[A-Z0-9]{25,32}(?![A-Za-z0-9])",
  "Prefect key": "pn[ub]_[A-Za-z0-9]{36}",
  "ReadMe key": "rdme_[a-z0-9]{60,}",
  "Shippo token": "shippo_(?:live|test)_[a-fA-F0-9]{40}",
  "Sourcegraph token": "sgp_(?:[a-fA-F0-9]{16}_|local_)?[a-fA-F0-9]{40}",
  "Settlemint token": "sm_[aps]at_[A-Za-z0-9]{16,}",
  "Scalingo token": "tk-us-[A-Za-z0-9_-]{40,}",
  "Typeform token": "tfp_[A-Za-z0-9_.=-]{40,}",
  "Yandex key":
    "(?:AQVN[A-Za-z0-9_-]{35,38}|t1\\.[A-Z0-9a-z_-]+=?\\.[A-Z0-9a-z_-]{60,}={0,2}|YC[a-zA-Z0-9_-]{38})(?![A-Za-z0-9_-])",
  "Bedrock key": "(?:ABSK[A-Za-z0-9+/]{100,}={0,2}|bedrock-api-key-[A-Za-z0-9+/=]{30,})",
  "Adobe secret": "p8e-[a-z0-9]{32}",
  "Authress key":
    "(?:sc|ext|scauth|authress)_[a-z0-9]{5,30}\\.[a-z0-9]{4,6}\\.acc[_-][a-z0-9-]{10,32}\\.[A-Za-z0-9+/_=-]{30,}",
  "Supabase key": "sb(?:p|_secret)_[A-Za-z0-9_-]{20,}",
  "Neon or Vercel token": "(?:napi_[a-z0-9]{50,}|vc[a-z]_[A-Za-z0-9]{20,})",
  "Netlify token": "nf[pcoub]_[A-Za-z0-9]{30,}",
  "CircleCI token": "CCI(?:PAT|PRJ)_[A-Za-z0-9]{20,}_[a-f0-9]{30,}",
  "Buildkite token": "bk(?:ua|at|ct)_[A-Za-z0-9]{30,}",
  "Contentful token": "CFPAT-[A-Za-z0-9_-]{40,}",
  "Asana token": "[0-9]/[0-9]{10,}(?:/[0-9]{10,})?:[a-f0-9]{32}",
  "ClickUp token": "pk_[0-9]{6,}_[A-Z0-9]{30,}",
  "Cloudinary address": "cloudinary://[0-9]{10,}:[A-Za-z0-9_-]{20,}",
  "Mapbox token": "[ps]k\\.eyJ[A-Za-z0-9_-]{30,}\\.[A-Za-z0-9_-]{16,}",
  "LaunchDarkly key": "(?:api|sdk|mob)-[a-f0-9]{8}-(?:[a-f0-9]{4}-){3}[a-f0-9]{12}",
  "Langfuse key": "[ps]k-lf-[a-f0-9-]{36}",
  "Razorpay key": "rzp_(?:live|test)_[A-Za-z0-9]{14,}",
  "Braintree token": "access_token\\$(?:production|sandbox)\\$[a-z0-9]{16}\\$[a-f0-9]{32}",
  "Resend or Loops key": "re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}",
  "Snyk token": "snyk_[a-z]{2,4}\\.[a-f0-9]{8}\\.[A-Za-z0-9_-]{20,}",
  "Sonar token": "sq[apu]_[a-f0-9]{40}",
  "Codecov or Snowflake token": "ver:1-hint:[0-9]+-[A-Za-z0-9+/=_-]{30,}",
  "Pinecone key": "pcsk_[A-Za-z0-9_]{40,}",
  "LangSmith key": "lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}",
  "Tavily or Exa key": "tvly-[A-Za-z0-9-]{20,}",
  "NVIDIA key": "nvapi-[A-Za-z0-9_-]{40,}",
  "Elastic key": "essu_[A-Za-z0-9+/=]{30,}",
  "Kubernetes join token": "(?=[a-z]{0,5}[0-9])[a-z0-9]{6}\\.[a-z0-9]{16}(?![A-Za-z0-9.])",
  "k3s or RKE2 token": "K10[a-f0-9]{64}::[A-Za-z0-9_:.-]{8,}",
  "Docker swarm token": "SWM(?:TKN|KEY)-1-[A-Za-z0-9+/-]{20,}",
  "Cloudflare tunnel token": "eyJhIjoi[A-Za-z0-9+/=]{60,}",
  "any vendor's key by its own words": `(?!pk_(?:live|test)_)[a-z][a-z0-9]{1,15}[_-](?:${keyWords}[_-]){1,3}(?=[A-Za-z]{0,40}[0-9])[A-Za-z0-9]{20,}`,
  "LDAP hash": "\\{(?:S?SHA(?:256|512)?|S?MD5|CRYPT|PBKDF2[\\w-]*)\\}[A-Za-z0-9+/=.$]{16,}",
};

/** What those hold that can begin like any word, and by what else they are told. */
const within: Readonly<Record<string, string>> = {
  "Mailchimp key": "-us[0-9]",
  "Telegram bot token": "(?::|%3A)AA",
  "Discord bot token": "\\.[A-Za-z0-9_-]{6}\\.",
  "New Relic license key": "NRAL",
  "Azure AD secret": "Q~",
  "Terraform Cloud token": "\\.atlasv1\\.",
  "MaxMind key": "_mmk",
  "Kubernetes join token": "\\.[a-z0-9]{16}",
  "any vendor's key by its own words": `[_-]${keyWords}[_-]`,
};

/** Password hashes open with a sign, so no word boundary stands before them. */
const hashes = [
  "\\$(?:1|2[abxy]?|[5-9]|y|gy|apr1|sha1|P|H)\\$[A-Za-z0-9./$=+_-]{16,}",
  "\\$(?:argon2(?:id|i|d)|scrypt|bcrypt-sha256|pbkdf2(?:-sha(?:1|256|512))?)\\$[A-Za-z0-9./$=,+_-]{16,}",
  "pbkdf2_sha(?:1|256|512)\\$[0-9]+\\$[A-Za-z0-9./$=+_-]{16,}",
  "grub\\.pbkdf2\\.sha(?:256|512)\\.[0-9]+\\.[A-F0-9.]{32,}",
  "SCRAM-SHA-(?:1|256|512)\\$[0-9]+:[A-Za-z0-9./$=+:_-]{16,}",
];

const leastToken = 12;
const separator = 1;
const wordPart = 2;

/** What ASCII characters are to a token; no other ends one or is a part of its first characters. */
const roles = Uint8Array.from({ length: 128 }, (_, unit) => {
  const character = String.fromCharCode(unit);
  return /[\s"',;<>]/.test(character) ? separator : /[A-Za-z0-9_]/.test(character) ? wordPart : 0;
});

const roleOf = (unit: number): number => (unit < 128 ? (roles[unit] ?? 0) : 0);

const allAscii = Array.from({ length: 128 }, (_, unit) => unit);
const begun = Object.entries(formats).map(([name, source]) => ({ name, source, beginnings: beginningsOf(source) }));

/** By the code of the first character: what may begin with it. A pattern of all alternatives tries each at each word. */
const tokensFrom: readonly (RegExp | undefined)[] = Array.from({ length: 128 }, (_, unit) => {
  const able = begun
    .filter(({ beginnings }) => beginnings.some(([first]) => first?.has(unit)))
    .map(({ source }) => source);
  return able.length === 0 ? undefined : new RegExp(`(?=[^\\s"',;<>]{${leastToken}})(?:${able.join("|")})`, "y");
});

/** By the codes of the first two characters: a bit for each third one, as far as five bits tell, of what may begin so. */
const thirds = new Int32Array(128 * 128);
for (const { name, beginnings } of begun) {
  for (const [first = [], second = allAscii, third] of within[name] === undefined ? beginnings : []) {
    const bits = [...(third ?? [])].reduce((sum, unit) => sum | (1 << (unit & 31)), third ? 0 : -1);
    for (const one of first)
      for (const other of second) thirds[one * 128 + other] = (thirds[one * 128 + other] ?? 0) | bits;
  }
}

const mayBegin = (first: number, second: number, third: number): boolean =>
  first < 128 && second < 128 && (((thirds[first * 128 + second] ?? 0) >>> (third & 31)) & 1) === 1;

const anyWithin = new RegExp(Object.values(within).join("|"), "g");

/** One of these stands in each. */
const anySign = /[$]|pbkdf2\./;
const anyHash = new RegExp(hashes.join("|"), "g");

/** Secrets known by their own shape, whatever stands around them. */
export const findFormats: Find = (text, watch) => {
  const spans: Span[] = [];
  const take = (start: number, token: string): void => {
    // The end of a sentence is no part of a token, though a full stop inside may be.
    const length = token.replace(/[.=-]+$/, (end) => (end.includes("=") ? end.replace(/[.-]+$/, "") : "")).length;
    spans.push({ start, end: start + length });
  };
  const units = unitsOf(text);
  const unitAt = (at: number): number => units[at] ?? 0;
  // Where the next sign stands of a token that can begin like any word.
  let sign = -1;
  for (let start = 0, end = 0; start < text.length; start = end + 1) {
    for (end = start; end < text.length && roleOf(unitAt(end)) !== separator; ) end++;
    for (let at = start, previous = 0; at <= end - leastToken; at++) {
      const isStart = previous !== wordPart;
      previous = roleOf(unitAt(at));
      if (!isStart) continue;
      if (sign < at) sign = nextWithin(text, at);
      if (sign >= end && !mayBegin(unitAt(at), unitAt(at + 1), unitAt(at + 2))) continue;
      const tokens = tokensFrom[unitAt(at)];
      if (!tokens) continue;
      watch?.();
      tokens.lastIndex = at;
      const token = tokens.exec(text)?.[0];
      if (token === undefined) continue;
      take(at, token);
      at += token.length - 1;
      previous = roleOf(unitAt(at));
    }
  }
  if (anySign.test(text)) for (const match of text.matchAll(anyHash)) take(match.index, match[0]);
  return spans;
};

function nextWithin(text: string, from: number): number {
  anyWithin.lastIndex = from;
  return anyWithin.exec(text)?.index ?? text.length;
}
