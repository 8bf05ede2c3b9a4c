import { readFileSync } from "node:fs";
import { type Draw, shuffled, some } from "./draw.ts";
import { type Make, secretOfKubernetes, secretOfKubernetesJson } from "./secrets.ts";
import { printers, type Rows } from "./tables.ts";

/** Texts by hand: `%%` is where a secret goes, `NAME` one of the names; `lists` are tables that tell of secrets and hold none. */
export const lines: {
  readonly crossed: readonly string[];
  readonly hashes: readonly string[];
  readonly references: readonly string[];
  readonly devices: readonly string[];
  readonly devicesPlain: readonly string[];
  readonly lists: readonly Rows[];
  readonly odd: readonly (readonly [text: string, secrets: readonly string[]])[];
  readonly harmless: readonly string[];
} = JSON.parse(readFileSync(new URL("lines.json", import.meta.url), "utf8"));

const names = [
  ["smtp_password", "db_password", "DB_PASSWORD", "api_key", "jwt_secret", "adminPassword"],
  ["ldap.bind.password", "redis-password", "stripe_secret_key", "auth_token", "spring.datasource.password"],
  ["client_secret", "passphrase", "encryption_key", "vault_token", "root_pw", "signing_secret"],
  ["webhook_secret", "access_token", "private_key"],
].flat();
const headings = [
  ["password", "api_key", "passwd", "secret", "access_token", "pw_hash", "password_md5", "password_sha256"],
  ["token", "client_secret", "PASSWORD"],
].flat();
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

const harmlessTables: Readonly<Record<string, Make>> = Object.fromEntries(
  Object.entries(printers).map(([name, print]) => [
    name,
    (draw) => {
      const text = print(draw.one(lines.lists));
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

/** By class, by what it is printed as. */
export const classes: Readonly<Record<string, Readonly<Record<string, Make>>>> = {
  "a row of name and value": inTable((draw) => settings(draw, false)),
  "a row of many cells": inTable((draw) => settings(draw, true)),
  "a column under its heading": inTable(underHeading, ["psql, unaligned, tuples only"]),
  "a table without secrets": harmlessTables,
  "a value on the next line": lineMaker(lines.crossed),
  "words for hashes": lineMaker(lines.hashes),
  references: lineMaker(lines.references),
  "labels of other languages and devices": lineMaker(lines.devices),
  "labels without a secret": lineMaker(lines.devicesPlain),
  "Secrets of Kubernetes": { YAML: secretOfKubernetes, JSON: secretOfKubernetesJson, "YAML again": secretOfKubernetes },
};
