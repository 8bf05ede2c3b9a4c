import type { Draw } from "./draw.ts";
import { printers, type Rows } from "./tables.ts";

/** A text made by class: what must go, and what must stay as it is. */
export type Made = { readonly text: string; readonly secrets: readonly string[]; readonly keep: readonly string[] };
export type Make = (draw: Draw) => Made;

const names = [
  "smtp_password",
  "db_password",
  "DB_PASSWORD",
  "api_key",
  "jwt_secret",
  "adminPassword",
  "ldap.bind.password",
  "redis-password",
  "stripe_secret_key",
  "auth_token",
  "spring.datasource.password",
  "client_secret",
  "passphrase",
  "encryption_key",
  "vault_token",
  "root_pw",
  "signing_secret",
  "webhook_secret",
  "access_token",
  "private_key",
] as const;
const headings = [
  "password",
  "api_key",
  "passwd",
  "secret",
  "access_token",
  "pw_hash",
  "password_md5",
  "password_sha256",
  "token",
  "client_secret",
  "PASSWORD",
] as const;
const plain = [
  ["smtp_host", "mail.shop.example"],
  ["smtp_port", "587"],
  ["max_connections", "200"],
  ["log_level", "info"],
  ["feature_x", "true"],
  ["region", "eu-west-1"],
  ["theme", "dark"],
  ["cache_ttl", "3600"],
  ["base_url", "https://shop.example"],
  ["password_min_length", "12"],
  ["token_ttl", "900"],
  ["password_policy", "strict"],
  ["session_timeout", "1800"],
] as const;
const users = ["ann", "bob", "carla", "deploy", "svc-web", "mona"] as const;

const some = <T>(draw: Draw, of: readonly T[], count: number): T[] => {
  const left = [...of];
  return Array.from({ length: Math.min(count, of.length) }, () => left.splice(draw.below(left.length), 1)).flat();
};
const shuffled = <T>(draw: Draw, of: readonly T[]): T[] => some(draw, of, of.length);

/** Rows of settings, one or two of them secret, with columns before, between and behind. */
function settings(draw: Draw, isWide: boolean): { rows: Rows; secrets: string[]; keep: string[] } {
  const [nameHead, valueHead] = draw.one([
    ["name", "value"],
    ["key", "value"],
    ["variable_name", "variable_value"],
    ["setting", "current"],
    ["parameter", "val"],
    ["NAME", "VALUE"],
    ["config_key", "config_value"],
  ] as const);
  const secret = some(draw, names, 1 + draw.below(2)).map((name) => [name, draw.secret()] as const);
  const other = some(draw, plain, 2 + draw.below(3));
  const body = shuffled(draw, [...secret, ...other]).map(([name, value], at) =>
    isWide
      ? [String(at + 1), name, draw.one(["string", ""]), value, draw.one(["2026-03-01", "ann", "t", ""])]
      : [name, value],
  );
  const head = isWide ? ["id", nameHead, "type", valueHead, "changed"] : [nameHead, valueHead];
  return {
    rows: [head, ...body],
    secrets: secret.map(([, value]) => value),
    keep: [...other.flat(), ...secret.map(([name]) => name)],
  };
}

function underHeading(draw: Draw): { rows: Rows; secrets: string[]; keep: string[] } {
  const heading = draw.one(headings);
  const at = draw.below(3);
  const people = some(draw, users, 2 + draw.below(3)).map((user) => ({
    user,
    secret: draw.one([draw.secret, () => "hunter", draw.secret])(),
  }));
  const cells = (user: string, secret: string, mail: string): string[] => {
    const row = [user, mail, String(10 + draw.below(80))];
    return [...row.slice(0, at), secret, ...row.slice(at)];
  };
  const rows = [
    cells("login", heading, "mail").with(at === 3 ? 2 : 3, "logins"),
    ...people.map(({ user, secret }) => cells(user, secret, `${user}@shop.example`)),
  ];
  return {
    rows,
    secrets: people.map(({ secret }) => secret),
    keep: people.flatMap(({ user }) => [user, `${user}@shop.example`]),
  };
}

