import { type Draw, shuffled, some } from "./draw.ts";

/** A text made by class: what must go, and what must stay as it is. */
export type Made = { readonly text: string; readonly secrets: readonly string[]; readonly keep: readonly string[] };
export type Make = (draw: Draw) => Made;

/** A Secret as YAML, encoded or not: what opens something goes, ports, hosts, switches and counts stay. */
export const secretOfKubernetes: Make = (draw) => {
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
/** The same as JSON, on one line or many. */
export const secretOfKubernetesJson: Make = (draw) => {
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
