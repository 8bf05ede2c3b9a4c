import { createHash } from "node:crypto";

/** A secret as it stands in a file, an environment or a text, and the part of it that may be seen nowhere. */
export interface Planted {
  readonly name: string;
  readonly line: string;
  readonly needle: string;
}

/** Made when the tests run, so that no file of this repository holds what looks like a secret. */
export function drawn(name: string, alphabet: string, length: number): string {
  let text = "";
  for (let round = 0; text.length < length; round++) {
    for (const byte of createHash("sha256").update(`${name} ${round}`).digest())
      text += alphabet[byte % alphabet.length];
  }
  return text.slice(0, length);
}

const lower = "abcdefghijklmnopqrstuvwxyz";
const digits = "0123456789";
const word = `${lower}${lower.toUpperCase()}${digits}`;
const hex = `${digits}abcdef`;

type Line = (secret: string) => string;
const like = (alphabet: string, length: number, line: Line) => ({ alphabet, length, line });
const pem =
  (kind: string): Line =>
  (secret) =>
    [`-----BEGIN ${kind}-----`, ...(secret.match(/.{64}/g) ?? []), `-----END ${kind}-----`].join("\n");

/** Known formats, then structures, each as somebody would meet it on a server. */
const table = {
  "GitHub classic token": like(word, 36, (s) => `origin https://ghp_${s}@github.com/acme/web.git`),
  "GitHub fine-grained token": like(word, 82, (s) => `using github_pat_${s}`),
  "GitHub App token": like(word, 36, (s) => `ghs_${s}`),
  "AWS access key": like(`${lower.toUpperCase()}234567`, 16, (s) => `aws_access_key_id = AKIA${s}`),
  "AWS secret": like(word, 40, (s) => `aws_secret_access_key = ${s}`),
  "Google API key": like(word, 35, (s) => `maps key AIza${s}`),
  "Slack bot token": like(word, 24, (s) => `slack: xoxb-123456789012-123456789012-${s}`),
  "Slack webhook": like(word, 24, (s) => `https://hooks.slack.com/services/T01ABCDEF/B01ABCDEF/${s}`),
  "Stripe live key": like(word, 24, (s) => `stripe sk_live_${s}`),
  "OpenAI key": like(word, 48, (s) => `OPENAI_API_KEY=sk-proj-${s}`),
  "Anthropic key": like(word, 93, (s) => `key sk-ant-api03-${s}AA`),
  "GitLab token": like(word, 20, (s) => `glpat-${s}`),
  "npm token": like(word, 36, (s) => `//registry.npmjs.org/:_authToken=npm_${s}`),
  "PyPI token": like(word, 80, (s) => `password = pypi-AgEIcHlwaS5vcmc${s}`),
  "SendGrid key": like(word, 43, (s) => `SG.${s.slice(0, 22)}.${s}`),
  "Twilio key": like(hex, 32, (s) => `TWILIO_API_KEY=SK${s}`),
  "DigitalOcean token": like(hex, 64, (s) => `dop_v1_${s}`),
  "Vault token": like(word, 90, (s) => `VAULT_TOKEN=hvs.${s}`),
  "Shopify token": like(hex, 32, (s) => `shpat_${s}`),
  "Telegram bot token": like(word, 33, (s) => `bot 123456789:AA${s}`),
  JWT: like(word, 43, (s) => `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.${s}`),
  "bearer header": like(word, 40, (s) => `Authorization: Bearer ${s}`),
  "basic header": like(word, 32, (s) => `authorization: Basic ${s}`),
  "key header": like(word, 32, (s) => `x-api-key: ${s}`),
  cookie: like(word, 32, (s) => `Cookie: theme=dark; session=${s}`),
  "set-cookie": like(word, 32, (s) => `Set-Cookie: sid=${s}; Path=/; HttpOnly`),
  "address with password": like(word, 14, (s) => `proxy=http://deploy:${s}@proxy.internal:3128`),
  "PostgreSQL address": like(word, 16, (s) => `DATABASE_URL=postgres://shop:${s}@db-1:5432/shop`),
  "MongoDB address": like(word, 16, (s) => `mongodb+srv://shop:${s}@cluster0.mongodb.net/shop`),
  "Redis address": like(word, 16, (s) => `redis://:${s}@cache-1:6379/0`),
  "AMQP address": like(word, 16, (s) => `amqp://guest:${s}@queue-1:5672/`),
  "SQL Server string": like(word, 16, (s) => `Server=db-1;Database=shop;User Id=shop;Password=${s};`),
  "JDBC address": like(word, 16, (s) => `jdbc:mysql://db-1/shop?user=shop&password=${s}`),
  "Azure storage": like(
    word,
    86,
    (s) => `DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=${s}==;EndpointSuffix=core.windows.net`,
  ),
  environment: like(word, 18, (s) => `DB_PASSWORD=${s}`),
  "quoted environment": like(word, 18, (s) => `export ADMIN_PASSWORD="${s}"`),
  "PHP setting": like(word, 18, (s) => `define('DB_PASSWORD', '${s}');`),
  "JSON setting": like(word, 18, (s) => `{"user": "shop", "password": "${s}"}`),
  "YAML setting": like(word, 18, (s) => `client_secret: ${s}`),
  "INI setting": like(word, 18, (s) => `secret_key = ${s}`),
  "TOML setting": like(word, 22, (s) => `api_token = "${s}"`),
  "XML setting": like(word, 18, (s) => `<password>${s}</password>`),
  "properties file": like(word, 18, (s) => `spring.datasource.password=${s}`),
  ".netrc": like(word, 16, (s) => `machine api.acme.example login deploy password ${s}`),
  ".pgpass": like(word, 16, (s) => `db-1:5432:shop:shop:${s}`),
  ".htpasswd": like(word, 22, (s) => `mona:$apr1$abcdefgh$${s}`),
  "shadow hash": like(word, 86, (s) => `root:$6$saltsalt$${s}:19000:0:99999:7:::`),
  "flag of mysql": like(word, 16, (s) => `1234 ?  Ss  0:01 mysqld_safe --user=shop --password=${s}`),
  "flag of curl": like(word, 16, (s) => `curl -u deploy:${s} https://api.acme.example/`),
  "flag of redis-cli": like(word, 16, (s) => `redis-cli -h cache-1 -a ${s} ping`),
  "variable before a command": like(word, 16, (s) => `PGPASSWORD=${s} psql -h db-1 -U shop`),
  "Kubernetes token": like(word, 40, (s) => `    token: ${s}`),
  "Docker auth": like(word, 40, (s) => `{"auths":{"registry.acme.example":{"auth":"${s}"}}}`),
  "WireGuard key": like(word, 43, (s) => `PrivateKey = ${s}=`),
  "RSA private key": like(word, 640, pem("RSA PRIVATE KEY")),
  "EC private key": like(word, 192, pem("EC PRIVATE KEY")),
  "private key cut off": like(word, 320, (s) => pem("PRIVATE KEY")(s).split("\n").slice(0, -1).join("\n")),
  "one-time password seed": like(
    `${lower.toUpperCase()}234567`,
    32,
    (s) => `otpauth://totp/acme:mona?secret=${s}&issuer=acme`,
  ),
} as const satisfies Readonly<Record<string, ReturnType<typeof like>>>;

/** One of each kind, drawn for one place: what is found elsewhere is known to come from there. */
export const secretsOf = (place: string): readonly Planted[] =>
  Object.entries(table).map(([name, { alphabet, length, line }]) => {
    const secret = drawn(`${place} ${name}`, alphabet, length);
    // Of a long one a part in the middle is enough to know it by, and stands on one line.
    return {
      name: `${place}: ${name}`,
      line: line(secret),
      needle: length > 64 ? secret.slice(66, 90) || secret : secret,
    };
  });

export const textOf = (secrets: readonly Planted[]): string => secrets.map(({ line }) => line).join("\n");