const inTable = (
  content: (draw: Draw) => { rows: Rows; secrets: string[]; keep: string[] },
  skip: readonly string[] = [],
): Readonly<Record<string, Make>> =>
  Object.fromEntries(
    Object.entries(printers)
      .filter(([name]) => !skip.includes(name))
      .map(([name, print]) => [
        name,
        (draw) => {
          const { rows, secrets, keep } = content(draw);
          const lead = draw.one(["", "$ show\n", "Tue Mar 3 10:00:01 ready\n\n"]);
          return { text: `${lead}${print(rows)}\n${draw.one(["", "done\n"])}`, secrets, keep };
        },
      ]),
  );

/** What tables tell of secrets without holding one. */
const lists: Rows[] = [
  [
    ["NAME", "TYPE", "DATA", "AGE"],
    ["db-password", "Opaque", "1", "3d"],
    ["api-token", "kubernetes.io/service-account-token", "3", "41d"],
    ["tls-secret", "kubernetes.io/tls", "2", "9h"],
  ],
  [
    ["ID", "NAME", "DRIVER", "CREATED", "UPDATED"],
    ["x3k1f0a9b2", "db_password", "", "2 weeks ago", "2 weeks ago"],
    ["p9s8a7d6f5", "smtp_password", "", "3 days ago", "3 days ago"],
  ],
  [
    ["Column", "Type", "Collation", "Nullable", "Default"],
    ["id", "bigint", "", "not null", ""],
    ["password_hash", "character varying(255)", "", "not null", ""],
    ["api_token", "text", "", "", ""],
    ["password", "bytea", "", "not null", ""],
  ],
  [
    ["Field", "Type", "Null", "Key", "Default", "Extra"],
    ["id", "int", "NO", "PRI", "NULL", "auto_increment"],
    ["password", "varchar(255)", "NO", "", "NULL", ""],
    ["access_token", "varchar(64)", "YES", "MUL", "NULL", ""],
  ],
  [
    ["Schema", "Name", "Type", "Owner"],
    ["public", "api_tokens", "table", "app"],
    ["public", "password", "table", "app"],
    ["public", "client_secret", "view", "app"],
  ],
  [
    ["Variable_name", "Value"],
    ["validate_password.length", "8"],
    ["validate_password.policy", "MEDIUM"],
    ["default_password_lifetime", "0"],
    ["password_history", "0"],
  ],
  [
    ["user", "host", "plugin", "password_expired"],
    ["root", "localhost", "caching_sha2_password", "N"],
    ["app", "%", "mysql_native_password", "N"],
  ],
  [
    ["NAMESPACE", "NAME", "READY", "STATUS", "RESTARTS", "AGE"],
    ["kube-system", "token", "1/1", "Running", "0", "3d"],
    ["shop", "vault-token", "0/1", "CrashLoopBackOff", "12", "4h"],
  ],
  [
    ["table_name", "rows", "size"],
    ["password", "120", "16 kB"],
    ["access_token", "98211", "24 MB"],
  ],
  [
    ["name", "setting", "unit"],
    ["password_encryption", "scram-sha-256", ""],
    ["ssl_key_file", "server.key", ""],
    ["krb_server_keyfile", "/etc/krb5.keytab", ""],
  ],
  [
    ["Secret", "Last rotated", "By"],
    ["db_password", "2026-03-01", "ann"],
    ["api_key", "2026-02-11", "bob"],
  ],
  [
    ["user", "password_set", "last_login"],
    ["ann", "yes", "2026-01-01"],
    ["bob", "no", "never"],
  ],
  [
    ["name", "value"],
    ["db_password", "${DB_PASSWORD}"],
    ["api_key", "vault:secret/data/shop#api"],
    ["smtp_password", "********"],
    ["jwt_secret", ""],
  ],
  [
    ["claim", "value"],
    ["token_type", "Bearer"],
    ["secret", "<set>"],
    ["password", "NULL"],
  ],
];
const harmlessTables: Readonly<Record<string, Make>> = Object.fromEntries(
  Object.entries(printers).map(([name, print]) => [
    name,
    (draw) => {
      const text = print(draw.one(lists));
      return { text, secrets: [], keep: [text] };
    },
  ]),
);

