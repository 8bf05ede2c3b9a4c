/** An entry of `sources`: what answers queries, as a server of the inventory. */

import { readFileSync } from "node:fs";
import * as z from "zod";
import { messageOf } from "../base/errors.ts";
import type { SchemaFinding } from "../base/problems.ts";
import { risks } from "../base/risk.ts";
import type { Server, Source } from "../base/server.ts";
import { durationKey, path, timerKey, webAddress } from "./schema-leaves.ts";
import type { FileSide } from "./values.ts";

/** One of `sources.*.tools`: what the operator has looked at, and how far it goes. */
const toolSchema = z.strictObject({
  sha256: z.string().regex(/^[0-9a-f]{64}$/, "is no SHA-256; `countersign check` shows the tool's"),
  level: z.enum(["low", "medium", "high"]),
  example: z.string().default(""),
});

/** One entry of `sources` (docs/sources.md). */
export const sourceSchema = z.strictObject({
  kind: z.enum(["prometheus", "loki", "mcp"]),
  url: webAddress,
  token_file: path().optional(),
  ca_file: path().optional(),
  tenant: z
    .string()
    .regex(/^[\w!.*'()|-]{1,150}$/, "cannot name a tenant")
    .optional(),
  groups: z.array(z.string().min(1)).default([]),
  description: z.string().default(""),
  timeout: timerKey("30s"),
  max_range: durationKey("7d"),
  max_series: z.int().min(1).max(1000).default(50),
  max_bytes: z.int().min(1024).max(67_108_864).default(2_097_152),
  tools: z.record(z.string().regex(/^[\w./-]{1,128}$/, "cannot name a tool"), toolSchema).default({}),
});

type Entry = FileSide["sources"][string];

/** What of the inventory a source makes. */
export type SourceServer = Pick<
  Server,
  "host" | "port" | "os" | "description" | "maxRisk" | "hardTimeoutMs" | "source"
>;
type Resolved = { readonly ok: true; readonly server: SourceServer } | ({ readonly ok: false } & SchemaFinding);

const products = { prometheus: "Prometheus, PromQL", loki: "Loki, LogQL" } as const;

/** What runs there, for people and the model, and how far it goes. */
function commandsOf({ kind, tools }: Entry): Pick<Source, "levels" | "tools"> & { readonly told: string } {
  if (kind !== "mcp") {
    const told = `${products[kind]}: only \`query 'EXPR'\` and \`query_range 'EXPR' --since 1h\` run here`;
    return { told, levels: { query: "low", query_range: "low" } };
  }
  const all = Object.entries(tools);
  const calls = all.map(([name, { level, example }]) => `\`${`${name} ${example}`.trim()}\` (${level})`);
  return {
    told: `MCP server: only \`TOOL {"name": "value"}\` with one of its tools runs here: ${calls.join(", ") || "none yet"}`,
    levels: Object.fromEntries(all.map(([name, { level }]) => [name, level])),
    tools: Object.fromEntries(all.map(([name, { sha256 }]) => [name, sha256])),
  };
}

/** Reads its certificate authority, which is no secret: every process that draws or runs a query needs it. Never throws. */
export function resolveSource(name: string, entry: Entry): Resolved {
  const { kind, tokenFile, caFile, tenant, description, maxSeries, maxBytes, maxRangeMs } = entry;
  const refuse = (key: string, message: string, remedy: string): Resolved => ({
    ok: false,
    path: ["sources", name, key],
    message,
    remedy,
  });
  const address = new URL(entry.url);
  const isPlain = address.protocol === "http:";
  if (address.search !== "" || address.hash !== "")
    return refuse(
      "url",
      `\`${name}\` has more in its address than host, port and path`,
      "write a token in `token_file`",
    );
  if (isPlain && (tokenFile !== undefined || caFile !== undefined))
    return refuse(
      "url",
      `\`${name}\` would send its token without TLS`,
      "write an https address, or leave token and CA out",
    );
  const isMcp = kind === "mcp";
  if (!isMcp && Object.keys(entry.tools).length > 0)
    return refuse("tools", `\`${name}\` has no tools to list`, "leave them out, or write `kind: mcp`");
  if (isMcp && tenant !== undefined)
    return refuse(
      "tenant",
      `\`${name}\` is asked for no tenant`,
      "leave it out: only Prometheus and Loki have tenants",
    );
  const read = caFile === undefined ? undefined : readAuthority(caFile);
  if (read && !read.ok) return refuse("ca_file", read.why, "name the PEM file of the certificate authority");
  const { told, ...commands } = commandsOf(entry);
  const source: Source = {
    kind,
    // `/mcp` and `/mcp/` are two addresses to a server that redirects one to the other.
    url: isMcp ? entry.url : entry.url.replace(/\/+$/, ""),
    ...(tokenFile === undefined ? {} : { tokenFile }),
    ...(read ? { ca: read.text } : {}),
    ...(tenant === undefined ? {} : { tenant }),
    maxRangeMs,
    maxSeries,
    maxBytes,
    ...commands,
  };
  return {
    ok: true,
    server: {
      host: address.hostname,
      port: Number(address.port || (isPlain ? 80 : 443)),
      os: "linux",
      description: description === "" ? told : `${description}. ${told}`,
      maxRisk: risks.findLast((risk) => Object.values(commands.levels).includes(risk)) ?? "low",
      hardTimeoutMs: entry.timeoutMs,
      source,
    },
  };
}

function readAuthority(
  file: string,
): { readonly ok: true; readonly text: string } | { readonly ok: false; readonly why: string } {
  try {
    const text = readFileSync(file, "utf8");
    return text.includes("-----BEGIN CERTIFICATE-----")
      ? { ok: true, text }
      : { ok: false, why: `${file} holds no certificate` };
  } catch (thrown) {
    return { ok: false, why: `cannot be read: ${messageOf(thrown)}` };
  }
}
