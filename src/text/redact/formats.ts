import type { Find, Span } from "./span.ts";

/**
 * Tokens that are known by their shape alone. Each pattern starts where no word character stands before it, is linear
 * (bounded, or a run that always matches once its least length is reached) and matches nothing but the secret.
 */
const formats: Readonly<Record<string, string>> = {
  "AWS access key id": "(?:AKIA|ASIA|ABIA|ACCA|AGPA|AIDA|AROA)[A-Z2-7]{16}(?![A-Za-z0-9])",
  "AWS session token": "(?:IQoJb3JpZ2lu|FwoGZXIvYXdz|FQoGZXIvYXdz)[A-Za-z0-9+/=]{20,}",
  "GitHub token": "gh[pousr]_[A-Za-z0-9_.-]{20,}",
  "GitHub fine-grained token": "github_pat_[A-Za-z0-9_]{20,}",
  "GitLab token": "gl(?:pat|oas|dt|rt|cbt|ptt|ft|imt|agent|soat|ffct)-[A-Za-z0-9_.=-]{16,}",
  "GitLab runner": "GR1348941[A-Za-z0-9_-]{16,}",
  "Slack token": "xox[a-z](?:\\.xox[a-z])?-[A-Za-z0-9-]{8,}",
  "Slack app token": "xapp-[0-9]-[A-Za-z0-9-]{10,}",
  "Stripe key": "(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,}",
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
  "Telegram bot token": "[0-9]{8,10}:AA[A-Za-z0-9_-]{30,}",
  "Discord bot token": "[MNO][A-Za-z0-9_-]{22,28}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,}",
  "Vault token": "hv[sbr]\\.[A-Za-z0-9_.-]{20,}",
  "Vault token, old": "[sb]\\.[A-Za-z0-9]{24}(?![A-Za-z0-9])",
  "DigitalOcean token": "do[opr]_v1_[a-f0-9]{40,}",
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
  "Atlassian token": "AT(?:ATT3|CTT3|BB)[A-Za-z0-9_=-]{20,}",
  "Postman key": "PMAK-[a-f0-9]{24}-[a-f0-9]{30,}",
  "Facebook token": "EAA[A-Za-z0-9]{80,}",
  "PagerDuty key": "pdus\\+_[A-Za-z0-9_-]{16,}",
  "Tailscale key": "tskey-[a-z]{2,10}-[A-Za-z0-9-]{16,}",
  "Cloudflare origin key": "v1\\.0-[a-f0-9]{20,}-[a-f0-9]{100,}",
  "1Password token": "(?:ops_eyJ[A-Za-z0-9_-]{40,}|A3-[A-Z0-9]{6}-[A-Z0-9-]{20,})",
  "Alibaba or Tencent key": "(?:LTAI[A-Za-z0-9]{16,24}|AKID[A-Za-z0-9]{32})(?![A-Za-z0-9])",
  "Kubernetes bootstrap or Okta": "00[A-Za-z0-9_-]{40}(?![A-Za-z0-9_-])",
  "LDAP hash": "\\{(?:S?SHA(?:256|512)?|S?MD5|CRYPT|PBKDF2[\\w-]*)\\}[A-Za-z0-9+/=.$]{16,}",
};

/** Password hashes open with a sign, so no word boundary stands before them. */
const hashes = [
  "\\$(?:1|2[abxy]?|5|6|7|y|gy|apr1|sha1|argon2(?:id|i|d)|scrypt|bcrypt-sha256|pbkdf2(?:-sha(?:1|256|512))?|P|H)\\$[A-Za-z0-9./$=,+_-]{16,}",
  "pbkdf2_sha(?:1|256|512)\\$[0-9]+\\$[A-Za-z0-9./$=+_-]{16,}",
  "SCRAM-SHA-(?:1|256|512)\\$[0-9]+:[A-Za-z0-9./$=+:_-]{16,}",
];

const tokens = new RegExp(`(?<![A-Za-z0-9_])(?:${Object.values(formats).join("|")})|${hashes.join("|")}`, "g");

/** Secrets known by their own shape, whatever stands around them. */
export const findFormats: Find = (text) => {
  const spans: Span[] = [];
  for (const match of text.matchAll(tokens)) {
    // The end of a sentence is no part of a token, though a full stop inside may be.
    const length = match[0].replace(/[.=-]+$/, (end) => (end.includes("=") ? end.replace(/[.-]+$/, "") : "")).length;
    spans.push({ start: match.index, end: match.index + length });
  }
  return spans;
};