/** One line of many: `%` is where the secret goes, `N` one of the names. */
const lineMaker = (templates: readonly string[]): Readonly<Record<string, Make>> =>
  Object.fromEntries(
    templates.map((template) => [
      template,
      (draw) => {
        const secret = draw.secret();
        const text = template.replaceAll("NAME", draw.one(names)).replace("%%", () => secret);
        return text.includes(secret)
          ? {
              text,
              secrets: [secret],
              keep: template
                .split("%%")
                .flatMap((part) => part.split("NAME"))
                .map((part) => part.trim())
                .filter((part) => part !== ""),
            }
          : { text, secrets: [], keep: [text] };
      },
    ]),
  );

const crossed = [
  "curl -u\n%% is the next line",
  "mysql -u root -p\nSecond1 line of words",
  "Authorization: Bearer\nabc123def456ghi is a word here",
  "--password\nHost1 10.0.0.1 up",
  "password\nweb-1 running 3d",
  "password:\nweb-1 running 3d",
  "password =\nport = 5432",
  "snmp-server community\ninterface Gi0/1 up",
  "pre-shared-key\nhostname r1-core up",
  "ALTER USER x IDENTIFIED BY\nQuery OK, 0 rows affected",
  "token:\n2026-03-01T10:00:00Z started",
  "api_key,\nserver1 was restarted twice",
  "smtp_password |\n 2 | smtp_port | 587",
  "Kennwort:\nServer1 läuft seit 3 Tagen",
  "Passwort\nSeite1 von 2 geladen",
  "machine h login u password\nNode1 is up again",
  "enable secret 5\ninterface Vlan10 up",
  "set password\nPort1/2 is up now",
  "sshpass -p\nHost1 10.0.0.1 up",
  "password\t\n2\tsmtp_port\t587",
  "| db_password |\n| smtp_port | 587 |",
  "db_password;\nsmtp_port;587",
  "net use z: \\\\srv\\share\nStatus1 is fine now",
  "redis-cli -a\nPONG1 from server",
  "secret\n(1 row)",
  "Enter password:\nWelcome1 to web-1 again",
  "the password is\nNode1 rebooted at 10:00",
].map((one) => one.replace("%%", "Reader1"));

const hashes = [
  "NAME_sha256: %%",
  "password_md5=%%",
  "passwordSha256: %%",
  "user_password_hex=%%",
  '"secret_digest": "%%"',
  "pass_bcrypt: %%",
  "api_key_sha1=%%",
  "token_sha512: %%",
  "password_hash_sha256 = %%",
  "db_passwd_digest: '%%'",
  "PASSWORD_SHA1=%%",
];
const references = [
  "password: $DB_PASSWORD",
  "password: ${DB_PASSWORD}",
  "token: ${{ secrets.DEPLOY_TOKEN }}",
  "NAME: vault:secret/data/shop#NAME",
  "NAME=op://prod/shop/password",
  "NAME: ssm:/prod/shop/db",
  "NAME = arn:aws:secretsmanager:eu-west-1:480311877215:secret:prod/shop-Ab3xYz",
  "NAME=@Microsoft.KeyVault(SecretUri=https://kv.vault.azure.net/secrets/db/0f3c9a12)",
  "NAME: !vault |",
  "NAME=file:/run/secrets/db_password",
  "- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef:\n      name: shop-db\n      key: password",
  "password: valueFrom",
  'password = data.vault_generic_secret.db.data["password"]',
  "NAME: {{ .Values.db.password }}",
  "NAME=%(ENV_DB_PASSWORD)s",
  "NAME: '{{resolve:secretsmanager:prod/shop:SecretString:password}}'",
  "NAME: azurekeyvault://shop/db",
  "NAME: gcpsm://projects/shop/secrets/db/versions/latest",
  "NAME=sm://shop/db-password",
  "NAME: ref+vault://secret/shop#/db",
  "password: !Sub '{{resolve:ssm-secure:/shop/db:1}}'",
  "NAME: <%= ENV['DB_PASSWORD'] %>",
  "NAME: ENC[AWS_KMS_REF]",
  "NAME=awssm://prod/shop#db1",
  "NAME: secret://shop/db1",
  "NAME: file:///run/secrets/db1",
  "NAME=env:DB_PASSWORD1",
  "service_key: default/Pod/x",
  "service_key: kube-system/Deployment/coredns",
  "cache_key: shop/product/4711",
  "routing_key: orders.created.v1",
  "access_key: default/Secret/shop-db",
  "partition_key: tenant-42/2026-03",
  "storage_key: backups/2026/03/01/db.tar.gz",
  "session_key: user/42/cart",
  'group_key: {}:{alertname="HighLoad"}',
];
const devices = [
  "Kennwort : %%",
  "Passwort: %%",
  "Mot de passe : %%",
  "Contraseña: %%",
  "Senha: %%",
  "Пароль: %%",
  "パスワード: %%",
  "密码：%%",
  "wachtwoord: %%",
  "Lösenord: %%",
  "Hasło: %%",
  "Heslo: %%",
  "비밀번호: %%",
  "    Schlüsselinhalt            : %%",
  "    Key Content            : %%",
  "    Contenu de la clé            : %%",
  "    Contenido de la clave  : %%",
  "    Contenuto chiave            : %%",
  "    Conteúdo da Chave            : %%",
  "    Содержимое ключа            : %%",
  "    关键内容            : %%",
  "    主要なコンテンツ       : %%",
  "    Sleutelinhoud : %%",
  "    Zawartość klucza            : %%",
  "Adgangskode        : %%",
  "Salasana: %%",
  "Parola: %%",
  "Jelszó: %%",
  "Şifre: %%",
  "Κωδικός: %%",
  "Benutzerkennwort ........ : %%",
  "Mot de passe utilisateur : %%",
  "Kennwort des Dienstkontos: %%",
  "enable secret 5 %%",
  "enable password %%",
  "snmp-server community %% RO",
  "snmp-server community %%",
  "username admin password 7 %%",
  "username admin privilege 15 secret 9 %%",
  'set system root-authentication encrypted-password "%%"',
  " pre-shared-key %%",
  'set security ike policy p pre-shared-key ascii-text "%%"',
  "crypto isakmp key %% address 10.0.0.1",
  "tacacs-server key 7 %%",
  "radius-server host 10.0.0.1 key %%",
  " neighbor 10.0.0.1 password 7 %%",
  "ip ospf message-digest-key 1 md5 7 %%",
  "local-user admin password irreversible-cipher %%",
  "set password ENC %%",
  "set psksecret ENC %%",
  " key-string 7 %%",
  "wpa-psk ascii 0 %%",
  "snmp-agent community read cipher %%",
  "set snmp community %% authorization read-only",
  "ppp chap password 0 %%",
  "standby 1 authentication md5 key-string 7 %%",
  "set service snmp community %%",
];
const devicesPlain = [
  "Kennwort läuft ab            12.04.2026 10:11:12",
  "Kennwort erforderlich        Ja",
  "Letztes Setzen des Kennworts  01.03.2026 10:11:12",
  "Mot de passe requis          Oui",
  "Le mot de passe expire       12/04/2026 10:11:12",
  "La contraseña expira         Nunca",
  "Passwort geändert am: 12.04.2026",
  "Minimale Kennwortlänge:      7",
  "Пароль действителен до: 12.04.2026",
  "Senha expira em: 12/04/2026",
  "Wachtwoord verloopt: Nooit",
  "Schlüsselinhalt            : Vorhanden",
  "Kennwort falsch",
  "Authentifizierung       : WPA2-Personal",
  "    Cipher            : CCMP",
  "パスワードの有効期限: 2026/04/12",
  "no service password-encryption",
  "service password-encryption",
  "snmp-server host 10.0.0.1 traps",
  "enable secret level 15",
  "password policy enabled",
  " login authentication default",
  "密码已过期",
];
const secretOfKubernetes: Make = (draw) => {
  const isEncoded = draw.below(2) === 0;
  const encode = (value: string): string =>
    isEncoded
      ? Buffer.from(value).toString("base64")
      : draw.one(["", '"']) === "" && !/^\d|true|false/.test(value)
        ? value
        : `"${value}"`;
  const secret = some(
    draw,
    ["password", "api-key", "postgres-password", "config", "username-and-pass", "tls.pass", "CREDENTIAL"],
    2,
  ).map((key) => [key, draw.secret()] as const);
  const kept = some(
    draw,
    [
      ["port", "5432"],
      ["DB_PORT", "3306"],
      ["host", "db.shop.svc.cluster.local"],
      ["hostname", "pg-1.shop.example"],
      ["tls", "true"],
      ["DEBUG", "false"],
      ["replicas", "3"],
      ["max_connections", "200"],
      ["smtp-host", "mail.example.com"],
      ["endpoint", "10.0.3.7"],
      ["ssl", "on"],
    ] as const,
    3,
  );
  const lines = shuffled(draw, [...secret, ...kept]).map(([key, value]) => `  ${key}: ${encode(value)}`);
  const data = isEncoded ? "data" : "stringData";
  const text = `apiVersion: v1\nkind: Secret\nmetadata:\n  name: shop\ntype: Opaque\n${data}:\n${lines.join("\n")}\n`;
  return {
    text,
    secrets: secret.map(([, value]) => encode(value).replaceAll('"', "")),
    keep: kept.map(([key, value]) => lines.find((line) => line.startsWith(`  ${key}:`)) ?? value),
  };
};
const secretOfKubernetesJson: Make = (draw) => {
  const base64 = (value: string): string => Buffer.from(value).toString("base64");
  const secret = draw.secret();
  const text = JSON.stringify(
    {
      kind: "Secret",
      apiVersion: "v1",
      data: {
        password: base64(secret),
        port: base64("5432"),
        host: base64("db.shop.example"),
        tls: base64("true"),
        pool: base64("20"),
      },
    },
    null,
    draw.one([0, 2, 4]),
  );
  return {
    text,
    secrets: [base64(secret)],
    keep: [base64("5432"), base64("db.shop.example"), base64("true"), base64("20")],
  };
};

/** By class, by what it is printed as. Each even one was there while the rules were written, each odd one was not. */
export const classes: Readonly<Record<string, Readonly<Record<string, Make>>>> = {
  "a row of name and value": inTable((draw) => settings(draw, false)),
  "a row of many cells": inTable((draw) => settings(draw, true)),
  "a column under its heading": inTable(underHeading, ["psql, unaligned, tuples only"]),
  "a table without secrets": harmlessTables,
  "a value on the next line": lineMaker(crossed),
  "words for hashes": lineMaker(hashes),
  references: lineMaker(references),
  "labels of other languages and devices": lineMaker(devices),
  "labels without a secret": lineMaker(devicesPlain),
  "Secrets of Kubernetes": { YAML: secretOfKubernetes, JSON: secretOfKubernetesJson, "YAML again": secretOfKubernetes },
};
